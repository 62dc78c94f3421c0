"""`SamplingBatch`: the sampling parameters of all rows of a batch, as one tensor for each parameter."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch

from guided.grammars.errors import InvalidInputError

from ..sampling_params import SamplingParams

SEED_BITS = 63  # seeds are int64 and not negative
MAX_TEMPERATURE = torch.finfo(torch.float32).max  # what float32 can hold; anything near it is a uniform draw already


@dataclass(frozen=True)
class SamplingBatch:
    """Parameters of B rows for a vocabulary of `vocab_size` columns. Make it with `from_params`.

    Rows that finish are dropped with `filter`, rows that join are appended with `merge`: a row keeps its seed, and with
    it its tokens, whatever shares its batch. The tensors are all (B,) on one device:

    temperatures: float32; 1.0 in greedy rows.
    top_ks: int32 in [1, vocab_size]; vocab_size is off.
    top_ps, min_ps: float32; 1 and 0 are off.
    seeds: int64, a fresh random one where the request gave none.
    is_greedy: bool; the row takes the argmax, and nothing else applies to it.
    is_joint: bool; the row's top-p looks at the probabilities before top-k (filter_order="joint").
    """

    params: tuple[SamplingParams, ...]
    vocab_size: int
    temperatures: torch.Tensor
    top_ks: torch.Tensor
    top_ps: torch.Tensor
    min_ps: torch.Tensor
    seeds: torch.Tensor
    is_greedy: torch.Tensor
    is_joint: torch.Tensor

    @classmethod
    def from_params(
        cls, params: Sequence[SamplingParams], vocab_size: int, device: torch.device | str = "cpu"
    ) -> SamplingBatch:
        """One row for each of `params`. vocab_size: the width of the logits, padding included."""
        if vocab_size < 1:
            raise InvalidInputError(f"vocab_size must be at least 1, not {vocab_size}")

        def column(values: list[float] | list[int] | list[bool], dtype: torch.dtype) -> torch.Tensor:
            return torch.tensor(values, dtype=dtype, device=device)

        temperatures = [1.0 if row.is_greedy else min(row.temperature, MAX_TEMPERATURE) for row in params]
        return cls(
            params=tuple(params),
            vocab_size=vocab_size,
            temperatures=column(temperatures, torch.float32),
            top_ks=column([_effective_top_k(row, vocab_size) for row in params], torch.int32),
            top_ps=column([row.top_p for row in params], torch.float32),
            min_ps=column([row.min_p for row in params], torch.float32),
            seeds=column([_seed_of(row) for row in params], torch.int64),
            is_greedy=column([row.is_greedy for row in params], torch.bool),
            is_joint=column([row.filter_order == "joint" for row in params], torch.bool),
        )

    def __len__(self) -> int:
        return len(self.params)

    @property
    def device(self) -> torch.device:
        """Where the tensors are."""
        return self.temperatures.device

    @cached_property
    def is_all_greedy(self) -> bool:
        """No row draws."""
        return all(row.is_greedy for row in self.params)

    @cached_property
    def need_top_k(self) -> bool:
        """Some row that draws keeps fewer than all columns by top-k."""
        return self.max_top_k < self.vocab_size

    @cached_property
    def need_top_p(self) -> bool:
        """Some row that draws uses top-p."""
        return any(row.top_p < 1.0 for row in self._drawn)

    @cached_property
    def need_min_p(self) -> bool:
        """Some row that draws uses min-p."""
        return any(row.min_p > 0.0 for row in self._drawn)

    @cached_property
    def max_top_k(self) -> int:
        """The largest top-k in use, known without asking the device; vocab_size when no row uses one."""
        top_ks = [_effective_top_k(row, self.vocab_size) for row in self._drawn]
        return max((top_k for top_k in top_ks if top_k < self.vocab_size), default=self.vocab_size)

    @cached_property
    def _drawn(self) -> list[SamplingParams]:
        return [row for row in self.params if not row.is_greedy]

    def filter(self, keep_indices: Sequence[int]) -> SamplingBatch:
        """A new batch of only these rows, in this order."""
        for index in keep_indices:
            if not 0 <= index < len(self):
                raise InvalidInputError(f"row {index} to keep is outside the batch of {len(self)} rows")
        rows = torch.tensor(list(keep_indices), dtype=torch.int64, device=self.device)
        columns = {name: tensor.index_select(0, rows) for name, tensor in self._tensors().items()}
        params = tuple(self.params[index] for index in keep_indices)
        return SamplingBatch(params=params, vocab_size=self.vocab_size, **columns)

    def merge(self, other: SamplingBatch) -> SamplingBatch:
        """A new batch: these rows, then the other's. Both must be for one vocabulary width and device."""
        if (self.vocab_size, self.device) != (other.vocab_size, other.device):
            raise InvalidInputError(
                f"can't merge a batch for {other.vocab_size} columns on {other.device} into one for "
                f"{self.vocab_size} columns on {self.device}"
            )
        theirs = other._tensors()
        columns = {name: torch.cat([tensor, theirs[name]]) for name, tensor in self._tensors().items()}
        return SamplingBatch(params=self.params + other.params, vocab_size=self.vocab_size, **columns)

    def _tensors(self) -> dict[str, torch.Tensor]:
        return {
            "temperatures": self.temperatures,
            "top_ks": self.top_ks,
            "top_ps": self.top_ps,
            "min_ps": self.min_ps,
            "seeds": self.seeds,
            "is_greedy": self.is_greedy,
            "is_joint": self.is_joint,
        }


def _effective_top_k(params: SamplingParams, vocab_size: int) -> int:
    if params.top_k is None or params.top_k <= 0:
        return vocab_size
    return min(params.top_k, vocab_size)


def _seed_of(params: SamplingParams) -> int:
    return secrets.randbits(SEED_BITS) if params.seed is None else params.seed
