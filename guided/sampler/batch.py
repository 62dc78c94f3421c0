"""`SamplingBatch`: the sampling parameters and state of all rows of a batch, as tensors with one row for each request.

Batch, columns, adjustments and processors share a few operations on rows. `keep` keeps only the given rows, `append`
adds another batch's rows at the end, and `select` copies rows.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np
import torch

from guided.grammars.errors import InvalidInputError

from ..errors import RequestFieldError
from ..masks import AnyBitmask
from ..params.sampling_params import SamplingParams
from ..processors.pipeline import SEED_BITS, ProcessorPipeline
from .adjustments import NO_ID
from .columns import Columns, ColumnType
from .logit_adjustments import LogitAdjustments
from .positions import advance

MAX_TEMPERATURE = torch.finfo(torch.float32).max  # the limit of float32; near it, draws are already uniform

DRAW_COLUMNS = ("temperatures", "top_ks", "top_ps", "min_ps", "seeds", "positions", "is_greedy", "is_joint")
_POSITIONS = DRAW_COLUMNS.index("positions")
_COLUMNS = {
    "temperatures": ColumnType(torch.float32),
    "top_ks": ColumnType(torch.int32),
    "top_ps": ColumnType(torch.float32),
    "min_ps": ColumnType(torch.float32),
    "seeds": ColumnType(torch.int64),
    "is_greedy": ColumnType(torch.bool),
    "is_joint": ColumnType(torch.bool),
    "positions": ColumnType(torch.int64),
    "given_ids": ColumnType(torch.int64, 0, NO_ID),
}


class SamplingBatch:
    """Parameters and state of B rows for a vocabulary of `vocab_size` columns.

    Create it with `SamplingBatch.from_params`, which explains the arguments. `prompts` has each row's prompt tokens.

    `keep` drops finished rows and `append` adds new ones, both in place. A row keeps its seed and position, so its
    tokens don't depend on the other rows. The tensors are views of the first B rows of larger buffers; read them again
    after rows have joined or left. All are (B,) on one device:

    temperatures: float32; 1.0 in greedy rows.
    top_ks: int32 in [1, vocab_size]; vocab_size means off.
    top_ps, min_ps: float32; 1 and 0 mean off.
    seeds: int64; a random one if the request gave none.
    is_greedy: bool; the row takes the argmax, without filters.
    is_joint: bool; the row's top-p uses the probabilities before top-k (filter_order="joint").
    positions: int64, number of accepted tokens, which is the position in the row's random stream. May be assigned.
    given_ids: (B, G) int64, the tokens whose log-probabilities a row requests by id, then -1.

    Known without asking the device:

    is_all_greedy: no row draws.
    need_top_k, need_top_p, need_min_p: some drawing row uses this filter.
    max_top_k: the largest top-k in use; vocab_size without one.
    logprob_rows: rows that ask for log-probabilities. raw_logprob_rows: of the model's own. processed_logprob_rows: of
        the distribution that tokens are drawn from. max_num_logprobs: the most requested alternatives.
    adjustments: adjustments of logits by parameters. processors: the rows' custom processors. Adjustments and
        processors change with the batch.
    """

    temperatures: torch.Tensor
    top_ks: torch.Tensor
    top_ps: torch.Tensor
    min_ps: torch.Tensor
    seeds: torch.Tensor
    is_greedy: torch.Tensor
    is_joint: torch.Tensor
    given_ids: torch.Tensor

    # Made when first used, for the present rows:
    _indices: dict[tuple[int, ...], torch.Tensor]
    _processed_part: SamplingBatch | None
    _draw_columns: list[np.ndarray[Any, Any]] | None

    def __init__(
        self,
        vocab_size: int,
        device: torch.device | str,
        params: Sequence[SamplingParams] = (),
        prompts: Sequence[Sequence[int]] = (),
        eos_token_ids: Collection[int] = (),
    ) -> None:
        if vocab_size < 1:
            raise InvalidInputError(f"vocab_size must be at least 1, not {vocab_size}")
        for row in params:
            check_token_ids(row, vocab_size)
        self.vocab_size = vocab_size
        self.adjustments = LogitAdjustments(params, prompts, vocab_size, device, eos_token_ids)
        self.processors = ProcessorPipeline(len(params))
        self._columns = Columns(device, len(params))
        self._columns.add(_COLUMNS, [_row(row, vocab_size) for row in params])
        self._num_accepted = [0] * len(params)  # `positions` without asking the device, for rows with min_new_tokens
        self._set_params(tuple(params))

    @classmethod
    def from_params(
        cls,
        params: Sequence[SamplingParams],
        vocab_size: int,
        device: torch.device | str = "cpu",
        prompt_token_ids: Sequence[Sequence[int]] | None = None,
        eos_token_ids: Collection[int] = (),
    ) -> SamplingBatch:
        """A batch with one row for each of `params`, without custom processors; assign `processors` if rows have some.

        vocab_size: width of the logits, padding included.
        prompt_token_ids: each row's prompt, for repetition_penalty.
        eos_token_ids: tokens that end a text of this model, which min_new_tokens bans.
        Raises InvalidInputError for token ids outside the vocabulary.
        """
        if prompt_token_ids is not None and len(prompt_token_ids) != len(params):
            raise InvalidInputError(f"{len(prompt_token_ids)} prompts for {len(params)} rows; give one a row")
        return cls(vocab_size, device, params, prompt_token_ids or [()] * len(params), eos_token_ids)

    def __len__(self) -> int:
        return len(self.params)

    @property
    def device(self) -> torch.device:
        """Device of the tensors."""
        return self.temperatures.device

    @property
    def positions(self) -> torch.Tensor:
        """Number of accepted tokens of each row, see the class."""
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
    def adjusts_logits(self) -> bool:
        """True if adjustments (penalties, bias, bans) or custom processors may change logits; masks do not count."""
        return bool(self.adjustments.kinds) or not self.processors.is_empty

    @property
    def processed_part(self) -> SamplingBatch:
        """The parameters of `processed_logprob_rows` as a separate batch, whose state is not updated."""
        if self._processed_part is None:
            self._processed_part = self.parameters_of(self.processed_logprob_rows)
        return self._processed_part

    @property
    def draw_columns(self) -> list[np.ndarray[Any, Any]]:
        """On a CPU: `DRAW_COLUMNS` as arrays that share the tensors' memory. PERF: cached while the rows stay the
        same.
        """
        if self._draw_columns is None:
            self._draw_columns = [self._columns[name].numpy() for name in DRAW_COLUMNS]
        return self._draw_columns

    def keep(self, indices: Sequence[int]) -> None:
        """Keep only the rows at `indices`, in this order."""
        self._check_rows(indices)
        self._columns.keep(indices)
        self.adjustments.keep(indices)
        self.processors.keep(indices)
        self._num_accepted = [self._num_accepted[index] for index in indices]
        self._set_params(tuple(self.params[index] for index in indices))

    def append(self, other: SamplingBatch) -> None:
        """Append the rows of `other`, which must not be used afterwards. Raises InvalidInputError if width or device
        differ.
        """
        if (self.vocab_size, self.device) != (other.vocab_size, other.device):
            raise InvalidInputError(
                f"can't append a batch for {other.vocab_size} columns on {other.device} to one for "
                f"{self.vocab_size} columns on {self.device}"
            )
        self._columns.append(other._columns)
        self.adjustments.append(other.adjustments)
        self.processors.append(other.processors)
        self._num_accepted = self._num_accepted + other._num_accepted
        self._set_params(self.params + other.params)

    def select(self, indices: Sequence[int]) -> SamplingBatch:
        """An independent copy of the rows at `indices`, in this order."""
        part = self.take(indices)
        part.processors = self.processors.select(indices)
        return part

    def take(self, indices: Sequence[int]) -> SamplingBatch:
        """Like `select`, for `indices` (each at most once) that are no longer needed here: their processors are moved
        instead of copied.
        """
        self._check_rows(indices)
        part = self.parameters_of(indices)
        part.adjustments = self.adjustments.select(indices)
        part.processors = self.processors.take(indices)
        part._num_accepted = [self._num_accepted[index] for index in indices]
        return part

    def parameters_of(self, indices: Sequence[int]) -> SamplingBatch:
        """A batch with the parameters of the rows at `indices`, which may repeat.

        The result shares this batch's adjustments and processors, so use it only for filters and log-probabilities.
        """
        part = copy(self)
        part._columns = self._columns.select(indices)
        part._set_params(tuple(self.params[index] for index in indices))
        return part

    def reseed(self, params: Mapping[int, SamplingParams]) -> None:
        """Continue some rows with other random streams, from their positions on. params: row -> its params with another
        seed.
        """
        seeds = {row: _row(one, self.vocab_size)["seeds"] for row, one in params.items()}
        for row, seed in seeds.items():
            self.seeds[row] = seed
        self.processors.reseed(seeds)
        self._set_params(tuple(params.get(row, one) for row, one in enumerate(self.params)))

    def accept_tokens(self, token_ids: torch.Tensor, is_forced: torch.Tensor | None = None) -> None:
        """Accept each row's token: positions and counts advance by one. Does not wait for the device.

        token_ids: (B,) int32 or int64 on the batch's device; a row with NO_TOKEN_ID took no token, and its counts don't
            change.
        is_forced: (B,) bool, same device: the grammar had left no choice (see `SamplingParams.penalize_forced`).
        Raises InvalidInputError for a wrong shape or dtype.
        """
        if token_ids.shape != (len(self),) or token_ids.dtype not in (torch.int32, torch.int64):
            raise InvalidInputError(
                f"token_ids must be ({len(self)},) int32 or int64 for this batch, not {tuple(token_ids.shape)} "
                f"{token_ids.dtype}"
            )
        if self.device.type == "cpu":
            advance(self.draw_columns[_POSITIONS])
        else:
            self.positions.add_(1)
        if self._bans_ends:
            self._num_accepted = [num_tokens + 1 for num_tokens in self._num_accepted]
        if self.adjustments.kinds:
            self.adjustments.accept_tokens(token_ids, is_forced)
        if not self.processors.is_empty:
            self.processors.accept_tokens(token_ids)

    def accept_forced(
        self, token_ids: Sequence[Sequence[int]], are_forced: Sequence[Sequence[bool]] | None = None
    ) -> None:
        """Accept tokens that this step did not draw: forced ones, or output from before.

        The result equals `accept_tokens` for each token in turn.

        token_ids: B lists, [] for a row without such tokens.
        are_forced: for the first tokens of each list, whether they were forced, if some were drawn before; the others
            were forced.
        Raises InvalidInputError for a wrong number of lists.
        """
        num_tokens = [len(row) for row in token_ids]
        if len(num_tokens) != len(self):
            raise InvalidInputError(f"{len(num_tokens)} lists of tokens for {len(self)} rows; give one a row")
        for step in range(max(num_tokens, default=0) if self.adjusts_logits else 0):
            column = [row[step] if step < len(row) else NO_ID for row in token_ids]
            step_ids = torch.tensor(column, dtype=torch.int64, device=self.device)
            flags = [step >= len(row) or row[step] for row in are_forced or [()] * len(self)]
            self.adjustments.accept_tokens(step_ids, torch.tensor(flags, device=self.device))
            self.processors.accept_tokens(step_ids)
        self.positions.add_(torch.tensor(num_tokens, dtype=torch.int64, device=self.device))
        pairs = zip(self._num_accepted, num_tokens, strict=True)
        self._num_accepted = [before + new for before, new in pairs]

    def ban_early_ends_inplace(self, logits: torch.Tensor, bitmask: AnyBitmask | None) -> torch.Tensor | None:
        """Ban tokens that end a row before its min_new_tokens, unless the row would have no token left.

        logits: (B, V) after all other adjustments, modified in place.
        bitmask: see `Sampler.sample`.
        Returns (B,) bool, the rows where min_new_tokens was overruled; None if no row has too few tokens.
        """
        if not self._bans_ends:
            return None
        pairs = zip(self.params, self._num_accepted, strict=True)
        early = [row for row, (params, num_tokens) in enumerate(pairs) if num_tokens < params.min_new_tokens]
        if not early:
            return None
        return self.adjustments.ban_early_ends_inplace(logits, self.positions, bitmask, self.index_of(early))

    def index_of(self, rows: Sequence[int]) -> torch.Tensor:
        """The indices `rows` as (R,) int64 on the batch's device, cached while the rows stay the same."""
        key = tuple(rows)
        if key not in self._indices:
            self._indices[key] = torch.tensor(key, dtype=torch.int64, device=self.device)
        return self._indices[key]

    def _set_params(self, params: tuple[SamplingParams, ...]) -> None:
        """Set everything that depends on which rows there are."""
        self.params = params
        for name in _COLUMNS.keys() - {"positions"}:
            setattr(self, name, self._columns[name])
        drawn = [row for row in params if not row.is_greedy]
        top_ks = [_effective_top_k(row, self.vocab_size) for row in drawn]
        self.is_all_greedy = not drawn
        self.max_top_k = max((top_k for top_k in top_ks if top_k < self.vocab_size), default=self.vocab_size)
        self.need_top_k = self.max_top_k < self.vocab_size
        self.need_top_p = any(row.top_p < 1.0 for row in drawn)
        self.need_min_p = any(row.min_p > 0.0 for row in drawn)
        asked = [(i, row.logprobs_mode) for i, row in enumerate(params) if row.logprobs is not None]
        self.logprob_rows = [i for i, _ in asked]
        self.raw_logprob_rows = [i for i, mode in asked if mode != "processed"]
        self.processed_logprob_rows = [i for i, mode in asked if mode != "raw"]
        self._bans_ends = any(row.min_new_tokens for row in params)
        self.max_num_logprobs = min(max((row.logprobs or 0 for row in params), default=0), self.vocab_size)
        self._indices, self._processed_part, self._draw_columns = {}, None, None

    def _check_rows(self, rows: Sequence[int]) -> None:
        for row in rows:
            if not 0 <= row < len(self):
                raise InvalidInputError(f"row {row} to keep is outside the batch of {len(self)} rows")


def check_token_ids(params: SamplingParams, vocab_size: int) -> None:
    """Check that a request's token ids exist in the model, which `SamplingParams` alone can't know.

    Raises InvalidInputError with field and id for an id outside the vocabulary, and for bad words that are still text.
    """
    words = params.bad_words or ()
    if any(isinstance(word, str) for word in words):
        raise InvalidInputError("bad_words as text needs a tokenizer; give token ids, or use guided.LLM")
    fields: dict[str, Collection[int] | None] = {
        "logit_bias": params.logit_bias,
        "allowed_token_ids": params.allowed_token_ids,
        "stop_token_ids": params.stop_token_ids,
        "logprob_token_ids": params.logprob_token_ids,
        "bad_words": [int(token_id) for word in words for token_id in word],
    }
    for name, token_ids in fields.items():
        if token_ids and (min(token_ids) < 0 or max(token_ids) >= vocab_size):
            token_id = next(one for one in token_ids if not 0 <= one < vocab_size)
            raise RequestFieldError(f"{name} has token id {token_id}; the model's ids are 0..{vocab_size - 1}", name)


def _row(params: SamplingParams, vocab_size: int) -> dict[str, Any]:
    """The column values of a new row."""
    return {
        "temperatures": 1.0 if params.is_greedy else min(params.temperature, MAX_TEMPERATURE),
        "top_ks": _effective_top_k(params, vocab_size),
        "top_ps": params.top_p,
        "min_ps": params.min_p,
        "seeds": secrets.randbits(SEED_BITS) if params.seed is None else params.seed,
        "is_greedy": params.is_greedy,
        "is_joint": params.filter_order == "joint",
        "positions": 0,
        "given_ids": list(params.logprob_token_ids or ()),
    }


def _effective_top_k(params: SamplingParams, vocab_size: int) -> int:
    if params.top_k is None or params.top_k <= 0:
        return vocab_size
    return min(params.top_k, vocab_size)
