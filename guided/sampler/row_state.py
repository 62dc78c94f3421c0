"""`RowState`: what one parameter keeps for each row of a batch, and how its rows come and go."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, Self

import torch

from ..params.sampling_params import SamplingParams
from .columns import Column, Columns

NO_ID = -1  # an unused place in a list of token ids


class RowState(ABC):
    """State of B rows; rows whose parameters don't ask for it are blank, and nothing happens to them.

    name: the field of `SamplingParams`, for messages. specs: the columns.
    """

    name: ClassVar[str]
    specs: ClassVar[Mapping[str, Column]]

    def __init__(self, vocab_size: int, device: torch.device, eos_token_ids: Collection[int] = ()) -> None:
        self.vocab_size = vocab_size
        self.eos_token_ids = eos_token_ids
        self.columns = Columns(self.specs, device)

    @staticmethod
    @abstractmethod
    def is_needed(params: SamplingParams) -> bool:
        """True when a row with these parameters asks for it."""

    @abstractmethod
    def add(self, params: Sequence[SamplingParams], prompts: Sequence[Sequence[int]]) -> None:
        """Rows join after these."""

    def accept_tokens(self, token_ids: torch.Tensor, is_forced: torch.Tensor | None) -> None:  # noqa: B027
        """Each row took its token, (B,) int64, NO_TOKEN_ID for none. is_forced: (B,) bool or None, as in the batch."""

    def add_blank(self, num_rows: int) -> None:
        """Rows join that don't ask for it."""
        self.columns.append_blank(num_rows)

    def keep(self, rows: Sequence[int]) -> None:
        """Only these rows stay, in this order."""
        self.columns.keep(rows)

    def extend(self, other: Self) -> None:
        """The other's rows join after these."""
        self.columns.extend(other.columns)

    def copy_rows(self, rows: Sequence[int]) -> Self:
        """An independent copy of these rows."""
        copy = type(self)(self.vocab_size, self.columns.device, self.eos_token_ids)
        copy.columns = self.columns.copy_rows(rows)
        return copy


class Adjustment(RowState):
    """A state that changes logits by itself."""

    @abstractmethod
    def apply_inplace(self, logits: torch.Tensor) -> None:
        """Adjust the logits, (B, V) float32 or float64."""


def fill_unused(ids: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Values beside lists of ids, where unused places (NO_ID) get what the row's first place has.

    A scatter to the ids then writes the same value more than once instead of different ones. ids, values: (B, L).
    """
    return torch.where(ids < 0, values[:, :1], values)


def as_indices(ids: torch.Tensor) -> torch.Tensor:
    """Lists of ids (B, L) int64 that can be gathered from: unused places repeat the first id, empty lists hold 0."""
    return fill_unused(ids, ids).clamp(min=0)
