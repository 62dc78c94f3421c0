"""`Generation`: prompts that are being answered, read as a thread or as a coroutine, piece by piece or as a whole."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

from guided.grammars.vocabulary import Vocabulary
from guided.grammars.watch import checkpoint

from ..engine.base import Engine, TokenEvent
from ..errors import GenerationCancelledError, RequestFieldError
from ..params.stopping import Stops
from ..requests.request import Request, check_request
from .builder import CompletionBuilder
from .chunk_queue import ChunkQueue, Placed
from .completion import Completion, CompletionChunk
from .loop_turns import present_turns
from .progress import show_progress


class Generation:
    """One prompt's outputs, or those of several prompts, while they are made; `LLM.start` makes it.

    Iterate over it, with `for` or `async for`, for its chunks: with params.n > 1 those of all outputs as they come,
    told apart by `CompletionChunk.index`, each with its own last chunk. Or take all with `result` or `await wait()`.
    What goes wrong while it runs is on the last chunk of its output, and in `Completion.error`. One reader at a time.
    As a context manager it cancels what is not done at the block's end.

    It goes on, and ends, whether it is read or not.

    requests: one for each prompt. read_at_end: no chunk is wanted before the last one of each output, so they come
    together, which is cheaper. Nothing runs before `submit`. Raises what is wrong with any of the requests.
    """

    def __init__(self, engine: Engine, requests: Sequence[Request], *, read_at_end: bool = False) -> None:
        self.requests = tuple(requests)
        self._engine = engine
        for i, request in enumerate(requests):
            checkpoint()
            check_request(request)
            engine.check(request, "the prompt" if len(requests) == 1 else f"prompt {i}")
        _check_engine(engine, requests)
        self._chunks = ChunkQueue()
        self._outputs = [self._outputs_of(request, place, read_at_end) for place, request in enumerate(requests)]
        self._num_unfinished = self.num_outputs
        self._is_cancelled = False

    def submit(self, *, is_bounded: bool) -> None:
        """Start all outputs, or none. Raises what `Engine.submit` raises."""
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
        """What the model reads; of several prompts, the first one's."""
        return tuple(self.requests[0].prompt_token_ids)

    @property
    def num_outputs(self) -> int:
        """Of all prompts together."""
        return sum(map(len, self._outputs))

    @property
    def is_done(self) -> bool:
        """Every output has its completion, and every chunk was read."""
        return not self._num_unfinished

    def cancel(self) -> None:
        """End it before the engine's next step, from any thread. Its chunks end; `result` then raises."""
        if self.is_done:
            return
        self._is_cancelled = True
        for request in self.requests:
            request.ended.set()
        self._chunks.put(None)

    def result(self, timeout_s: float | None = None) -> Completion:
        """The first output's completion, with the others as `alternatives`; waits until all are done.

        Raises TimeoutError after timeout_s seconds (it goes on then), GenerationCancelledError after `cancel`.
        """
        return self.results(timeout_s)[0]

    def results(self, timeout_s: float | None = None, *, progress: bool = False) -> list[Completion]:
        """`result`, for each prompt. progress: show a bar on standard error meanwhile."""
        if progress:
            show_progress(self, self.num_outputs)
        end = None if timeout_s is None else time.monotonic() + timeout_s
        while self.next_chunk(None if end is None else max(0.0, end - time.monotonic())) is not None:
            pass
        return self._completions()

    async def wait(self) -> Completion:
        """`result`, awaited. A task that is cancelled while it waits cancels the generation too."""
        self._read_at_end()
        try:
            while await self.next_chunk_async() is not None:
                pass
        except BaseException:
            self.cancel()
            raise
        return self._completions()[0]

    def pieces(self, *, with_places: bool) -> Generator[Any, None, None]:
        """Its chunks; closing this cancels the rest. with_places: each with the place of its prompt."""
        pieces = self._pieces(with_places)
        next(pieces)  # past the first item, which is none: one that was never begun would be closed without its `with`
        return pieces

    def next_chunk(self, timeout_s: float | None = None) -> Placed | None:
        """The next chunk, with the place of its prompt, waited for; None when there is none any more.

        Raises TimeoutError after timeout_s seconds.
        """
        if self.is_done or self._is_cancelled:
            return None
        return self._noted(self._chunks.get(timeout_s))

    async def next_chunk_async(self) -> Placed | None:
        """Like `next_chunk`, awaited."""
        turns = present_turns()
        if self.is_done or self._is_cancelled:
            return None
        if not self._chunks.is_empty and turns.is_over:
            await turns.pause()
        return self._noted(await self._chunks.get_async())

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
        """From now on no chunk is wanted before an output's last one, which then holds what would be in others.

        The engine knows it only if it is said before `submit`.
        """
        for outputs in self._outputs:
            for one in outputs:
                one.shows_at_end = True

    def _noted(self, placed: Placed | None) -> Placed | None:
        if placed is not None:
            self._num_unfinished -= placed[1].completion is not None
        return None if self._is_cancelled else placed

    def _outputs_of(self, request: Request, place: int, read_at_end: bool) -> list[CompletionBuilder]:
        plan, vocabulary, stops = request.tool_plan, self._engine.vocabulary, Stops(request.params)
        give = partial(_give, self._chunks, place)
        outputs = []
        for index, one in enumerate(request.outputs()):
            checkpoint()
            calls = None if plan is None else plan.new_reader(_end_of_prompt(vocabulary, request))
            outputs.append(CompletionBuilder(vocabulary, one, index, calls, stops, give=give, shows_at_end=read_at_end))
        return outputs

    def _completions(self) -> list[Completion]:
        found = []
        for outputs in self._outputs:
            completions = [one.completion for one in outputs if one.completion is not None]
            if len(completions) < len(outputs):
                raise GenerationCancelledError
            found.append(replace(completions[0], alternatives=tuple(completions[1:])))
        return found


async def pieces_async(
    start: Callable[[threading.Event], Generation], *, with_places: bool
) -> AsyncGenerator[Any, None]:
    """`Generation.pieces`, awaited, of what `start_in_thread` starts."""
    async with await start_in_thread(start) as generation:
        while (placed := await generation.next_chunk_async()) is not None:
            yield placed if with_places else placed[1]


async def start_in_thread(start: Callable[[threading.Event], Generation]) -> Generation:
    """What `start` returns, which may take long. A task that is cancelled meanwhile cancels what was started.

    start: called with an event that is set then. The thread goes on to its next checkpoint, and nobody takes what it
        returns: whichever of the two comes later sees the other one.
    """
    started: list[Generation] = []
    is_left = threading.Event()

    def run() -> Generation:
        one = start(is_left)
        started.append(one)
        if is_left.is_set():
            one.cancel()
        return one

    try:
        return await asyncio.to_thread(run)
    except BaseException:
        is_left.set()
        for one in started:
            one.cancel()
        raise


def _end_of_prompt(vocabulary: Vocabulary, request: Request) -> str:
    """The prompt as text, for plans whose readers ask for it."""
    if request.tool_plan is None or request.tool_plan.syntax.channels is None:
        return ""
    return b"".join(map(vocabulary.written, request.prompt_token_ids)).decode(errors="replace")


def _give(chunks: ChunkQueue, place: int, chunk: CompletionChunk) -> None:
    """It knows no more than these: the engine's thread keeps no engine alive by what it calls."""
    chunks.put((place, chunk))


def _take(outputs: Sequence[CompletionBuilder], first: int, event: TokenEvent) -> None:
    """An event of one of several outputs. first: the index of the first one."""
    outputs[event.index - first].take(event)


def _check_engine(engine: Engine, requests: Sequence[Request]) -> None:
    """Raises RequestFieldError for what other engines than our own don't do."""
    if not engine.can_resume and any(request.params.particles is not None for request in requests):
        raise RequestFieldError("particles need the engine 'transformers'", "particles")
    for name in ("return_hidden_states", "return_logits"):
        if not engine.returns_tensors and any(getattr(request.params, name) for request in requests):
            raise RequestFieldError(f"{name} needs the engine 'transformers'", name)
