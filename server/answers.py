"""Errors as responses: each exception of a request ends here, is logged where it is ours, and keeps the connection."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from .context import context_of
from .errors import InvalidRequestError, WireError, http_wire_error, shorten, to_wire_error
from .middleware import CLIENT_CLOSED_REQUEST
from .protocol.registry import wire_format_for

logger = logging.getLogger("guided.server")


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
        message = f"{context_of(request).method} {request.url.path}: {error.detail}"
        return _answer(request, http_wire_error(error.status_code, message), dict(error.headers or {}))
    if isinstance(error, RequestValidationError):  # of the address's query: bodies are checked by `validation.py`
        error = _query_error(error)
    context = context_of(request)
    wire_error = to_wire_error(error, context.constraint_param, context.prompt_param, context.field_names)
    if wire_error.status == 500:
        logger.error("%s %s failed (%s)", request.method, request.url.path, wire_error.code, exc_info=error)
    return _answer(request, wire_error, wire_error.headers)


def _query_error(error: RequestValidationError) -> InvalidRequestError:
    first = error.errors()[0]
    name = str(first["loc"][-1])
    return InvalidRequestError(f"{name}: {first['msg']}, not {shorten(first.get('input'))}", param=name)


def _answer(request: Request, error: WireError, headers: dict[str, str]) -> JSONResponse:
    context = context_of(request)
    context.error_code = error.code or error.type
    body = wire_format_for(request).error_body(error, context.request_id)
    return JSONResponse(body, error.status, headers)
