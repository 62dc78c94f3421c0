"""One thread that owns the model: requests run one after the other, in the order in which they came.

The engine does one `run` at a time, so the thread is what serialises them; the event loop stays free, and /health
answers while text is made. A `Job` carries one request across: the loop submits and awaits it, the thread feeds it.
Cancelling a job closes its generator after the step that it is in; a job that still waits is forgotten at once.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from guided.completion import CompletionChunk
from guided.sampling_params import SamplingParams

from .errors import ModelNotLoadedError, QueueFullError
from .protocol.base import Message

if TYPE_CHECKING:
    from guided.llm import LLM

logger = logging.getLogger("guided.server")


class Job:
    """One request in the worker. Made on the event loop that awaits it. messages: a chat, or a text to go on with."""

    def __init__(self, messages: Sequence[Message] | str, params: SamplingParams) -> None:
        self.messages = messages
        self.params = params
        self._loop = asyncio.get_running_loop()
        self._results: asyncio.Queue[CompletionChunk | Exception] = asyncio.Queue()
        self._cancelled = threading.Event()

    @property
    def is_cancelled(self) -> bool:
        """True once nobody wants the result any more."""
        return self._cancelled.is_set()

    async def next_chunk(self) -> CompletionChunk:
        """The next piece, waited for; each output's last one has a finish_reason. Raises what made the request fail."""
        result = await self._results.get()
        if isinstance(result, Exception):
            raise result
        if result.finish_reason == "error":
            raise result.error or RuntimeError("the request failed without saying why")
        return result

    def deliver(self, result: CompletionChunk | Exception) -> None:
        """Hand a result to the event loop; called from any thread."""
        try:
            self._loop.call_soon_threadsafe(self._results.put_nowait, result)
        except RuntimeError:  # the loop is closed: the one who waited is gone
            self.mark_cancelled()

    def mark_cancelled(self) -> None:
        """Nobody wants the result any more; the thread stops after the step that it is in."""
        self._cancelled.set()


class Worker:
    """The model's thread and the requests that wait for it.

    llm: the model, None until it is loaded. running: the request that the model works on.
    load: gives the model; called once, in the thread.
    on_load_failure: called in the thread with what `load` raised; None: it is logged.
    """

    def __init__(
        self,
        load: Callable[[], LLM],
        max_waiting_requests: int,
        on_load_failure: Callable[[Exception], None] | None = None,
    ) -> None:
        self.llm: LLM | None = None
        self.load_error: Exception | None = None
        self._load = load
        self._on_load_failure = on_load_failure
        self._max_waiting_requests = max_waiting_requests
        self._waiting: deque[Job] = deque()
        self.running: Job | None = None
        self._is_closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="guided-worker", daemon=True)

    def start(self) -> None:
        """Start the thread, which loads the model and then serves."""
        self._thread.start()

    @property
    def num_waiting(self) -> int:
        """Requests in the queue, without the running one."""
        return len(self._waiting)

    def require_llm(self) -> LLM:
        """The model. Raises ModelNotLoadedError while there is none."""
        if self._is_closed:
            raise ModelNotLoadedError("the server is stopping")
        if self.load_error is not None:
            raise ModelNotLoadedError("the model could not be loaded; the server's log has the reason")
        if self.llm is None:
            raise ModelNotLoadedError("the model is still being loaded; try again later")
        return self.llm

    def submit(self, messages: Sequence[Message] | str, params: SamplingParams) -> Job:
        """Queue a request; called on an event loop. Raises QueueFullError, ModelNotLoadedError."""
        job = Job(messages, params)
        with self._changed:
            self.require_llm()
            if len(self._waiting) >= self._max_waiting_requests:
                raise QueueFullError(self._max_waiting_requests)
            self._waiting.append(job)
            self._changed.notify()
        return job

    def cancel(self, job: Job) -> None:
        """Forget a request: at once when it waits, after its current step when it runs."""
        job.mark_cancelled()
        with self._changed:
            if job in self._waiting:
                self._waiting.remove(job)

    def close(self, timeout_s: float = 10.0) -> None:
        """End every request with an error and stop the thread, waiting for it up to timeout_s."""
        with self._changed:
            self._is_closed = True
            jobs = [*self._waiting, *([] if self.running is None else [self.running])]
            self._waiting.clear()
            self._changed.notify()
        for job in jobs:
            job.mark_cancelled()
            job.deliver(ModelNotLoadedError("the server is stopping"))
        if self.llm is None:  # loading can't be interrupted, and nobody waits for it any more
            return
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            logger.warning("the model is still busy after %g s; its thread ends with the process", timeout_s)

    def _run(self) -> None:
        try:
            self.llm = self._load()
        except BaseException as error:  # noqa: BLE001 - kept in load_error, and logged or handed on
            self._fail(_as_exception(error))
            return
        while (job := self._next()) is not None:
            _generate(self.llm, job)

    def _fail(self, error: Exception) -> None:
        """The model can't be loaded."""
        self.load_error = error
        if self._on_load_failure is None:
            logger.error("the model could not be loaded", exc_info=error)
        else:
            self._on_load_failure(error)

    def _next(self) -> Job | None:
        """The next request, waited for; None when the worker was closed."""
        with self._changed:
            self.running = None
            self._changed.wait_for(lambda: self._is_closed or bool(self._waiting))
            self.running = None if self._is_closed else self._waiting.popleft()
            return self.running


def _generate(llm: LLM, job: Job) -> None:
    """Run one request and deliver its chunks; every way out leaves a last result behind, or a cancelled job."""
    num_unfinished = job.params.n
    try:
        with closing(llm.stream(job.messages, job.params)) as chunks:
            for chunk in chunks:
                if job.is_cancelled:
                    return
                job.deliver(chunk)
                num_unfinished -= chunk.finish_reason is not None
                if not num_unfinished or chunk.finish_reason == "error":
                    return
        raise RuntimeError("the model's stream ended without a finish_reason")
    except BaseException as error:  # noqa: BLE001 - raised again where the request is awaited
        job.deliver(_as_exception(error))


def _as_exception(error: BaseException) -> Exception:
    """The error; for what is no Exception (a panic of a Rust library), which the thread must outlive, one due to it."""
    if isinstance(error, Exception):
        return error
    failure = RuntimeError(f"{type(error).__name__} in the model's thread: {error}")
    failure.__cause__ = error
    return failure
