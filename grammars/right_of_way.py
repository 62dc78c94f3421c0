"""`RightOfWay`: makes threads with long work in Python give way to engine steps.

Python shares the interpreter between all threads that compute. An engine's step releases it in each tensor operation.
Beside four threads that build grammars, a step takes ten times as long as alone. Threads therefore do long work in a
`Background`: only one such thread computes at a time, and none while a step runs.

    with Background():              # in a thread of its own
        compile_grammar(...)        # pauses at its checkpoints while other threads have the right of way

    with RIGHT_OF_WAY.step():       # in the engine's thread
        ...
    RIGHT_OF_WAY.leave_room(...)    # between steps, so that background work gets time

Among waiting threads, a thread that has computed less gets its turn earlier. No thread waits forever: a thread that
reaches no checkpoint, because it runs a kernel or waits for another thread, loses its turn after LONGEST_TURN_S. Short
turns are given beside a long step.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from bisect import insort
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .build_locks import holds_lock
from .watch import YIELD_S, Watch, present, yield_interpreter

TURN_S = 0.005  # length of a turn in seconds, if other threads wait for one
LONGEST_TURN_S = 0.05  # seconds after which a thread that reaches no checkpoint loses its turn
FREE_S = 0.002  # first seconds of each work, which need no turn: short work waits for nobody
MOST_BEHIND_S = 1.0  # longest time in seconds for which newer work may overtake long work
PATIENCE_S = 0.02  # seconds of a step before a turn is given beside it, and between two such turns
MIN_ROOM_S, MAX_ROOM_S = 0.001, 0.003  # least and largest pause between two steps, in seconds
SWITCH_S = 0.0003
"""Python's own switch interval in seconds, while there is background work: some calls of the work have no checkpoint.
With the usual 5 ms, the thread of a token would wait that long each time it needs the interpreter.
"""
NEXT_LOOK_S = 0.0001  # seconds between two looks at the turn: a look takes as long as many checkpoints


class Background(Watch):
    """Context manager for long work of this thread. The work pauses at its checkpoints; no limit counts this time.

    way: gives the turns; None: `RIGHT_OF_WAY`.
    cancel: as in `Watch`.
    """

    __slots__ = ("_outer_step_aside", "_way", "_yielded_s", "due_s", "has_to_stop", "is_called", "spent_s", "turn_end")

    def __init__(self, way: RightOfWay | None = None, *, cancel: threading.Event | None = None) -> None:
        super().__init__("", math.inf, cancel)
        self.has_to_stop = False  # only `RightOfWay` changes this attribute and the next four
        self.turn_end = self.spent_s = self.due_s = 0.0
        self.is_called: threading.Event | None = None
        self._way = RIGHT_OF_WAY if way is None else way
        self._yielded_s = 0.0
        self._outer_step_aside: Callable[[], None] | None = None

    def _look(self, now: float) -> None:
        """Wait for this thread's turn. If it has the turn, let other threads compute for a moment from time to time."""
        self._look_from = now + NEXT_LOOK_S
        if not self._way.is_turn_of(self, now):
            self._wait()
        elif now > self._yielded_s + YIELD_S:
            yield_interpreter()
            self._yielded_s = time.monotonic()

    def _wait(self) -> None:
        """Wait for the turn, without a lock that others may wait for. If the thread can't let go of it, it goes on."""
        if present.lock is not None:
            with present.lock.let_go():
                self._way.wait_for_turn(self)
        elif holds_lock():
            yield_interpreter()
        else:
            self._way.wait_for_turn(self)
        self._yielded_s = time.monotonic()

    def stop(self) -> None:
        """Make the thread wait at its next checkpoint. Called by `RightOfWay`."""
        self.has_to_stop = True
        self._look_from = -math.inf

    def _step_aside(self) -> None:
        """Give the turn back before this thread waits for another one, which may need the turn."""
        self._way.leave(self)

    def __enter__(self) -> Background:
        self._look_from = time.monotonic() + FREE_S
        self._outer_step_aside, present.step_aside = present.step_aside, self._step_aside
        super().__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        super().__exit__(None, None, None)
        present.step_aside = self._outer_step_aside
        if self.is_called is not None:  # the thread has had a turn
            self._way.leave(self)


class RightOfWay:
    """The turns of one interpreter. Any number of threads may make steps, and any number may work in the background."""

    def __init__(self) -> None:
        self._usual_switch_s: float | None = None  # Python's switch interval, while SWITCH_S is set
        self.start_anew()

    def start_anew(self) -> None:
        """Reset to the state without steps and without background work."""
        self._lock = threading.Lock()
        self._num_steps = 0
        self._opens_s = 0.0  # time at which the next turn beside a running step may begin
        self._holder: Background | None = None
        self._waiting: list[Background] = []  # sorted by `due_s`
        self._is_quiet = threading.Event()
        self._note_quiet()

    @contextmanager
    def step(self) -> Iterator[None]:
        """Context manager around a step, during which background work pauses."""
        with self._lock:
            self._num_steps += 1
            if self._num_steps == 1:
                self._opens_s = time.monotonic() + PATIENCE_S
            if self._holder is not None:
                self._holder.stop()
        try:
            yield
        finally:
            with self._lock:
                self._num_steps -= 1
                if not self._num_steps:
                    self._call_next()

    @property
    def has_work(self) -> bool:
        """True if there is background work."""
        return not self._is_quiet.is_set()

    def leave_room(self, step_s: float) -> None:
        """If there is background work, wait about half as long as the last step took. step_s: its time in seconds."""
        if self.has_work:
            self._is_quiet.wait(min(MAX_ROOM_S, max(MIN_ROOM_S, step_s / 2)))

    def is_turn_of(self, one: Background, now: float) -> bool:
        """True if a background thread may go on computing."""
        if self._holder is not one or one.has_to_stop:
            return False
        return now < one.turn_end or not (self._waiting or self._num_steps)

    def wait_for_turn(self, one: Background) -> None:
        """Give the turn back, if this thread has it, and wait for the next one."""
        is_called = one.is_called
        if is_called is None:
            is_called = one.is_called = threading.Event()
        with self._lock:
            self._drop(one)
            one.due_s = time.monotonic() + min(one.spent_s, MOST_BEHIND_S)
            insort(self._waiting, one, key=_due)
            self._note_work()
        try:
            while True:
                is_called.clear()
                with self._lock:
                    now = time.monotonic()
                    seconds = self._seconds_until_turn(one, now)
                    if seconds is not None and seconds <= 0:
                        self._take(one, now)
                        return
                is_called.wait(seconds)
        except BaseException:  # the main thread was interrupted
            with self._lock:
                if one in self._waiting:
                    self._waiting.remove(one)
                self._call_next()
            raise

    def leave(self, one: Background) -> None:
        """Give the turn back, if this thread has it."""
        with self._lock:
            self._drop(one)

    def _seconds_until_turn(self, one: Background, now: float) -> float | None:
        """Seconds until a waiting thread gets its turn if nothing wakes it earlier; 0 or less: now.

        None: other threads come before it, so it has to wait until it is woken.
        """
        if self._waiting[0] is not one:
            return None
        seconds = 0.0
        if self._num_steps:
            seconds = self._opens_s - now
        if self._holder is not None:
            seconds = max(seconds, self._holder.turn_end + LONGEST_TURN_S - TURN_S - now)
        return seconds

    def _take(self, one: Background, now: float) -> None:
        del self._waiting[0]
        self._holder = one
        one.has_to_stop = False
        one.turn_end = now + TURN_S
        self._call_next()

    def _drop(self, one: Background) -> None:
        if self._holder is one:
            self._holder = None
            one.spent_s += time.monotonic() - one.turn_end + TURN_S
            if self._num_steps:
                self._opens_s = time.monotonic() + PATIENCE_S
            self._call_next()
        if self._holder is None and not self._waiting:
            self._note_quiet()

    def _note_work(self) -> None:
        self._is_quiet.clear()
        if self._usual_switch_s is None:
            self._usual_switch_s = sys.getswitchinterval()
            sys.setswitchinterval(min(SWITCH_S, self._usual_switch_s))

    def _note_quiet(self) -> None:
        self._is_quiet.set()
        if self._usual_switch_s is not None:
            sys.setswitchinterval(self._usual_switch_s)
            self._usual_switch_s = None

    def _call_next(self) -> None:
        if self._waiting:
            is_called = self._waiting[0].is_called
            assert is_called is not None, "it waits"
            is_called.set()


def _due(one: Background) -> float:
    return one.due_s


RIGHT_OF_WAY = RightOfWay()
"""The turns of this process."""

if hasattr(os, "register_at_fork"):  # a forked process has none of the threads
    os.register_at_fork(after_in_child=RIGHT_OF_WAY.start_anew)
