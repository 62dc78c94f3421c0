"""`/v1/responses/{id}`: a response that was given and is still kept, again; or no more."""

from __future__ import annotations

from typing import Literal

from fastapi import Request, Response
from fastapi.responses import JSONResponse

from ..context import context_of
from ..errors import InvalidRequestError, UnknownResponseError
from ..kept_responses import KeptResponses
from ..state import state_of
from .base import Answer, keyed_router

router = keyed_router()


class DeletedResponse(Answer):
    """A response that is kept no more."""

    id: str
    object: Literal["response"] = "response"
    deleted: Literal[True] = True


@router.get("/v1/responses/{response_id}", response_class=Response)
async def retrieve_response(request: Request, response_id: str) -> Response:
    """A response as its request was answered, while it is kept. It can't be streamed again."""
    if request.query_params.get("stream", "false") != "false":
        raise InvalidRequestError("a response that is done can't be streamed again; leave out stream", "stream")
    kept = _kept(request).find(response_id)
    if kept is None:
        raise UnknownResponseError(response_id)
    return JSONResponse(kept.response)


@router.delete("/v1/responses/{response_id}")
async def delete_response(request: Request, response_id: str) -> DeletedResponse:
    """Forget a response."""
    if not _kept(request).remove(response_id):
        raise UnknownResponseError(response_id)
    return DeletedResponse(id=response_id)


def _kept(request: Request) -> KeptResponses:
    return state_of(request).kept.of(context_of(request).key_label)
