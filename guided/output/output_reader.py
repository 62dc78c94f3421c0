"""`OutputReader`: one output's events become chunks, and end where a stop does, also where nobody waits for them."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import lru_cache, partial

from guided.grammars.daemon_threads import DaemonThreads
from guided.grammars.errors import GuidedError
from guided.grammars.right_of_way import Background

from ..engine.base import TokenEvent
from ..errors import EngineFailureError
from .builder import CompletionBuilder
from .completion import CompletionChunk

log = logging.getLogger(__name__)

AT_ONCE_S = 0.01  # of calls that are made aside one after the other, before those of others have their turn
NUM_THREADS = 4


class OutputReader:
    """Takes the events of one output as they come: the engine's thread calls `take`, and finds what ends the text.

    builder: of the output. give: called with each chunk, in their order, in the thread that has made it.
    aside: reads the events where that may take long, so that the engine does not wait.
    """

    def __init__(
        self, builder: CompletionBuilder, give: Callable[[CompletionChunk], None], aside: SerialCalls | None = None
    ) -> None:
        self.builder = builder
        self._give = give
        self._aside = aside

    def take(self, event: TokenEvent) -> None:
        """Read an event, now or soon. Never raises: what goes wrong ends the output with an error."""
        if self._aside is None:
            self._read(event)
        else:
            self._aside.put(partial(self._read, event))

    def _read(self, event: TokenEvent) -> None:
        try:
            chunk = self.builder.add(event)
        except Exception as error:
            if not isinstance(error, GuidedError):
                log.exception("an output could not be read")
                error = EngineFailureError("the reader of an output", error)
            chunk = self.builder.fail(error, event.time_s)
        if chunk is not None:
            self._give(chunk)


class SerialCalls:
    """Calls that may take long, one after the other, in threads that all objects of this class in a process share."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: deque[Callable[[], None]] = deque()
        self._is_running = False

    def put(self, call: Callable[[], None]) -> None:
        """Add one, which must not raise."""
        with self._lock:
            self._calls.append(call)
            is_first, self._is_running = not self._is_running, True
        if is_first:
            _threads(os.getpid()).submit(self._run)

    def _run(self) -> None:
        end_s = time.monotonic() + AT_ONCE_S
        with Background():
            while time.monotonic() < end_s:
                with self._lock:
                    if not self._calls:
                        self._is_running = False
                        return
                    call = self._calls.popleft()
                try:
                    call()
                except Exception:
                    log.exception("a call that must not raise has raised")
        _threads(os.getpid()).submit(self._run)


@lru_cache(maxsize=1)
def _threads(process_id: int) -> DaemonThreads:
    """Of this process: a forked one has none of its parent's threads."""
    return DaemonThreads(NUM_THREADS, "guided-stops")
