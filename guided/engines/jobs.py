"""`EngineJob`, `JobLoop`: requests that other projects' engines work on, in an event loop with its own thread."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from abc import ABC, abstractmethod
from functools import partial
from typing import Generic, TypeVar

from ..errors import DeadlineExceededError, EngineFailureError, EngineStoppedError, QueueFullError
from ..requests.finish_reason import FinishReason
from ..requests.observer import EngineObserver, RequestRecord, tell
from ..requests.request import PromptRequest
from .base import Sink, TokenEvent, ToldUsage, cancelled, give_sink_error
from .stats import EngineCounters, EngineStats


class EngineJob(ABC):
    """A request while an engine works on it. Times are in seconds, of the clock of `TokenEvent.time_s`.

    request, sink, index: the request, the receiver of its events, and their index.
    is_bounded: see `Engine.submit`.
    finish_reason: attribute; set with the last event.
    begun_s: attribute; when the engine began the request; None while it waits.
    first_s, last_s: attributes; when its first and latest event came.
    end_error: attribute; why it is cancelled; None: its reader has left.
    is_told: attribute; True: the sink has had its last event.
    """

    def __init__(self, request: PromptRequest, sink: Sink, index: int, *, is_bounded: bool = True) -> None:
        self.request, self.index, self.is_bounded = request, index, is_bounded
        self._sink = sink
        self.finish_reason: FinishReason | None = None
        self.submitted_s = time.perf_counter()
        self.begun_s: float | None = None
        self.first_s: float | None = None
        self.last_s = 0.0
        self.task: asyncio.Task[None] | None = None
        self.is_cancelled = False
        self.end_error: Exception | None = None
        self.is_told = False

    @property
    def is_unfinished(self) -> bool:
        """True until the last event is made, or the reader has left."""
        return self.finish_reason is None and not self.request.ended.is_set()

    @property
    @abstractmethod
    def usage(self) -> ToldUsage:
        """The numbers of tokens so far."""

    def give(self, event: TokenEvent) -> None:
        """Pass an event on, unless its reader has left."""
        if self.request.ended.is_set():
            return
        self.last_s = event.time_s
        if self.first_s is None and event.finish_reason != "error":
            self.first_s = self.last_s
        self._tell(event)

    def record(self) -> RequestRecord:
        """The record of a finished request, for observers."""
        begun_s, usage = time.perf_counter() if self.begun_s is None else self.begun_s, self.usage
        has_pace = self.first_s is not None and usage.num_new_tokens > 1
        return RequestRecord(
            queue_s=begun_s - self.submitted_s,
            time_to_first_token_s=None if self.first_s is None else self.first_s - self.submitted_s,
            inter_token_s=(self.last_s - (self.first_s or 0.0)) / (usage.num_new_tokens - 1) if has_pace else None,
            num_prompt_tokens=usage.num_prompt_tokens,
            num_cached_tokens=usage.num_cached_tokens,
            num_new_tokens=usage.num_new_tokens,
            finish_reason=self.finish_reason,
        )

    def fail(self, error: Exception) -> None:
        """Send an error as the last event, unless there was one already or the reader has left."""
        if self.is_unfinished:
            self._tell(self.failed(error))

    def end(self, task: asyncio.Task[None]) -> None:
        """Send the last event if there was none. task: the task of the request, which has ended."""
        if self.end_error is not None:
            self.fail(self.end_error)
        elif not task.cancelled() and not self.is_told:
            error = task.exception() or RuntimeError("the answer ended without its last event")
            self.fail(EngineFailureError("the engine", error))
        self._tell(cancelled(self.index))

    def _tell(self, event: TokenEvent) -> None:
        if self.is_told:
            return
        self.is_told = event.finish_reason is not None
        try:
            self._sink(event)
        except Exception as error:  # noqa: BLE001 - a fault of a sink ends its own request only
            self.is_told = True
            give_sink_error(self._sink, self.request, event, error)

    def failed(self, error: Exception) -> TokenEvent:
        """The event that ends the request with an error."""
        self.finish_reason = "error"
        return TokenEvent(self.index, None, finish_reason="error", error=error)

    def cancel(self, error: Exception | None) -> None:
        """Cancel the request, once. error: sent to its reader; None: nothing is sent."""
        if not self.is_cancelled and self.task is not None:
            self.is_cancelled, self.end_error = True, error
            self.task.cancel()

    def must_end(self, now: float) -> tuple[bool, Exception | None]:
        """(True if the reader has left or the deadline has passed, the error for the reader)."""
        if self.request.ended.is_set():
            return True, None
        is_late = self.request.deadline is not None and now >= self.request.deadline
        return is_late, DeadlineExceededError() if is_late else None


JobT = TypeVar("JobT", bound=EngineJob)


class JobLoop(ABC, Generic[JobT]):
    """The jobs of one engine. Subclasses define how a job runs and what happens at its end.

    name: name of the thread.
    max_running: requests that run together.
    max_waiting: see `EngineSettings`.
    watch_s: seconds between checks for readers that have left and deadlines that have passed.
    counters: the engine's counters.
    """

    def __init__(
        self, name: str, max_running: int, max_waiting: int | None, watch_s: float, counters: EngineCounters
    ) -> None:
        self._max_running, self._max_waiting, self._watch_s = max_running, max_waiting, watch_s
        self._counters = counters
        self.observers: list[EngineObserver] = []
        self._jobs: set[JobT] = set()
        self._lock = threading.Lock()
        self._is_stopped = False
        self._process_id = os.getpid()
        self._loop = self._new_loop()
        self._has_jobs = asyncio.Event()
        self._watcher: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run_loop, name=name, daemon=True)
        self._thread.start()

    def _new_loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.new_event_loop()

    @abstractmethod
    async def _run(self, job: JobT) -> None:
        """Pass on a request's events while they come; an error of the engine is the last event. Leaving early cancels
        the request in the engine too.
        """

    def _on_end(self, job: JobT) -> None:
        """Count a finished request and inform observers."""
        counters, usage = self._counters, job.usage
        counters.num_new_tokens += usage.num_new_tokens
        counters.num_prompt_tokens += usage.num_prompt_tokens
        counters.num_cached_prompt_tokens += usage.num_cached_tokens
        if self.observers:
            tell(self.observers, "on_request_end", job.record())

    def _shut_down(self) -> None:
        """Stop the engine, or the connection to it, when no request runs any more. Called in the stopping thread."""

    @property
    def stats(self) -> EngineStats:
        """See `Engine.get_stats`."""
        jobs = [job for job in tuple(self._jobs) if job.finish_reason is None]
        num_active = sum(job.begun_s is not None for job in jobs)
        return self._counters.stats(active_requests=num_active, waiting_requests=len(jobs) - num_active)

    def submit(self, job: JobT) -> None:
        """Start a request, from any thread. Raises QueueFullError or EngineStoppedError."""
        if self._process_id != os.getpid():
            raise EngineStoppedError("the engine runs in the process that this one was forked from; load an LLM here")
        with self._lock:
            if self._is_stopped:
                raise EngineStoppedError
            if job.is_bounded and self._max_waiting is not None:
                num_bounded = sum(one.is_bounded and one.is_unfinished for one in self._jobs)
                if num_bounded >= self._max_running + self._max_waiting:
                    raise QueueFullError(self._max_waiting)
            self._counters.total_requests += 1
            self._jobs.add(job)
            self._loop.call_soon_threadsafe(self._begin, job)

    def stop(self) -> None:
        """End all requests and the thread, and wait for them. May be called again.

        Raises RuntimeError in the loop's own thread.
        """
        if threading.current_thread() is self._thread:
            raise RuntimeError("a sink must not shut down its engine")
        with self._lock:
            is_first, self._is_stopped = not self._is_stopped, True
        if not is_first or self._process_id != os.getpid():
            return
        asyncio.run_coroutine_threadsafe(self._end_all(), self._loop).result()
        self._shut_down()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run_loop(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._watcher = self._loop.create_task(self._watch())
        self._loop.run_forever()

    def _begin(self, job: JobT) -> None:
        job.task = self._loop.create_task(self._run(job))
        job.task.add_done_callback(partial(self._end, job))
        self._has_jobs.set()

    def _end(self, job: JobT, task: asyncio.Task[None]) -> None:
        """End a job, also if it was cancelled before it began."""
        job.end(task)
        self._jobs.discard(job)
        self._on_end(job)

    async def _watch(self) -> None:
        while True:
            await self._has_jobs.wait()
            await asyncio.sleep(self._watch_s)
            now = time.monotonic()
            for job in tuple(self._jobs):
                must_end, error = job.must_end(now)
                if must_end:
                    job.cancel(error)
            if not self._jobs:
                self._has_jobs.clear()

    async def _end_all(self) -> None:
        if self._watcher is not None:
            self._watcher.cancel()
        jobs = tuple(self._jobs)
        for job in jobs:
            job.cancel(EngineStoppedError())
        await asyncio.gather(*(job.task for job in jobs if job.task is not None), return_exceptions=True)
