"""`SamplingBatch`: the sampling parameters and the state of all rows of a batch, as tensors with one row a request."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from functools import cached_property

import torch

from guided.grammars.errors import InvalidInputError

from ..masks import AnyBitmask
from ..params.sampling_params import LogprobsMode, SamplingParams
from .columns import Column, Columns
from .params_check import check_token_ids
from .penalties import PenaltyOrchestrator
from .row_processors import RowProcessors
from .row_state import NO_ID, Adjustment

SEED_BITS = 63  # seeds are int64 and not negative
MAX_TEMPERATURE = torch.finfo(torch.float32).max  # what float32 can hold; anything near it is a uniform draw already

_COLUMNS = {
    "temperatures": Column(torch.float32),
    "top_ks": Column(torch.int32),
    "top_ps": Column(torch.float32),
    "min_ps": Column(torch.float32),
    "seeds": Column(torch.int64),
    "is_greedy": Column(torch.bool),
    "is_joint": Column(torch.bool),
    "positions": Column(torch.int64),
    "given_ids": Column(torch.int64, (0,), NO_ID),
}
_FLAGS = (  # known from params, and so only until rows come or go
    "is_all_greedy",
    "need_top_k",
    "need_top_p",
    "need_min_p",
    "max_top_k",
    "logprob_rows",
    "raw_logprob_rows",
    "processed_logprob_rows",
    "max_num_logprobs",
    "processed_part",
    "_drawn",
    "_indices",
)


class SamplingBatch:
    """Parameters and state of B rows for a vocabulary of `vocab_size` columns. Make it with `from_params`.

    Rows that finish are dropped with `filter`, rows that join are appended with `add` or `merge`, all in place: a row
    keeps its seed and its position, and with them its tokens, whatever shares its batch. The tensors are views of the
    first B rows of larger rooms, so take them anew after rows came or went. All are (B,) on one device:

    temperatures: float32; 1.0 in greedy rows.
    top_ks: int32 in [1, vocab_size]; vocab_size is off.
    top_ps, min_ps: float32; 1 and 0 are off.
    seeds: int64, a fresh random one where the request gave none.
    is_greedy: bool; the row takes the argmax, and no filter applies to it.
    is_joint: bool; the row's top-p looks at the probabilities before top-k (filter_order="joint").
    positions: int64, how many tokens the row has accepted: the place in its random stream. May be assigned.

    processors: custom processors of the rows, None without any; rows that come and go are passed on to them.
    """

    def __init__(self, vocab_size: int, device: torch.device | str, eos_token_ids: Collection[int] = ()) -> None:
        if vocab_size < 1:
            raise InvalidInputError(f"vocab_size must be at least 1, not {vocab_size}")
        self.vocab_size = vocab_size
        self.eos_token_ids = frozenset(eos_token_ids)
        self.params: tuple[SamplingParams, ...] = ()
        self.processors: RowProcessors | None = None
        self._columns = Columns(_COLUMNS, device)
        self._penalties = PenaltyOrchestrator(vocab_size, self._columns.device, self.eos_token_ids)
        self._num_accepted: list[int] = []  # `positions`, known without asking the device

    @classmethod
    def from_params(
        cls,
        params: Sequence[SamplingParams],
        vocab_size: int,
        device: torch.device | str = "cpu",
        prompt_token_ids: Sequence[Sequence[int]] | None = None,
        eos_token_ids: Collection[int] = (),
    ) -> SamplingBatch:
        """One row for each of `params`.

        vocab_size: the width of the logits, padding included. prompt_token_ids: each row's prompt, which
        repetition_penalty looks at. eos_token_ids: what ends a text of this model, which min_new_tokens bans.
        """
        if prompt_token_ids is not None and len(prompt_token_ids) != len(params):
            raise InvalidInputError(f"{len(prompt_token_ids)} prompts for {len(params)} rows; give one a row")
        batch = cls(vocab_size, device, eos_token_ids)
        batch._add_all(list(params), prompt_token_ids or [()] * len(params))
        return batch

    def __len__(self) -> int:
        return len(self.params)

    @property
    def device(self) -> torch.device:
        """Where the tensors are."""
        return self.temperatures.device

    @property
    def temperatures(self) -> torch.Tensor:
        """See the class."""
        return self._columns["temperatures"]

    @property
    def top_ks(self) -> torch.Tensor:
        """See the class."""
        return self._columns["top_ks"]

    @property
    def top_ps(self) -> torch.Tensor:
        """See the class."""
        return self._columns["top_ps"]

    @property
    def min_ps(self) -> torch.Tensor:
        """See the class."""
        return self._columns["min_ps"]

    @property
    def seeds(self) -> torch.Tensor:
        """See the class."""
        return self._columns["seeds"]

    @property
    def is_greedy(self) -> torch.Tensor:
        """See the class."""
        return self._columns["is_greedy"]

    @property
    def is_joint(self) -> torch.Tensor:
        """See the class."""
        return self._columns["is_joint"]

    @property
    def positions(self) -> torch.Tensor:
        """See the class."""
        return self._columns["positions"]

    @positions.setter
    def positions(self, positions: torch.Tensor) -> None:
        if tuple(positions.shape) != (len(self),) or positions.dtype != torch.int64:
            raise InvalidInputError(
                f"positions must be ({len(self)},) int64 for this batch, not {tuple(positions.shape)} {positions.dtype}"
            )
        self._columns["positions"].copy_(positions)
        self._num_accepted = positions.tolist()

    @property
    def penalties(self) -> PenaltyOrchestrator | None:
        """What adjusts the rows' logits by their parameters; None when no row needs any."""
        return self._penalties if self._penalties.adjusts else None

    @property
    def adjustments(self) -> list[Adjustment]:
        """The adjustments that some row asks for, in the order in which they are applied."""
        return self._penalties.adjustments

    def ban_early_ends_inplace(self, logits: torch.Tensor, bitmask: AnyBitmask | None) -> torch.Tensor | None:
        """Ban what would end a row before its min_new_tokens, but where that would leave the row nothing.

        logits: (B, V) after all other adjustments, modified in place. bitmask: as in `Sampler.sample`. Returns (B,)
        bool, the rows where min_new_tokens was overruled; None when no row has too few tokens.
        """
        pairs = zip(self.params, self._num_accepted, strict=True)
        early = [row for row, (params, num_tokens) in enumerate(pairs) if num_tokens < params.min_new_tokens]
        if not early:
            return None
        return self._penalties.ban_early_ends_inplace(logits, self.positions, bitmask, self.index_of(early))

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

    @property
    def given_ids(self) -> torch.Tensor:
        """The tokens whose log-probabilities each row asks for by id, (B, G) int64, -1 past a row's last."""
        return self._columns["given_ids"]

    @property
    def adjusts_logits(self) -> bool:
        """Something may write into a step's logits before a token is chosen."""
        return self._penalties.adjusts or self._penalties.bans_ends or self.has_processors

    @property
    def has_processors(self) -> bool:
        """Some row has a custom processor."""
        return self.processors is not None and not self.processors.is_empty

    @cached_property
    def logprob_rows(self) -> list[int]:
        """The rows that ask for log-probabilities of any kind."""
        return sorted({*self.raw_logprob_rows, *self.processed_logprob_rows})

    @cached_property
    def raw_logprob_rows(self) -> list[int]:
        """The rows that ask for log-probabilities of the model itself."""
        return self._logprob_rows("raw", "both")

    @cached_property
    def processed_logprob_rows(self) -> list[int]:
        """The rows that ask for log-probabilities of what is drawn from."""
        return self._logprob_rows("processed", "both")

    @cached_property
    def processed_part(self) -> SamplingBatch:
        """The parameters of `processed_logprob_rows` as a batch of their own. Its state is not kept up to date."""
        return self.select(self.processed_logprob_rows)

    @cached_property
    def max_num_logprobs(self) -> int:
        """The most alternatives that a row asks for, at most vocab_size."""
        return min(max((row.logprobs or 0 for row in self.params), default=0), self.vocab_size)

    @cached_property
    def _drawn(self) -> list[SamplingParams]:
        return [row for row in self.params if not row.is_greedy]

    def index_of(self, rows: Sequence[int]) -> torch.Tensor:
        """Row numbers as an index, (R,) int64 on the device; made once, so that steps don't wait for a copy to it."""
        key = tuple(rows)
        if key not in self._indices:
            self._indices[key] = torch.tensor(key, dtype=torch.int64, device=self.device)
        return self._indices[key]

    @cached_property
    def _indices(self) -> dict[tuple[int, ...], torch.Tensor]:
        return {}

    def add(self, params: SamplingParams, prompt_token_ids: Sequence[int] = ()) -> None:
        """A request joins, as the last row."""
        self.add_all([params], [prompt_token_ids])

    def add_all(self, params: Sequence[SamplingParams], prompt_token_ids: Sequence[Sequence[int]]) -> None:
        """Requests join, as the last rows: faster than one after the other. prompt_token_ids: of each."""
        self._add_all(params, prompt_token_ids)
        if self.processors is not None:
            for one, token_ids in zip(params, prompt_token_ids, strict=True):
                self.processors.add(one, token_ids)

    def filter(self, keep_indices: Sequence[int]) -> None:
        """Only these rows stay, in this order."""
        self._check_rows(keep_indices)
        params = tuple(self.params[row] for row in keep_indices)
        self._columns.keep(keep_indices)
        self._penalties.keep(keep_indices, params)
        self._num_accepted = [self._num_accepted[row] for row in keep_indices]
        if self.processors is not None:
            self.processors.filter(keep_indices)
        self._set_params(params)

    def merge(self, other: SamplingBatch) -> None:
        """The other's rows join after these; the other is not to be used any more. One width and device for both."""
        if (self.vocab_size, self.device) != (other.vocab_size, other.device):
            raise InvalidInputError(
                f"can't merge a batch for {other.vocab_size} columns on {other.device} into one for "
                f"{self.vocab_size} columns on {self.device}"
            )
        if (self.processors is None) != (other.processors is None):
            raise InvalidInputError("can't merge a batch with custom processors and one without")
        if self.processors is not None and other.processors is not None:
            self.processors.merge(other.processors)
        self._columns.extend(other._columns)
        self._penalties.extend(other._penalties)
        self._num_accepted = self._num_accepted + other._num_accepted
        self._set_params(self.params + other.params)

    def select(self, rows: Sequence[int]) -> SamplingBatch:
        """An independent copy of these rows, in this order, without processors."""
        self._check_rows(rows)
        copy = SamplingBatch(self.vocab_size, self.device, self.eos_token_ids)
        copy._columns = self._columns.copy_rows(rows)
        copy._penalties = self._penalties.copy_rows(rows)
        copy._num_accepted = [self._num_accepted[row] for row in rows]
        copy._set_params(tuple(self.params[row] for row in rows))
        return copy

    def accept_tokens(self, token_ids: torch.Tensor, is_forced: torch.Tensor | None = None) -> None:
        """Each row took its token: positions and counts go on by one. The device is not waited for.

        token_ids: (B,) int32 or int64 on the batch's device; a row with NO_TOKEN_ID took none and counts nothing.
        is_forced: (B,) bool, same device: the grammar had left no choice (see `SamplingParams.penalize_forced`).
        """
        if tuple(token_ids.shape) != (len(self),) or token_ids.dtype not in (torch.int32, torch.int64):
            raise InvalidInputError(
                f"token_ids must be ({len(self)},) int32 or int64 for this batch, not {tuple(token_ids.shape)} "
                f"{token_ids.dtype}"
            )
        self.positions.add_(1)
        self._num_accepted = [num_tokens + 1 for num_tokens in self._num_accepted]
        self._penalties.accept_tokens(token_ids, is_forced)
        if self.processors is not None:
            self.processors.accept_tokens(token_ids)

    def accept_forced(self, token_ids: Sequence[Sequence[int]]) -> None:
        """Each row took these tokens one after the other without a draw, because its grammar left no choice.

        token_ids: B lists, [] for a row that took none. The same as `accept_tokens` for one after the other.
        """
        num_tokens = [len(row) for row in token_ids]
        if len(num_tokens) != len(self):
            raise InvalidInputError(f"{len(num_tokens)} lists of tokens for {len(self)} rows; give one a row")
        if self._penalties.has_states or self.has_processors:
            for step in range(max(num_tokens, default=0)):
                column = [row[step] if step < len(row) else NO_ID for row in token_ids]
                self._count_forced(torch.tensor(column, dtype=torch.int64, device=self.device))
        self.positions.add_(torch.tensor(num_tokens, dtype=torch.int64, device=self.device))
        pairs = zip(self._num_accepted, num_tokens, strict=True)
        self._num_accepted = [before + new for before, new in pairs]

    def _count_forced(self, token_ids: torch.Tensor) -> None:
        self._penalties.accept_tokens(token_ids, token_ids >= 0)
        if self.processors is not None:
            self.processors.accept_tokens(token_ids)

    def _add_all(self, params: Sequence[SamplingParams], prompts: Sequence[Sequence[int]]) -> None:
        for row in params:
            check_token_ids(row, self.vocab_size)
        self._penalties.add(params, prompts)
        self._columns.append(
            {
                "temperatures": [1.0 if row.is_greedy else min(row.temperature, MAX_TEMPERATURE) for row in params],
                "top_ks": [_effective_top_k(row, self.vocab_size) for row in params],
                "top_ps": [row.top_p for row in params],
                "min_ps": [row.min_p for row in params],
                "seeds": [secrets.randbits(SEED_BITS) if row.seed is None else row.seed for row in params],
                "is_greedy": [row.is_greedy for row in params],
                "is_joint": [row.filter_order == "joint" for row in params],
                "positions": [0] * len(params),
                "given_ids": [list(row.logprob_token_ids or ()) for row in params],
            }
        )
        self._num_accepted = self._num_accepted + [0] * len(params)
        self._set_params(self.params + tuple(params))

    def _set_params(self, params: tuple[SamplingParams, ...]) -> None:
        self.params = params
        for flag in _FLAGS:
            self.__dict__.pop(flag, None)

    def _check_rows(self, rows: Sequence[int]) -> None:
        for row in rows:
            if not 0 <= row < len(self):
                raise InvalidInputError(f"row {row} to keep is outside the batch of {len(self)} rows")

    def _logprob_rows(self, *modes: LogprobsMode) -> list[int]:
        return [i for i, row in enumerate(self.params) if row.logprobs is not None and row.logprobs_mode in modes]


def _effective_top_k(params: SamplingParams, vocab_size: int) -> int:
    if params.top_k is None or params.top_k <= 0:
        return vocab_size
    return min(params.top_k, vocab_size)
