"""`Causes`: what the threads of this process did while a token was late. They are looked at each 2 ms.

Who looks needs the interpreter, too: a stretch in which nobody was looked at is one in which somebody kept it, and what
that thread is found at is the line after.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter, deque
from types import FrameType, TracebackType

LOOK_S = 0.002
KEPT_LOOKS = 10_000
NUM_FRAMES = 6
NUM_SHOWN = 6

_Stack = tuple[str, ...]


class Causes:
    """A context manager. late_s: tokens that come later are reported when it is left."""

    def __init__(self, late_s: float) -> None:
        self._late_s = late_s
        self._looks: deque[tuple[float, dict[int, tuple[float, _Stack]]]] = deque(maxlen=KEPT_LOOKS)
        self._gaps: list[tuple[float, float, int]] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look_on, daemon=True)

    def note(self, start_s: float, end_s: float) -> None:
        """The calling thread has waited for a token."""
        if end_s - start_s > self._late_s:
            self._gaps.append((start_s, end_s, threading.get_ident()))

    def __enter__(self) -> Causes:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join()
        for gap in self._gaps:
            print(self._report(*gap))

    def _look_on(self) -> None:
        while not self._is_over.wait(LOOK_S):
            found = {}
            for thread, frame in sys._current_frames().items():
                try:
                    used_s = time.clock_gettime(time.pthread_getcpuclockid(thread))
                except OSError:  # it has just ended
                    continue
                found[thread] = used_s, _stack(frame)
            self._looks.append((time.monotonic(), found))

    def _report(self, start_s: float, end_s: float, waiter: int) -> str:
        waited, used, longest_s, before = Counter[_Stack](), Counter[_Stack](), 0.0, None
        for now, found in self._looks:
            if before is not None and start_s < now < end_s + LOOK_S:
                longest_s = max(longest_s, now - before[0])
                for thread, (used_s, stack) in found.items():
                    if thread == waiter:
                        waited[stack] += now - before[0]
                    elif thread in before[1]:
                        used[stack] += used_s - before[1][thread][0]
            before = now, found
        lines = [f"{1000 * (end_s - start_s):.0f} ms; {1000 * longest_s:.0f} ms in which nobody could look"]
        lines += [f"  waited {1000 * s:.0f} ms at {' < '.join(at)}" for at, s in waited.most_common(2)]
        lines += [f"  {1000 * s:.0f} ms of processor time: {' < '.join(at)}" for at, s in used.most_common(NUM_SHOWN)]
        return "\n".join(lines)


def _stack(frame: FrameType | None) -> _Stack:
    """The innermost frames."""
    found = []
    while frame is not None and len(found) < NUM_FRAMES:
        module = frame.f_globals.get("__name__", "?").rsplit(".", 1)[-1]
        found.append(f"{module}.{frame.f_code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return tuple(found)
