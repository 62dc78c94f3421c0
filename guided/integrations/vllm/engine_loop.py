"""`EngineThread`: vLLM's asynchronous engine, in an event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import threading
import time
from contextlib import aclosing
from typing import Any

from guided.grammars.errors import GuidedError, InvalidInputError

from ...errors import EngineFailureError, EngineStoppedError, QueueFullError
from .engine_figures import EngineFigures
from .engine_job import Job

log = logging.getLogger(__name__)

SHUTDOWN_S = 10.0  # for vLLM's processes to end by themselves
WATCH_S = 0.05  # between looks for requests whose readers have left, or whose deadlines are over


class EngineThread:
    """client: vLLM's `AsyncLLM`, whose engine core runs. figures: among its stat loggers.

    max_running: requests that vLLM runs together. max_waiting: see `EngineSettings.max_waiting_requests`.
    """

    def __init__(self, client: Any, figures: EngineFigures, max_running: int, max_waiting: int | None) -> None:
        self.figures = figures
        self._client = client
        self._max_running = max_running
        self._max_waiting = max_waiting
        self._jobs: set[Job] = set()
        self._names = itertools.count()
        self._lock = threading.Lock()
        self._is_stopped = False
        self._process_id = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._has_jobs = asyncio.Event()
        self._watcher: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run_loop, name="guided-vllm", daemon=True)
        self._thread.start()

    @property
    def num_unfinished(self) -> int:
        """Requests that were submitted and are not over."""
        return len(self._jobs)

    @property
    def failure(self) -> Exception | None:
        """Why nothing runs any more; None while all is well."""
        if self._is_stopped or not self._client.errored:
            return None
        return EngineFailureError("vLLM's engine", self._client.dead_error)

    def submit(self, job: Job) -> None:
        """Start a request, from any thread. Raises QueueFullError, EngineStoppedError."""
        if self._process_id != os.getpid():
            raise EngineStoppedError("the engine runs in the process that this one was forked from; load an LLM here")
        with self._lock:
            if self._is_stopped:
                raise EngineStoppedError
            if job.is_bounded and self._max_waiting is not None:
                num_bounded = sum(one.is_bounded and not one.request.ended.is_set() for one in self._jobs)
                if num_bounded >= self._max_running + self._max_waiting:
                    raise QueueFullError(self._max_waiting)
            self.figures.counters.total_requests += 1
            self._jobs.add(job)
            self._loop.call_soon_threadsafe(self._begin, job)

    def stop(self) -> None:
        """End every request and vLLM's engine, and wait for both. May be called again."""
        with self._lock:
            is_first, self._is_stopped = not self._is_stopped, True
        if not is_first or self._process_id != os.getpid():
            return
        if threading.current_thread() is self._thread:
            raise RuntimeError("a sink must not shut down its engine")
        asyncio.run_coroutine_threadsafe(self._end_all(), self._loop).result()
        self._client.shutdown(timeout=SHUTDOWN_S)
        asyncio.run_coroutine_threadsafe(_end_tasks(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run_loop(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._watcher = self._loop.create_task(self._watch())
        self._loop.run_forever()

    def _begin(self, job: Job) -> None:
        job.task = self._loop.create_task(self._run(job))
        job.task.add_done_callback(lambda _: self._end(job))
        self._has_jobs.set()

    def _end(self, job: Job) -> None:
        """Also of one that was cancelled before it began."""
        if job.end_error is not None:
            job.fail(job.end_error)
        self._jobs.discard(job)
        self.figures.on_end(job)

    async def _run(self, job: Job) -> None:
        from vllm.exceptions import VLLMValidationError
        from vllm.v1.engine.exceptions import EngineDeadError

        try:
            await self._read(job)
        except GuidedError as error:
            job.fail(error)
        except EngineDeadError as error:
            job.fail(EngineFailureError("vLLM's engine", error))
        except VLLMValidationError as error:
            job.fail(InvalidInputError(f"vLLM refuses the request: {error}"))
        except Exception as error:
            log.exception("a request failed in vLLM's front end")
            job.fail(EngineFailureError("vLLM's front end", error))

    async def _read(self, job: Job) -> None:
        """Hand its tokens on, as they come. Leaving early gives it up in vLLM too."""
        from vllm.inputs.engine import tokens_input

        prompt = tokens_input(list(job.request.prompt_token_ids))
        name = f"guided-{next(self._names)}"
        async with aclosing(self._client.generate(prompt, job.params, name)) as outputs:
            async for output in outputs:
                if job.request.ended.is_set():
                    return
                job.take(output)
                if job.reader.finish_reason is not None:
                    return

    async def _watch(self) -> None:
        while True:
            await self._has_jobs.wait()
            await asyncio.sleep(WATCH_S)
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


async def _end_tasks() -> None:
    """Those of vLLM's front end, which it has cancelled and does not wait for."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
