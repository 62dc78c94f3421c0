"""The protocol of a sampler backend: (B, V) logits in, one token id a row out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch

from ..masks import AnyBitmask
from .batch import SamplingBatch

NO_TOKEN_ID = -1  # token id of a row without an allowed token; no vocabulary has it, so using it fails loudly


@dataclass(frozen=True)
class SamplerOutput:
    """One step's choices.

    token_ids: (B,) int32, on the logits' device. Meaningless (NO_TOKEN_ID) where `no_allowed` is set.
    no_allowed: (B,) bool, same device: rows where no token was left to choose. The engine ends each of these requests
        with `NoAllowedTokenError` and goes on with the others.
    """

    token_ids: torch.Tensor
    no_allowed: torch.Tensor


class SamplerBackend(ABC):
    """Chooses tokens. `Sampler` has validated all arguments; a backend assumes they fit.

    Every backend applies the same steps in the same order: NaN guard, bitmask, temperature, top-k, top-p, min-p, draw.
    """

    @abstractmethod
    def sample(
        self, logits: torch.Tensor, batch: SamplingBatch, positions: torch.Tensor, bitmask: AnyBitmask | None
    ) -> SamplerOutput:
        """The tokens of one step; arguments as in `Sampler.sample`. The logits are not changed."""
