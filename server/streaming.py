"""From the chunks of a request to a response: whole, or as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import aclosing
from types import MappingProxyType
from typing import Any, TypeVar

from fastapi import Response
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from guided.output.completion import Completion, CompletionChunk

from .answers import wire_error_of
from .context import RequestContext
from .protocol.base import ResponseBuilder

Result = TypeVar("Result")
NO_HEADERS: Mapping[str, str] = MappingProxyType({})


async def collect(context: RequestContext) -> list[Completion]:
    """All outputs of a response that is not streamed. Raises the request's error if it fails midway."""
    completions: dict[int, Completion] = {}
    while len(completions) < context.num_outputs:
        _keep(await context.next_chunk(), completions)
    context.completions = [completions[i] for i in range(context.num_outputs)]
    return context.completions


async def events(first: CompletionChunk, builder: ResponseBuilder, context: RequestContext) -> AsyncIterator[bytes]:
    """The server-sent events of one request. A failure becomes the last event, since the status was sent already."""
    chunk, completions = first, dict[int, Completion]()
    frames = builder.start()
    try:
        while True:
            frames += builder.piece(chunk)
            _keep(chunk, completions)
            if len(completions) == context.num_outputs:
                break
            if frames:
                yield b"".join(frames)
            frames = []
            chunk = await context.next_chunk()
        context.completions = [completions[i] for i in range(context.num_outputs)]
        yield b"".join(frames + builder.end(context.completions))
    except Exception as error:  # noqa: BLE001 - answered, and logged when it is not the client's
        yield b"".join(builder.error(wire_error_of(error, context, "a stream failed midway")))


def _keep(chunk: CompletionChunk, completions: dict[int, Completion]) -> None:
    """Record the completion in an output's last chunk."""
    if chunk.completion is not None:
        completions[chunk.index] = chunk.completion


class EventStreamResponse(Response):
    """A response of server-sent events, sent at the pace at which the client reads them.

    context: the request; closed when the stream is over, also if the client leaves or the server stops. While the
        client does not read, no further event is taken from `content`.
    """

    media_type = "text/event-stream"

    def __init__(
        self, content: AsyncIterator[bytes], context: RequestContext, headers: Mapping[str, str] = NO_HEADERS
    ) -> None:
        super().__init__(headers={"cache-control": "no-cache", "x-accel-buffering": "no", **headers})
        del self.headers["content-length"]
        self._content = content
        self._context = context
        context.closes_later = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI entry point."""
        try:
            await unless_gone(receive, self._send_all(send))
        except ClientDisconnect:
            pass
        finally:
            self._context.close()

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with aclosing(self._content) as content:  # type: ignore[type-var]  # it is a generator
            async for piece in content:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                # gives other tasks a turn and notices a client that left, even if many pieces are ready
                await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def unless_gone(receive: Receive, work: Coroutine[Any, Any, Result]) -> Result:
    """The result of `work`. If the client disconnects first, `work` is cancelled and ClientDisconnect is raised.

    receive: ASGI's function. The request's body must have been read completely.
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
