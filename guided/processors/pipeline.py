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
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch

from guided.grammars.errors import GuidedError, InvalidInputError

from ..masks import AnyBitmask
from .base import CustomLogitProcessor
from .errors import LogitProcessorError
from .registry import BoundProcessor, request_processors
from .rows import ProcessorRow, RequestFacts, RowGroup, TokenHistory
from .settings import ProcessorSettings

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary

    from ..params.sampling_params import SamplingParams

SEED_BITS = 63


@dataclass
class _Slot:
    """A processor of a row. place: its order, and how many processors of that order precede it in the row."""

    processor: CustomLogitProcessor
    row: ProcessorRow
    place: tuple[int, int]

    @property
    def key(self) -> tuple[tuple[int, int], type, Hashable]:
        return self.place, type(self.processor), self.processor.batch_key()


@dataclass
class _Row:
    """A row of the batch. A row without slots has no processors and no state."""

    slots: list[_Slot]
    facts: RequestFacts | None
    error: GuidedError | None = None


class ProcessorPipeline:
    """The processors of B rows, in the order of the batch's rows. num_rows: initial number of rows, without
    processors.
    """

    def __init__(self, num_rows: int = 0) -> None:
        self._set_rows([_Row([], None)] * num_rows)
        # For each call of the last step, (R,) bool on the device: rows where a processor made NaN or +inf. Read on
        # demand.
        self._unread: list[tuple[RowGroup, list[_Row], torch.Tensor]] = []

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
        """A pipeline with one row for each request.

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
            facts = RequestFacts(TokenHistory(prompt_token_ids), seed, vocabulary, ends)
            row = _Row(_slots(processors, facts), facts)
            for slot in row.slots:
                _tell(row, slot, "when it started", slot.processor.start, slot.row)
            pipeline._set_rows([row])
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
        selected._set_rows([_copy_row(self._rows[index]) for index in indices])
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
            row = self._rows[index]
            if row.facts is not None:
                row.facts = replace(row.facts, seed=seed)
                for slot in row.slots:
                    slot.row.facts, slot.row.seed = row.facts, seed
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
        for row, token_id in zip(self._rows, listed, strict=True):
            if row.facts is not None and row.error is None and token_id >= 0:
                row.facts.history.append(token_id)
                for slot in row.slots:
                    _tell(row, slot, "when it was told a token", slot.processor.accept_token, slot.row, token_id)

    @property
    def errors(self) -> dict[int, GuidedError]:
        """Errors that end rows' requests, by row. Waits for the device's checks of the last `apply`."""
        if self.is_empty:
            return {}
        self._read_checks()
        return {i: row.error for i, row in enumerate(self._rows) if row.error is not None}

    def names_of(self, row: int) -> tuple[str, ...]:
        """The names of a row's processors, in running order."""
        return tuple(slot.row.name for slot in self._rows[row].slots)

    def _check_indices(self, indices: Sequence[int]) -> None:
        for index in indices:
            if not 0 <= index < len(self._rows):
                raise InvalidInputError(f"row {index} is outside the {len(self._rows)} rows of processors")

    def _set_rows(self, rows: list[_Row]) -> None:
        self._rows = rows
        self.is_empty = not any(row.slots for row in rows)  # no row has a processor
        self._calls: list[tuple[CustomLogitProcessor, RowGroup]] | None = None

    def _current_calls(self) -> list[tuple[CustomLogitProcessor, RowGroup]]:
        """The calls of one step in order: each processor with the rows that it is called for."""
        if self._calls is None:
            members: dict[Any, list[tuple[int, _Slot]]] = {}
            for index, row in enumerate(self._rows):
                for slot in row.slots if row.error is None else ():
                    members.setdefault(slot.key, []).append((index, slot))
            # a stable sort keeps the order of first rows
            ordered = sorted(members.items(), key=lambda item: item[0][0])
            self._calls = [
                (slots[0][1].processor, RowGroup([slot.row for _, slot in slots], [index for index, _ in slots]))
                for _, slots in ordered
            ]
        return self._calls

    def _run(
        self, processor: CustomLogitProcessor, group: RowGroup, logits: torch.Tensor, bitmask: AnyBitmask | None
    ) -> None:
        """Call a processor for the rows of the group that have not failed."""
        alive = [i for i, index in enumerate(group.indices) if self._rows[index].error is None]
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
            for row, index in zip(group, group.indices, strict=True):
                self._rows[index].error = _failure(row.name, error, "")
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
            self._rows[group.indices[0]].error = _failure(group[0].name, problem, "")
            return
        for i in range(len(group)):
            self._run(processor, group.part([i]), logits, bitmask)

    def _keep(self, group: RowGroup, logits: torch.Tensor, before: torch.Tensor, result: torch.Tensor) -> None:
        """Write the result back, except rows with new NaN or +inf. `errors` later reads which rows these are."""
        spoiled = _is_spoiled(result) & ~_is_spoiled(before)
        self._unread.append((group, [self._rows[index] for index in group.indices], spoiled))
        torch.where(spoiled.unsqueeze(1), before, result, out=before)
        places = _places(group.indices)
        if not isinstance(places, slice):
            logits[places] = before

    def _read_checks(self) -> None:
        for group, rows, spoiled in self._unread:
            for seen, row, is_spoiled in zip(group, rows, spoiled.tolist(), strict=True):
                if is_spoiled and row.error is None:
                    row.error = LogitProcessorError(seen.name, "made a logit NaN or +inf")
        self._unread = []


def _named_ends(vocabulary: Vocabulary | None) -> frozenset[int]:
    return frozenset() if vocabulary is None else vocabulary.eos_token_ids


def _slots(processors: Sequence[BoundProcessor], facts: RequestFacts) -> list[_Slot]:
    seen: Counter[int] = Counter()
    slots = []
    for bound in sorted(processors, key=lambda one: one.processor.order):
        order = bound.processor.order
        slots.append(_Slot(bound.processor, ProcessorRow(bound.name, bound.params, facts), (order, seen[order])))
        seen[order] += 1
    return slots


def _tell(row: _Row, slot: _Slot, when: str, tell: Callable[..., None], *what: Any) -> None:
    try:
        tell(*what)
    except Exception as error:  # noqa: BLE001 - a user's code; it ends this row only
        row.error = row.error or _failure(slot.row.name, error, when)


def _copy_row(row: _Row) -> _Row:
    if row.facts is None:
        return _Row([], None)
    facts = replace(row.facts, history=row.facts.history.copy())
    slots = []
    for slot in row.slots:
        copy = ProcessorRow(slot.row.name, slot.row.params, facts)
        try:
            copy.state = deepcopy(slot.row.state)
        except Exception as error:  # the user's objects can raise any exception
            raise _failure(slot.row.name, error, "when its state was copied") from error
        slots.append(_Slot(slot.processor, copy, slot.place))
    return _Row(slots, facts, row.error)


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
