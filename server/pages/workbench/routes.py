"""`/workbench`: the page and its files. The page needs no key; the endpoints that it calls do."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

from fastapi import Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from ...endpoints.base import open_router
from .data import workbench_data

router = open_router()

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",  # allows data URLs, with which the editor draws wavy lines
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",  # a text that becomes HTML is an error, also in third-party code
        "trusted-types 'none'",
    ]
)
HEADERS = {"content-security-policy": POLICY, "x-content-type-options": "nosniff", "cache-control": "no-cache"}
_MEDIA_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}


class StaticFile(NamedTuple):
    """A file of the page. tag: hash of its content, so a browser need not fetch it again."""

    content: bytes
    media_type: str
    tag: str


@cache
def static_files() -> dict[str, StaticFile]:
    """The page's files, by their path below `/workbench/`."""
    return dict(_read(files(__package__).joinpath("static"), ""))


def _read(folder: Traversable, prefix: str) -> list[tuple[str, StaticFile]]:
    found: list[tuple[str, StaticFile]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _read(entry, f"{prefix}{entry.name}/")
            continue
        content = entry.read_bytes()
        tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        found.append((prefix + entry.name, StaticFile(content, _MEDIA_TYPES[entry.name.rpartition(".")[2]], tag)))
    return found


@router.get("/workbench", response_class=Response)
def workbench(request: Request) -> Response:  # not async: the first call reads files, so it runs in a thread
    """A page to write a grammar, to try it on texts, and to watch a model write under it, token by token."""
    return _answer(request, static_files()["workbench.html"])


@router.get("/playground", response_class=RedirectResponse)
async def playground() -> RedirectResponse:
    """Redirects to the workbench's part on sampling, which used to be here."""
    return RedirectResponse("workbench#tab=sampling")


@router.get("/workbench/data.json", response_class=JSONResponse)
def data() -> JSONResponse:  # not async, for the same reason as `workbench`
    """What the workbench knows about grammars: keywords, formats, presets of sampling, examples."""
    return JSONResponse(workbench_data(), headers={"cache-control": "no-cache"})


@router.get(
    "/workbench/{path:path}", response_class=Response, responses={404: {"description": "There is no such file."}}
)
async def static_file(request: Request, path: str) -> Response:
    """A script or style sheet of the workbench."""
    found = static_files().get(path)
    if found is None:
        raise HTTPException(404, "there is no such file")
    return _answer(request, found)


def _answer(request: Request, file: StaticFile) -> Response:
    headers: dict[str, Any] = HEADERS | {"etag": file.tag}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    return Response(file.content, media_type=file.media_type, headers=headers)
