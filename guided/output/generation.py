"""`Generation`: prompts that are being answered. A thread or a coroutine reads the answers, in pieces or as a whole."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Self, TypeVar

from guided.grammars.errors import InvalidInputError
from guided.grammars.vocabulary import Vocabulary
from guided.grammars.watch import checkpoint

from ..engines.base import Engine, TokenEvent
from ..errors import GenerationCancelledError, RequestFieldError
from ..params.stopping import Stops
from ..requests.prompts import TextPrompt
from ..requests.request import PromptRequest, check_request
from .builder import CompletionBuilder
from .completion import Completion, CompletionChunk
from .loop_turns import LoopTurns, present_turns
from .progress import show_progress

Placed = tuple[int, CompletionChunk]  # (index of the prompt, chunk)


class _Chunks:
    """The chunks of a generation that nobody has read yet.

    The engine's thread refers to this object, and never to the generation, which refers to the engine. If that thread
    dropped the last reference to the engine, the engine would have to stop its own thread.

    queue: attribute; the chunks; None: there are no more.
    waiter: attribute; the future that wakes a waiting task, and the means to do it; None: no task waits.
    """

    def __init__(self) -> None:
        self.queue: SimpleQueue[Placed | None] = SimpleQueue()
        self.waiter: tuple[LoopTurns, asyncio.Future[None]] | None = None

    def put(self, placed: Placed | None) -> None:
        """Add a chunk, or None after the last one. May be called from any thread."""
        self.queue.put(placed)
        waiter, self.waiter = self.waiter, None
        if waiter is not None:
            of_loop, woken = waiter
            of_loop.wake(woken)

    def give(self, place: int, chunk: CompletionChunk) -> None:
        """Add a chunk. place: index of its prompt."""
        self.put((place, chunk))


class Generation:
    """The outputs of one or several prompts while they are generated. `LLM.start` creates it.

    Iterate over it with `for` or `async for` to get chunks. With params.n > 1, the chunks of all outputs come mixed;
    `CompletionChunk.index` tells their output, and each output has its own last chunk. Or wait for everything with
    `result` or `await wait()`. Only one thread or task may read at a time. An error while it runs is on the last chunk
    of its output, and in `Completion.error`. A generation is a context manager, which cancels unfinished outputs at the
    end of the block. The outputs run to their end even if nobody reads.

    Nothing runs before `submit`. Raises the errors of `Engine.check`, InvalidInputError and RequestFieldError for
    requests that are wrong or that the engine can't run.

    Args:
        engine: the engine that runs it.
        requests: one for each prompt.
        read_at_end: True: each output has only one chunk, the last, which is cheaper.
    """

    def __init__(self, engine: Engine, requests: Sequence[PromptRequest], *, read_at_end: bool = False) -> None:
        self.requests = tuple(requests)
        self._engine = engine
        for i, request in enumerate(requests):
            checkpoint()
            check_request(request)
            engine.check(request, "the prompt" if len(requests) == 1 else f"prompt {i}")
        _check_engine(engine, requests)
        self._chunks = _Chunks()
        self._outputs = [self._outputs_of(request, place, read_at_end) for place, request in enumerate(requests)]
        self._num_unfinished = self.num_outputs
        self._is_cancelled = False

    def submit(self, *, is_bounded: bool) -> None:
        """Start all outputs, or none if it fails. Raises the errors of `Engine.submit`.

        Args:
            is_bounded: True: the limit of waiting requests applies.
        """
        try:
            first = 0
            for request, outputs in zip(self.requests, self._outputs, strict=True):
                if request.params.particles is not None:
                    requests, sink = [one.request for one in outputs], partial(_take, outputs, first)
                    self._engine.submit_particles(requests, sink, first, is_bounded=is_bounded)
                else:
                    for index, one in enumerate(outputs, first):
                        checkpoint()
                        self._engine.submit(one.request, one.take, index, is_bounded=is_bounded)
                first += len(outputs)
        except BaseException:
            self.cancel()
            raise

    @property
    def prompt_token_ids(self) -> tuple[int, ...]:
        """The tokens of the first prompt; () if only another server has its tokenizer."""
        prompt = self.requests[0].prompt_token_ids
        return () if isinstance(prompt, TextPrompt) else tuple(prompt)

    @property
    def num_outputs(self) -> int:
        """Number of outputs of all prompts."""
        return sum(map(len, self._outputs))

    @property
    def is_done(self) -> bool:
        """True if the last chunk of every output was read."""
        return not self._num_unfinished

    def cancel(self) -> None:
        """End the generation before the engine's next step. May be called from any thread.

        There are no further chunks, and `result` raises GenerationCancelledError.
        """
        if self.is_done:
            return
        self._is_cancelled = True
        for request in self.requests:
            request.ended.set()
        self._chunks.put(None)

    def result(self, timeout_s: float | None = None) -> Completion:
        """Wait for all outputs. Returns the first prompt's first completion, with its others as `alternatives`.

        Args:
            timeout_s: seconds to wait; None: no limit.

        Raises:
            TimeoutError: after this time, while the generation goes on.
            GenerationCancelledError: after `cancel`.
            InvalidInputError: if there are no prompts.
        """
        return self._first(self.results(timeout_s))

    def results(self, timeout_s: float | None = None, *, progress: bool = False) -> list[Completion]:
        """Like `result`, for each prompt. progress: True: show a bar on standard error meanwhile."""
        if progress:
            show_progress(self, self.num_outputs)
        end = None if timeout_s is None else time.monotonic() + timeout_s
        while self.next_chunk(None if end is None else max(0.0, end - time.monotonic())) is not None:
            pass
        return self._completions()

    async def wait(self) -> Completion:
        """Await `result`. If the waiting task is cancelled, this cancels the generation, too."""
        self._read_at_end()
        try:
            while await self.next_chunk_async() is not None:
                pass
        except BaseException:
            self.cancel()
            raise
        return self._first(self._completions())

    def pieces(self, *, with_places: bool) -> Generator[Any, None, None]:
        """A generator of the chunks. To close it cancels the generation.

        Args:
            with_places: True: it yields (index of the prompt, chunk).
        """
        pieces = self._pieces(with_places)
        next(pieces)  # enters the `with` block: to close a generator that was never started would not run its end
        return pieces

    def next_chunk(self, timeout_s: float | None = None) -> Placed | None:
        """Wait for the next chunk. Returns (index of the prompt, chunk); None if there are no more chunks.

        Args:
            timeout_s: seconds to wait; None: no limit. Raises TimeoutError after this time.
        """
        if self.is_done or self._is_cancelled:
            return None
        try:
            return self._noted(self._chunks.queue.get(timeout=timeout_s))
        except Empty:
            raise TimeoutError from None

    async def next_chunk_async(self) -> Placed | None:
        """Like `next_chunk`, awaited."""
        turns = present_turns()
        if self.is_done or self._is_cancelled:
            return None
        if not self._chunks.queue.empty() and turns.is_over:
            await turns.pause()
        while self._chunks.queue.empty():
            # The order matters: `put` adds its chunk before it looks for a waiter. Either `put` sees this waiter, or
            # the test below sees the chunk.
            woken = asyncio.get_running_loop().create_future()
            self._chunks.waiter = (turns, woken)
            if self._chunks.queue.empty():
                await woken
            self._chunks.waiter = None
        return self._noted(self._chunks.queue.get_nowait())

    def __iter__(self) -> Iterator[CompletionChunk]:
        return self

    def __next__(self) -> CompletionChunk:
        placed = self.next_chunk()
        if placed is None:
            raise StopIteration
        return placed[1]

    def __aiter__(self) -> AsyncIterator[CompletionChunk]:
        return self

    async def __anext__(self) -> CompletionChunk:
        placed = await self.next_chunk_async()
        if placed is None:
            raise StopAsyncIteration
        return placed[1]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cancel()

    def _pieces(self, with_places: bool) -> Generator[Any, None, None]:
        with self:
            yield None
            while (placed := self.next_chunk()) is not None:
                yield placed if with_places else placed[1]

    def _read_at_end(self) -> None:
        """Make each output give only one more chunk, the last, with everything that is still to come.

        The engine knows of it only if this is called before `submit`.
        """
        for outputs in self._outputs:
            for one in outputs:
                one.shows_at_end = True

    def _noted(self, placed: Placed | None) -> Placed | None:
        if placed is not None:
            self._num_unfinished -= placed[1].completion is not None
        return None if self._is_cancelled else placed

    def _outputs_of(self, request: PromptRequest, place: int, read_at_end: bool) -> list[CompletionBuilder]:
        plan, vocabulary, stops = request.tool_plan, self._engine.vocabulary, Stops(request.params)
        give = partial(self._chunks.give, place)
        outputs = []
        for index, one in enumerate(request.outputs()):
            checkpoint()
            calls = None if plan is None else plan.new_reader(_end_of_prompt(vocabulary, request))
            outputs.append(CompletionBuilder(vocabulary, one, index, calls, stops, give=give, shows_at_end=read_at_end))
        return outputs

    def _first(self, completions: list[Completion]) -> Completion:
        if not completions:
            raise InvalidInputError("the generation has no prompts, so it has no result; `results` gives an empty list")
        return completions[0]

    def _completions(self) -> list[Completion]:
        if self._is_cancelled:  # perhaps in the moment in which the engine finished the text
            raise GenerationCancelledError
        found = []
        for outputs in self._outputs:
            completions = [one.completion for one in outputs if one.completion is not None]
            found.append(replace(completions[0], alternatives=tuple(completions[1:])))
        return found


Started = TypeVar("Started", bound=Generation | None)


async def pieces_async(
    start: Callable[[threading.Event], Generation], *, with_places: bool
) -> AsyncGenerator[Any, None]:
    """Like `Generation.pieces`, awaited. start: as in `start_in_thread`."""
    async with await start_in_thread(start) as generation:
        while (placed := await generation.next_chunk_async()) is not None:
            yield placed if with_places else placed[1]


async def start_in_thread(start: Callable[[threading.Event], Started]) -> Started:
    """Call `start` in a thread and await its generation, or None. If the waiting task is cancelled, so is the
    generation.

    Args:
        start: function that may take long. Its argument is an event, which is set on cancelling; the thread then runs
            to its next checkpoint. Whichever comes later, the cancelling or the end of `start`, cancels the generation.
    """
    started: list[Started] = []
    is_left = threading.Event()

    def run() -> Started:
        one = start(is_left)
        started.append(one)
        if is_left.is_set() and one is not None:
            one.cancel()
        return one

    try:
        return await asyncio.to_thread(run)
    except BaseException:
        is_left.set()
        for one in started:
            if one is not None:
                one.cancel()
        raise


def _end_of_prompt(vocabulary: Vocabulary, request: PromptRequest) -> str:
    """The prompt as text if the tool syntax has channels, whose reader needs it; else ""."""
    if request.tool_plan is None or request.tool_plan.syntax.channels is None:
        return ""
    return b"".join(map(vocabulary.written, request.prompt_token_ids)).decode(errors="replace")


def _take(outputs: Sequence[CompletionBuilder], first: int, event: TokenEvent) -> None:
    """Pass an event to its output. first: index of the first output."""
    outputs[event.index - first].take(event)


def _check_engine(engine: Engine, requests: Sequence[PromptRequest]) -> None:
    """Raise RequestFieldError for features that the engine does not have: particles, returned tensors."""
    if not engine.can_resume and any(request.params.particles is not None for request in requests):
        raise RequestFieldError("particles need the engine 'transformers'", "particles")
    for name in ("return_hidden_states", "return_logits"):
        if not engine.returns_tensors and any(getattr(request.params, name) for request in requests):
            raise RequestFieldError(f"{name} needs the engine 'transformers'", name)
