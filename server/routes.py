"""The endpoints. A wire format adds a file under `protocol/` and one route here."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from .answers import AnsweringRoute
from .body import read_json_object
from .errors import UnknownModelError
from .protocol import openai_chat
from .protocol.base import ReadCall
from .state import ServerState, state_of
from .streaming import EventStreamResponse, collect, events, unless_disconnected

router = APIRouter(route_class=AnsweringRoute)


@router.post("/v1/chat/completions")
async def create_chat_completion(request: Request) -> Response:
    """OpenAI's chat completions, whole or streamed."""
    return await respond(request, openai_chat.read_call)


@router.get("/v1/models")
async def list_models(request: Request) -> dict[str, Any]:
    """The served model; an empty list while it is not loaded."""
    state = state_of(request)
    return {"object": "list", "data": [] if state.worker.llm is None else [_model_object(state)]}


@router.get("/v1/models/{model:path}")
async def retrieve_model(request: Request, model: str) -> dict[str, Any]:
    """One served model by its name."""
    state = state_of(request)
    state.worker.require_llm()
    _check_model(state, model)
    return _model_object(state)


@router.get("/health")
async def health(request: Request) -> dict[str, Any]:
    """Whether the server answers, and whether its model does."""
    return {"status": "ok", "model_loaded": state_of(request).worker.llm is not None}


async def respond(request: Request, read_call: ReadCall) -> Response:
    """One generation request in any wire format: read, check, queue, answer."""
    state = state_of(request)
    call = read_call(await read_json_object(request, state.settings.max_body_bytes))
    request.state.constraint_param = call.constraint_param
    state.worker.require_llm()
    _check_model(state, call.model)
    job = state.worker.submit(call.messages, call.params)
    builder = call.make_builder()
    is_handed_over = False  # to the response, which ends the job itself
    try:
        if not call.is_stream:
            return JSONResponse(await unless_disconnected(request, collect(job, builder)))
        # The first chunk is waited for, so that what is wrong with the request still gets its own status.
        first = await unless_disconnected(request, job.next_chunk())
        response = EventStreamResponse(events(first, job, builder), on_end=lambda: state.worker.cancel(job))
        is_handed_over = True
        return response
    finally:
        if not is_handed_over:
            state.worker.cancel(job)


def _check_model(state: ServerState, model: str) -> None:
    if model != state.model_name:
        raise UnknownModelError(model, state.model_name)


def _model_object(state: ServerState) -> dict[str, Any]:
    return {"id": state.model_name, "object": "model", "created": state.created, "owned_by": "guided"}
