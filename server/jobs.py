"""`Job`: one generation request in flight, from its body to its last chunk; `JobStarter`: what starts them.

Reading a request, compiling its grammar and encoding its prompt happen in threads, in lanes: a request without a
grammar never stands behind one whose grammar takes seconds, nor a small one behind one of megabytes. Then the engine
runs all of them together.
"""

from __future__ import annotations

import asyncio
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
from guided.grammars.watch import paced
from guided.output.completion import CompletionChunk

from .limits import check_call, check_prompt, check_tokens_are_known, without_vain_wishes
from .model import ModelHolder, Models, without_panics
from .protocol.base import Call, Started
from .settings import ServerSettings

if TYPE_CHECKING:
    from guided.llm import LLM
    from guided.output.generation import Generation

Result = TypeVar("Result")
READING_THREADS = 2  # of small bodies, for milliseconds each
LARGE_THREADS = 2  # of large ones, which take up to half a second
FEW = 8  # prompts of a request that is as quickly started as others


class Cancellable(Protocol):
    """What answers a request."""

    def cancel(self) -> None:
        """End it before the engine's next step, from any thread."""


class Job:
    """One request. As a context manager it is closed at the block's end, unless somebody `closes_later`.

    leave: gives its place back, once it is closed and nothing works for it any more. deadline: `time.monotonic()`
    seconds. is_large: its body is. on_close: called as it is closed. call, model, generation: there once it was read
    and started. is_left: set once nobody wants it any more; compiling ends with that.
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
        """Of all prompts together."""
        assert self.call is not None
        return len(self.call.prompts) * self.call.params.n

    def started(self) -> Started:
        """What a format's builder is told."""
        assert self.generation is not None
        assert self.model is not None
        prompts = tuple(tuple(request.prompt_token_ids) for request in self.generation.requests)
        return Started(prompts, self.model.require().vocabulary, self.model.require_name())

    def begin(self, generation: Generation) -> None:
        """What answers it, from any thread, and is read with `next_chunk`; see `attach`."""
        self.generation = generation
        self.attach(generation)

    def attach(self, running: Cancellable) -> None:
        """What answers it, from any thread; it ends at once where nobody wants the job any more."""
        with self._lock:
            self._running = running
            is_cancelled = self.is_left.is_set()
        if is_cancelled:
            running.cancel()
            raise GenerationCancelledError

    async def next_chunk(self) -> CompletionChunk:
        """The next piece of any output, `index` counted over all prompts; each output's last one has a finish_reason.

        Raises what made an output fail, and GenerationCancelledError after `cancel`.
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
        """End its generation before the engine's next step, and what it compiles at the next checkpoint.

        Whoever reads it gets GenerationCancelledError.
        """
        with self._lock:
            self.is_left.set()
            running = self._running
        if running is not None:
            running.cancel()

    def close(self) -> None:
        """The request is over, in whatever way. May be called again."""
        if self._is_closed:
            return
        self._is_closed = True
        self.cancel()
        self._on_close(self)
        self.release()

    def hold(self) -> None:
        """Keep its place until `release`: what works for it may outlive it, as a compilation whose client left does."""
        self._num_holds += 1

    def release(self) -> None:
        """One hold less."""
        self._num_holds -= 1
        if not self._num_holds:
            self._leave()


class Lane:
    """Threads for one kind of work. is_long: it may take long in Python, so it is done in the background."""

    def __init__(self, num_threads: int, name: str, *, is_long: bool) -> None:
        self._pool = ThreadPoolExecutor(num_threads, thread_name_prefix=name)
        self._is_long = is_long

    def submit(self, work: Callable[[], Result]) -> Future[Result]:
        """Do it in one of the threads."""
        return self._pool.submit(_in_background if self._is_long else without_panics, work)

    def close(self) -> None:
        """Take no more work; what a thread is in the middle of ends with its own limits."""
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
        """Read a request and start to answer it; awaited until that has begun.

        read: parses and checks the body.
        Returns the call. Raises what reading, compiling and encoding raise, what
        `Models.find` raises, DeadlineExceededError, and GenerationCancelledError after `Job.cancel`.
        """
        async with _while_wanted(job):
            readers = self._lane(is_large=job.is_large)
            call = await _in_thread(job, readers, lambda: check_call(read(), self._settings))
            job.model = self._models.find(call.model)
            llm = job.model.require()
            call = job.call = without_vain_wishes(llm, call)
            lane = self._compilers if _is_slow(call) else self._lane(is_large=job.is_large or len(call.prompts) > FEW)
            await _in_thread(job, lane, lambda: self._start(llm, job, call))
            return call

    async def compile(self, job: Job, work: Callable[[], Result]) -> Result:
        """Work that is mainly the compilation of a grammar, in the threads for that. Raises what it raises.

        Also DeadlineExceededError, and GenerationCancelledError after `Job.cancel`. Work that can run long watches
        `job.is_left`.
        """
        async with _while_wanted(job):
            return await _in_thread(job, self._compilers, work)

    async def run(self, work: Callable[[], Result], *, is_large: bool) -> Result:
        """Work of milliseconds, or of a large body, for a request that has no job. Raises what it raises."""
        return await asyncio.wrap_future(self._lane(is_large=is_large).submit(work))

    def _lane(self, *, is_large: bool) -> Lane:
        return self._large if is_large else self._readers

    def close(self) -> None:
        """Take no more work; what a thread is in the middle of ends with its own limits."""
        for lane in (self._readers, self._large, self._compilers):
            lane.close()

    def _start(self, llm: LLM, job: Job, call: Call) -> None:
        check_tokens_are_known(llm, call, self._settings)
        seconds = max(0.0, job.deadline - time.monotonic())
        requests = llm.read(call.prompts, call.params, tools=call.tools, deadline_s=seconds, cancel=job.is_left)
        for request in paced(requests):
            check_prompt(request.prompt_token_ids, call, self._settings)
        job.begin(llm.submit(requests, read_at_end=not call.is_stream))


@asynccontextmanager
async def _while_wanted(job: Job) -> AsyncIterator[None]:
    """DeadlineExceededError at the job's deadline, GenerationCancelledError for a compilation that it cancelled."""
    try:
        async with asyncio.timeout(max(0.0, job.deadline - time.monotonic())):
            yield
    except TimeoutError:
        raise DeadlineExceededError from None
    except CompileCancelledError:
        raise GenerationCancelledError from None


def _is_slow(call: Call) -> bool:
    """A grammar has to be made, or found in the cache."""
    return call.params.is_constrained or call.tools is not None


async def _in_thread(job: Job, lane: Lane, work: Callable[[], Result]) -> Result:
    """`work` in a thread of the lane. The job is held until the thread is done, also where nobody waits any more."""
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
