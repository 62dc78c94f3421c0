"""A generation request in any wire format: read it, check it, start it and answer it."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeVar, get_args

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from guided.grammars.spec import GrammarKind
from guided.output.completion import Completion

from .body import read_body
from .context import RequestContext, context_of
from .endpoints.base import keyed_router, posting
from .errors import InvalidRequestError, shorten
from .protocol.base import Call, WireFormat
from .protocol.registry import FORMATS
from .protocol.sampling import sampling_schemas
from .state import ServerState, state_of
from .streaming import EventStreamResponse, collect, events, unless_gone

Result = TypeVar("Result")
TIMEOUT_HEADER = "x-request-timeout"
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
    state, context = state_of(request), context_of(request)
    context.field_names = wire_format.field_names
    timeout_s = read_timeout(request)
    body = await read_body(request, state.settings)
    with state.admit(context, timeout_s, is_large=body.is_large):

        async def answer() -> Response:
            kept = state.kept.of(context.key_label)
            call = await _start(state, context, lambda: wire_format.read_call(body.parse(state.settings), kept))
            builder = context.new_builder()
            headers = ignored_header(call) | enforcement_header(context)
            if not call.is_stream:
                return JSONResponse(builder.whole(await collect(context)), headers=headers)
            # Wait for the first chunk before the status is sent, so that an error in the request gets its own status.
            first = await context.next_chunk()
            return EventStreamResponse(events(first, builder, context), headers)

        response = await unless_gone(request.receive, answer())
        if isinstance(response, EventStreamResponse):
            context.closes_later, response.on_end = True, context.close
        return response


async def complete(request: Request, call: Call) -> list[Completion]:
    """The completions of a call in the order of its prompts, for endpoints that never stream."""
    state, context = state_of(request), context_of(request)
    with state.admit(context, read_timeout(request)):

        async def answer() -> list[Completion]:
            await _start(state, context, lambda: call)
            return await collect(context)

        return await unless_gone(request.receive, answer())


async def compile_aside(request: Request, work: Callable[[threading.Event], Result]) -> Result:
    """Run `work` in a thread for grammars and return its result. The request counts as in flight meanwhile.

    work: receives an event that is set when the client has left.
    """
    state = state_of(request)
    with state.admit(context_of(request), read_timeout(request)) as context:
        return await unless_gone(request.receive, state.starter.compile(context, partial(work, context.is_left)))


async def _start(state: ServerState, context: RequestContext, read: Callable[[], Call]) -> Call:
    """Read a request with `read` and start its generation, in a thread. The request's context learns what the request
    asks, for errors and the log.
    """

    def read_and_note() -> Call:
        call = read()
        context.model = call.model
        context.is_stream = call.is_stream
        context.num_choices = call.params.n
        context.constraint_param = call.constraint_param
        context.prompt_param = call.prompt_param
        context.field_names = _names_as_sent(call, context.field_names)
        if state.settings.log_prompts:
            prompts = [getattr(prompt, "messages", prompt) for prompt in call.prompts]
            context.prompt_text = json.dumps(prompts, ensure_ascii=False)
        return call

    call = await state.starter.start(context, read_and_note)
    assert context.served is not None
    context.model = context.served.require_name()
    return call


def ignored_header(call: Call) -> dict[str, str]:
    """The header that names the request's fields without effect; empty if there are none."""
    return {IGNORED_HEADER: ", ".join(call.ignored)} if call.ignored else {}


def enforcement_header(context: RequestContext) -> dict[str, str]:
    """The header with the digest of what is enforced, if the request asks for it; else empty."""
    assert context.generation is not None
    enforcement = context.generation.requests[0].enforcement
    return {} if enforcement is None else {ENFORCEMENT_HEADER: enforcement.digest}


def read_timeout(request: Request) -> float | None:
    """The seconds in the header `x-request-timeout`; None without it. Raises InvalidRequestError if it is not a
    positive number.
    """
    text = request.headers.get(TIMEOUT_HEADER)
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not (math.isfinite(seconds) and seconds > 0):
        raise InvalidRequestError(f"the header {TIMEOUT_HEADER} must be a number of seconds > 0, not {shorten(text)}")
    return seconds


def _names_as_sent(call: Call, field_names: Mapping[str, str]) -> dict[str, str]:
    """Sampling parameter -> name that the request used, for errors of lower layers.

    field_names: chat completion's name -> name in the request's format.
    """
    names = dict(call.sent_names)
    if call.constraint_param is not None:
        names |= dict.fromkeys(get_args(GrammarKind), call.constraint_param)
    return {**field_names, **{name: field_names.get(sent, sent) for name, sent in names.items()}}
