"""`/v1/responses/{id}`: returns or deletes a response that the server still keeps."""

from __future__ import annotations

from typing import Literal

from fastapi import Request, Response
from fastapi.responses import JSONResponse

from guided.params.checks import shown

from ..context import context_of
from ..errors import InvalidRequestError, Refusal, RefusedError
from ..kept_responses import KeptResponses
from ..state import state_of
from .base import Answer, keyed_router

router = keyed_router()


class DeletedResponse(Answer):
    """Confirms that the server deleted a response."""

    id: str
    object: Literal["response"] = "response"
    deleted: Literal[True] = True


@router.get("/v1/responses/{response_id}", response_class=Response)
async def retrieve_response(request: Request, response_id: str) -> Response:
    """Return a kept response as it was first answered, but never streamed."""
    if request.query_params.get("stream", "false") != "false":
        raise InvalidRequestError("a response that is done can't be streamed again; leave out stream", "stream")
    kept = _kept(request).find(response_id)
    if kept is None:
        raise RefusedError(Refusal.UNKNOWN_RESPONSE, shown(response_id))
    return JSONResponse(kept.response)


@router.delete("/v1/responses/{response_id}")
async def delete_response(request: Request, response_id: str) -> DeletedResponse:
    """Delete a kept response."""
    if not _kept(request).remove(response_id):
        raise RefusedError(Refusal.UNKNOWN_RESPONSE, shown(response_id))
    return DeletedResponse(id=response_id)


def _kept(request: Request) -> KeptResponses:
    return state_of(request).kept.of(context_of(request).key_label)
