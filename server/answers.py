"""Errors as responses. Every exception of a request is answered here; the server's own faults are also logged.

Answering an exception keeps the client's connection open.
"""

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

from guided.params.checks import shown

from .context import CLIENT_CLOSED_REQUEST, RequestContext, context_of
from .errors import InvalidRequestError, WireError, http_wire_error, to_wire_error
from .protocol.registry import wire_format_for

logger = logging.getLogger("guided.server")

_WITH_PLACES = ("/v1/grammar/", "/v1/workbench/")  # paths whose errors also say where in the grammar they are


class AnsweringRoute(APIRoute):
    """A route that answers its own exceptions, since the ASGI server would cut the connection on one."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's handler, wrapped so that an exception becomes a response."""
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
    if isinstance(error, RequestValidationError):  # errors of the URL's query only: `validation.py` checks bodies
        error = _query_error(error)
    wire_error = wire_error_of(error, context_of(request), f"{context_of(request).what} failed")
    return _answer(request, wire_error, wire_error.headers)


def wire_error_of(error: Exception, context: RequestContext, what: str) -> WireError:
    """The error as the client sees it. The error's code is noted in the context; a status of 500 is logged.

    what: description of the failed request, for the log.
    """
    found = to_wire_error(error, context.constraint_param, context.prompt_param, context.field_names)
    context.error_code = found.code or found.type
    if found.status == 500:
        logger.error("%s (%s)", what, found.code, exc_info=error)
    return found


def _query_error(error: RequestValidationError) -> InvalidRequestError:
    first = error.errors()[0]
    name = str(first["loc"][-1])
    return InvalidRequestError(f"{name}: {first['msg']}, not {shown(first.get('input'))}", param=name)


def _answer(request: Request, error: WireError, headers: dict[str, str]) -> JSONResponse:
    if not request.url.path.startswith(_WITH_PLACES):
        error = replace(error, place=None)
    body = wire_format_for(request).error_body(error, context_of(request).request_id)
    return JSONResponse(body, error.status, headers)
