"""`Scheduler`: which requests wait, which run, what each step reads of them, and who gives pages back.

First come, first served. Every row that draws is read in every step. The rest of a step's budget goes to prompts, in
chunks, oldest first; a long prompt leaves half of it to shorter ones. While several callers are there, the budget is an
eighth, as all of them wait for the step's end, and a long prompt gets half of that in every third step. One caller
(`Request.group`) has at most three quarters of the batch. On a CPU, where each row makes a step longer, callers share a
quarter of it while several are there; the youngest rows of those that have more rest, with their pages.

When pages run out, the youngest row gives all of its pages back and waits again. It starts later from its tokens. So
the oldest always goes on, and as no row is taken that needs more pages than there are, each one ends.
"""

from __future__ import annotations

import time
from bisect import insort
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ..settings import EngineSettings
from .engine_request import EngineRequest, RowState
from .paged import Chunk, PagedModel
from .prompt_scoring import MAX_SCORED_TOKENS
from .waiting_rows import WaitingRows

BESIDE_OTHERS = 8  # a step that several callers wait for reads the eighth part of `max_prefill_tokens`
MIN_READ_TOKENS = 16  # of prompts in a step, unless `max_prefill_tokens` is less
LOOKED = 64  # rows that wait that a step looks at beyond those that it has places for
MORE_LOOKED = 8  # times as many where prompts are long
LONG_STEPS = 4  # a prompt that takes more of them is long
LONG_EVERY = 3  # of so many steps that several callers wait for, one reads a long prompt
SHORT_S = 0.5  # for which steps stay short after several callers were there: whoever asks again waits for no long one
_FIRST = [0]  # of a chunk's tokens. Nobody changes it


@dataclass
class Plan:
    """One step. drawing: rows that get a token, chunks in the same order; joining: those of them that are new to it.

    reading: chunks of rows that only read. num_tokens: of all chunks; num_prefill_tokens: but for each drawing row's
    newest one. num_draft_tokens: guessed ones, behind those (`drafts.py`).
    """

    drawing: list[tuple[EngineRequest, Chunk]] = field(default_factory=list)
    joining: list[tuple[EngineRequest, Chunk]] = field(default_factory=list)
    reading: list[tuple[EngineRequest, Chunk]] = field(default_factory=list)
    num_tokens: int = 0
    num_prefill_tokens: int = 0
    num_draft_tokens: int = 0

    @property
    def parts(self) -> list[tuple[EngineRequest, Chunk]]:
        """All of it, in the order in which the model gets it."""
        return self.drawing + self.joining + self.reading


class Scheduler:
    """Owns the waiting and the running rows and their sequences. One thread uses it.

    on_start: called with a row that leaves the queue for the first time; it may add tokens, finish, or sit out.
    on_preempt: called with a row that gives its pages back, before it does. on_rest: called with rows that draw and are
    to leave the batch. are_rows_cheap: a step takes as long with many rows as with few, as on a GPU.

    Particles at their block's end rest, too, until they may go on. They are the first to give their pages back.
    """

    def __init__(
        self,
        model: PagedModel,
        settings: EngineSettings,
        on_start: Callable[[EngineRequest], None],
        on_preempt: Callable[[EngineRequest], None],
        on_rest: Callable[[Sequence[EngineRequest]], None],
        *,
        are_rows_cheap: bool,
    ) -> None:
        self.waiting = WaitingRows()
        self.running: list[EngineRequest] = []
        self._model = model
        self._settings = settings
        self._on_start = on_start
        self._on_preempt = on_preempt
        self._on_rest = on_rest
        self._are_rows_cheap = are_rows_cheap
        self._short_until_s = 0.0
        self._num_since_long = LONG_EVERY  # steps since the last one that read a long prompt
        self._num_running: Counter[object] = Counter()  # rows of each caller
        self._blocked: tuple[EngineRequest, int] | None = (
            None  # the row that found no room, and how many pages were free
        )

    def add(self, row: EngineRequest) -> None:
        """A request waits."""
        self.waiting.add(row)

    def remove(self, row: EngineRequest) -> None:
        """A request is over."""
        if row.state is not RowState.DONE:
            row.move(RowState.DONE)
        self._close(row)
        if row in self.running:
            self._stop(row)
        else:
            self.waiting.remove(row)

    def sit_out(self, row: EngineRequest) -> None:
        """A row gives its pages back while its grammar builds something, and then starts again from its tokens."""
        self._close(row)
        if row in self.running:
            self._stop(row)
            self.add(row)

    def rest(self, rows: Sequence[EngineRequest]) -> None:
        """Rows that draw leave the batch, and keep their pages until they may go on."""
        if rows:
            self._on_rest(rows)
        for row in rows:
            row.move(RowState.RESTING)

    def fork(self, row: EngineRequest, source: EngineRequest) -> None:
        """A row that is not here goes on from the source's tokens, where that rests or waits: on the same pages."""
        if source.sequence is None:
            row.move(RowState.WAITING)
            self.add(row)
            return
        row.sequence = self._model.fork(source.sequence)
        row.move(RowState.RESTING)
        self._run(row)

    def plan(self, drawing_order: list[EngineRequest]) -> Plan:
        """What the next step reads. drawing_order: the rows of the sampling batch, which lacks those that rest now."""
        is_short = self._is_short()
        most = self._most_of_a_caller(is_short=is_short)
        if is_short:
            self.rest(self._beyond(most))
        plan = self._steady(drawing_order)
        if plan is not None:
            return plan
        chunks: dict[int, Chunk] = {}
        for row in list(self.running):  # oldest first; those behind may be preempted meanwhile
            if row.sequence is not None and row.state is RowState.DRAWING:
                chunk = self._next_chunk(row, 0)
                if chunk is not None and self._reserve(row, len(chunk.token_ids), chunks):
                    chunks[id(row)] = chunk
        self._read_prompts(chunks, most, is_short=is_short)
        return self._sorted(chunks, drawing_order)

    @property
    def has_others(self) -> bool:
        """There are rows of several callers: some wait for what is done for others."""
        running = self._num_running
        if max(len(running), self.waiting.num_groups) > 1:
            return True
        return bool(self.waiting) and any(group not in self.waiting.groups for group in running)

    def _is_short(self) -> bool:
        """Several callers are there, or were a moment ago."""
        now, has_others = time.monotonic(), self.has_others
        if has_others:
            self._short_until_s = now + SHORT_S
        return has_others or now < self._short_until_s

    def _most_of_a_caller(self, *, is_short: bool) -> int:
        """Rows in the batch."""
        size = self._settings.max_batch_size
        if is_short and not self._are_rows_cheap:
            return max(1, size // 4 // max(2, len(self._num_running)))
        return size - size // 4

    def _beyond(self, most: int) -> list[EngineRequest]:
        """The youngest rows of each caller that has more than `most` in the batch."""
        num_awake = Counter[object]()
        beyond: list[EngineRequest] = []
        for row in self.running:
            if row.state is RowState.DRAWING:
                num_awake[row.group] += 1
                if num_awake[row.group] > most:
                    beyond.append(row)
        return beyond

    def _budget(self, *, is_short: bool) -> int:
        """Tokens of prompts that a step reads."""
        most = self._settings.max_prefill_tokens
        return min(most, max(MIN_READ_TOKENS, most // BESIDE_OTHERS)) if is_short else most

    def _steady(self, rows: list[EngineRequest]) -> Plan | None:
        """The plan where all rows that there are draw, and find room. PERF: as in most steps; a third of the time."""
        if self.waiting or len(rows) != len(self.running):
            return None
        plan = Plan()
        for row in rows:
            sequence, token_ids = row.sequence, row.token_ids
            assert sequence is not None
            size = len(token_ids) - sequence.num_tokens
            chunk = Chunk(sequence, token_ids[-1:], _FIRST, row.wants_hidden) if size == 1 else self._next_chunk(row, 0)
            if chunk is None or not self._model.reserve(sequence, size):
                return None
            plan.drawing.append((row, chunk))
            plan.num_tokens += size
        plan.num_prefill_tokens = plan.num_tokens - len(rows)
        return plan

    def _sorted(self, chunks: dict[int, Chunk], drawing_order: list[EngineRequest]) -> Plan:
        plan = Plan(drawing=[(row, chunks[id(row)]) for row in drawing_order if row.state is RowState.DRAWING])
        for row in self.running:
            if row.state is RowState.READING and id(row) in chunks:
                chunk = chunks[id(row)]
                is_last = len(chunk.token_ids) == row.num_unread
                (plan.joining if is_last else plan.reading).append((row, chunk))
        plan.num_tokens = sum([len(chunk.token_ids) for chunk in chunks.values()])
        plan.num_prefill_tokens = plan.num_tokens - len(plan.drawing)
        return plan

    def _next_chunk(self, row: EngineRequest, budget: int) -> Chunk | None:
        """All that a row that draws has not read; of any other what the budget allows."""
        assert row.sequence is not None
        start, has_scorer = row.sequence.num_tokens, row.scorer is not None
        size = len(row.token_ids) - start
        if row.state is not RowState.DRAWING:
            size = min(size, budget, MAX_SCORED_TOKENS if has_scorer else budget)
        if size < 1:
            return None
        wanted = list(range(0 if has_scorer else max(0, row.num_scored - 1 - start), size))
        return Chunk(row.sequence, row.token_ids[start : start + size], wanted, row.wants_hidden)

    def _reserve(self, row: EngineRequest, num_tokens: int, chunks: dict[int, Chunk]) -> bool:
        """Room for a running row; others give theirs up for it, and it its own when it is its turn to."""
        assert row.sequence is not None
        while not self._model.reserve(row.sequence, num_tokens):
            other = _next_to_leave(self.running)
            self._preempt(other, chunks)
            if other is row:
                return False
        return True

    def _preempt(self, row: EngineRequest, chunks: dict[int, Chunk]) -> None:
        """It gives its pages back, and its chunk of this step."""
        chunks.pop(id(row), None)
        self._on_preempt(row)
        row.move(RowState.WAITING)
        self._close(row)
        self._stop(row)
        self.add(row)

    def _read_prompts(self, chunks: dict[int, Chunk], most_rows: int, *, is_short: bool) -> None:
        """Prompts are read oldest first. One that takes many steps leaves half of each step to shorter ones.

        most_rows: of a caller in the batch.
        """
        num_awake = self._wake(most_rows)
        reading = [row for row in self.running if row.state is RowState.READING]
        if not reading and not self.waiting:
            return
        budget = self._budget(is_short=is_short)
        long = LONG_STEPS * budget
        is_first_long = bool(reading) and (len(reading[0].token_ids) if is_short else reading[0].num_unread) > long
        reserved = budget // 2 if is_first_long else 0
        oldest = reading.pop(0) if reserved else None
        left = budget - reserved
        has_room = True
        rows = self._in_reading_order(reading, num_awake, most_rows, long)
        for row in rows:
            if left < 1 or not (has_room or reading):
                break
            most = left if row is rows[-1] or row.num_unread <= long else left - left // 2
            if row.sequence is not None:
                left -= self._read(row, most, chunks)
            elif has_room and num_awake[row.group] < most_rows:
                num_read = self._admit(row, most, chunks, num_awake)
                has_room = num_read is not None
                left -= num_read or 0
        is_left_out = is_short and chunks and self._num_since_long < LONG_EVERY - 1
        if oldest is not None and not is_left_out:
            self._read(oldest, reserved if is_short else left + reserved, chunks)
            self._num_since_long = 0
        else:
            self._num_since_long += 1

    def _wake(self, most_rows: int) -> Counter[object]:
        """Rows that rest, and may go on, are read again where there are places; the rows in the batch, by callers."""
        num_awake = Counter([row.group for row in self.running if row.state is not RowState.RESTING])
        for row in self.running:
            if row.state is not RowState.RESTING or row.is_at_block_end:
                continue
            if num_awake.total() < self._settings.max_batch_size and num_awake[row.group] < most_rows:
                row.move(RowState.READING)
                num_awake[row.group] += 1
        return num_awake

    def _in_reading_order(
        self, reading: list[EngineRequest], num_awake: Counter[object], most_rows: int, long: int
    ) -> list[EngineRequest]:
        """Those that wait behind those that read, in their order.

        Prompts of more than `long` tokens come behind all others. But the oldest row that waits comes before all others
        that do, so that nobody takes its room again and again. Of those that wait, only as many are looked at as a step
        could start, and some more; where there are long ones among them, MORE_LOOKED times as many.
        """
        num_places = self._settings.max_batch_size - num_awake.total()
        num_looked = LOOKED + num_places if num_places > 0 else 0
        in_order = self.waiting.in_order(num_awake, most_rows)
        waiting = list(islice(in_order, num_looked))
        if any(row.num_unread > long for row in waiting):
            waiting += islice(in_order, MORE_LOOKED * num_looked)
        rows = reading + waiting
        if all(row.num_unread <= long for row in rows):
            return rows
        first = waiting[:1]
        return first + sorted((row for row in rows if row not in first), key=lambda row: max(row.num_unread, long))

    def _read(self, row: EngineRequest, most: int, chunks: dict[int, Chunk]) -> int:
        """The next chunk of a running row; how many tokens it has."""
        if row.sequence is None:  # it was preempted
            return 0
        chunk = self._next_chunk(row, most)
        if chunk is None or not self._reserve(row, len(chunk.token_ids), chunks):
            return 0
        chunks[id(row)] = chunk
        return len(chunk.token_ids)

    def _admit(self, row: EngineRequest, most: int, chunks: dict[int, Chunk], num_awake: Counter[object]) -> int | None:
        """A waiting row starts, if there is room; how many tokens its chunk has. None: there is no room for more."""
        if num_awake.total() >= self._settings.max_batch_size or self._is_blocked(row):
            return None
        if self._waits_for_prefix(row):
            return 0
        chunk = self._open(row, most, chunks)
        if row.state is not RowState.WAITING:
            return 0
        if chunk is None:
            self._close(row)
            self._blocked = (row, self._model.num_free_pages)
            return None
        self.waiting.remove(row)
        row.move(RowState.READING)
        self._run(row)
        num_awake[row.group] += 1
        chunks[id(row)] = chunk
        return len(chunk.token_ids)

    def _open(self, row: EngineRequest, budget: int, chunks: dict[int, Chunk]) -> Chunk | None:
        """Its first chunk, as `_start` gives it, once particles at their block's end have given up their pages for it.

        A row whose prompt is scored must read all of it, whatever is known, and one that has jumped over tokens that
        are to be scored must read these.
        """
        row.sequence = self._model.open(row.token_ids[: row.num_scored if row.scorer is None else 1])
        while True:
            chunk = self._start(row, budget)
            other = _at_block_end(self.running)
            if chunk is not None or row.state is not RowState.WAITING or other is None:
                return chunk
            self._preempt(other, chunks)

    def _start(self, row: EngineRequest, budget: int) -> Chunk | None:
        """The first chunk of an open row, with room for it; None where there is none, or it finished or is slow."""
        assert row.sequence is not None
        if not self._has_room(row):
            return None
        if row.started_s is None:
            row.started_s = time.perf_counter()
            row.num_cached_tokens = row.sequence.num_cached_tokens
            self._on_start(row)
            if row.state is not RowState.WAITING:
                return None
        chunk = self._next_chunk(row, budget)
        assert chunk is not None
        return chunk if self._model.reserve(row.sequence, len(chunk.token_ids)) else None

    def _is_blocked(self, row: EngineRequest) -> bool:
        """It found no room, and since then none came: looking up its prefix again would be in vain."""
        if self._blocked is not None and self._blocked[0] is row and self.running:
            return self._model.num_free_pages <= self._blocked[1] and _at_block_end(self.running) is None
        self._blocked = None
        return False

    def _has_room(self, row: EngineRequest) -> bool:
        """Pages for all that it has not read and one token more, so that it is not preempted at once."""
        assert row.sequence is not None
        total = self._model.num_pages_for(len(row.token_ids) + 1)
        held = self._model.num_pages_for(row.sequence.num_tokens)
        return not self.running or total - held <= self._model.num_free_pages

    def _waits_for_prefix(self, row: EngineRequest) -> bool:
        """A running row is about to read pages that this one begins with too: then they need not be read twice."""
        if not self._settings.prefix_caching or row.scorer is not None:
            return False
        page_size = self._settings.page_size
        for other in self.running:
            if other.state is not RowState.READING or other.sequence is None:
                continue
            num_shared = _common_prefix(row.token_ids[: row.num_scored - 1], other.token_ids) // page_size * page_size
            if num_shared > other.sequence.num_tokens:
                return True
        return False

    def _run(self, row: EngineRequest) -> None:
        insort(self.running, row, key=_order)
        self._num_running[row.group] += 1

    def _stop(self, row: EngineRequest) -> None:
        self.running.remove(row)
        _count_one_less(self._num_running, row.group)

    def _close(self, row: EngineRequest) -> None:
        if row.sequence is not None:
            self._model.close(row.sequence)
            row.sequence = None


def _count_one_less(counts: Counter[object], group: object) -> None:
    counts[group] -= 1
    if not counts[group]:
        del counts[group]


def _order(row: EngineRequest) -> int:
    return row.order


def _next_to_leave(rows: Sequence[EngineRequest]) -> EngineRequest:
    """The youngest row at its block's end; without one, the youngest of all."""
    return _at_block_end(rows) or rows[-1]


def _at_block_end(rows: Sequence[EngineRequest]) -> EngineRequest | None:
    """The youngest row at its block's end."""
    return next((row for row in reversed(rows) if row.is_at_block_end), None)


def _common_prefix(tokens: list[int], others: list[int]) -> int:
    """How many tokens two lists begin with in common."""
    num_tokens = min(len(tokens), len(others))
    if tokens[:num_tokens] == others[:num_tokens]:
        return num_tokens
    return next(i for i in range(num_tokens) if tokens[i] != others[i])
