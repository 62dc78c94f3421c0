"""`Scheduler`: which requests wait, which run, what each step reads of them, and who gives pages back.

The rules: older rows first. Every running row that draws is read in every step; what it leaves of a step's budget goes
to prompts, in chunks. When pages run out a row gives all of its pages back and waits again; it starts later from its
tokens. It is the youngest of the group that has the most running rows; where all have one, the youngest of all. So the
oldest always goes on, and as no row is taken that needs more pages than there are, each one ends.

Where the batch or the pages are full, a row that waits takes the place of such a row whose group has at least two more
running rows than its own. So who asks for 64 outputs at once does not keep others waiting until these have ended.
"""

from __future__ import annotations

import time
from bisect import insort
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from .paged import Chunk, PagedModel
from .prompt_scoring import MAX_SCORED_TOKENS
from .row import Row
from .settings import EngineSettings


@dataclass
class Plan:
    """One step. drawing: rows that get a token, chunks in the same order; joining: those of them that are new to it.

    reading: chunks of rows that only read. num_prefill_tokens: of all chunks, but for each drawing row's newest one.
    """

    drawing: list[tuple[Row, Chunk]] = field(default_factory=list)
    joining: list[tuple[Row, Chunk]] = field(default_factory=list)
    reading: list[tuple[Row, Chunk]] = field(default_factory=list)
    num_prefill_tokens: int = 0

    @property
    def parts(self) -> list[tuple[Row, Chunk]]:
        """All of it, in the order in which the model gets it."""
        return self.drawing + self.joining + self.reading


class Scheduler:
    """Owns the waiting and the running rows and their sequences. One thread uses it.

    on_start: called with a row that leaves the queue for the first time; it may add tokens, finish, or sit out.
    on_preempt: called with a row that gives its pages back, before it does.
    """

    def __init__(
        self,
        model: PagedModel,
        settings: EngineSettings,
        on_start: Callable[[Row], None],
        on_preempt: Callable[[Row], None],
    ) -> None:
        self.waiting: list[Row] = []
        self.running: list[Row] = []
        self._model = model
        self._settings = settings
        self._on_start = on_start
        self._on_preempt = on_preempt
        self._blocked: tuple[Row, int] | None = None  # the row that found no room, and how many pages were free
        self._in_vain: set[Row] = set()  # others gave their places up for these, and it was not enough

    def add(self, row: Row) -> None:
        """A request waits."""
        insort(self.waiting, row, key=_order)

    def remove(self, row: Row) -> None:
        """A request is over."""
        self._close(row)
        self._in_vain.discard(row)
        if row in self.running:
            self.running.remove(row)
        else:
            self.waiting.remove(row)

    def sit_out(self, row: Row) -> None:
        """A slow row gives its pages back and waits. It starts again, from its tokens, once it is slow no more."""
        self._close(row)
        if row in self.running:
            self.running.remove(row)
            insort(self.waiting, row, key=_order)

    def plan(self, drawing_order: list[Row]) -> Plan:
        """What the next step reads. drawing_order: the rows of the sampling batch."""
        chunks: dict[int, Chunk] = {}
        budget = self._settings.max_prefill_tokens
        for row in list(self.running):  # oldest first; those behind may be preempted meanwhile
            if row.sequence is None:
                continue
            chunk = self._next_chunk(row, budget)
            if chunk is None or not self._reserve(row, len(chunk.token_ids), chunks):
                continue
            chunks[id(row)] = chunk
            budget -= 0 if row.is_drawing else len(chunk.token_ids)
        self._admit(chunks, budget)
        return self._sorted(chunks, drawing_order)

    def _sorted(self, chunks: dict[int, Chunk], drawing_order: list[Row]) -> Plan:
        plan = Plan()
        plan.drawing = [(row, chunks[id(row)]) for row in drawing_order if row.is_drawing]
        for row in self.running:
            if row.is_drawing or id(row) not in chunks:
                continue
            chunk = chunks[id(row)]
            is_last = len(chunk.token_ids) == row.num_unread
            (plan.joining if is_last else plan.reading).append((row, chunk))
        num_tokens = sum(len(chunk.token_ids) for chunk in chunks.values())
        plan.num_prefill_tokens = num_tokens - len(plan.drawing)
        return plan

    def _next_chunk(self, row: Row, budget: int) -> Chunk | None:
        """All that a drawing row has not read; of any other what the budget allows."""
        assert row.sequence is not None
        start, num_unread = row.sequence.num_tokens, row.num_unread
        is_scored = row.scorer is not None
        limit = min(budget, MAX_SCORED_TOKENS) if is_scored else budget
        size = num_unread if row.is_drawing else min(num_unread, limit)
        if size < 1:
            return None
        wanted = list(range(size)) if is_scored else [size - 1] if size == num_unread else []
        return Chunk(row.sequence, row.token_ids[start : start + size], wanted)

    def _reserve(self, row: Row, num_tokens: int, chunks: dict[int, Chunk]) -> bool:
        """Room for a running row; others give theirs up for it, and it its own when it is its turn to."""
        assert row.sequence is not None
        while not self._model.reserve(row.sequence, num_tokens):
            other = self._next_to_leave(self._shares())
            self._preempt(other, chunks)
            if other is row:
                return False
        return True

    def _shares(self) -> Counter[object]:
        """How many rows of each group run."""
        return Counter([row.group for row in self.running])

    def _next_to_leave(self, shares: Counter[object]) -> Row:
        """The youngest row of the group that has the most."""
        most = max(shares.values())
        return next(row for row in reversed(self.running) if shares[row.group] == most)

    def _make_place(self, row: Row, chunks: dict[int, Chunk]) -> bool:
        """A running row leaves for one that waits, if its group has so many; False where none does."""
        shares = self._shares()
        if row in self._in_vain or max(shares.values(), default=0) < shares[row.group] + 2:
            return False
        self._preempt(self._next_to_leave(shares), chunks)
        return True

    def _preempt(self, row: Row, chunks: dict[int, Chunk]) -> None:
        """It gives its pages back, and its chunk of this step."""
        chunks.pop(id(row), None)
        self._on_preempt(row)
        self._close(row)
        self.running.remove(row)
        insort(self.waiting, row, key=_order)

    def _admit(self, chunks: dict[int, Chunk], budget: int) -> None:
        """Waiting rows start, oldest first, while there is room for them or others have too much of it."""
        is_full = False
        satisfied: set[object] = set()  # groups that have as many rows as they may
        for row in list(self.waiting):
            if budget < 1:
                return
            if row.is_slow or row.group in satisfied:
                continue
            is_full = is_full or len(self.running) >= self._settings.max_batch_size or self._is_blocked(row)
            if is_full and max(self._shares().values(), default=0) < 2:
                return
            if self._waits_for_prefix(row):
                continue
            if is_full and not self._make_place(row, chunks):
                satisfied.add(row.group)
                continue
            chunk = self._open(row, chunks, budget, has_claimed=is_full)
            if row.is_finished or row.is_slow:
                continue
            if chunk is None:
                self._close(row)
                self._blocked = (row, self._model.num_free_pages)
                is_full = True
                continue
            self.waiting.remove(row)
            insort(self.running, row, key=_order)
            chunks[id(row)] = chunk
            budget -= len(chunk.token_ids)

    def _open(self, row: Row, chunks: dict[int, Chunk], budget: int, *, has_claimed: bool) -> Chunk | None:
        """Its first chunk, as `_start` gives it, once others have left for it where that helps.

        A row whose prompt is scored must read all of it, whatever is known. has_claimed: one has left for it already.
        """
        row.sequence = self._model.open(row.token_ids if row.scorer is None else row.token_ids[:1])
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

    def _start(self, row: Row, budget: int) -> Chunk | None:
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

    def _is_blocked(self, row: Row) -> bool:
        """It found no room, and since then no page became free: looking up its prefix again would be in vain."""
        if self._blocked is not None and self._blocked[0] is row and self.running:
            return self._model.num_free_pages <= self._blocked[1]
        self._blocked = None
        return False

    def _has_room(self, row: Row) -> bool:
        """Pages for all that it has not read and one token more, so that it is not preempted at once."""
        assert row.sequence is not None
        total = self._model.num_pages_for(len(row.token_ids) + 1)
        held = self._model.num_pages_for(row.sequence.num_tokens)
        return not self.running or total - held <= self._model.num_free_pages

    def _waits_for_prefix(self, row: Row) -> bool:
        """A running row is about to read pages that this one begins with too: then they need not be read twice."""
        if not self._settings.prefix_caching or row.scorer is not None:
            return False
        page_size = self._settings.page_size
        for other in self.running:
            if other.is_drawing or other.sequence is None:
                continue
            num_shared = _common_prefix(row.token_ids[:-1], other.token_ids) // page_size * page_size
            if num_shared > other.sequence.num_tokens:
                return True
        return False

    def _close(self, row: Row) -> None:
        if row.sequence is not None:
            self._model.close(row.sequence)
            row.sequence = None


def _order(row: Row) -> int:
    return row.order


def _common_prefix(tokens: list[int], others: list[int]) -> int:
    """How many tokens two lists begin with in common."""
    num_tokens = min(len(tokens), len(others))
    if tokens[:num_tokens] == others[:num_tokens]:
        return num_tokens
    return next(i for i in range(num_tokens) if tokens[i] != others[i])
