"""`Generation`: one prompt that is being answered, read as a thread or as a coroutine, piece by piece or as a whole."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from typing import Self

from guided.grammars.right_of_way import Background
from guided.grammars.vocabulary import Vocabulary

from .completion import Completion, CompletionChunk
from .completion_builder import CompletionBuilder
from .engine.base import Engine, GenerationRequest, TokenEvent
from .engine.events import EventQueue
from .errors import GenerationCancelledError
from .loop_turns import present_turns
from .sampling_params import SamplingParams
from .stopping import Stops
from .tools.reader import CallReader

TOGETHER_S = 0.01  # events that are read in one go, for outputs in which regexes are looked for


class Outputs:
    """Several requests that run together: their chunks as they come, each with the place of its request.

    requests: checked by the engine. indices: `CompletionChunk.index` of each. readers: of the calls in each output's
    text, where tools were offered. stops: what ends each one's text; None: made from its params. read_at_end: no chunk
    is wanted before the last one of each, so they may come together, which is cheaper; but what ends a text is looked
    for while it grows. Nothing runs before `submit`.
    """

    def __init__(
        self,
        engine: Engine,
        requests: Sequence[GenerationRequest],
        indices: Sequence[int],
        vocabulary: Vocabulary,
        readers: Sequence[CallReader | None] | None = None,
        stops: Sequence[Stops] | None = None,
        *,
        read_at_end: bool = False,
    ) -> None:
        self.is_cancelled = False
        self._engine = engine
        of_requests: Sequence[CallReader | None] = [None] * len(requests) if readers is None else readers
        all_stops = [Stops(request.params) for request in requests] if stops is None else stops
        self._looks_for_patterns = any(one.language is not None for one in all_stops)
        self._builders = [
            CompletionBuilder(vocabulary, request, index, reader, one)
            for request, index, reader, one in zip(requests, indices, of_requests, all_stops, strict=True)
        ]
        self._events = EventQueue()
        if read_at_end:
            self.read_at_end()
        at_end = self._events.wakes_at_end
        self.requests = tuple(replace(one, is_read_at_end=at_end) for one in requests)
        self._num_unfinished = len(self.requests)
        self._ready: deque[tuple[int, CompletionChunk]] = deque()  # found in a thread, and not taken yet

    @property
    def is_done(self) -> bool:
        """Every request has its completion, and every chunk was taken."""
        return not self._num_unfinished and not self._ready

    @property
    def completions(self) -> list[Completion]:
        """Of all requests, in order. Raises GenerationCancelledError where one has none."""
        found = [builder.completion for builder in self._builders]
        completions = [one for one in found if one is not None]
        if len(completions) < len(found):
            raise GenerationCancelledError
        return completions

    def submit(self, *, is_bounded: bool) -> None:
        """Start all requests, or none. Raises what `Engine.submit` raises."""
        try:
            for i, request in enumerate(self.requests):
                self._engine.submit(request, self._events.put, i, is_bounded=is_bounded)
        except BaseException:
            self.cancel()
            raise

    def cancel(self) -> None:
        """End what is not done, from any thread; whoever reads gets no more chunks."""
        self.is_cancelled = True
        for request in self.requests:
            request.ended.set()
        self._events.close()

    def read_at_end(self) -> None:
        """From now on no chunk is wanted before a request's last one, which then holds what would be in others.

        The engine knows it only if it is said above.
        """
        at_end = not any(builder.may_end_early for builder in self._builders)
        self._events.wakes_at_end = at_end
        for builder in self._builders:
            builder.shows_at_end = at_end

    def next_chunk(self, timeout_s: float | None = None) -> tuple[int, CompletionChunk] | None:
        """The next chunk and the place of its request, waited for; None when there is none any more.

        Raises TimeoutError after timeout_s seconds.
        """
        end = None if timeout_s is None else time.monotonic() + timeout_s
        while not self.is_done and not self.is_cancelled:
            if self._ready:
                return self._ready.popleft()
            left = None if end is None else max(0.0, end - time.monotonic())
            chunk = self._take(self._events.get(left))
            if chunk is not None:
                return chunk
        return None

    async def next_chunk_async(self) -> tuple[int, CompletionChunk] | None:
        """Like `next_chunk`, awaited."""
        turns = present_turns()
        while not self.is_done and not self.is_cancelled:
            if self._ready:
                return self._ready.popleft()
            if self._events.is_empty:
                event = await self._events.get_async()
            else:
                if turns.is_over:
                    await turns.pause()
                event = self._events.get_ready()
            if self._looks_for_patterns:  # a regex may take long, in which others have their turn on this event loop
                self._ready += await asyncio.to_thread(self._take_several, event)
            else:
                chunk = self._take(event)
                if chunk is not None:
                    return chunk
        return None

    def _take_several(self, event: TokenEvent | None) -> list[tuple[int, CompletionChunk]]:
        """The chunks of an event and of those behind it, for a while: a thread for each would cost more than that."""
        chunks = []
        end = time.monotonic() + TOGETHER_S
        with Background():
            while event is not None:
                chunk = self._take(event)
                if chunk is not None:
                    chunks.append(chunk)
                event = self._events.get_ready() if time.monotonic() < end else None
        return chunks

    def _take(self, event: TokenEvent | None) -> tuple[int, CompletionChunk] | None:
        if event is None or self._builders[event.index].completion is not None:
            return None
        chunk = self._builders[event.index].add(event)
        self._num_unfinished -= self._builders[event.index].completion is not None
        return None if chunk is None else (event.index, chunk)


class Generation:
    """One prompt's outputs while they are made; `LLM.start` makes it.

    Iterate over it, with `for` or `async for`, for its chunks: with params.n > 1 those of all outputs as they come,
    told apart by `CompletionChunk.index`, each with its own last chunk. Or take all with `result` or `await wait()`.
    What goes wrong while it runs is on the last chunk of its output, and in `Completion.error`. One reader at a time.
    As a context manager it cancels what is not done at the block's end.

    prompt_token_ids: what the model reads. params: as they were given.
    """

    def __init__(self, outputs: Outputs, params: SamplingParams) -> None:
        self.params = params
        self._outputs = outputs

    @property
    def prompt_token_ids(self) -> tuple[int, ...]:
        """See the class."""
        return tuple(self._outputs.requests[0].prompt_token_ids)

    @property
    def is_done(self) -> bool:
        """All chunks were read."""
        return self._outputs.is_done

    def cancel(self) -> None:
        """End it before the engine's next step, from any thread. Its chunks end; `result` then raises."""
        if not self.is_done:
            self._outputs.cancel()

    def result(self, timeout_s: float | None = None) -> Completion:
        """The first output's completion, with the others as `alternatives`; waits until all are done.

        Raises TimeoutError after timeout_s seconds (it goes on then), GenerationCancelledError after `cancel`.
        """
        end = None if timeout_s is None else time.monotonic() + timeout_s
        while self._outputs.next_chunk(None if end is None else max(0.0, end - time.monotonic())) is not None:
            pass
        return self._completion()

    async def wait(self) -> Completion:
        """`result`, awaited. A task that is cancelled while it waits cancels the generation too."""
        self._outputs.read_at_end()
        try:
            while await self._outputs.next_chunk_async() is not None:
                pass
        except BaseException:
            self.cancel()
            raise
        return self._completion()

    def __iter__(self) -> Iterator[CompletionChunk]:
        return self

    def __next__(self) -> CompletionChunk:
        item = self._outputs.next_chunk()
        if item is None:
            raise StopIteration
        return item[1]

    def __aiter__(self) -> AsyncIterator[CompletionChunk]:
        return self

    async def __anext__(self) -> CompletionChunk:
        item = await self._outputs.next_chunk_async()
        if item is None:
            raise StopAsyncIteration
        return item[1]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cancel()

    def _completion(self) -> Completion:
        first, *others = self._outputs.completions
        return replace(first, alternatives=tuple(others))
