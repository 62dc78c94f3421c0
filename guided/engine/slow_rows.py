"""Rows whose grammars take long to build something: they sit out steps, and it is built in slices between these.

Nearly always what a grammar needs for a mask or a token is there, or built in microseconds. The engine tries it for
`SLICE_S` of processor time (`Trial`). A row for which that is not enough gives its place in the batch away, as one that
is preempted does: its sampling state stays with it, so it draws the same tokens later. What it needs, a mask or a token
taken by its grammar, is made by `Slices`, in one slice a step for all such rows together (`StepTime`), until it is
there or one of the grammar's limits holds. Rows that have had less of it come first: one that has only waited for
another's lock is soon back. What is made is not tried again: it may have been kept nowhere else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from guided.grammars.errors import GuidedError, LimitExceededError
from guided.grammars.right_of_way import MOST_BEHIND_S
from guided.grammars.slices import Slices
from guided.grammars.watch import Watch

RowT = TypeVar("RowT")

SLICE_S = 0.01
SLICE_BESIDE_S = 0.003  # where others wait for the step
MOMENT_S = 0.001
ROW_S = 0.00015  # for each row beside: masks and tokens take time where nothing is built, too


class SliceOverError(GuidedError):
    """Something takes longer than a step may wait for it; never shown to anybody."""

    def __init__(self) -> None:
        super().__init__("the time of this step is up")


class Trial(Watch):
    """The processor time that a step has for what its rows' grammars build; a context manager.

    All of it counts, unlike that of other watches. Past it `checkpoint` raises SliceOverError. What was half built is
    given up, as where a limit holds. A step waits no longer than that, either, for what another thread builds.
    """

    __slots__ = ("_waits_until",)

    def __init__(self, seconds: float = SLICE_S) -> None:
        super().__init__("a step's slice", seconds)
        self._processor_end = time.thread_time() + seconds
        self._waits_until = time.monotonic() + seconds

    @property
    def patience_s(self) -> float:
        """See `Watch`."""
        return max(0.0, self._waits_until - time.monotonic())

    def give_up(self) -> None:
        """Raises SliceOverError."""
        raise SliceOverError

    def check(self) -> None:
        """Raises SliceOverError when the time is up."""
        try:
            super().check()
        except LimitExceededError:
            raise SliceOverError from None


class StepTime:
    """How long a step may be for what grammars build.

    slice_s: for rows that sit out, by the clock; 0 where they have none in this step. leaves_room: what is done in the
    background has time after it. Where others wait for the step, only one of the two has time, each in its turn; and
    what the step before did not need is saved: to sit out a step or two costs a small row more than a longer step.
    """

    def __init__(self) -> None:
        self.slice_s = 0.0
        self.leaves_room = True
        self._left_s = SLICE_S  # of processor time, for all trials of the step

    def begin(self, num_rows: int, *, num_slow: int, beside_others: bool, is_room_wanted: bool) -> None:
        """A step of so many rows begins. num_slow: rows sit out. beside_others: rows of several groups are there, so
        some wait for what is built for others. is_room_wanted: there is work in the background."""
        own_s = SLICE_BESIDE_S if beside_others else SLICE_S
        takes_turns = beside_others and is_room_wanted
        has_slice = num_slow > 0 and (self.leaves_room or not takes_turns)
        self.slice_s = own_s if has_slice else 0.0
        self.leaves_room = not (takes_turns and has_slice)
        saved_s = min(own_s, max(0.0, self._left_s)) if beside_others else 0.0
        self._left_s = own_s + saved_s + ROW_S * num_rows

    @property
    def is_over(self) -> bool:
        """Nothing is left of it."""
        return self._left_s <= 0

    @contextmanager
    def trial(self) -> Iterator[None]:
        """A `Trial` of what is left, or of a moment where nothing is: many rows that start at once are no long step."""
        start_s = time.thread_time()
        try:
            with Trial(max(MOMENT_S, self._left_s)):
                yield
        finally:
            self._left_s -= time.thread_time() - start_s


class SlowRows(Generic[RowT]):
    """The rows that sit out, each with the work that it waits for. One thread uses it."""

    def __init__(self) -> None:
        self._works: dict[RowT, Slices[Any]] = {}
        self._spent_s: dict[RowT, float] = {}  # on each row until it is over, by the clock
        self._since_s: dict[RowT, float] = {}  # when it came, or had time for the last time

    def __len__(self) -> int:
        return len(self._works)

    def add(self, row: RowT, work: Callable[[], Any]) -> None:
        """A row waits for `work`, during which nobody else may touch its grammar."""
        self._works[row] = Slices(work)
        self._spend(row, 0.0)

    def remove(self, row: RowT) -> None:
        """A row is over; its work, if it has any, ends at its next checkpoint."""
        for kept in (self._works, self._spent_s, self._since_s):
            kept.pop(row, None)

    def run(self, seconds: float) -> list[tuple[RowT, Slices[Any]]]:
        """A slice, for the row that has had least, and for others if that one is done; the rows whose work is done.

        One that has had nothing for a second comes before all others.
        """
        done: list[tuple[RowT, Slices[Any]]] = []
        start_s = time.monotonic()
        end, long_ago_s = start_s + seconds, start_s - MOST_BEHIND_S
        for row in sorted(self._works, key=lambda row: (self._since_s[row] > long_ago_s, self._spent_s[row])):
            start_s = time.monotonic()
            if start_s > end - MOMENT_S:
                break
            if self._works[row].run(end - start_s):
                done.append((row, self._works.pop(row)))
            self._spend(row, time.monotonic() - start_s)
        return done

    def _spend(self, row: RowT, seconds: float) -> None:
        self._spent_s[row] = self._spent_s.get(row, 0.0) + seconds
        self._since_s[row] = time.monotonic()
