"""From a job's chunks to a response: whole, or as server-sent events."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from typing import Any, TypeVar

from fastapi import Request, Response
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from guided.output.completion import Completion, CompletionChunk
from guided.output.token_logprobs import TokenLogprobs

from .context import RequestContext
from .errors import to_wire_error
from .jobs import Job
from .protocol.base import Output, ResponseBuilder

logger = logging.getLogger("guided.server")
Result = TypeVar("Result")


async def collect(job: Job, context: RequestContext) -> list[Output]:
    """All outputs of a response that is not streamed. Raises the request's error where it failed midway."""
    assert job.call is not None
    texts: list[list[str]] = [[] for _ in range(job.num_outputs)]
    logprobs: list[list[TokenLogprobs]] = [[] for _ in range(job.num_outputs)]
    completions: dict[int, Completion] = {}
    while len(completions) < job.num_outputs:
        chunk = await job.next_chunk()
        texts[chunk.index].append(chunk.text)
        logprobs[chunk.index].extend(chunk.logprobs or ())
        if chunk.finish_reason is not None:
            completions[chunk.index] = _completion_of(chunk)
    context.completions = [completions[i] for i in range(job.num_outputs)]
    has_logprobs = job.call.params.logprobs is not None
    return [
        Output("".join(texts[i]), tuple(logprobs[i]) if has_logprobs else None, completions[i])
        for i in range(job.num_outputs)
    ]


async def events(
    first: CompletionChunk, job: Job, builder: ResponseBuilder, context: RequestContext
) -> AsyncIterator[bytes]:
    """The server-sent events of one request. A failure becomes the stream's last event: the status is sent already."""
    chunk, completions = first, dict[int, Completion]()
    frames = builder.start()
    try:
        while True:
            frames += builder.piece(chunk)
            if chunk.finish_reason is not None:
                completions[chunk.index] = _completion_of(chunk)
            if len(completions) == job.num_outputs:
                break
            if frames:
                yield b"".join(frames)
            frames = []
            chunk = await job.next_chunk()
        context.completions = [completions[i] for i in range(job.num_outputs)]
        yield b"".join(frames + builder.end(context.completions))
    except Exception as error:
        wire_error = to_wire_error(error, context.constraint_param, context.prompt_param, context.field_names)
        context.error_code = wire_error.code or wire_error.type
        if wire_error.status == 500:
            logger.error("a stream failed midway (%s)", wire_error.code, exc_info=error)
        yield b"".join(builder.error(wire_error))


class EventStreamResponse(Response):
    """Server-sent events: sent as they are made, and as fast as the client reads them.

    on_end is called when the stream is over, also when the client left or the server stops. What the client does not
    read waits: nothing more is taken from `content` until the connection takes what was sent.
    """

    media_type = "text/event-stream"

    def __init__(self, content: AsyncIterator[bytes], on_end: Callable[[], None]) -> None:
        super().__init__(headers={"cache-control": "no-cache", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._content = content
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        try:
            await unless_gone(receive, self._send_all(send))
        except ClientDisconnect:
            pass
        finally:
            self._on_end()

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with aclosing(self._content) as content:  # type: ignore[type-var]  # it is a generator
            async for piece in content:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                await asyncio.sleep(0)  # many pieces may be there already: others' turn, and the client may be gone
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def unless_disconnected(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """The result of `work`, or ClientDisconnect as soon as the client has gone (`work` is cancelled then).

    The request's body must have been read to its end.
    """
    return await unless_gone(request.receive, work)


async def unless_gone(receive: Receive, work: Coroutine[Any, Any, Result]) -> Result:
    """`unless_disconnected`, for an ASGI `receive`."""
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


def _completion_of(chunk: CompletionChunk) -> Completion:
    assert chunk.completion is not None
    return chunk.completion
