"""Rows whose grammars take long to build something: they sit out steps until a thread of their own has built it.

Nearly always what a grammar needs for a mask or a token is there, or is built in microseconds. A step tries it for some
milliseconds of processor time (`Trial`). A row for which that is not enough gives its place in the batch away, as one
that is preempted does: its sampling state stays with it, so it draws the same tokens later. What it needs, a mask or a
token that its grammar takes, is a `Build`: work in the background, see `grammars/right_of_way.py`. A build ends
when the work is done, when one of the grammar's limits holds, or when the row is over. What is built is not tried
again: it may have been kept nowhere else.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from guided.grammars.errors import GuidedError, LimitExceededError
from guided.grammars.right_of_way import Background
from guided.grammars.watch import Watch

ResultT = TypeVar("ResultT")

TRIAL_S = 0.01  # of processor time, for all trials of a step
TRIAL_BESIDE_S = 0.003  # the same where others wait for the step
MOMENT_S = 0.001
ROW_S = 0.00015  # for each row beside: masks and tokens take time where nothing is built, too


class TrialOverError(GuidedError):
    """Something takes longer than a step may wait for it; never shown to anybody."""

    def __init__(self) -> None:
        super().__init__("the time of this step is up")


class Trial(Watch):
    """The processor time that a step has for what its rows' grammars build; a context manager.

    All of it counts, unlike that of other watches. Past it `checkpoint` raises TrialOverError. What was half built is
    given up, as where a limit holds. A step waits no longer than that, either, for what another thread builds.
    """

    __slots__ = ("_waits_until",)

    def __init__(self, seconds: float = TRIAL_S) -> None:
        super().__init__("a step's trial", seconds)
        self._processor_end = time.thread_time() + seconds
        self._waits_until = time.monotonic() + seconds

    @property
    def patience_s(self) -> float:
        """See `Watch`."""
        return max(0.0, self._waits_until - time.monotonic())

    def give_up(self) -> None:
        """Raises TrialOverError."""
        raise TrialOverError

    def check(self) -> None:
        """Raises TrialOverError when the time is up."""
        try:
            super().check()
        except LimitExceededError:
            raise TrialOverError from None


class StepTime:
    """How much processor time a step has for what grammars build.

    Where others wait for the step, what the step before did not need is saved: to sit out a step or two costs a small
    row more than a longer step.
    """

    def __init__(self) -> None:
        self._left_s = TRIAL_S  # for all trials of the step

    def begin(self, num_rows: int, *, beside_others: bool) -> None:
        """A step of so many rows begins. beside_others: some of them wait for what is built for others."""
        own_s = TRIAL_BESIDE_S if beside_others else TRIAL_S
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


class Build(Generic[ResultT]):
    """Work in a thread of its own, in the background.

    work: called once. on_done: called in that thread when `is_done` is True.
    """

    def __init__(self, work: Callable[[], ResultT], on_done: Callable[[], None]) -> None:
        self.is_done = False
        self._is_left = threading.Event()
        self._found: list[ResultT] = []
        self._error: BaseException | None = None
        threading.Thread(target=self._do, args=(work, on_done), name="guided-build", daemon=True).start()

    def result(self) -> ResultT:
        """What the work gave; raises what it raised. It is done."""
        if self._error is not None:
            raise self._error
        return self._found[0]

    def cancel(self) -> None:
        """End the work at its next checkpoint, which raises CompileCancelledError there."""
        self._is_left.set()

    def _do(self, work: Callable[[], ResultT], on_done: Callable[[], None]) -> None:
        try:
            with Background(cancel=self._is_left):
                self._found.append(work())
        except BaseException as error:  # noqa: BLE001 - raised where the result is asked for
            self._error = error
        del work  # and the row that it holds
        self.is_done = True
        on_done()
