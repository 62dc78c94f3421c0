"""The pages `/` (what this server is) and `/docs` (its endpoints). The workbench is in workbench/.

Each of these two pages loads no other file. Programs get the same as JSON: `/` if they don't ask for HTML, and
`/openapi.json`.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from jinja2 import Environment

from ..endpoints.base import open_router
from ..state import state_of
from .openapi import openapi_document

router = open_router()
NOTHING_ELSE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@router.get("/", response_class=Response)
async def start(request: Request) -> Response:
    """The server's models and endpoints, as HTML if the client accepts it, else as JSON. Needs no key."""
    found = describe(request)
    vary = {"vary": "accept"}
    if "text/html" not in request.headers.get("accept", ""):
        return JSONResponse(found, headers=vary)
    return HTMLResponse(_render("start.html.jinja", start=found), headers=vary | _policy(NOTHING_ELSE))


@router.get("/openapi.json", include_in_schema=False)
async def openapi(request: Request) -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    return published(request)[0]


@router.get("/docs", response_class=HTMLResponse)
async def docs(request: Request) -> HTMLResponse:
    """This page: the endpoints with their fields and answers."""
    return HTMLResponse(published(request)[1], headers=_policy(NOTHING_ELSE))


def published(request: Request) -> tuple[dict[str, Any], str]:
    """The OpenAPI document and its page, rebuilt after each model that is loaded."""
    state = state_of(request)
    names = state.models.loaded_names
    if names not in state.documents:
        document = openapi_document(request.app, names)
        state.documents[names] = (document, _render("docs.html.jinja", document=document))
    return state.documents[names]


def describe(request: Request) -> dict[str, Any]:
    """The facts on the start page.

    model: name of the first model, None while it loads. models: names of all loaded models. endpoints: the endpoints of
        the OpenAPI document.
    """
    state = state_of(request)
    document = published(request)[0]
    root = str(request.base_url).rstrip("/")
    return {
        "name": "guided",
        "version": document["info"]["version"],
        "description": document["info"]["description"],
        "model": None if state.models.first.llm is None else state.models.first.name,
        "models": state.models.loaded_names,
        "base_url": f"{root}/v1",
        "docs": f"{root}/docs",
        "openapi": f"{root}/openapi.json",
        "workbench": f"{root}/workbench",
        "health": f"{root}/health",
        "endpoints": [
            {"method": method.upper(), "path": path, "summary": operation.get("summary", "")}
            for path, operations in document["paths"].items()
            for method, operation in operations.items()
        ],
    }


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


def _render(template: str, **variables: Any) -> str:
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["type"] = describe_type
    return environment.from_string(_read(template)).render(**variables)


@cache
def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _policy(policy: str) -> dict[str, str]:
    return {"content-security-policy": policy}
