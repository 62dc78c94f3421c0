"""Shared by all endpoint files: routers that answer errors and ask for keys, and base classes of request and answer
bodies.
"""

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
    """A request body in this server's own format: values are not converted, and an unknown field is an error."""

    model_config = ConfigDict(extra="forbid")


def posting(model: type[BaseModel], others: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A route's `openapi_extra`, which documents the posted body.

    model: the body's model.
    others: JSON schemas of further fields.
    """
    schema = model.model_json_schema(ref_template=REFERENCE)
    schema["properties"] = {**(others or {}), **schema["properties"]}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


class Answer(BaseModel):
    """A response's body, or a part of it, made of arguments or of an object with such attributes."""

    model_config = ConfigDict(from_attributes=True)

    def response(self) -> Response:
        """The response, serialized in the calling thread. FastAPI would serialize it on the event loop, and twice."""
        return Response(self.model_dump_json(), media_type="application/json")


def open_router() -> APIRouter:
    """A router for routes that need no key."""
    return APIRouter(route_class=AnsweringRoute)


def keyed_router() -> APIRouter:
    """A router for routes that need an API key if the server has any."""
    return APIRouter(route_class=AnsweringRoute, dependencies=[Depends(require_key)])
