"""What the threads of a process did while a token was late. `Looks` looks at them each 2 ms, `Causes` reports.

Who looks needs the interpreter, too: a stretch in which nobody was looked at is one in which somebody kept it, and what
that thread is found at is the line after. Linux says how long each thread ran, and how long it was ready to run while
others had the processors; what is left of the time it waited, for the interpreter, a lock or work.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections import defaultdict, deque
from contextlib import suppress
from dataclasses import dataclass, field
from types import FrameType, TracebackType

LOOK_S = 0.002
KEPT_LOOKS = 15_000
NUM_FRAMES = 7
NUM_LINES = 4  # of a thread
LEAST_SHARE = 0.05  # of the time, that a thread ran, to be in the report

Stack = tuple[str, ...]


@dataclass(slots=True)
class Seen:
    """A thread in one look. ran_s, queued_s: since it began."""

    name: str
    ran_s: float
    queued_s: float
    stack: Stack


Look = tuple[float, dict[int, Seen]]


class Looks:
    """What the threads of this process do, by `time.monotonic()`; a context manager. all: the last half minute."""

    def __init__(self) -> None:
        self.all: deque[Look] = deque(maxlen=KEPT_LOOKS)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look_on, name="looks", daemon=True)
        self._files: dict[int, int] = {}  # of each thread's times
        self._read = ctypes.PyDLL(None).pread  # keeps the interpreter, other than `os.pread`
        self._buffer = ctypes.create_string_buffer(100)

    def __enter__(self) -> Looks:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join()
        for file in self._files.values():
            os.close(file)

    def _look_on(self) -> None:
        while not self._is_over.wait(LOOK_S):
            frames, found = sys._current_frames(), {}
            for thread in threading.enumerate():
                number, frame = thread.native_id, frames.get(thread.ident or 0)
                if number is not None and frame is not None and thread is not self._thread:
                    with suppress(OSError, ValueError):  # it has just ended
                        found[number] = Seen(thread.name, *self._times(number), _stack(frame))
            self.all.append((time.monotonic(), found))

    def _times(self, thread: int) -> tuple[float, float]:
        """Seconds that it ran, and that it was ready to."""
        if thread not in self._files:
            self._files[thread] = os.open(f"/proc/self/task/{thread}/schedstat", os.O_RDONLY)
        size = self._read(self._files[thread], self._buffer, len(self._buffer), 0)
        ran, queued, _ = self._buffer.raw[: max(0, size)].split()
        return int(ran) / 1e9, int(queued) / 1e9


@dataclass
class Place:
    """Where a thread was. Seconds."""

    elapsed_s: float = 0.0
    ran_s: float = 0.0
    queued_s: float = 0.0

    def add(self, elapsed_s: float, before: Seen, now: Seen) -> None:
        """It was found there."""
        self.elapsed_s += elapsed_s
        self.ran_s += now.ran_s - before.ran_s
        self.queued_s += now.queued_s - before.queued_s

    def __str__(self) -> str:
        return f"{1000 * self.elapsed_s:.0f} ms, ran {1000 * self.ran_s:.0f}, no processor {1000 * self.queued_s:.0f}"


@dataclass
class _Doings:
    """Of one thread while a token was late."""

    total: Place = field(default_factory=Place)
    places: defaultdict[Stack, Place] = field(default_factory=lambda: defaultdict(Place))


@dataclass
class Causes:
    """late_s: gaps between tokens that are longer are reported."""

    late_s: float
    gaps: list[tuple[float, float]] = field(default_factory=list)

    def note(self, start_s: float, end_s: float) -> None:
        """Somebody has waited for a token."""
        if end_s - start_s > self.late_s:
            self.gaps.append((start_s, end_s))

    def report(self, looks: deque[Look]) -> None:
        """Print what the looks say of the gaps so far, and forget these."""
        for gap in self.gaps:
            print(self._report(*gap, looks))
        self.gaps.clear()

    def _report(self, start_s: float, end_s: float, looks: deque[Look]) -> str:
        threads: defaultdict[tuple[int, str], _Doings] = defaultdict(_Doings)
        longest_s, before = 0.0, None
        for look in looks:
            if before is not None and start_s < look[0] < end_s + LOOK_S:
                elapsed_s = look[0] - before[0]
                longest_s = max(longest_s, elapsed_s)
                for number, seen in look[1].items():
                    if number in before[1]:
                        for place in (
                            threads[number, seen.name].total,
                            threads[number, seen.name].places[seen.stack],
                        ):
                            place.add(elapsed_s, before[1][number], seen)
            before = look
        lines = [f"{1000 * (end_s - start_s):.0f} ms; {1000 * longest_s:.0f} ms in which nobody could look"]
        for (_, name), doings in sorted(threads.items(), key=lambda one: -one[1].total.ran_s):
            if doings.total.ran_s > LEAST_SHARE * (end_s - start_s):
                lines.append(f"  {name}: {doings.total}")
                places = sorted(doings.places.items(), key=lambda one: -one[1].elapsed_s)
                lines += [f"    {place}: {' < '.join(stack)}" for stack, place in places[:NUM_LINES]]
        return "\n".join(lines)


def _stack(frame: FrameType | None) -> Stack:
    """The innermost frames."""
    found = []
    while frame is not None and len(found) < NUM_FRAMES:
        module = frame.f_globals.get("__name__", "?").rsplit(".", 1)[-1]
        found.append(f"{module}.{frame.f_code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return tuple(found)
