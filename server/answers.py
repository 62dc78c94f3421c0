"""Errors as responses: each exception of a request ends here, is logged where it is ours, and keeps the connection."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from .errors import WireError, http_wire_error, to_wire_error

logger = logging.getLogger("guided.server")
CLIENT_CLOSED_REQUEST = 499  # nobody reads it; it shows in the access log


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
    """The response for any exception."""
    if isinstance(error, ClientDisconnect):
        return Response(status_code=CLIENT_CLOSED_REQUEST)
    if isinstance(error, HTTPException):
        message = f"{request.method} {request.url.path}: {error.detail}"
        return _json(http_wire_error(error.status_code, message), dict(error.headers or {}))
    wire_error = to_wire_error(error, getattr(request.state, "constraint_param", None))
    if wire_error.status == 500:
        logger.error("%s %s failed (%s)", request.method, request.url.path, wire_error.code, exc_info=error)
    return _json(wire_error, wire_error.headers)


def _json(error: WireError, headers: dict[str, str]) -> JSONResponse:
    return JSONResponse(error.body, error.status, headers)
