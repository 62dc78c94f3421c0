"""The endpoints that generate: a POST route for each wire format."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request, Response

from ..generation import respond
from ..protocol.base import WireFormat
from ..protocol.registry import FORMATS
from .base import keyed_router


def generation_router() -> APIRouter:
    """All of them."""
    router = keyed_router()
    for path, wire_format in FORMATS.items():
        router.add_api_route(path, _endpoint(wire_format), methods=["POST"], summary=wire_format.summary)
    return router


def _endpoint(wire_format: WireFormat) -> Callable[[Request], Awaitable[Response]]:
    async def create(request: Request) -> Response:
        return await respond(request, wire_format)

    create.__name__ = f"create_{wire_format.name}"
    return create
