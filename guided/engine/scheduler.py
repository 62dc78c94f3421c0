"""`Scheduler`: which requests wait, which run, what each step reads of them, and who gives pages back.

The rules: every running row that draws is read in every step; what it leaves of a step's budget goes to prompts, in
chunks, oldest first; a long prompt leaves half of it to shorter ones. When pages run out a row gives all of its pages
back and waits again; it starts later from its tokens. It is the youngest of the group that has the most running rows;
where all have one, the youngest of all. So the oldest always goes on, and as no row is taken that needs more pages than
there are, each one ends.

Where the batch or the pages are full, a row that waits takes the place of such a row whose group has at least two more
running rows than its own. So who asks for 64 outputs at once does not keep others waiting until these have ended.

Where a step of all rows would take long (`pace.py`), a group that has more of them than others has only as many in it
as leave the step short; the younger ones rest, with their pages, until the others are gone.
"""

from __future__ import annotations

import math
import time
from bisect import insort
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import itemgetter

from .engine_request import EngineRequest
from .pace import Pace
from .paged import Chunk, PagedModel
from .prompt_scoring import MAX_SCORED_TOKENS
from .settings import EngineSettings
from .waiting_rows import WaitingRows, can_start

MIN_READ_TOKENS = 16  # of prompts in a step, however long it takes
LOOKED = 64  # rows that wait that a step looks at beyond those that it has places for
MORE_LOOKED = 8  # times as many where prompts are long
LONG_STEPS = 4  # a prompt that takes more of them is long
_FIRST = [0]  # of a chunk's tokens. Nobody changes it


@dataclass
class Plan:
    """One step. drawing: rows that get a token, chunks in the same order; joining: those of them that are new to it.

    reading: chunks of rows that only read. num_tokens: of all chunks; num_prefill_tokens: but for each drawing row's
    newest one. prompt_work: of prompts, as `Pace` counts it. num_draft_tokens: guessed ones, behind those
    (`drafts.py`).
    """

    drawing: list[tuple[EngineRequest, Chunk]] = field(default_factory=list)
    joining: list[tuple[EngineRequest, Chunk]] = field(default_factory=list)
    reading: list[tuple[EngineRequest, Chunk]] = field(default_factory=list)
    num_tokens: int = 0
    num_prefill_tokens: int = 0
    prompt_work: float = 0.0
    num_draft_tokens: int = 0

    @property
    def parts(self) -> list[tuple[EngineRequest, Chunk]]:
        """All of it, in the order in which the model gets it."""
        return self.drawing + self.joining + self.reading


@dataclass
class _Door:
    """What is known in one step of the rows that wait.

    is_full: batch or pages are. satisfied: groups that have as many rows as they may. is_closed: nobody gets in.
    """

    is_full: bool = False
    is_closed: bool = False
    satisfied: set[object] = field(default_factory=set)


class Scheduler:
    """Owns the waiting and the running rows and their sequences. One thread uses it.

    on_start: called with a row that leaves the queue for the first time; it may add tokens, finish, or sit out.
    on_preempt: called with a row that gives its pages back, before it does. on_rest: called with rows that draw, and
    rest from now on. pace: told of every step.

    Particles at their block's end rest, too, until they may go on. They are the first to give their pages back.
    """

    def __init__(
        self,
        model: PagedModel,
        settings: EngineSettings,
        on_start: Callable[[EngineRequest], None],
        on_preempt: Callable[[EngineRequest], None],
        on_rest: Callable[[Sequence[EngineRequest]], None] | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.waiting = WaitingRows()
        self.running: list[EngineRequest] = []
        self._model = model
        self._settings = settings
        self._on_start = on_start
        self._on_preempt = on_preempt
        self._on_rest = on_rest
        self._pace = Pace() if pace is None else pace
        self._num_running: Counter[object] = Counter()  # rows of each group
        self._largest_share: float = math.inf  # of a group, in the last step
        self._blocked: tuple[EngineRequest, int] | None = (
            None  # the row that found no room, and how many pages were free
        )
        self._in_vain: set[EngineRequest] = set()  # others gave their places up for these, and it was not enough

    def add(self, row: EngineRequest) -> None:
        """A request waits."""
        self.waiting.add(row)

    def remove(self, row: EngineRequest) -> None:
        """A request is over."""
        self._close(row)
        self._in_vain.discard(row)
        if row in self.running:
            self._stop(row)
        else:
            self.waiting.remove(row)

    def sit_out(self, row: EngineRequest) -> None:
        """A slow row gives its pages back and waits. It starts again, from its tokens, once it is slow no more."""
        self._close(row)
        if row in self.running:
            self._stop(row)
            self.add(row)

    def rest(self, rows: Sequence[EngineRequest]) -> None:
        """Rows that draw leave the batch, and keep their pages."""
        if rows and self._on_rest is not None:
            self._on_rest(rows)
        for row in rows:
            row.is_resting = True

    def fork(self, row: EngineRequest, source: EngineRequest) -> None:
        """A row that is not here goes on from the source's tokens, where that rests or waits: on the same pages."""
        if source.sequence is None:
            self.add(row)
            return
        row.sequence = self._model.fork(source.sequence)
        row.is_resting = True
        self._run(row)

    def plan(self, drawing_order: list[EngineRequest]) -> Plan:
        """What the next step reads. drawing_order: the rows of the sampling batch, which lacks those that rest now."""
        has_others = self.has_others
        if self._all_draw(has_others, len(drawing_order)):
            plan = self._steady(drawing_order)
            if plan is not None:
                return plan
        else:
            self._choose_who_rests(has_others)
        chunks: dict[int, Chunk] = {}
        for row in list(self.running):  # oldest first; those behind may be preempted meanwhile
            if row.sequence is None or row.is_resting or not (row.is_drawing or row.has_rested):
                continue
            chunk = self._next_chunk(row, 0)
            if chunk is not None and self._reserve(row, len(chunk.token_ids), chunks):
                chunks[id(row)] = chunk
        self._read_prompts(chunks, has_others=has_others)
        return self._sorted(chunks, drawing_order)

    @property
    def has_others(self) -> bool:
        """There are rows of several groups: some wait for what is done for others."""
        running = self._num_running
        if max(len(running), self.waiting.num_groups) > 1:
            return True
        return bool(self.waiting) and any(group not in self.waiting.groups for group in running)

    def _budget(self, num_rows: int, reading: list[EngineRequest], *, has_others: bool) -> int:
        """Tokens of prompts that a step reads. num_rows: those that draw in it. reading: rows that read on."""
        most = self._settings.max_prefill_tokens
        furthest = max([row.sequence.num_tokens for row in reading if row.sequence is not None], default=0)
        wanted = self._pace.prompt_tokens(num_rows, furthest, has_others=has_others)
        return most if wanted is None else min(most, max(MIN_READ_TOKENS, wanted))

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
            if size > 1:
                plan.prompt_work += self._pace.work(size - 1, sequence.num_tokens)
        plan.num_prefill_tokens = plan.num_tokens - len(rows)
        return plan

    def _all_draw(self, has_others: bool, num_drawing: int) -> bool:
        """All running rows draw, and `_choose_who_rests` would let them."""
        most = self._pace.rows_beside_others if has_others else None
        if len(self.running) == num_drawing <= min(2 * self._largest_share, num_drawing if most is None else most):
            self._largest_share *= 2
            return True
        return False

    def _choose_who_rests(self, has_others: bool) -> None:
        """The youngest rows of the groups that have the most rest while others are there, and come back bit by bit.

        Also where it seems that they cost nothing: if that is wrong, one step is too long, and not by much.
        """
        rows = [row for row in self.running if row.is_drawing or (row.is_resting and not row.is_at_block_end)]
        share = min(self._fair_share(rows) if has_others else math.inf, 2 * self._largest_share)
        self._largest_share = share
        if share >= len(rows) and not any(row.is_resting for row in rows):
            return
        num_taken: Counter[object] = Counter()
        num_places = self._settings.max_batch_size - self._num_awake()
        tired: list[EngineRequest] = []
        for row in rows:
            num_taken[row.group] += 1
            if num_taken[row.group] > share:
                tired += [row] if row.is_drawing else []
            elif row.is_resting and num_places > 0:
                row.has_rested, row.is_resting = True, False
                num_places -= 1
        self.rest(tired)

    def _num_awake(self) -> int:
        """Running rows that have a place in the batch, or soon will."""
        return sum(not row.is_resting for row in self.running)

    def _fair_share(self, rows: list[EngineRequest]) -> float:
        """How many rows of one group draw in a step, so that it stays short; any number where it does so anyhow."""
        most = self._pace.rows_beside_others
        if most is None or len(rows) <= most:
            return math.inf
        sizes = Counter(row.group for row in rows).values()
        share = max(sizes)
        while share > 1 and sum(min(size, share) for size in sizes) > most:
            share -= 1
        return share

    def _sorted(self, chunks: dict[int, Chunk], drawing_order: list[EngineRequest]) -> Plan:
        plan, num_back = Plan(), 0
        plan.drawing = [(row, chunks[id(row)]) for row in drawing_order if row.is_drawing]
        for row in self.running:
            if row.is_drawing or id(row) not in chunks:
                continue
            chunk = chunks[id(row)]
            is_last = len(chunk.token_ids) == row.num_unread
            (plan.joining if is_last else plan.reading).append((row, chunk))
            num_back += row.has_rested
            row.has_rested = False
        plan.num_tokens = sum([len(chunk.token_ids) for chunk in chunks.values()])
        plan.num_prefill_tokens = plan.num_tokens - len(plan.drawing) - num_back
        for rows, num_drawn in ((plan.drawing, 1), (plan.joining, 1), (plan.reading, 0)):
            for _, chunk in rows:
                if (num_read := len(chunk.token_ids) - num_drawn) > 0:
                    plan.prompt_work += self._pace.work(num_read, chunk.sequence.num_tokens)
        return plan

    def _next_chunk(self, row: EngineRequest, budget: int) -> Chunk | None:
        """All that a row that draws has not read; of any other what the budget allows."""
        assert row.sequence is not None
        start, has_scorer = row.sequence.num_tokens, row.scorer is not None
        size = len(row.token_ids) - start
        if not (row.is_drawing or row.has_rested):
            size = min(size, budget, MAX_SCORED_TOKENS if has_scorer else budget)
        if size < 1:
            return None
        wanted = list(range(0 if has_scorer else max(0, row.num_scored - 1 - start), size))
        return Chunk(row.sequence, row.token_ids[start : start + size], wanted, row.wants_hidden)

    def _reserve(self, row: EngineRequest, num_tokens: int, chunks: dict[int, Chunk]) -> bool:
        """Room for a running row; others give theirs up for it, and it its own when it is its turn to."""
        assert row.sequence is not None
        while not self._model.reserve(row.sequence, num_tokens):
            other = _next_to_leave(self.running, self._num_running)
            self._preempt(other, chunks)
            if other is row:
                return False
        return True

    def _make_place(self, row: EngineRequest, chunks: dict[int, Chunk]) -> bool:
        """A running row leaves for one that waits, if it is at its block's end or of a large group; else False."""
        lacks_place = self._num_awake() >= self._settings.max_batch_size
        if not lacks_place and any(one.is_at_block_end for one in self.running):
            self._preempt(_next_to_leave(self.running, self._num_running), chunks)
            return True
        rows = [one for one in self.running if not (lacks_place and one.is_resting)]
        shares = Counter([one.group for one in rows])
        if row in self._in_vain or max(shares.values(), default=0) < shares[row.group] + 2:
            return False
        self._preempt(_next_to_leave(rows, shares), chunks)
        return True

    def _preempt(self, row: EngineRequest, chunks: dict[int, Chunk]) -> None:
        """It gives its pages back, and its chunk of this step."""
        chunks.pop(id(row), None)
        self._on_preempt(row)
        self._close(row)
        self._stop(row)
        self.add(row)

    def _read_prompts(self, chunks: dict[int, Chunk], *, has_others: bool) -> None:
        """Prompts are read oldest first. One that takes many steps leaves half of each step to shorter ones."""
        reading = [row for row in self.running if row.sequence is not None and _is_reading(row)]
        if not reading and not self.waiting:
            return
        budget = self._budget(len(chunks), reading, has_others=has_others)
        long = LONG_STEPS * budget
        reserved = budget // 2 if reading and reading[0].num_unread > long else 0
        oldest = reading.pop(0) if reserved else None
        left = budget - reserved
        door = _Door()
        rows = self._in_reading_order(reading, long)
        for row in rows:
            if left < 1 or (door.is_closed and not reading):
                break
            most = left if row is rows[-1] or row.num_unread <= long else left - left // 2
            left -= self._admit(row, most, chunks, door) if row.sequence is None else self._read(row, most, chunks)
        if oldest is not None:
            self._read(oldest, left + reserved, chunks)

    def _in_reading_order(self, reading: list[EngineRequest], long: int) -> list[EngineRequest]:
        """Those that wait behind those that read, first of each group its first row, then its second, and so on.

        Prompts of more than `long` tokens come behind all others. But the oldest row that waits comes before all others
        that do, so that nobody takes its room again and again. Of those that wait, only as many are looked at as a step
        could start, and some more; where there are long ones among them, MORE_LOOKED times as many.
        """
        num_ahead = Counter([row.group for row in self.running if not _is_reading(row)])
        placed: list[tuple[int, EngineRequest]] = []
        for row in reading:
            placed.append((num_ahead[row.group], row))
            num_ahead[row.group] += 1
        num_places = self._settings.max_batch_size - self._num_awake()
        has_room = num_places > 0 or max(self._num_running.values(), default=0) > 1
        num_looked = LOOKED + max(0, num_places) if has_room else 0
        in_turns = self.waiting.in_turns(num_ahead)
        waiting = list(islice(in_turns, num_looked))
        if any(row.num_unread > long for _, row in waiting):
            waiting += islice(in_turns, MORE_LOOKED * num_looked)
        placed += waiting
        placed.sort(key=itemgetter(0))  # stable: those that read come first
        rows = [row for _, row in placed]
        if all(row.num_unread <= long for row in rows):
            return rows
        first = [row for row in islice(self.waiting, num_looked) if can_start(row)][:1]
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

    def _admit(self, row: EngineRequest, most: int, chunks: dict[int, Chunk], door: _Door) -> int:
        """A waiting row starts, if there is room or others have too much of it; how many tokens its chunk has."""
        if door.is_closed or row.group in door.satisfied:
            return 0
        door.is_full = door.is_full or self._num_awake() >= self._settings.max_batch_size or self._is_blocked(row)
        if door.is_full and max(self._num_running.values(), default=0) < 2:
            door.is_closed = True
            return 0
        if self._waits_for_prefix(row):
            return 0
        if door.is_full and not self._make_place(row, chunks):
            door.satisfied.add(row.group)
            return 0
        chunk = self._open(row, chunks, most, has_claimed=door.is_full)
        if row.is_finished or row.is_slow:
            return 0
        if chunk is None:
            self._close(row)
            self._blocked = (row, self._model.num_free_pages)
            door.is_full = True
            return 0
        self.waiting.remove(row)
        self._run(row)
        chunks[id(row)] = chunk
        return len(chunk.token_ids)

    def _open(self, row: EngineRequest, chunks: dict[int, Chunk], budget: int, *, has_claimed: bool) -> Chunk | None:
        """Its first chunk, as `_start` gives it, once others have left for it where that helps.

        A row whose prompt is scored must read all of it, whatever is known, and one that has jumped over tokens that
        are to be scored must read these. has_claimed: one has left for it already.
        """
        row.sequence = self._model.open(row.token_ids[: row.num_scored if row.scorer is None else 1])
        while True:
            chunk = self._start(row, budget)
            if chunk is not None or row.is_finished or row.is_slow:
                return chunk
            if not self._make_place(row, chunks):
                break
            has_claimed = True
        if has_claimed:
            self._in_vain.add(row)
        return None

    def _start(self, row: EngineRequest, budget: int) -> Chunk | None:
        """The first chunk of an open row, with room for it; None where there is none, or it finished or is slow."""
        assert row.sequence is not None
        if not self._has_room(row):
            return None
        if row.started_s is None:
            row.started_s = time.perf_counter()
            row.num_cached_tokens = row.sequence.num_cached_tokens
            self._on_start(row)
            if row.is_finished or row.is_slow:
                return None
        chunk = self._next_chunk(row, budget)
        assert chunk is not None
        return chunk if self._model.reserve(row.sequence, len(chunk.token_ids)) else None

    def _is_blocked(self, row: EngineRequest) -> bool:
        """It found no room, and since then no page became free: looking up its prefix again would be in vain."""
        if self._blocked is not None and self._blocked[0] is row and self.running:
            return self._model.num_free_pages <= self._blocked[1]
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
            if other.sequence is None or not _is_reading(other):
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
        row.is_resting = row.has_rested = False
        if row.sequence is not None:
            self._model.close(row.sequence)
            row.sequence = None


def _count_one_less(counts: Counter[object], group: object) -> None:
    counts[group] -= 1
    if not counts[group]:
        del counts[group]


def _order(row: EngineRequest) -> int:
    return row.order


def _next_to_leave(rows: Sequence[EngineRequest], shares: Counter[object]) -> EngineRequest:
    """The youngest row at its block's end; without one, of the group that has the most."""
    most = max(shares.values())
    resting = next((row for row in reversed(rows) if row.is_at_block_end), None)
    return resting or next(row for row in reversed(rows) if shares[row.group] == most)


def _is_reading(row: EngineRequest) -> bool:
    """A running row whose prompt the model has not read to its end."""
    return not (row.is_drawing or row.is_resting or row.has_rested)


def _common_prefix(tokens: list[int], others: list[int]) -> int:
    """How many tokens two lists begin with in common."""
    num_tokens = min(len(tokens), len(others))
    if tokens[:num_tokens] == others[:num_tokens]:
        return num_tokens
    return next(i for i in range(num_tokens) if tokens[i] != others[i])
