"""`Slices`: a piece of work that is done a slice at a time, so that who steps it can do other things in between.

For what a grammar builds when a text first gets to a place, a mask above all. Nearly always that takes microseconds;
for some grammars it takes seconds of plain Python, which would hold up the interpreter and everybody who shares the
vocabulary. An engine gives such a row a slice of each of its steps, and lets it sit out until its mask is there:

    work = Slices(lambda: matcher.fill_bitmask(bitmask, row))   # an Allowance may be entered in it
    while not work.run(0.02):
        ...                                                     # a step of all other rows
    work.result()

The work has a thread of its own, which runs only while `run` waits for it. It pauses where it calls `checkpoint()`
inside of `watch.pausing`: documents' masks do so in what frames ask of a schema, where nearly all long work is. Between
slices it holds no lock, so all else of the vocabulary can be built meanwhile. Who wants something of the same grammar
waits until the work is done (see `turnstile`). What never gets to such a place is done within one slice, or goes on
in its thread after `run` has come back; then its limits still hold.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from .errors import CompileCancelledError
from .watch import Holder, set_turn

GRACE_S = 0.01  # how much longer than its slice the work may take to get to a place where it can pause
_Result = TypeVar("_Result")


class Slices(Generic[_Result]):
    """Work done in slices, by one thread that calls `run`. Let go of before its end, it is cancelled.

    work: called once, in a thread of its own.
    """

    def __init__(self, work: Callable[[], _Result]) -> None:
        self._thread = _Thread(work)

    def __del__(self) -> None:
        self._thread.cancel()

    @property
    def is_done(self) -> bool:
        """There is a result, or an error."""
        return self._thread.is_done

    def run(self, seconds: float) -> bool:
        """Let the work go on for about so long; True when it is done."""
        return self._thread.run(seconds)

    def finish(self) -> _Result:
        """As `result`, after the rest of the work."""
        self._thread.hurry()
        while not self._thread.run(1.0):
            pass
        return self.result()

    def result(self) -> _Result:
        """What the work gave; raises what it raised. It is done."""
        return self._thread.result()

    def cancel(self) -> None:
        """End the work at its next checkpoint, which raises CompileCancelledError there."""
        self._thread.cancel()


class _Thread(Generic[_Result]):
    """The thread of the work: a `Turn`. It does not hold its `Slices`, so that these can be let go."""

    def __init__(self, work: Callable[[], _Result]) -> None:
        self.holder: Holder | None = None
        self.is_done = False
        self._work: Callable[[], _Result] | None = work
        self._thread: threading.Thread | None = None
        self._changed = threading.Condition()
        self._may_run = self._is_cancelled = self._is_hurried = False
        self._end = 0.0
        self._has_all = threading.Event()  # it holds what it let go
        self._has_all.set()
        self._found: list[_Result] = []
        self._error: BaseException | None = None

    def run(self, seconds: float) -> bool:
        """See `Slices.run`."""
        with self._changed:
            if self.is_done:
                return True
            self._end = time.monotonic() + seconds
            self._may_run = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._do, name="guided-slices", daemon=True)
                self._thread.start()
            self._changed.notify_all()
            self._changed.wait_for(lambda: self.is_done or not self._may_run, seconds + GRACE_S)
            return self.is_done

    def result(self) -> _Result:
        """See `Slices.result`."""
        if self._error is not None:
            raise self._error
        return self._found[0]

    def cancel(self) -> None:
        """See `Slices.cancel`."""
        with self._changed:
            self._is_cancelled = self._may_run = True
            self._changed.notify_all()

    def hurry(self) -> None:
        """See `Turn.hurry`."""
        with self._changed:
            self._is_hurried = self._may_run = True
            self._changed.notify_all()
        self._has_all.wait()

    def look(self) -> None:
        """See `Turn.look`."""
        if self._is_cancelled:
            raise CompileCancelledError("the work was cancelled by whoever asked for it")
        if self.holder is not None and not self._is_hurried and time.monotonic() > self._end:
            self._pause(self.holder)

    def sit_out(self) -> bool:
        """See `Turn.sit_out`."""
        if not self._is_hurried:
            self._wait()
            self.look()
        return not self._is_hurried

    def _pause(self, holder: Holder) -> None:
        self._has_all.clear()
        holder.let_go(self)
        self._wait()
        holder.take_back()
        self._has_all.set()
        if self._is_cancelled:
            self.look()

    def _wait(self) -> None:
        """Wait for the next step."""
        with self._changed:
            self._may_run = self._is_cancelled or self._is_hurried
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._may_run)

    def _do(self) -> None:
        set_turn(self)
        work, self._work = self._work, None
        assert work is not None, "it is called once"
        try:
            self._found.append(work())
        except BaseException as error:  # noqa: BLE001 - raised where the result is asked for
            self._error = error
        finally:
            set_turn(None)
            with self._changed:
                self.is_done = True
                self._changed.notify_all()
