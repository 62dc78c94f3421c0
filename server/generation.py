"""One generation request in any wire format: read, check, start, answer."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar, get_args

from fastapi import Request, Response
from fastapi.responses import JSONResponse

from guided.grammars.spec import Kind
from guided.output.completion import Completion

from .body import Body, read_body
from .calls import AnyCall, PlainCall
from .context import RequestContext, context_of
from .errors import InvalidRequestError, shorten
from .jobs import Job
from .protocol.base import Call, Output, WireFormat
from .state import ServerState, state_of
from .streaming import EventStreamResponse, collect, events, unless_disconnected

Result = TypeVar("Result")
TIMEOUT_HEADER = "x-request-timeout"


async def respond(request: Request, wire_format: WireFormat) -> Response:
    """The answer to a request, whole or streamed; when the client leaves, its generations end with the next step."""
    state, context = state_of(request), context_of(request)
    context.field_names = wire_format.field_names
    timeout_s = read_timeout(request)
    body = await read_body(request, state.settings)
    job = state.open_job(context, timeout_s, is_large=body.is_large)
    is_handed_over = False  # to the response, which closes the job itself
    try:
        response = await unless_disconnected(request, _answer(state, context, job, wire_format, body))
        is_handed_over = isinstance(response, EventStreamResponse)
        return response
    finally:
        if not is_handed_over:
            state.close_job(job)


async def complete(request: Request, call: PlainCall) -> list[Completion]:
    """The completions of a call of an endpoint that streams nothing, in the order of its prompts."""
    state, context = state_of(request), context_of(request)
    job = state.open_job(context, read_timeout(request))
    try:
        outputs = await unless_disconnected(request, _outputs(state, context, job, call))
    finally:
        state.close_job(job)
    return [output.completion for output in outputs]


async def compile_aside(request: Request, work: Callable[[threading.Event], Result]) -> Result:
    """What `work` gives, in a thread for grammars, among the requests that are in flight.

    work: gets the event that is set once nobody waits for it any more.
    """
    state = state_of(request)
    job = state.open_job(context_of(request), read_timeout(request))
    try:
        return await unless_disconnected(request, state.starter.compile(job, partial(work, job.is_left)))
    finally:
        state.close_job(job)


def read_timeout(request: Request) -> float | None:
    """The seconds of the header `x-request-timeout`. Raises InvalidRequestError."""
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


async def _answer(
    state: ServerState, context: RequestContext, job: Job, wire_format: WireFormat, body: Body
) -> Response:
    def read() -> Call:
        call = wire_format.read_call(body.parse(state.settings))
        _note(context, call, log_prompts=state.settings.log_prompts)
        return call

    model, call = await state.starter.start(job, read)
    context.model = model.require_name()
    builder = call.make_builder(job.started(model, context.request_id))
    if not call.is_stream:
        return JSONResponse(builder.whole(await collect(job, context)))
    # The first chunk is waited for, so that what is wrong with the request still gets its own status.
    first = await job.next_chunk()
    return EventStreamResponse(events(first, job, builder, context), on_end=lambda: state.close_job(job))


async def _outputs(state: ServerState, context: RequestContext, job: Job, call: PlainCall) -> list[Output]:
    def read() -> PlainCall:
        _note(context, call, log_prompts=state.settings.log_prompts)
        return call

    model, _ = await state.starter.start(job, read)
    context.model = model.require_name()
    return await collect(job, context)


def _note(context: RequestContext, call: AnyCall, *, log_prompts: bool) -> None:
    """What errors and the log need to know."""
    context.model = call.model
    context.is_stream = call.is_stream
    context.constraint_param = call.constraint_param
    context.prompt_param = call.prompt_param
    context.field_names = _names_as_sent(call, context.field_names)
    if log_prompts:
        context.prompt_text = json.dumps([_plain(prompt) for prompt in call.prompts], ensure_ascii=False)


def _names_as_sent(call: AnyCall, field_names: Mapping[str, str]) -> dict[str, str]:
    """Field of params -> what the request calls it, for errors of the layers below. field_names: of the format."""
    names = dict(call.sent_names)
    if call.constraint_param is not None:
        names |= dict.fromkeys(get_args(Kind), call.constraint_param)
    return {**field_names, **{name: field_names.get(sent, sent) for name, sent in names.items()}}


def _plain(prompt: Any) -> Any:
    """A prompt as JSON: the messages of a conversation."""
    return getattr(prompt, "messages", prompt)
