"""`Generation`: prompts that are being answered, read as a thread or as a coroutine, piece by piece or as a whole."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Self

from guided.grammars.right_of_way import Background

from ..engine.base import Engine, TokenEvent
from ..engine.events import EventQueue
from ..engine.particles import ParticleRun
from ..errors import GenerationCancelledError, RequestFieldError
from ..requests.request import Request
from .builder import CompletionBuilder
from .completion import Completion, CompletionChunk
from .loop_turns import present_turns
from .stopping import Stops

TOGETHER_S = 0.01  # events that are read in one go, for outputs in which regexes are looked for

Placed = tuple[int, CompletionChunk]  # with the place of its prompt


@dataclass(frozen=True)
class _Output:
    """One output of the prompt at `place`. request: of it alone."""

    place: int
    request: Request
    builder: CompletionBuilder


class Generation:
    """One prompt's outputs, or those of several prompts, while they are made; `LLM.start` makes it.

    Iterate over it, with `for` or `async for`, for its chunks: with params.n > 1 those of all outputs as they come,
    told apart by `CompletionChunk.index`, each with its own last chunk. Or take all with `result` or `await wait()`.
    What goes wrong while it runs is on the last chunk of its output, and in `Completion.error`. One reader at a time.
    As a context manager it cancels what is not done at the block's end.

    requests: one for each prompt, checked by the engine. max_stop_seconds: see `RequestLimits`. read_at_end: no chunk
    is wanted before the last one of each output, so they may come together, which is cheaper; but what ends a text is
    looked for while it grows. Nothing runs before `submit`.
    """

    def __init__(
        self, engine: Engine, requests: Sequence[Request], *, max_stop_seconds: float, read_at_end: bool = False
    ) -> None:
        self.requests = tuple(requests)
        self._engine = engine
        _check_particles(engine, requests)
        stops = [Stops(request.params, max_stop_seconds) for request in requests]
        self._looks_for_patterns = any(one.language is not None for one in stops)
        self._outputs = [
            one
            for place, request in enumerate(requests)
            for one in _outputs(engine, request, place, stops[place], read_at_end)
        ]
        self._events = EventQueue()
        self._num_unfinished = len(self._outputs)
        self._ready: deque[Placed] = deque()  # found in a thread, and not taken yet
        self._is_cancelled = False
        if read_at_end:
            self._read_at_end()

    def submit(self, *, is_bounded: bool) -> None:
        """Start all outputs, or none. Raises what `Engine.submit` raises."""
        try:
            first = 0
            for place, group in groupby(self._outputs, _place_of):
                requests = [output.request for output in group]
                if self.requests[place].params.particles is not None:
                    ParticleRun(self._engine, requests, first, self._events.put).start(is_bounded=is_bounded)
                else:
                    for index, request in enumerate(requests, first):
                        self._engine.submit(request, self._events.put, index, is_bounded=is_bounded)
                first += len(requests)
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
        return len(self._outputs)

    @property
    def is_done(self) -> bool:
        """Every output has its completion, and every chunk was read."""
        return not self._num_unfinished and not self._ready

    def cancel(self) -> None:
        """End it before the engine's next step, from any thread. Its chunks end; `result` then raises."""
        if self.is_done:
            return
        self._is_cancelled = True
        for request in self.requests:
            request.ended.set()
        self._events.close()

    def result(self, timeout_s: float | None = None) -> Completion:
        """The first output's completion, with the others as `alternatives`; waits until all are done.

        Raises TimeoutError after timeout_s seconds (it goes on then), GenerationCancelledError after `cancel`.
        """
        return self.results(timeout_s)[0]

    def results(self, timeout_s: float | None = None) -> list[Completion]:
        """`result`, for each prompt."""
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

    def next_chunk(self, timeout_s: float | None = None) -> Placed | None:
        """The next chunk, with the place of its prompt, waited for; None when there is none any more.

        Raises TimeoutError after timeout_s seconds.
        """
        end = None if timeout_s is None else time.monotonic() + timeout_s
        while not self.is_done and not self._is_cancelled:
            if self._ready:
                return self._ready.popleft()
            left = None if end is None else max(0.0, end - time.monotonic())
            placed = self._take(self._events.get(left))
            if placed is not None:
                return placed
        return None

    async def next_chunk_async(self) -> Placed | None:
        """Like `next_chunk`, awaited."""
        turns = present_turns()
        while not self.is_done and not self._is_cancelled:
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
                placed = self._take(event)
                if placed is not None:
                    return placed
        return None

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

    def _read_at_end(self) -> None:
        """From now on no chunk is wanted before an output's last one, which then holds what would be in others.

        The engine knows it only if it is said before `submit`.
        """
        self._events.wakes_at_end = not any(one.builder.may_end_early for one in self._outputs)
        for one in self._outputs:
            one.builder.shows_at_end = not one.builder.may_end_early

    def _take_several(self, event: TokenEvent | None) -> list[Placed]:
        """The chunks of an event and of those behind it, for a while: a thread for each would cost more than that."""
        found = []
        end = time.monotonic() + TOGETHER_S
        with Background():
            while event is not None:
                placed = self._take(event)
                if placed is not None:
                    found.append(placed)
                event = self._events.get_ready() if time.monotonic() < end else None
        return found

    def _take(self, event: TokenEvent | None) -> Placed | None:
        if event is None or self._outputs[event.index].builder.completion is not None:
            return None
        output = self._outputs[event.index]
        chunk = output.builder.add(event)
        self._num_unfinished -= output.builder.completion is not None
        return None if chunk is None else (output.place, chunk)

    def _completions(self) -> list[Completion]:
        of_prompts: list[list[Completion]] = [[] for _ in self.requests]
        for output in self._outputs:
            if output.builder.completion is None:
                raise GenerationCancelledError
            of_prompts[output.place].append(output.builder.completion)
        return [replace(first, alternatives=tuple(others)) for first, *others in of_prompts]


def _outputs(engine: Engine, request: Request, place: int, stops: Stops, read_at_end: bool) -> Iterator[_Output]:
    for index, one in enumerate(request.outputs()):
        reader = None if request.tool_plan is None else request.tool_plan.new_reader()
        builder = CompletionBuilder(engine.vocabulary, one, index, reader, stops)
        yield _Output(place, replace(one, is_read_at_end=read_at_end and not builder.may_end_early), builder)


def _place_of(output: _Output) -> int:
    return output.place


def _check_particles(engine: Engine, requests: Sequence[Request]) -> None:
    if not engine.can_resume and any(request.params.particles is not None for request in requests):
        raise RequestFieldError("particles need the engine 'transformers'", "particles")
