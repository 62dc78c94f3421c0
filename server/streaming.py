"""From a job's chunks to a response: whole, or as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import aclosing
from types import MappingProxyType
from typing import Any, TypeVar

from fastapi import Response
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from guided.output.completion import Completion, CompletionChunk

from .answers import wire_error_of
from .context import RequestContext
from .jobs import Job
from .protocol.base import ResponseBuilder

Result = TypeVar("Result")
NO_HEADERS: Mapping[str, str] = MappingProxyType({})


async def collect(job: Job, context: RequestContext) -> list[Completion]:
    """All outputs of a response that is not streamed. Raises the request's error where it failed midway."""
    completions: dict[int, Completion] = {}
    while len(completions) < job.num_outputs:
        _keep(await job.next_chunk(), completions)
    context.completions = [completions[i] for i in range(job.num_outputs)]
    return context.completions


async def events(
    first: CompletionChunk, job: Job, builder: ResponseBuilder, context: RequestContext
) -> AsyncIterator[bytes]:
    """The server-sent events of one request. A failure becomes the stream's last event: the status is sent already."""
    chunk, completions = first, dict[int, Completion]()
    frames = builder.start()
    try:
        while True:
            frames += builder.piece(chunk)
            _keep(chunk, completions)
            if len(completions) == job.num_outputs:
                break
            if frames:
                yield b"".join(frames)
            frames = []
            chunk = await job.next_chunk()
        context.completions = [completions[i] for i in range(job.num_outputs)]
        yield b"".join(frames + builder.end(context.completions))
    except Exception as error:  # noqa: BLE001 - answered, and logged when it is not the client's
        yield b"".join(builder.error(wire_error_of(error, context, "a stream failed midway")))


def _keep(chunk: CompletionChunk, completions: dict[int, Completion]) -> None:
    """Its completion, where it is an output's last one."""
    if chunk.completion is not None:
        completions[chunk.index] = chunk.completion


class EventStreamResponse(Response):
    """Server-sent events: sent as they are made, and as fast as the client reads them.

    on_end: called when the stream is over, also when the client left or the server stops. What the client does not
    read waits: nothing more is taken from `content` until the connection takes what was sent.
    """

    media_type = "text/event-stream"

    def __init__(self, content: AsyncIterator[bytes], headers: Mapping[str, str] = NO_HEADERS) -> None:
        super().__init__(headers={"cache-control": "no-cache", "x-accel-buffering": "no", **headers})
        del self.headers["content-length"]
        self._content = content
        self.on_end: Callable[[], object] = lambda: None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        try:
            await unless_gone(receive, self._send_all(send))
        except ClientDisconnect:
            pass
        finally:
            self.on_end()

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with aclosing(self._content) as content:  # type: ignore[type-var]  # it is a generator
            async for piece in content:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                await asyncio.sleep(0)  # many pieces may be there already: others' turn, and the client may be gone
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def unless_gone(receive: Receive, work: Coroutine[Any, Any, Result]) -> Result:
    """The result of `work`, or ClientDisconnect as soon as the client has gone (`work` is cancelled then).

    receive: ASGI's. The request's body must have been read to its end.
    """
    task = asyncio.ensure_future(work)
    watcher = asyncio.ensure_future(_disconnected(receive))
    try:
        await asyncio.wait({task, watcher}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        task.cancel()
        watcher.cancel()
        await asyncio.gather(task, watcher, return_exceptions=True)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
