"""A generation request in any wire format: read it, check it, start it and answer it."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from guided.output.completion import Completion

from .body import read_body
from .context import RequestContext, context_of
from .endpoints.base import keyed_router, posting
from .protocol.base import Call, WireFormat
from .protocol.registry import FORMATS
from .protocol.sampling import sampling_schemas
from .state import state_of
from .streaming import EventStreamResponse, collect, events, unless_gone

Result = TypeVar("Result")
ENFORCEMENT_HEADER = "x-guided-enforcement"  # header with the digest of `Enforcement`, for requests that ask for it
IGNORED_HEADER = "x-guided-ignored"  # header of an answer that lists the request's fields that had no effect


def generation_router() -> APIRouter:
    """A router with a POST route for each wire format."""
    router, sampling = keyed_router(), sampling_schemas()
    for path, wire_format in FORMATS.items():
        router.add_api_route(
            path,
            _endpoint(wire_format),
            methods=["POST"],
            summary=wire_format.summary,
            openapi_extra=posting(wire_format.request_model, sampling),
        )
    return router


def _endpoint(wire_format: WireFormat) -> Callable[[Request], Awaitable[Response]]:
    async def create(request: Request) -> Response:
        return await respond(request, wire_format)

    create.__name__ = f"create_{wire_format.name}"
    return create


async def respond(request: Request, wire_format: WireFormat) -> Response:
    """The answer to a request, whole or streamed. If the client leaves, its generations end before the next step."""
    state = state_of(request)
    context_of(request).field_names = wire_format.field_names
    body = await read_body(request, state.settings)
    with state.admit(request, is_large=body.is_large) as context:

        async def answer() -> Response:
            kept = state.kept.of(context.key_label)
            call = await state.starter.start(context, lambda: wire_format.read_call(body.parse(state.settings), kept))
            builder = context.new_builder()
            headers = ignored_header(call) | enforcement_header(context)
            if not call.is_stream:
                return JSONResponse(builder.whole(await collect(context)), headers=headers)
            # Wait for the first chunk before the status is sent, so that an error in the request gets its own status.
            first = await context.next_chunk()
            return EventStreamResponse(events(first, builder, context), context, headers)

        return await unless_gone(request.receive, answer())


async def complete(request: Request, call: Call) -> list[Completion]:
    """The completions of a call in the order of its prompts, for endpoints that never stream."""
    state = state_of(request)
    with state.admit(request) as context:

        async def answer() -> list[Completion]:
            await state.starter.start(context, lambda: call)
            return await collect(context)

        return await unless_gone(request.receive, answer())


async def compile_aside(request: Request, work: Callable[[threading.Event], Result]) -> Result:
    """Run `work` in a thread for grammars and return its result. The request counts as in flight meanwhile.

    work: receives an event that is set when the client has left.
    """
    state = state_of(request)
    with state.admit(request) as context:
        return await unless_gone(request.receive, state.starter.compile(context, partial(work, context.is_left)))


def ignored_header(call: Call) -> dict[str, str]:
    """The header that names the request's fields without effect; empty if there are none."""
    return {IGNORED_HEADER: ", ".join(call.ignored)} if call.ignored else {}


def enforcement_header(context: RequestContext) -> dict[str, str]:
    """The header with the digest of what is enforced, if the request asks for it; else empty."""
    assert context.generation is not None
    enforcement = context.generation.requests[0].enforcement
    return {} if enforcement is None else {ENFORCEMENT_HEADER: enforcement.digest}
