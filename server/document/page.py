"""`/openapi.json`, and `/docs`, which shows it on a page that needs nothing from elsewhere."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment

from ..endpoints.base import open_router
from ..state import state_of
from .openapi import openapi_document

router = open_router()
CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@router.get("/openapi.json", include_in_schema=False)
async def openapi(request: Request) -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    return published(request)[0]


@router.get("/docs", response_class=HTMLResponse)
async def docs(request: Request) -> HTMLResponse:
    """This page: the endpoints with their fields and answers."""
    return HTMLResponse(published(request)[1], headers={"content-security-policy": CONTENT_SECURITY_POLICY})


def published(request: Request) -> tuple[dict[str, Any], str]:
    """Document and page, made anew after each model that is loaded."""
    state = state_of(request)
    names = state.models.loaded_names
    if names not in state.documents:
        document = openapi_document(request.app, names)
        state.documents[names] = (document, render(document))
    return state.documents[names]


def render(document: dict[str, Any]) -> str:
    """The page for an OpenAPI document."""
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["type"] = describe_type
    template = environment.from_string(files(__package__).joinpath("page.html.jinja").read_text(encoding="utf-8"))
    return template.render(document=document, schemas=document["components"]["schemas"])


def describe_type(schema: Any) -> str:
    """A JSON Schema in a few words: "integer, 0 to 20", "list of string", "ChatMessage"."""
    if not isinstance(schema, dict) or not schema:
        return "any value"
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return " or ".join(dict.fromkeys(describe_type(one) for one in schema[keyword]))
    if "const" in schema or "enum" in schema:
        return ", ".join(repr(value) for value in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type", "any value")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return f"list of {describe_type(schema.get('items', {}))}"
    return str(kind) + _bounds(schema)


def _bounds(schema: dict[str, Any]) -> str:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is not None and high is not None:
        return f", {low} to {high}"
    return f", at least {low}" if low is not None else f", at most {high}" if high is not None else ""
