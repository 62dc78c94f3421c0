"""What the endpoints' files share: routers that answer errors and ask for keys, and the bases of their shapes."""

from __future__ import annotations

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


def posting(*models: type[BaseModel]) -> dict[str, Any]:
    """A route's `openapi_extra`: the shape of what is posted there, which has the fields of all models."""
    first, *others = (model.model_json_schema(ref_template=REFERENCE) for model in models)
    for other in others:
        for key in ("properties", "$defs"):
            first[key] = {**other.get(key, {}), **first.get(key, {})}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": first}}}}


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
