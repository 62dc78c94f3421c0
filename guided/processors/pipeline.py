"""`ProcessorPipeline`: the custom processors of a batch's rows. Each is called once in a step, for all rows that share
it.

A row's processors run from the lowest `order` to the highest; equal orders run as the request lists them. Processors at
the same position of different rows run in one call if their `batch_key`s are equal. Rows without processors cost
nothing. A failing processor ends only its own requests: a call that raises is repeated row by row.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import torch

from guided.grammars.errors import GuidedError, InvalidInputError

from ..masks import AnyBitmask
from .base import CustomLogitProcessor
from .errors import LogitProcessorError
from .registry import BoundProcessor, request_processors
from .rows import ProcessedRequest, ProcessorRow, RowGroup
from .settings import ProcessorSettings

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary

    from ..params.sampling_params import SamplingParams

SEED_BITS = 63


Rows = Sequence[ProcessorRow]
"""The processors of one request, in running order; empty: it has none, and no state."""


class ProcessorPipeline:
    """The processors of B rows, in the order of the batch's rows. num_rows: initial number of rows, without
    processors.
    """

    def __init__(self, num_rows: int = 0) -> None:
        self._set_rows([()] * num_rows)
        # For each call of the last step, (R,) bool on the device: rows where a processor made NaN or +inf. Read on
        # demand.
        self._unread: list[tuple[RowGroup, torch.Tensor]] = []

    @classmethod
    def from_params(
        cls,
        params: Sequence[SamplingParams],
        prompts: Sequence[Sequence[int]],
        *,
        vocabulary: Vocabulary | None = None,
        end_token_ids: Iterable[int] = (),
        settings: ProcessorSettings | None = None,
    ) -> ProcessorPipeline:
        """A pipeline with one row for each request: the processors that it lists.

        params, prompts: parameters and prompt token ids of each request.
        vocabulary: the model's vocabulary, for processors that need tokens' bytes.
        end_token_ids: tokens that end a text, in addition to the ends that the vocabulary names.
        settings: which processors requests may send.
        Raises the errors of `resolve_processors`.
        """
        eos = _named_ends(vocabulary) | frozenset(end_token_ids)
        pipeline = cls()
        for one, prompt in zip(params, prompts, strict=True):
            ends = frozenset(one.stop_token_ids or ()) | (frozenset() if one.ignore_eos else eos)
            bound = request_processors(one, vocabulary, settings)
            pipeline.append(cls.of_row(bound, prompt, seed=one.seed, vocabulary=vocabulary, end_token_ids=ends))
        return pipeline

    @classmethod
    def of_row(
        cls,
        processors: Sequence[BoundProcessor],
        prompt_token_ids: Sequence[int] = (),
        *,
        seed: int | None = None,
        vocabulary: Vocabulary | None = None,
        end_token_ids: Iterable[int] | None = None,
    ) -> ProcessorPipeline:
        """A pipeline with one row that has these processors, as returned by `resolve_processors`.

        seed: seed of the row's random stream; None: a random one.
        end_token_ids: tokens that end the row's text; None: the ends that the vocabulary names.
        """
        pipeline = cls(1)
        if processors:
            seed = secrets.randbits(SEED_BITS) if seed is None else seed
            ends = _named_ends(vocabulary) if end_token_ids is None else frozenset(end_token_ids)
            rows = _rows_of(processors, ProcessedRequest(prompt_token_ids, seed, vocabulary, ends))
            for row in rows:
                _tell(row, "when it started", _processor(row).start, row)
            pipeline._set_rows([rows])
        return pipeline

    def __len__(self) -> int:
        return len(self._rows)

    def keep(self, indices: Sequence[int]) -> None:
        """Keep only these rows, in this order."""
        self._check_indices(indices)
        self._set_rows([self._rows[index] for index in indices])

    def append(self, other: ProcessorPipeline) -> None:
        """Move all rows of `other` to the end of this pipeline; `other` is empty afterwards.

        Raises InvalidInputError for anything else.
        """
        if not isinstance(other, ProcessorPipeline):
            raise InvalidInputError(f"only a ProcessorPipeline can be appended, not a {type(other).__name__}")
        self._unread += other._unread
        self._set_rows(self._rows + other._rows)
        other._unread = []
        other._set_rows([])

    def select(self, indices: Sequence[int]) -> ProcessorPipeline:
        """An independent copy of these rows, in this order."""
        self._check_indices(indices)
        selected = ProcessorPipeline()
        selected._set_rows([_copies(self._rows[index]) for index in indices])
        return selected

    def take(self, indices: Sequence[int]) -> ProcessorPipeline:
        """Move these rows, each at most once, to a new pipeline without copying."""
        self._check_indices(indices)
        taken = ProcessorPipeline()
        taken._set_rows([self._rows[index] for index in indices])
        return taken

    def reseed(self, seeds: Mapping[int, int]) -> None:
        """Continue some rows with other random streams. seeds: row -> seed."""
        for index, seed in seeds.items():
            for row in self._rows[index][:1]:
                row.request.seed = seed
        self._set_rows(self._rows)

    def apply(self, logits: torch.Tensor, bitmask: AnyBitmask | None = None) -> None:
        """Run all processors on the logits of one step.

        logits: (B, V) float32 or float64, changed in place.
        bitmask: (B, W) int32, the grammars' masks, which are applied later. Processors that remove tokens read it, so
            that they leave an allowed token.
        If a processor fails for a row, the row stays unchanged; see `errors`.
        """
        if len(logits) != len(self._rows):
            raise InvalidInputError(f"logits have {len(logits)} rows, the processors {len(self._rows)}")
        self._read_checks()
        for processor, group in self._current_calls():
            self._run(processor, group, logits, bitmask)

    def accept_tokens(self, token_ids: torch.Tensor | Sequence[int]) -> None:
        """Pass each row its new token, (B,); a negative id means no token. Waits for the device if any row has a
        processor.
        Raises InvalidInputError for a wrong number of tokens.
        """
        if len(token_ids) != len(self._rows):
            raise InvalidInputError(f"{len(token_ids)} tokens for {len(self._rows)} rows; give one each")
        if self.is_empty:
            return
        listed = token_ids.tolist() if isinstance(token_ids, torch.Tensor) else token_ids
        for rows, token_id in zip(self._rows, listed, strict=True):
            if rows and rows[0].request.error is None and token_id >= 0:
                rows[0].request.append(token_id)
                for row in rows:
                    _tell(row, "when it was told a token", _processor(row).accept_token, row, token_id)

    @property
    def errors(self) -> dict[int, GuidedError]:
        """Errors that end rows' requests, by row. Waits for the device's checks of the last `apply`."""
        if self.is_empty:
            return {}
        self._read_checks()
        found = ((i, rows[0].request.error) for i, rows in enumerate(self._rows) if rows)
        return {i: error for i, error in found if error is not None}

    def names_of(self, row: int) -> tuple[str, ...]:
        """The names of a row's processors, in running order."""
        return tuple(one.name for one in self._rows[row])

    def _check_indices(self, indices: Sequence[int]) -> None:
        for index in indices:
            if not 0 <= index < len(self._rows):
                raise InvalidInputError(f"row {index} is outside the {len(self._rows)} rows of processors")

    def _set_rows(self, rows: list[Rows]) -> None:
        self._rows = rows
        self.is_empty = not any(rows)  # no row has a processor
        self._calls: list[tuple[CustomLogitProcessor, RowGroup]] | None = None

    def _current_calls(self) -> list[tuple[CustomLogitProcessor, RowGroup]]:
        """The calls of one step in order: each processor with the rows that it is called for."""
        if self._calls is None:
            members: dict[Any, list[tuple[int, ProcessorRow]]] = {}
            for index, rows in enumerate(self._rows):
                for row in rows:
                    if row.request.error is None:
                        members.setdefault(_batch_key(row), []).append((index, row))
            # a stable sort keeps the order of first rows
            ordered = sorted(members.items(), key=lambda item: item[0][0])
            self._calls = [
                (_processor(found[0][1]), RowGroup([row for _, row in found], [index for index, _ in found]))
                for _, found in ordered
            ]
        return self._calls

    def _run(
        self, processor: CustomLogitProcessor, group: RowGroup, logits: torch.Tensor, bitmask: AnyBitmask | None
    ) -> None:
        """Call a processor for the rows of the group that have not failed."""
        alive = [i for i, row in enumerate(group) if row.request.error is None]
        if not alive:
            return
        if len(alive) < len(group):
            group = group.part(alive)
        group.bitmask = None if bitmask is None else bitmask[_places(group.indices)]
        if processor.is_trusted:
            self._run_trusted(processor, group, logits)
        else:
            self._run_checked(processor, group, logits, bitmask)

    def _run_trusted(self, processor: CustomLogitProcessor, group: RowGroup, logits: torch.Tensor) -> None:
        """Call a trusted processor, on the batch's own logits if the rows are adjacent."""
        places = _places(group.indices)
        part = logits[places]
        try:
            result = processor(part, group)
        except Exception as error:  # noqa: BLE001 - a fault of the processor; the rest of the batch goes on
            for row in group:
                row.request.error = _failure(row.name, error, "")
            return
        if result is not part or not isinstance(places, slice):
            logits[places] = result

    def _run_checked(
        self, processor: CustomLogitProcessor, group: RowGroup, logits: torch.Tensor, bitmask: AnyBitmask | None
    ) -> None:
        """Call a processor on a copy. If the call fails for several rows, repeat it for each row to find the failing
        ones.
        """
        states = [dict(row.state) for row in group]
        before = logits[_places(group.indices)]
        try:
            result = processor(before.clone(), group)
            problem = _problem(result, before)
        except Exception as error:  # noqa: BLE001 - a user's code; it ends its own rows only
            problem = error
        if problem is None:
            self._keep(group, logits, before, result)
            return
        for row, state in zip(group, states, strict=True):
            row.state = state
        if len(group) == 1:
            group[0].request.error = _failure(group[0].name, problem, "")
            return
        for i in range(len(group)):
            self._run(processor, group.part([i]), logits, bitmask)

    def _keep(self, group: RowGroup, logits: torch.Tensor, before: torch.Tensor, result: torch.Tensor) -> None:
        """Write the result back, except rows with new NaN or +inf. `errors` later reads which rows these are."""
        spoiled = _is_spoiled(result) & ~_is_spoiled(before)
        self._unread.append((group, spoiled))
        torch.where(spoiled.unsqueeze(1), before, result, out=before)
        places = _places(group.indices)
        if not isinstance(places, slice):
            logits[places] = before

    def _read_checks(self) -> None:
        for group, spoiled in self._unread:
            for row, is_spoiled in zip(group, spoiled.tolist(), strict=True):
                if is_spoiled and row.request.error is None:
                    row.request.error = LogitProcessorError(row.name, "made a logit NaN or +inf")
        self._unread = []


def _named_ends(vocabulary: Vocabulary | None) -> frozenset[int]:
    return frozenset() if vocabulary is None else vocabulary.eos_token_ids


def _processor(row: ProcessorRow) -> CustomLogitProcessor:
    processor: CustomLogitProcessor = row.processor
    return processor


def _batch_key(row: ProcessorRow) -> tuple[tuple[int, int], type, Hashable]:
    """Rows with equal keys are called together."""
    return row.place, type(row.processor), _processor(row).batch_key()


def _rows_of(processors: Sequence[BoundProcessor], request: ProcessedRequest) -> list[ProcessorRow]:
    seen: Counter[int] = Counter()
    rows = []
    for bound in sorted(processors, key=lambda one: one.processor.order):
        order = bound.processor.order
        rows.append(ProcessorRow(bound.name, bound.params, request, bound.processor, (order, seen[order])))
        seen[order] += 1
    return rows


def _tell(row: ProcessorRow, when: str, tell: Callable[..., None], *what: Any) -> None:
    try:
        tell(*what)
    except Exception as error:  # noqa: BLE001 - a user's code; it ends this row only
        row.request.error = row.request.error or _failure(row.name, error, when)


def _copies(rows: Rows) -> list[ProcessorRow]:
    request = rows[0].request.copy() if rows else None
    copies = []
    for row in rows:
        assert request is not None
        made = ProcessorRow(row.name, row.params, request, row.processor, row.place)
        try:
            made.state = deepcopy(row.state)
        except Exception as error:  # the user's objects can raise any exception
            raise _failure(row.name, error, "when its state was copied") from error
        copies.append(made)
    return copies


def _places(indices: Sequence[int]) -> Any:
    """An index for rows: a slice, which gives a view, if the rows are adjacent; else a list, which gives a copy."""
    if indices[-1] - indices[0] == len(indices) - 1:
        return slice(indices[0], indices[-1] + 1)
    return list(indices)


def _is_spoiled(logits: torch.Tensor) -> torch.Tensor:
    """Rows with NaN or +inf, (R,) bool. A row's maximum is NaN if any value is."""
    return ~(logits.amax(dim=1) < torch.inf)


def _problem(result: Any, before: torch.Tensor) -> Exception | None:
    """An error about a result's type, shape, dtype or device; None if all are right."""
    if not isinstance(result, torch.Tensor):
        return TypeError(f"returned a {type(result).__name__} instead of the logits")
    for what in ("shape", "dtype", "device"):
        got, expected = getattr(result, what), getattr(before, what)
        if got != expected:
            shown = (tuple(got), tuple(expected)) if what == "shape" else (got, expected)
            return ValueError(f"changed the logits' {what} from {shown[1]} to {shown[0]}")
    return None


def _failure(name: str, error: Exception, when: str) -> LogitProcessorError:
    """The error that ends a row, with the processor's exception as its cause."""
    told = f" {when}" if when else ""
    failure = LogitProcessorError(name, f"failed{told}: {type(error).__name__}: {error}")
    failure.__cause__ = error
    return failure
