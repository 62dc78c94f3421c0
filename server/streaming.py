"""From a job's chunks to a response: whole, or as server-sent events."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from guided.completion import Completion, CompletionChunk
from guided.token_logprobs import TokenLogprobs

from .errors import to_wire_error
from .protocol.base import Output, ResponseBuilder
from .worker import Job

logger = logging.getLogger("guided.server")
Result = TypeVar("Result")


async def collect(job: Job, builder: ResponseBuilder) -> dict[str, Any]:
    """The body of a response that is not streamed. Raises the request's error where it failed midway."""
    texts: list[list[str]] = [[] for _ in range(job.params.n)]
    logprobs: list[list[TokenLogprobs]] = [[] for _ in range(job.params.n)]
    completions: dict[int, Completion] = {}
    while len(completions) < job.params.n:
        chunk = await job.next_chunk()
        texts[chunk.index].append(chunk.text)
        logprobs[chunk.index].extend(chunk.logprobs or ())
        if chunk.finish_reason is not None:
            assert chunk.completion is not None
            completions[chunk.index] = chunk.completion
    has_logprobs = job.params.logprobs is not None
    outputs = [
        Output("".join(texts[i]), tuple(logprobs[i]) if has_logprobs else None, completions[i])
        for i in range(job.params.n)
    ]
    return builder.whole(outputs)


async def events(first: CompletionChunk, job: Job, builder: ResponseBuilder) -> AsyncIterator[bytes]:
    """The server-sent events of one request. A failure becomes the stream's last event: the status is sent already."""
    chunk, completions = first, dict[int, Completion]()
    frames = builder.start()
    try:
        while True:
            frames += builder.piece(chunk)
            if chunk.finish_reason is not None:
                assert chunk.completion is not None
                completions[chunk.index] = chunk.completion
            if len(completions) == job.params.n:
                break
            if frames:
                yield b"".join(frames)
            frames = []
            chunk = await job.next_chunk()
        yield b"".join(frames + builder.end([completions[i] for i in range(job.params.n)]))
    except Exception as error:
        wire_error = to_wire_error(error)
        logger.error("a stream failed midway (%s)", wire_error.code, exc_info=error)
        yield b"".join(builder.error(wire_error))


class EventStreamResponse(StreamingResponse):
    """Server-sent events. on_end is called when the stream is over, also when the client left or the server stops."""

    media_type = "text/event-stream"

    def __init__(self, content: AsyncIterator[bytes], on_end: Callable[[], None]) -> None:
        super().__init__(content, headers={"cache-control": "no-cache", "x-accel-buffering": "no"})
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._on_end()


async def unless_disconnected(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """The result of `work`, or ClientDisconnect as soon as the client has gone (`work` is cancelled then).

    The request's body must have been read to its end.
    """
    task = asyncio.ensure_future(work)
    watcher = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait({task, watcher}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        task.cancel()
        watcher.cancel()
        await asyncio.gather(task, watcher, return_exceptions=True)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
