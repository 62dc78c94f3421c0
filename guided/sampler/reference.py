"""The interface of sampler backends ((B, V) logits in, one token id a row out), and the reference implementation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import torch

from ..draws import gumbel_noise
from ..masks import AnyBitmask
from .batch import SamplingBatch
from .filters import filter_logits, mask_logits, processed_logits
from .logprobs import LogprobsOutput, compute_logprobs_only, masked_mass

NO_TOKEN_ID = -1  # token id of a row without an allowed token; outside every vocabulary, so using it fails loudly


@dataclass(frozen=True)
class SamplerOutput:
    """The choices of one step, on the logits' device.

    token_ids: (B,) int32. NO_TOKEN_ID if no token was left; the engine ends such requests with `NoAllowedTokenError`
        and goes on with the others.
    logprobs: of the rows that asked; None if no row did.
    min_new_tokens_overruled: (B,) bool: rows below min_new_tokens where only an end is allowed, so it may come anyway.
        None if no row has too few tokens.
    unbounded_token_ids: (R,) int32: the tokens that the rows of `unbounded` would have drawn under those masks, with
        the same noise. None without such rows.
    """

    token_ids: torch.Tensor
    logprobs: LogprobsOutput | None = None
    min_new_tokens_overruled: torch.Tensor | None = None
    unbounded_token_ids: torch.Tensor | None = None

    @property
    def no_allowed(self) -> torch.Tensor:
        """(B,) bool: rows where no token was left."""
        return self.token_ids == NO_TOKEN_ID


class SamplerBackend(ABC):
    """Adjusts logits and chooses tokens. `Sampler` has validated all arguments; a backend assumes that they fit.

    Every backend chooses the same tokens as the reference. Only `choose` is required; the other methods exist to be
    made faster.
    keeps_logits: class attribute; `choose` never writes into its logits, so it may get the caller's own.
    widens_logits: class attribute; it accepts half precision if nothing else changes the logits, which saves a copy.
    """

    keeps_logits: ClassVar[bool] = False
    widens_logits: ClassVar[bool] = False

    def adjust(self, logits: torch.Tensor, batch: SamplingBatch) -> None:
        """Apply penalties, logit bias, bad words and allowed tokens in place. logits: (B, V) float32 or float64."""
        batch.adjustments.apply_inplace(logits)

    @abstractmethod
    def choose(self, logits: torch.Tensor, batch: SamplingBatch, bitmask: AnyBitmask | None) -> SamplerOutput:
        """The tokens of one step: NaN guard, bitmask, temperature, top-k, top-p, min-p and draw, in this order.

        logits: (B, V) float32 or float64; may be overwritten unless `keeps_logits`.
        bitmask: see `Sampler.sample`.
        Sets the output's first two fields.
        """

    def process(self, logits: torch.Tensor, batch: SamplingBatch, bitmask: AnyBitmask | None) -> torch.Tensor:
        """The logits that `choose` draws from, for processed log-probabilities; see `processed_logits`."""
        return processed_logits(mask_logits(logits, bitmask), batch)

    def gather_logprobs(
        self, logits: torch.Tensor, token_ids: torch.Tensor, num_top: int, given_ids: torch.Tensor
    ) -> LogprobsOutput:
        """See `compute_logprobs_only`. logits: (R, V) float, half precision included; not changed."""
        return compute_logprobs_only(logits, token_ids, num_top, given_ids)

    def masked_mass(self, logits: torch.Tensor, bitmask: AnyBitmask) -> torch.Tensor:
        """See `logprobs.masked_mass`."""
        return masked_mass(logits, bitmask)


class ReferenceSampler(SamplerBackend):
    """Sorts, sums and draws with torch's own operations, on any device.

    The logits are copied and, if a row uses top-p, sorted. Results don't depend on the batch: sums run along single
    rows, and noise depends only on a row's seed and position.
    """

    keeps_logits = True

    def choose(self, logits: torch.Tensor, batch: SamplingBatch, bitmask: AnyBitmask | None) -> SamplerOutput:
        masked = mask_logits(logits, bitmask)
        no_allowed = masked.amax(dim=1).isneginf()
        token_ids = masked.argmax(dim=1)
        if not batch.is_all_greedy:
            noise = gumbel_noise(batch.seeds, batch.positions, batch.vocab_size)
            drawn = (filter_logits(masked, batch) + noise).argmax(dim=1)
            token_ids = torch.where(batch.is_greedy, token_ids, drawn)
        return SamplerOutput(token_ids.masked_fill(no_allowed, NO_TOKEN_ID).to(torch.int32))
