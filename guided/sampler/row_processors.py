"""`RowProcessors`: what a batch asks of custom processors. `guided.processors` has the implementation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

import torch

from guided.grammars.errors import GuidedError

from ..masks import AnyBitmask
from ..params.sampling_params import SamplingParams


class RowProcessors(Protocol):
    """Custom processors of a batch's rows, which come and go with it."""

    @property
    def is_empty(self) -> bool:
        """No row has any, so that `apply` does nothing."""

    @property
    def errors(self) -> dict[int, GuidedError]:
        """Of the last `apply`: the rows whose processor failed, and why. Waits for the device."""

    def names_of(self, row: int) -> Sequence[str]:
        """The names of a row's processors."""

    def add(self, params: SamplingParams, prompt_token_ids: Sequence[int]) -> None:
        """A row joins, as the last one."""

    def filter(self, keep_indices: Sequence[int]) -> None:
        """Only these rows stay, in this order."""

    def merge(self, other: Self) -> None:
        """The other's rows join after these."""

    def accept_tokens(self, token_ids: torch.Tensor) -> None:
        """Each row took its token. token_ids: (B,) int32 on the batch's device."""

    def apply(self, logits: torch.Tensor, bitmask: AnyBitmask | None) -> None:
        """Change the logits (B, V) in place. A row that fails is named in `errors`; the others go on.

        bitmask: as in `Sampler.sample`; it is applied after this, so nothing here can bring back what it rules out.
        """
