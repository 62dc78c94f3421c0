"""`Job`: one generation request in flight, from its body to its last chunk. `JobStarter` starts jobs.

Requests are read, compiled and encoded in threads, which are grouped in lanes. Thus a request without a grammar never
waits behind a slow compilation, nor a small body behind a large one. The engine then runs all requests together.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from guided.errors import DeadlineExceededError, GenerationCancelledError
from guided.grammars.errors import CompileCancelledError
from guided.grammars.right_of_way import Background
from guided.grammars.watch import Watch, paced
from guided.output.completion import CompletionChunk

from .limits import check_call, check_prompt, check_tokens_are_known, without_vain_wishes
from .model import ModelHolder, Models, without_panics
from .protocol.base import Call, ResponseBuilder
from .settings import ServerSettings

if TYPE_CHECKING:
    from guided.llm import LLM
    from guided.output.generation import Generation

Result = TypeVar("Result")
READING_THREADS = 2  # for small bodies, milliseconds each
LARGE_THREADS = 2  # for large bodies, up to half a second each
FEW = 8  # number of prompts up to which a request starts as fast as one with a single prompt


class Cancellable(Protocol):
    """A running answer that can be cancelled."""

    def cancel(self) -> None:
        """End the answer before the engine's next step. May be called from any thread."""


class Job:
    """A request. It is a context manager and closes at the end of the block, unless `closes_later` is set.

    leave: called when the job is closed and no thread works for it any more; gives its place back.
    deadline: a time of `time.monotonic()`, in seconds.
    is_large: the body is large.
    on_close: called when the job closes.
    call, model, generation: attributes; None until the request is read, its model found, and its generation started.
    is_left: event that is set when nobody wants the answer any more; it stops compilations.
    """

    def __init__(
        self,
        leave: Callable[[], None],
        deadline: float,
        *,
        is_large: bool = False,
        on_close: Callable[[Job], None] = lambda _: None,
    ) -> None:
        self.deadline = deadline
        self.is_large = is_large
        self.call: Call | None = None
        self.model: ModelHolder | None = None
        self.generation: Generation | None = None
        self.is_left = threading.Event()
        self.closes_later = False
        self._lock = threading.Lock()
        self._running: Cancellable | None = None
        self._leave = leave
        self._on_close = on_close
        self._num_holds = 1
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self.closes_later:
            self.close()

    @property
    def num_outputs(self) -> int:
        """Number of outputs of all prompts together."""
        assert self.call is not None
        return len(self.call.prompts) * self.call.params.n

    def new_builder(self) -> ResponseBuilder:
        """The builder of the answer, when the generation has started."""
        assert self.generation is not None
        assert self.model is not None
        assert self.call is not None
        assert self.call.make_builder is not None
        prompts = [request.prompt_token_ids for request in self.generation.requests]
        return self.call.make_builder(prompts, self.model.require().vocabulary, self.model.require_name())

    def begin(self, generation: Generation) -> None:
        """Set the generation that `next_chunk` reads. May be called from any thread. Raises like `attach`."""
        self.generation = generation
        self.attach(generation)

    def attach(self, running: Cancellable) -> None:
        """Set the running answer, from any thread. If the job is already cancelled, cancels it and raises
        GenerationCancelledError.
        """
        with self._lock:
            self._running = running
            is_cancelled = self.is_left.is_set()
        if is_cancelled:
            running.cancel()
            raise GenerationCancelledError

    async def next_chunk(self) -> CompletionChunk:
        """The next piece of any output. Its `index` counts over all prompts; the last piece of an output has a
        finish_reason.

        Raises the error that ended an output, and GenerationCancelledError after `cancel`.
        """
        assert self.generation is not None
        assert self.call is not None
        placed = await self.generation.next_chunk_async()
        if placed is None:
            raise GenerationCancelledError
        prompt, chunk = placed
        if chunk.finish_reason == "error":
            raise chunk.error or RuntimeError("the request failed without saying why")
        return replace(chunk, index=prompt * self.call.params.n + chunk.index) if prompt else chunk

    def cancel(self) -> None:
        """End the generation before the engine's next step, and a compilation at its next checkpoint.

        Reading the job raises GenerationCancelledError from then on.
        """
        with self._lock:
            self.is_left.set()
            running = self._running
        if running is not None:
            running.cancel()

    def close(self) -> None:
        """End the request, whether it was answered or not. Repeated calls do nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        self.cancel()
        self._on_close(self)
        self.release()

    def hold(self) -> None:
        """Keep the request's place until `release`. A thread that works for the request may run longer than the request
        itself.
        """
        self._num_holds += 1

    def release(self) -> None:
        """Undo one `hold`; the last one gives the place back."""
        self._num_holds -= 1
        if not self._num_holds:
            self._leave()


class Lane:
    """Threads for one kind of work. is_long: the work may take long in Python, so it runs in the background."""

    def __init__(self, num_threads: int, name: str, *, is_long: bool) -> None:
        self._pool = ThreadPoolExecutor(num_threads, thread_name_prefix=name)
        self._is_long = is_long

    def submit(self, work: Callable[[], Result]) -> Future[Result]:
        """Run `work` in one of the threads."""
        return self._pool.submit(_in_background if self._is_long else without_panics, work)

    def close(self) -> None:
        """Accept no more work. Work in progress ends by its own limits."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class JobStarter:
    """Turns requests into running generations."""

    def __init__(self, models: Models, settings: ServerSettings) -> None:
        self._models = models
        self._settings = settings
        self._readers = Lane(READING_THREADS, "guided-read", is_long=False)
        self._large = Lane(LARGE_THREADS, "guided-large", is_long=True)
        self._compilers = Lane(settings.compile_threads, "guided-compile", is_long=True)

    async def start(self, job: Job, read: Callable[[], Call]) -> Call:
        """Read a request and start to answer it; returns the call when the generation has begun.

        read: parses and checks the body.
        Raises what reading, compiling, encoding and `Models.find` raise, DeadlineExceededError, and
        GenerationCancelledError after `Job.cancel`.
        """
        async with _while_wanted(job):
            readers = self._lane(is_large=job.is_large)
            call = await _in_thread(job, readers, lambda: self._read(job, read))
            job.model = self._models.find(call.model)
            llm = job.model.require()
            call = job.call = without_vain_wishes(llm, call)
            lane = self._compilers if _is_slow(call) else self._lane(is_large=job.is_large or len(call.prompts) > FEW)
            await _in_thread(job, lane, lambda: self._start(llm, job, call))
            return call

    async def compile(self, job: Job, work: Callable[[], Result]) -> Result:
        """Run work that mainly compiles a grammar, in the threads for that.

        Work that can run long must watch `job.is_left`. Raises what the work raises, DeadlineExceededError, and
        GenerationCancelledError after `Job.cancel`.
        """
        async with _while_wanted(job):
            return await _in_thread(job, self._compilers, work)

    async def run(self, work: Callable[[], Result], *, is_large: bool) -> Result:
        """Run work for a request that has no job. is_large: use the threads for large bodies. Raises what the work
        raises.
        """
        return await asyncio.wrap_future(self._lane(is_large=is_large).submit(work))

    def _lane(self, *, is_large: bool) -> Lane:
        return self._large if is_large else self._readers

    def close(self) -> None:
        """Accept no more work. Work in progress ends by its own limits."""
        for lane in (self._readers, self._large, self._compilers):
            lane.close()

    def _read(self, job: Job, read: Callable[[], Call]) -> Call:
        with Watch("reading", math.inf, job.is_left):
            return check_call(read(), self._settings)

    def _start(self, llm: LLM, job: Job, call: Call) -> None:
        check_tokens_are_known(llm, call, self._settings)
        seconds = max(0.0, job.deadline - time.monotonic())
        requests = llm.read(call.prompts, call.params, tools=call.tools, deadline_s=seconds, cancel=job.is_left)
        for request in paced(requests):
            check_prompt(request.prompt_token_ids, call, self._settings)
        job.begin(llm.submit(requests, read_at_end=not call.is_stream))


@asynccontextmanager
async def _while_wanted(job: Job) -> AsyncIterator[None]:
    """A block that raises DeadlineExceededError at the job's deadline, and GenerationCancelledError if the job
    cancelled a compilation.
    """
    try:
        async with asyncio.timeout(max(0.0, job.deadline - time.monotonic())):
            yield
    except TimeoutError:
        raise DeadlineExceededError from None
    except CompileCancelledError:
        raise GenerationCancelledError from None


def _is_slow(call: Call) -> bool:
    """True if the call needs a grammar, whether or not it is cached."""
    return call.params.is_constrained or call.tools is not None


async def _in_thread(job: Job, lane: Lane, work: Callable[[], Result]) -> Result:
    """Run `work` in a thread of the lane. The job keeps its place until the thread is done, even if the caller stops
    waiting.
    """
    job.hold()
    loop = asyncio.get_running_loop()
    future = lane.submit(work)
    future.add_done_callback(lambda _: _call_in(loop, job.release))
    return await asyncio.wrap_future(future)


def _in_background(work: Callable[[], Result]) -> Result:
    with Background():
        return without_panics(work)


def _call_in(loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(callback)
