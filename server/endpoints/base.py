"""What the endpoints' files share: routers that answer errors and ask for keys, and the bases of their shapes."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, ConfigDict

from ..answers import AnsweringRoute
from ..protocol.constraints import RequestPart
from ..state import require_admin, require_key


class OwnRequest(RequestPart):
    """A request's body in a shape of this server's own: no conversions, and an unknown field is an error."""

    model_config = ConfigDict(extra="forbid")


class Answer(BaseModel):
    """A response's body."""

    def response(self) -> Response:
        """The response, written where this is called; FastAPI would write it on the event loop, twice over."""
        return Response(self.model_dump_json(), media_type="application/json")


def open_router() -> APIRouter:
    """For routes that need no key."""
    return APIRouter(route_class=AnsweringRoute)


def keyed_router() -> APIRouter:
    """For routes that need an API key where the server has any."""
    return APIRouter(route_class=AnsweringRoute, dependencies=[Depends(require_key)])


def admin_router() -> APIRouter:
    """For routes of the administrator."""
    return APIRouter(route_class=AnsweringRoute, dependencies=[Depends(require_admin)])
