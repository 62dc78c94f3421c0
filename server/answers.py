"""Errors as responses: each exception of a request ends here, is logged where it is ours, and keeps the connection."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from .context import CLIENT_CLOSED_REQUEST, RequestContext, context_of
from .errors import InvalidRequestError, WireError, http_wire_error, shorten, to_wire_error
from .protocol.registry import wire_format_for

logger = logging.getLogger("guided.server")

_WITH_PLACES = ("/v1/grammar/", "/v1/workbench/")  # whose errors say where in the grammar, beside OpenAI's fields


class AnsweringRoute(APIRoute):
    """A route whose exceptions are answered here. The ASGI server would cut the connection."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's handler, guarded."""
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                return await handle(request)
            except Exception as error:  # noqa: BLE001 - answered, and logged when it is not the client's
                return await answer_error(request, error)

        return answer


async def answer_error(request: Request, error: Exception) -> Response:
    """The response for any exception, in the wire format of the request's path."""
    if isinstance(error, ClientDisconnect):
        return Response(status_code=CLIENT_CLOSED_REQUEST)
    if isinstance(error, HTTPException):
        message = f"{context_of(request).what}: {error.detail}"
        http_error = http_wire_error(error.status_code, message)
        context_of(request).error_code = http_error.code or http_error.type
        return _answer(request, http_error, dict(error.headers or {}))
    if isinstance(error, RequestValidationError):  # of the address's query: bodies are checked by `validation.py`
        error = _query_error(error)
    wire_error = wire_error_of(error, context_of(request), f"{context_of(request).what} failed")
    return _answer(request, wire_error, wire_error.headers)


def wire_error_of(error: Exception, context: RequestContext, what: str) -> WireError:
    """What its client is told of an error, which is noted, and logged where it is ours. what: failed, for the log."""
    found = to_wire_error(error, context.constraint_param, context.prompt_param, context.field_names)
    context.error_code = found.code or found.type
    if found.status == 500:
        logger.error("%s (%s)", what, found.code, exc_info=error)
    return found


def _query_error(error: RequestValidationError) -> InvalidRequestError:
    first = error.errors()[0]
    name = str(first["loc"][-1])
    return InvalidRequestError(f"{name}: {first['msg']}, not {shorten(first.get('input'))}", param=name)


def _answer(request: Request, error: WireError, headers: dict[str, str]) -> JSONResponse:
    if not request.url.path.startswith(_WITH_PLACES):
        error = replace(error, place=None)
    body = wire_format_for(request).error_body(error, context_of(request).request_id)
    return JSONResponse(body, error.status, headers)
