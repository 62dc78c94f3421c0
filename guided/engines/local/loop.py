"""`EngineLoop`: the thread that runs a model. Requests come from any thread; the loop steps while there is work."""

from __future__ import annotations

import itertools
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Sequence

import torch

from guided.grammars.errors import GuidedError
from guided.grammars.right_of_way import RIGHT_OF_WAY

from ...errors import EngineFailureError, EngineStoppedError, QueueFullError
from ..settings import EngineSettings
from ..stats import EngineStats
from .collector import COLLECTOR
from .core import EngineCore
from .engine_request import EngineRequest
from .particles import ParticleRun
from .threads import use_threads

log = logging.getLogger(__name__)
MAX_TAKEN_IN = 2000  # maximum number of new requests in one step; they take a few milliseconds
BUILDING_S = 0.05  # seconds between two checks for ended rows, while all rows wait for builds
QUIET_S = 0.1
"""Seconds after the last request before idle time is used: its reader gets the last tokens first, and may ask again."""


class EngineLoop:
    """Runs an engine core in a thread that starts with the first request and ends with `stop`.

    core: the engine core.
    settings: the engine's settings.
    num_threads: number of torch's threads for the work of this thread; None: torch's own number.
    failure: attribute; the error that ended the thread; None: the loop works, or `stop` has ended it.
    """

    def __init__(self, core: EngineCore, settings: EngineSettings, num_threads: int | None = None) -> None:
        self.core = core
        core.on_built = self._wake
        self._settings = settings
        self._num_threads = num_threads
        self._inbox: deque[EngineRequest] = deque()
        self._orders = itertools.count()
        self._changed = threading.Condition()
        self._is_stopped = False
        self._thread: threading.Thread | None = None
        self._is_working = False  # the thread is counted as working by the garbage collector's `Collector`
        self._process_id: int | None = None  # the process of the thread: a forked process does not have the thread
        self.failure: EngineFailureError | None = None

    def submit(self, rows: Sequence[EngineRequest], *, is_bounded: bool, run: ParticleRun | None = None) -> None:
        """Add a single request, or all requests of a particle run. If the method raises, it has added nothing.

        is_bounded: True: the limit of waiting requests applies.
        run: the particle run; None: a single request.
        Raises QueueFullError, and EngineStoppedError, also in a forked process.
        """
        if self._process_id not in (None, os.getpid()):  # before the lock, which a fork may have left locked
            raise EngineStoppedError("the engine runs in the process that this one was forked from; load an LLM here")
        with self._changed:
            if self.failure is not None:
                raise EngineStoppedError(f"the engine stopped, because {self.failure}")
            if self._is_stopped:
                raise EngineStoppedError
            if is_bounded:
                self._check_bound(len(rows))
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="guided-engine", daemon=True)
                thread.start()
                self._process_id, self._thread = os.getpid(), thread
            if run is not None:
                self.core.runs.append(run)
            for row in rows:
                row.is_bounded = is_bounded
                row.order = next(self._orders)
                self._inbox.append(row)
                self.core.counters.total_requests += not row.request.written
            self._changed.notify()

    def stop(self) -> None:
        """End all requests and the thread, and wait for its end. May be called again, and from the thread itself."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify()
        if self._thread is None:
            self.core.close()
        elif self._thread is not threading.current_thread():
            self._thread.join()

    @property
    def stats(self) -> EngineStats:
        """The engine's present figures. May be called from any thread, so figures may differ slightly in time."""
        core, model = self.core, self.core.model
        return core.counters.stats(
            active_requests=len(core.scheduler.running),
            waiting_requests=len(core.scheduler.waiting) + len(self._inbox),
            cache_usage=model.usage,
            num_pages=model.num_pages,
            num_free_pages=model.num_free_pages,
        )

    def _check_bound(self, num_new: int) -> None:
        """Raise QueueFullError if the queue has no room for this number of further requests."""
        bound = self._settings.max_waiting_requests
        if bound is None:
            return
        waiting = [row for row in (*self._inbox, *self.core.scheduler.waiting) if row.is_bounded]
        num_waiting = sum(not row.request.ended.is_set() for row in waiting)
        num_places = max(0, self._settings.max_batch_size - len(self.core.scheduler.running))
        if num_waiting + num_new > bound + num_places:
            raise QueueFullError(bound)

    def _run(self) -> None:
        why: GuidedError = EngineStoppedError()
        try:
            if self._num_threads is not None:
                use_threads(self._num_threads)
            with torch.inference_mode():  # PERF: entered once; in each step it would take 35 us
                while self._take_in():
                    self._step()
        except BaseException as error:
            log.exception("the engine's thread failed")
            why = self.failure = EngineFailureError("the engine", error)
        finally:
            self._end(why)

    def _end(self, error: GuidedError) -> None:
        """End all requests, also those in the inbox, and free what the thread has. error: the reason."""
        with self._changed:
            self._is_stopped = True  # nothing is added to the inbox from now on
            self._move_in(len(self._inbox))
        try:
            self.core.end_all(error)
        except Exception:  # the rows have their last events all the same
            log.exception("the engine could not free its rows")
        if self._is_working:
            self._is_working = False
            COLLECTOR.end_work()
        self.core.close()

    def _step(self) -> None:
        start_s = time.perf_counter()
        try:
            with RIGHT_OF_WAY.step():
                self.core.step()
        except Exception as error:
            log.exception("the engine failed; it ends all requests")
            self.core.end_all(EngineFailureError("the engine", error))
        COLLECTOR.tick(is_idle=False)
        RIGHT_OF_WAY.leave_room(time.perf_counter() - start_s)

    def _wake(self) -> None:
        """Wake the thread, because the build of a row is done."""
        with self._changed:
            self._changed.notify()

    def _wait_for_work(self, seconds: float | None) -> bool:
        """Wait until there is work, or `stop` was called. Returns False after `seconds` without either."""
        with self._changed:
            return self._changed.wait_for(lambda: self._is_stopped or bool(self._inbox) or self.core.has_work, seconds)

    def _move_in(self, num_rows: int) -> None:
        """Move the oldest rows of the inbox to the waiting ones. The caller holds the lock."""
        for _ in range(num_rows):
            self.core.add(self._inbox.popleft())

    def _take_in(self) -> bool:
        """Add new requests to the waiting ones; sleep while there are no requests. Returns False after `stop`."""
        if self._is_working and not self._wait_for_work(QUIET_S):
            self._is_working = False
            COLLECTOR.end_work()
        self._wait_for_work(None)
        with self._changed:
            self._changed.wait_for(lambda: self._is_stopped or bool(self._inbox) or self.core.can_step, BUILDING_S)
            self._move_in(min(len(self._inbox), MAX_TAKEN_IN))
        if not self._is_working:
            self._is_working = True
            COLLECTOR.begin_work()
        return not self._is_stopped
