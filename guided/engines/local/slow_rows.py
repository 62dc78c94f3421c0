"""Work of grammars that takes too long for a step: the row sits out steps until a background thread has done the work.

Nearly always, everything that a grammar needs for a mask or a token exists, or is built in microseconds. A step tries
the work for a few milliseconds of processor time (`Trial`). If that is not enough, the row leaves the batch, like a
preempted row. It keeps its sampling state, so it draws the same tokens later. Its work, a mask or a token that the
grammar must accept, becomes a `Build` in the background; see `grammars/right_of_way.py`. A build ends when the work is
done, when a limit of the grammar is reached, or when the row is over. The row takes the build's result; it does not
repeat the work, whose result may not be cached anywhere.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from guided.grammars.right_of_way import Background
from guided.grammars.watch import Trial

ResultT = TypeVar("ResultT")

TRIAL_S = 0.01  # seconds of processor time for all trials of a step
TRIAL_BESIDE_S = 0.003  # the same if other rows wait for the step
MOMENT_S = 0.001  # least time of a trial, in seconds
ROW_S = 0.00015  # additional seconds for each row: masks and tokens take time even if nothing is built


class StepTime:
    """The processor time that a step has for the work of grammars.

    If other rows wait for the step, unused time of the step before is carried over: to sit out a step costs a row with
    little work more than a longer step costs the others.
    """

    def __init__(self) -> None:
        self._left_s = TRIAL_S  # for all trials of the step

    def begin(self, num_rows: int, *, beside_others: bool) -> None:
        """Begin a step. num_rows: number of its rows. beside_others: True: other rows wait for the work of some
        rows.
        """
        own_s = TRIAL_BESIDE_S if beside_others else TRIAL_S
        saved_s = min(own_s, max(0.0, self._left_s)) if beside_others else 0.0
        self._left_s = own_s + saved_s + ROW_S * num_rows

    @property
    def is_over(self) -> bool:
        """True if the time is used up."""
        return self._left_s <= 0

    @contextmanager
    def trial(self) -> Iterator[None]:
        """A `Trial` with the time that is left, but at least MOMENT_S. So many rows that start at once make no long
        step.
        """
        start_s = time.thread_time()
        try:
            with Trial(max(MOMENT_S, self._left_s)):
                yield
        finally:
            self._left_s -= time.thread_time() - start_s


class Build(Generic[ResultT]):
    """Work in a background thread of its own.

    work: function that does the work; called once.
    on_done: function that the thread calls after `is_done` has become True.
    is_done: attribute; True after the work has ended.
    """

    def __init__(self, work: Callable[[], ResultT], on_done: Callable[[], None]) -> None:
        self.is_done = False
        self._is_left = threading.Event()
        self._found: list[ResultT] = []
        self._error: BaseException | None = None
        threading.Thread(target=self._do, args=(work, on_done), name="guided-build", daemon=True).start()

    def result(self) -> ResultT:
        """The result of the work, or raises its error. Call this only if `is_done`."""
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
        except BaseException as error:  # noqa: BLE001 - `result` raises it
            self._error = error
        del work  # frees the row that the function refers to
        self.is_done = True
        on_done()
