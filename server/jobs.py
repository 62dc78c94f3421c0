"""`JobStarter`: turns requests into running generations.

Requests are read, compiled and encoded in threads, which are grouped in lanes. Thus a request without a grammar never
waits behind a slow compilation, nor a small body behind a large one. The engine then runs all requests together.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Literal, TypeVar

from guided.errors import DeadlineExceededError, GenerationCancelledError
from guided.grammars.errors import CompileCancelledError
from guided.grammars.right_of_way import Background
from guided.grammars.watch import Watch, paced

from .context import RequestContext
from .limits import check_call, check_prompt, check_tokens_are_known, without_vain_wishes
from .model import Models, without_panics
from .protocol.base import Call
from .settings import ServerSettings

if TYPE_CHECKING:
    from guided.llm import LLM

Result = TypeVar("Result")
READING_THREADS = 2  # for small bodies, milliseconds each
LARGE_THREADS = 2  # for large bodies, up to half a second each
Lane = Literal["read", "large", "compile", "watch"]
"""A group of threads: for reading small bodies, for large ones, for compiling grammars, for watched answers."""
LONG_LANES = ("large", "compile")  # lanes whose work may take long in Python, so it runs in a `Background`
FEW = 8  # number of prompts up to which a request starts as fast as one with a single prompt


class JobStarter:
    """Turns requests into running generations."""

    def __init__(self, models: Models, settings: ServerSettings) -> None:
        self._models = models
        self._settings = settings
        num_threads: dict[Lane, int] = {
            "read": READING_THREADS,
            "large": LARGE_THREADS,
            "compile": settings.compile_threads,
            "watch": settings.max_watched_requests,
        }
        self._pools = {
            lane: ThreadPoolExecutor(num, thread_name_prefix=f"guided-{lane}") for lane, num in num_threads.items()
        }

    async def start(self, context: RequestContext, read: Callable[[], Call]) -> Call:
        """Read a request and start to answer it; returns the call when the generation has begun.

        read: parses and checks the body. The context learns what the request asks.
        Raises what reading, compiling, encoding and `Models.find` raise, DeadlineExceededError, and
        GenerationCancelledError after `RequestContext.cancel`.
        """
        async with _while_wanted(context):
            call = await self._in_thread(context, _reading(context.is_large), lambda: self._read(context, read))
            context.served = self._models.find(call.model)
            llm = context.served.require()
            call = context.call = without_vain_wishes(llm, call)
            lane: Lane = "compile" if _is_slow(call) else _reading(context.is_large or len(call.prompts) > FEW)
            await self._in_thread(context, lane, lambda: self._start(llm, context, call))
            context.model = context.served.require_name()
            return call

    async def compile(self, context: RequestContext, work: Callable[[], Result]) -> Result:
        """Run work that mainly compiles a grammar, in the threads for that.

        Work that can run long must watch `context.is_left`. Raises what the work raises, DeadlineExceededError, and
        GenerationCancelledError after `RequestContext.cancel`.
        """
        async with _while_wanted(context):
            return await self._in_thread(context, "compile", work)

    async def run(self, work: Callable[[], Result], *, is_large: bool) -> Result:
        """Run work for a request that is not in flight. is_large: use the threads for large bodies. Raises the work's
        errors.
        """
        return await asyncio.wrap_future(self._submit(_reading(is_large), work))

    async def watch(self, work: Callable[[], Result]) -> Result:
        """Run work for an answer that is watched. Each such answer has a thread. Raises the work's errors."""
        return await asyncio.wrap_future(self._submit("watch", work))

    def close(self) -> None:
        """Accept no more work. Work in progress ends by its own limits."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    def _submit(self, lane: Lane, work: Callable[[], Result]) -> Future[Result]:
        """Run `work` in a thread of the lane; in the background if the lane's work may take long in Python."""
        return self._pools[lane].submit(_in_background if lane in LONG_LANES else without_panics, work)

    async def _in_thread(self, context: RequestContext, lane: Lane, work: Callable[[], Result]) -> Result:
        """Run `work` in a thread of the lane. The request keeps its place until the thread is done, even if the caller
        stops waiting.
        """
        loop = asyncio.get_running_loop()
        future = self._submit(lane, work)  # raises when the pool is closed; then nothing is held
        context.hold()
        future.add_done_callback(lambda _: _call_in(loop, context.release))
        return await asyncio.wrap_future(future)

    def _read(self, context: RequestContext, read: Callable[[], Call]) -> Call:
        with Watch("reading", math.inf, context.is_left):
            call = read()
            context.note(call, with_prompts=self._settings.log_prompts)
            return check_call(call, self._settings)

    def _start(self, llm: LLM, context: RequestContext, call: Call) -> None:
        check_tokens_are_known(llm, call, self._settings)
        seconds = max(0.0, context.deadline - time.monotonic())
        requests = llm.read(call.prompts, call.params, tools=call.tools, deadline_s=seconds, cancel=context.is_left)
        for request in paced(requests):
            check_prompt(request.prompt_token_ids, call, self._settings)
        context.begin(llm.submit(requests, read_at_end=not call.is_stream))


@asynccontextmanager
async def _while_wanted(context: RequestContext) -> AsyncIterator[None]:
    """A block that raises DeadlineExceededError at the request's deadline, and GenerationCancelledError if the request
    was cancelled during a compilation.
    """
    try:
        async with asyncio.timeout(max(0.0, context.deadline - time.monotonic())):
            yield
    except TimeoutError:
        raise DeadlineExceededError from None
    except CompileCancelledError:
        raise GenerationCancelledError from None


def _is_slow(call: Call) -> bool:
    """True if the call needs a grammar, whether or not it is cached."""
    return call.params.is_constrained or call.tools is not None


def _reading(is_large: bool) -> Lane:
    return "large" if is_large else "read"


def _in_background(work: Callable[[], Result]) -> Result:
    with Background():
        return without_panics(work)


def _call_in(loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(callback)
