"""The reference sampler: plain torch on any device, written to be read. Faster backends are tested against it.

It copies the logits and, where a row uses top-p, sorts them. Nothing depends on what else is in the batch: every sum
runs along one row, and the noise is a function of the row's own seed and position.
"""

from __future__ import annotations

import torch

from ..masks import AnyBitmask
from .base import NO_TOKEN_ID, SamplerBackend, SamplerOutput
from .batch import SamplingBatch
from .gumbel import gumbel_noise
from .processing import filter_logits, mask_logits


class ReferenceSampler(SamplerBackend):
    """Sorts, sums and draws with torch's own operations."""

    keeps_logits = True

    def choose(self, logits: torch.Tensor, batch: SamplingBatch, bitmask: AnyBitmask | None) -> SamplerOutput:
        """See `SamplerBackend.choose`."""
        masked = mask_logits(logits, bitmask)
        no_allowed = masked.amax(dim=1).isneginf()
        token_ids = masked.argmax(dim=1)
        if not batch.is_all_greedy:
            noise = gumbel_noise(batch.seeds, batch.positions, batch.vocab_size)
            drawn = (filter_logits(masked, batch) + noise).argmax(dim=1)
            token_ids = torch.where(batch.is_greedy, token_ids, drawn)
        return SamplerOutput(token_ids.masked_fill(no_allowed, NO_TOKEN_ID).to(torch.int32), no_allowed)
