"""What the endpoints' files share: routers that answer errors and ask for keys, and the bases of their shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, ConfigDict

from ..answers import AnsweringRoute
from ..protocol.constraints import RequestPart
from ..state import require_key

REFERENCE = "#/components/schemas/{model}"


class OwnRequest(RequestPart):
    """A request's body in a shape of this server's own: no conversions, and an unknown field is an error."""

    model_config = ConfigDict(extra="forbid")


def posting(model: type[BaseModel], others: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A route's `openapi_extra`: the shape of what is posted there. others: schemas of further fields."""
    schema = model.model_json_schema(ref_template=REFERENCE)
    schema["properties"] = {**(others or {}), **schema["properties"]}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


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
