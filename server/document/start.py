"""`GET /`: what this server is and where to go on, as a page for browsers and as JSON for everything else."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from jinja2 import Environment

from ..endpoints.base import open_router
from ..state import state_of
from .page import CONTENT_SECURITY_POLICY, published

router = open_router()


@router.get("/", response_class=Response)
async def start(request: Request) -> Response:
    """The server's models and endpoints; HTML where the client accepts it, else JSON. Needs no key."""
    found = describe(request)
    if "text/html" not in request.headers.get("accept", ""):
        return JSONResponse(found, headers={"vary": "accept"})
    headers = {"content-security-policy": CONTENT_SECURITY_POLICY, "vary": "accept"}
    return HTMLResponse(_render(found), headers=headers)


def describe(request: Request) -> dict[str, Any]:
    """model: the name of the first one, None while it is loaded; models: of all that are. The endpoints are those of
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
        "playground": f"{root}/playground",
        "health": f"{root}/health",
        "endpoints": [
            {"method": method.upper(), "path": path, "summary": operation.get("summary", "")}
            for path, operations in document["paths"].items()
            for method, operation in operations.items()
        ],
    }


def _render(found: dict[str, Any]) -> str:
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(files(__package__).joinpath("start.html.jinja").read_text(encoding="utf-8"))
    return template.render(start=found)
