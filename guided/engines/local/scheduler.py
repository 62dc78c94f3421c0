"""`Scheduler`: decides which requests wait and run, what each step reads of them, and which rows lose their pages.

First come, first served. Each step reads every drawing row. The rest of its budget goes to prompts, in chunks, oldest
first; a long prompt leaves half of it to shorter ones. While there are several callers, the budget is an eighth,
because all of them wait for the end of the step. A caller (`PromptRequest.group`) then has at most three quarters of
the batch. Its youngest rows beyond that rest with their pages. A caller alone has all of it.

On a CPU each row and each part of a long prompt makes a step longer. Callers therefore share a quarter of the batch
there with `EngineSettings.short_steps`, and a caller alone has three quarters. A long prompt gets half of the budget in
every third step.

If pages run out, the youngest row gives all its pages back, waits again, and starts later from its tokens. The oldest
row always goes on. No row is accepted that needs more pages than there are, so each row ends.
"""

from __future__ import annotations

import time
from bisect import insort
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ..settings import EngineSettings
from .drafts import TokenDraft
from .engine_request import EngineRequest, RowState
from .paged import Chunk, PagedModel
from .prompt_scoring import MAX_SCORED_TOKENS
from .waiting_rows import WaitingRows

BESIDE_OTHERS = 8  # divisor of `max_prefill_tokens` for steps that several callers wait for
MIN_READ_TOKENS = 16  # least budget of prompt tokens of such a step, unless `max_prefill_tokens` is less
LOOKED = 64  # number of waiting rows that a step considers, beyond the number of its free places
MORE_LOOKED = 8  # factor for LOOKED if there are long prompts among the waiting rows
LONG_STEPS = 4  # least number of steps for reading a long prompt
LONG_EVERY = 3  # with `short_steps` and several callers, one of this number of steps reads a long prompt
SHORT_S = 0.5  # time in seconds that steps stay short after several callers were there: a caller may ask again
_FIRST = [0]  # the positions of a chunk whose first token alone needs logits. Nobody may change the list


@dataclass
class StepPlan:
    """The work of one step: rows with their chunks.

    drawing: rows of the batch, which get a token, in the order of the batch.
    joining: rows that join the batch in this step and get a token.
    reading: rows that get no token: the step reads a part of their prompt.
    num_tokens: number of tokens of all chunks.
    num_prefill_tokens: number of these without the newest token of each drawing row.
    drafts: the rows' guesses, which are read in addition (`drafts.py`).
    num_draft_tokens: number of guessed tokens.
    """

    drawing: list[tuple[EngineRequest, Chunk]] = field(default_factory=list)
    joining: list[tuple[EngineRequest, Chunk]] = field(default_factory=list)
    reading: list[tuple[EngineRequest, Chunk]] = field(default_factory=list)
    num_tokens: int = 0
    num_prefill_tokens: int = 0
    drafts: dict[EngineRequest, TokenDraft] = field(default_factory=dict)
    num_draft_tokens: int = 0

    @property
    def parts(self) -> list[tuple[EngineRequest, Chunk]]:
        """All rows with their chunks, in the model's order."""
        return self.drawing + self.joining + self.reading


class Scheduler:
    """Owns the waiting and the running rows and their sequences. Only the engine's thread uses it.

    model: the model with its pages.
    settings: the engine's settings.
    on_start: function that is called with a row that leaves the queue for the first time. The function may add tokens
        to the row, end it, or let it sit out.
    on_preempt: function that is called with a row before it loses its pages.
    on_rest: function that is called with drawing rows that have to leave the batch.
    are_rows_cheap: True: a step takes as long with many rows as with few, as on a GPU.

    Particles at the end of their block rest until they may continue. Such particles lose their pages before other rows.
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
        self._keeps_short = settings.short_steps and not are_rows_cheap
        self._short_until_s = 0.0
        self._num_since_long = LONG_EVERY  # number of steps since a step read a long prompt
        self._num_running: Counter[object] = Counter()  # rows of each caller
        self._blocked: tuple[EngineRequest, int] | None = (
            None  # (the row that found no room, number of free pages then)
        )

    def add(self, row: EngineRequest) -> None:
        """Add a request to the waiting ones."""
        self.waiting.add(row)

    def remove(self, row: EngineRequest) -> None:
        """Remove a request that is over, and free its pages."""
        if row.state is not RowState.DONE:
            row.move(RowState.DONE)
        self._close(row)
        if row in self.running:
            self._stop(row)
        else:
            self.waiting.remove(row)

    def sit_out(self, row: EngineRequest) -> None:
        """Free the pages of a row whose grammar needs time. Later it starts again from its tokens."""
        self._close(row)
        if row in self.running:
            self._stop(row)
            self.add(row)

    def rest(self, rows: Sequence[EngineRequest]) -> None:
        """Let drawing rows leave the batch. The rows keep their pages until they may continue."""
        if rows:
            self._on_rest(rows)
        for row in rows:
            row.move(RowState.RESTING)

    def fork(self, row: EngineRequest, source: EngineRequest) -> None:
        """Add a row that has become a copy of its source. The row shares the source's pages; without any, it waits."""
        if source.sequence is None:
            row.move(RowState.WAITING)
            self.add(row)
            return
        row.sequence = self._model.fork(source.sequence)
        row.move(RowState.RESTING)
        self._run(row)

    def plan(self, drawing_order: list[EngineRequest]) -> StepPlan:
        """Plan the next step.

        drawing_order: the rows of the batch, in order. Rows that start to rest here are removed from the batch.
        """
        is_short = self._is_short()
        most = self._most_of_a_caller(is_short=is_short)
        if is_short:
            self.rest(self._beyond(most))
        plan = self._steady(drawing_order)
        if plan is not None:
            return plan
        chunks: dict[int, Chunk] = {}
        for row in list(self.running):  # oldest first; younger rows may be preempted meanwhile
            if row.sequence is not None and row.state is RowState.DRAWING:
                chunk = self._next_chunk(row, 0)
                if chunk is not None and self._reserve(row, len(chunk.token_ids), chunks):
                    chunks[id(row)] = chunk
        self._read_prompts(chunks, most, is_short=is_short)
        return self._sorted(chunks, drawing_order)

    @property
    def has_others(self) -> bool:
        """True if there are rows of several callers, so that some wait for the work of others."""
        running = self._num_running
        if max(len(running), self.waiting.num_groups) > 1:
            return True
        return bool(self.waiting) and any(group not in self.waiting.groups for group in running)

    def _is_short(self) -> bool:
        """True if there are several callers, or there were within SHORT_S seconds."""
        now, has_others = time.monotonic(), self.has_others
        if has_others:
            self._short_until_s = now + SHORT_S
        return has_others or now < self._short_until_s

    def _most_of_a_caller(self, *, is_short: bool) -> int:
        """Maximum number of rows of one caller in the batch. is_short: several callers are there."""
        size = self._settings.max_batch_size
        if is_short and self._keeps_short:
            return max(1, size // 4 // max(2, len(self._num_running)))
        return size - size // 4 if is_short or self._keeps_short else size

    def _beyond(self, most: int) -> list[EngineRequest]:
        """The youngest drawing rows of each caller beyond its first `most`."""
        num_awake = Counter[object]()
        beyond: list[EngineRequest] = []
        for row in self.running:
            if row.state is RowState.DRAWING:
                num_awake[row.group] += 1
                if num_awake[row.group] > most:
                    beyond.append(row)
        return beyond

    def _budget(self, *, is_short: bool) -> int:
        """Maximum number of prompt tokens of a step. is_short: several callers are there."""
        most = self._settings.max_prefill_tokens
        return min(most, max(MIN_READ_TOKENS, most // BESIDE_OTHERS)) if is_short else most

    def _steady(self, rows: list[EngineRequest]) -> StepPlan | None:
        """The plan if all rows draw and find room; else None. PERF: most steps; takes a third of the general way's
        time.
        """
        if self.waiting or len(rows) != len(self.running):
            return None
        plan = StepPlan()
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

    def _sorted(self, chunks: dict[int, Chunk], drawing_order: list[EngineRequest]) -> StepPlan:
        plan = StepPlan(drawing=[(row, chunks[id(row)]) for row in drawing_order if row.state is RowState.DRAWING])
        for row in self.running:
            if row.state is RowState.READING and id(row) in chunks:
                chunk = chunks[id(row)]
                is_last = len(chunk.token_ids) == row.num_unread
                (plan.joining if is_last else plan.reading).append((row, chunk))
        plan.num_tokens = sum([len(chunk.token_ids) for chunk in chunks.values()])
        plan.num_prefill_tokens = plan.num_tokens - len(plan.drawing)
        return plan

    def _next_chunk(self, row: EngineRequest, budget: int) -> Chunk | None:
        """The next chunk of a row: for a drawing row all unread tokens, for others as many as the budget allows.

        None if there is nothing to read.
        """
        assert row.sequence is not None
        start, scores_prompt = row.sequence.num_tokens, row.scores_prompt
        size = len(row.token_ids) - start
        if row.state is not RowState.DRAWING:
            size = min(size, budget, MAX_SCORED_TOKENS if scores_prompt else budget)
        if size < 1:
            return None
        wanted = list(range(0 if scores_prompt else max(0, row.num_scored - 1 - start), size))
        return Chunk(row.sequence, row.token_ids[start : start + size], wanted, row.wants_hidden)

    def _reserve(self, row: EngineRequest, num_tokens: int, chunks: dict[int, Chunk]) -> bool:
        """Reserve room for a running row. Rows are preempted until there is room, youngest first.

        Returns False if the row itself was preempted.
        """
        assert row.sequence is not None
        while not self._model.reserve(row.sequence, num_tokens):
            other = _next_to_leave(self.running)
            self._preempt(other, chunks)
            if other is row:
                return False
        return True

    def _preempt(self, row: EngineRequest, chunks: dict[int, Chunk]) -> None:
        """Take the pages and the chunk of this step from a row, which waits again."""
        chunks.pop(id(row), None)
        self._on_preempt(row)
        row.move(RowState.WAITING)
        self._close(row)
        self._stop(row)
        self.add(row)

    def _read_prompts(self, chunks: dict[int, Chunk], most_rows: int, *, is_short: bool) -> None:
        """Add chunks of prompts, oldest first. A long prompt leaves half of each step to shorter ones.

        chunks: chunks of the step so far; the method adds to them.
        most_rows: maximum number of rows of a caller in the batch.
        is_short: several callers are there.
        """
        num_awake = self._wake(most_rows)
        reading = [row for row in self.running if row.state is RowState.READING]
        if not reading and not self.waiting:
            return
        budget = self._budget(is_short=is_short)
        is_held_back = is_short and self._keeps_short
        long = LONG_STEPS * budget
        is_first_long = bool(reading) and (len(reading[0].token_ids) if is_held_back else reading[0].num_unread) > long
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
        is_left_out = is_held_back and chunks and self._num_since_long < LONG_EVERY - 1
        if oldest is not None and not is_left_out:
            self._read(oldest, reserved if is_held_back else left + reserved, chunks)
            self._num_since_long = 0
        else:
            self._num_since_long += 1

    def _wake(self, most_rows: int) -> Counter[object]:
        """Let resting rows that may continue be read again, as far as there are places. Returns caller -> number of its
        rows in the batch.
        """
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
        """The rows to read prompts of, in order: reading rows, then waiting ones.

        Prompts of more than `long` tokens come last. The oldest waiting row still comes before all other waiting rows,
        so that younger rows can't take its room again and again. The method looks only at as many waiting rows as a
        step could start, and LOOKED more. If there are long prompts among them, it looks at more rows.
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
        """Add the next chunk of a running row. Returns its number of tokens; 0: none."""
        if row.sequence is None:  # the row was preempted
            return 0
        chunk = self._next_chunk(row, most)
        if chunk is None or not self._reserve(row, len(chunk.token_ids), chunks):
            return 0
        chunks[id(row)] = chunk
        return len(chunk.token_ids)

    def _admit(self, row: EngineRequest, most: int, chunks: dict[int, Chunk], num_awake: Counter[object]) -> int | None:
        """Start a waiting row, if there is room. Returns the number of tokens of its chunk; None: no room for more
        rows.
        """
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
        """Open a waiting row and return its first chunk, or None as `_start` does. If there is no room, particles at
        the end of their block are preempted first.

        A row with a scored prompt must read all of it, even if pages are known. A row with unscored tokens must read
        the tokens from there on.
        """
        row.sequence = self._model.open(row.token_ids[: row.num_scored if not row.scores_prompt else 1])
        while True:
            chunk = self._start(row, budget)
            other = _at_block_end(self.running)
            if chunk is not None or row.state is not RowState.WAITING or other is None:
                return chunk
            self._preempt(other, chunks)

    def _start(self, row: EngineRequest, budget: int) -> Chunk | None:
        """The first chunk of an open row, with reserved room; None: there is no room, or the row ended or has to sit
        out.
        """
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
        """True if the row found no room before and no pages were freed since, so that another try is useless."""
        if self._blocked is not None and self._blocked[0] is row and self.running:
            return self._model.num_free_pages <= self._blocked[1] and _at_block_end(self.running) is None
        self._blocked = None
        return False

    def _has_room(self, row: EngineRequest) -> bool:
        """True if there are pages for all unread tokens and one more, so that the row is not preempted at once."""
        assert row.sequence is not None
        total = self._model.num_pages_for(len(row.token_ids) + 1)
        held = self._model.num_pages_for(row.sequence.num_tokens)
        return not self.running or total - held <= self._model.num_free_pages

    def _waits_for_prefix(self, row: EngineRequest) -> bool:
        """True if a running row is about to read pages that this row also begins with: waiting lets it share them."""
        if not self._settings.prefix_caching or row.scores_prompt:
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
    """The next row to lose its pages: the youngest particle at the end of its block; if there is none, the youngest
    row.
    """
    return _at_block_end(rows) or rows[-1]


def _at_block_end(rows: Sequence[EngineRequest]) -> EngineRequest | None:
    """The youngest particle at the end of its block; None if there is none."""
    return next((row for row in reversed(rows) if row.is_at_block_end), None)


def _common_prefix(tokens: list[int], others: list[int]) -> int:
    """Length of the common beginning of two lists of tokens."""
    num_tokens = min(len(tokens), len(others))
    if tokens[:num_tokens] == others[:num_tokens]:
        return num_tokens
    return next(i for i in range(num_tokens) if tokens[i] != others[i])
