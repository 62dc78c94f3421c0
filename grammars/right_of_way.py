"""`RightOfWay`: who has long work in Python gives way to who must answer soon.

Python lets all threads that compute have the interpreter in turn. A step of an engine gives it away in each operation
on tensors, so beside four threads that build grammars it takes ten times as long as alone. So threads do long work in
a `Background`: one of them computes at a time, and none while a step runs.

    with Background():              # in a thread of its own
        compile_grammar(...)        # stops at its checkpoints while others are to go first

    with RIGHT_OF_WAY.step():       # in the engine's thread
        ...
    RIGHT_OF_WAY.leave_room(...)    # between steps, for what is done in the background

Of those that wait, one that has computed less has its turn earlier. Nobody is held up for good: who has the turn and
gets to no checkpoint (it runs a kernel, or waits for somebody) is passed over after a while, and in a long step there
are short turns.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from bisect import insort
from collections.abc import Iterator
from contextlib import contextmanager

from .watch import (
    YIELD_S,
    Watch,
    delay_watches,
    holds_lock,
    present_courtesy,
    yield_interpreter,
)

TURN_S = 0.005  # of one thread in the background, where others want it
LONGEST_TURN_S = 0.05  # after which one that gets to no checkpoint is passed over
FREE_S = 0.002  # of each work: short work waits for nobody
MOST_BEHIND_S = 1.0  # that long work stands behind what comes later
PATIENCE_S = 0.02  # how long a step keeps everybody waiting, before each turn that is had beside it
MIN_ROOM_S, MAX_ROOM_S = 0.001, 0.003  # between two steps
SWITCH_S = 0.0003
"""After which Python itself lets another thread have the interpreter, while there is work in the background: some calls
of it have no checkpoint. With the usual 5 ms a token waits for as long each time that its thread wants it back."""
NEXT_LOOK_S = 0.0001  # between two looks of who computes: each takes as long as many checkpoints


class Background(Watch):
    """Long work of this thread; a context manager. Its checkpoints are where it stops, and no limit counts that time.

    way: who goes first; None: that of this process. The others are as for any watch.
    """

    __slots__ = ("_way", "_yielded_s", "due_s", "has_to_stop", "is_called", "spent_s", "turn_end")

    def __init__(
        self,
        way: RightOfWay | None = None,
        *,
        limit: str = "",
        seconds: float = math.inf,
        cancel: threading.Event | None = None,
    ) -> None:
        super().__init__(limit, seconds, cancel)
        self.has_to_stop = False  # this and the next four are the way's
        self.turn_end = self.spent_s = self.due_s = 0.0
        self.is_called: threading.Event | None = None
        self._way = RIGHT_OF_WAY if way is None else way
        self._yielded_s = 0.0

    def _look(self, now: float) -> None:
        """Wait until it is this thread's turn, or let others compute for a moment."""
        self._look_from = now + NEXT_LOOK_S
        if not self._way.is_turn_of(self, now):
            self._wait(now)
        elif now > self._yielded_s + YIELD_S:
            yield_interpreter()
            self._yielded_s = time.monotonic()

    def _wait(self, now: float) -> None:
        """Until it is its turn, with nothing held that others wait for: where that can't be let go of it goes on."""
        courtesy = present_courtesy()
        if courtesy is not None and courtesy.holder is not None:
            courtesy.pause(lambda: self._way.wait_for_turn(self))
        elif holds_lock():
            yield_interpreter()
        else:
            self._way.wait_for_turn(self)
            delay_watches(self, time.monotonic() - now)
            self.delay(time.monotonic() - now)
        self._yielded_s = time.monotonic()

    def stop(self) -> None:
        """It waits at its next checkpoint; called by the way."""
        self.has_to_stop = True
        self._look_from = -math.inf

    def step_aside(self) -> None:
        """See `Watch`: whoever holds what this thread waits for may need the turn."""
        self._way.leave(self)
        super().step_aside()

    def __enter__(self) -> Background:
        self._look_from = time.monotonic() + FREE_S
        super().__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        super().__exit__(None, None, None)
        if self.is_called is not None:  # it has had a turn
            self._way.leave(self)


class RightOfWay:
    """Of one interpreter. Any number of threads take steps, and any number work in the background."""

    def __init__(self) -> None:
        self._usual_switch_s: float | None = None  # where there is work in the background
        self.start_anew()

    def start_anew(self) -> None:
        """Nobody takes steps, and nobody works in the background."""
        self._lock = threading.Lock()
        self._num_steps = 0
        self._opens_s = 0.0  # when there is a turn beside a step
        self._holder: Background | None = None
        self._waiting: list[Background] = []  # in the order in which they are due
        self._is_quiet = threading.Event()
        self._note_quiet()

    @contextmanager
    def step(self) -> Iterator[None]:
        """What others wait for."""
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
        """There is work in the background."""
        return not self._is_quiet.is_set()

    def leave_room(self, step_s: float) -> None:
        """After a step of so many seconds, wait about half as long if there is work in the background."""
        if self.has_work:
            self._is_quiet.wait(min(MAX_ROOM_S, max(MIN_ROOM_S, step_s / 2)))

    def is_turn_of(self, one: Background, now: float) -> bool:
        """It may go on."""
        if self._holder is not one or one.has_to_stop:
            return False
        return now < one.turn_end or not (self._waiting or self._num_steps)

    def wait_for_turn(self, one: Background) -> None:
        """Give the turn away, if this has it, and wait for the next one."""
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
        except BaseException:  # the main thread is interrupted
            with self._lock:
                if one in self._waiting:
                    self._waiting.remove(one)
                self._call_next()
            raise

    def leave(self, one: Background) -> None:
        """It has no use for a turn for now."""
        with self._lock:
            self._drop(one)

    def _seconds_until_turn(self, one: Background, now: float) -> float | None:
        """0 or less: now. It is called where that is sooner; None: only then, as others come before it."""
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
"""Of this process."""

if hasattr(os, "register_at_fork"):  # a forked process has none of the threads
    os.register_at_fork(after_in_child=RIGHT_OF_WAY.start_anew)
