"""Sampling as objects that can be combined, and a one-shot `sample`, for code that has logits and no engine.

A strategy turns logits into logits. `Pipeline` applies several in order: `Pipeline([Temperature(0.7), TopK(50),
TopP(0.9)])` filters the result of the temperature. Excluded tokens are -inf. Strategies are plain torch, written to be
read and combined; for a server's batch with parameters for each row use `Sampler`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch

from guided.grammars.errors import InvalidInputError

from ..masks import AnyBitmask
from ..params.sampling_params import SamplingParams
from .batch import SamplingBatch
from .filters import min_p_keeps, relative_probabilities, scale_logits, top_k_keeps, top_p_keeps, widened
from .functions import top_k_top_p_sampling_from_logits
from .reference import NO_TOKEN_ID
from .sampler import Sampler


class Strategy(Protocol):
    """A step from logits to logits."""

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """New logits of the same shape and dtype; the given ones are not changed. logits: (B, V) float."""
        ...


@dataclass(frozen=True)
class Temperature(Strategy):
    """Divides the logits by `temperature`. 0 keeps only the largest logit of each row; of equal ones the first.

    temperature: a finite number >= 0.
    Raises InvalidInputError for another one.
    """

    temperature: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.temperature) and self.temperature >= 0):
            raise InvalidInputError(f"temperature must be a finite number >= 0, not {self.temperature!r}")

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        if self.temperature == 0:
            best = logits.argmax(dim=1, keepdim=True)
            return torch.full_like(logits, -torch.inf).scatter_(1, best, logits.gather(1, best))
        return scale_logits(logits, _column(self.temperature, logits)).to(logits.dtype)


@dataclass(frozen=True)
class TopK(Strategy):
    """Keeps the largest logits of each row, and all equal to the last of them.

    top_k: number of logits; below 1 it is off.
    Raises InvalidInputError if it is no integer.
    """

    top_k: int

    def __post_init__(self) -> None:
        if not isinstance(self.top_k, int) or isinstance(self.top_k, bool):
            raise InvalidInputError(f"top_k must be a whole number, not {self.top_k!r}")

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        if not 0 < self.top_k < logits.shape[1]:
            return logits.clone()
        top_ks = torch.full((len(logits),), self.top_k, dtype=torch.int32, device=logits.device)
        return logits.masked_fill(~top_k_keeps(_scaled(logits), top_ks, self.top_k), -torch.inf)


@dataclass(frozen=True)
class TopP(Strategy):
    """Keeps the smallest set of most probable tokens whose mass reaches a share, at least one token.

    top_p: the share, in [0, 1]; 1 is off.
    Raises InvalidInputError for another one.
    """

    top_p: float

    def __post_init__(self) -> None:
        _check_share("top_p", self.top_p)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        scaled = _scaled(logits)
        keeps = top_p_keeps(scaled, _column(self.top_p, logits), relative_probabilities(scaled))
        return logits.masked_fill(~keeps, -torch.inf)


@dataclass(frozen=True)
class MinP(Strategy):
    """Keeps the tokens at least `min_p` times as probable as the most probable one.

    min_p: in [0, 1]; 0 is off.
    Raises InvalidInputError for another one.
    """

    min_p: float

    def __post_init__(self) -> None:
        _check_share("min_p", self.min_p)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        return logits.masked_fill(~min_p_keeps(_scaled(logits), _column(self.min_p, logits)), -torch.inf)


@dataclass(frozen=True)
class Pipeline(Strategy):
    """Several strategies, applied in order. A pipeline is itself a strategy.

    strategies: the strategies, in their order.
    """

    strategies: Sequence[Strategy]

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        logits = logits.clone()
        for strategy in self.strategies:
            logits = strategy.apply(logits)
        return logits

    def sample(self, logits: torch.Tensor, *, seed: int | None = None, position: int = 0) -> torch.Tensor:
        """Draw one token for each row from what the strategies keep, (B,) int32; NO_TOKEN_ID if they keep none.

        logits: (B, V) float.
        seed, position: see `top_k_top_p_sampling_from_probs`.
        """
        return top_k_top_p_sampling_from_logits(self.apply(logits), 0, 1.0, seed=seed, position=position)


def sample(
    logits: torch.Tensor,
    params: SamplingParams | Sequence[SamplingParams],
    *,
    bitmask: AnyBitmask | None = None,
    prompt_token_ids: Sequence[Sequence[int]] | None = None,
    output_token_ids: Sequence[Sequence[int]] | None = None,
    eos_token_ids: Collection[int] = (),
) -> torch.Tensor:
    """Choose a token for each row, (B,) int32; NO_TOKEN_ID if nothing is allowed. No state is kept for a next step.

    logits: (B, V) float; not changed.
    params: for all rows, or one for each.
    bitmask: (B, W) int32 of a grammar; None allows everything.
    prompt_token_ids, output_token_ids: of each row, for penalties, min_new_tokens and the random stream.
    eos_token_ids: tokens that end a text of the model, for min_new_tokens.
    Raises InvalidInputError for numbers of rows that differ, for min_new_tokens without tokens that end a text, and
    the errors of `Sampler.sample`.
    """
    all_params = [params] * len(logits) if isinstance(params, SamplingParams) else list(params)
    if not eos_token_ids and any(one.min_new_tokens and not one.stop_token_ids for one in all_params):
        raise InvalidInputError("min_new_tokens needs eos_token_ids, the tokens that end a text of the model")
    prompts = [()] * len(logits) if prompt_token_ids is None else list(prompt_token_ids)
    outputs = [()] * len(logits) if output_token_ids is None else list(output_token_ids)
    for name, rows in (("params", all_params), ("prompt_token_ids", prompts), ("output_token_ids", outputs)):
        if len(rows) != len(logits):
            raise InvalidInputError(f"{name} must have one entry for each of the {len(logits)} rows, not {len(rows)}")
    batch = SamplingBatch.from_params(all_params, logits.shape[1], logits.device, prompts, eos_token_ids=eos_token_ids)
    for step in range(max(map(len, outputs), default=0)):
        token_ids = [output[step] if step < len(output) else NO_TOKEN_ID for output in outputs]
        batch.accept_tokens(torch.tensor(token_ids, device=logits.device))
    batch.positions = torch.tensor([len(output) for output in outputs], dtype=torch.int64, device=logits.device)
    return Sampler("reference").sample(logits, batch, bitmask).token_ids


def _scaled(logits: torch.Tensor) -> torch.Tensor:
    return scale_logits(widened(logits), _column(1.0, logits))


def _column(value: float, beside: torch.Tensor) -> torch.Tensor:
    return torch.full((len(beside),), value, dtype=torch.float32, device=beside.device)


def _check_share(name: str, value: float) -> None:
    if not 0.0 <= value <= 1.0:
        raise InvalidInputError(f"{name} must be in [0, 1], not {value!r}")
