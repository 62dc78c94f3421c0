"""`/workbench`: the page and its files. The page needs no key; the endpoints that it calls do."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles

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


class PageFiles(StaticFiles):
    """The files in `static/`, with the headers of the page."""

    def file_response(self, full_path: Any, *details: Any, **named: Any) -> Response:
        """See `StaticFiles.file_response`."""
        response = super().file_response(full_path, *details, **named)
        response.headers.update(HEADERS)
        if str(full_path).endswith(".js"):  # some systems have another type for such files
            response.headers["content-type"] = "text/javascript; charset=utf-8"
        return response


@cache
def page_files() -> PageFiles:
    """The page's files, by their path below `/workbench/`."""
    return PageFiles(packages=[(__package__, "static")])


@router.get("/workbench", response_class=Response)
async def workbench(request: Request) -> Response:
    """A page to write a grammar, to try it on texts, and to watch a model write under it, token by token."""
    return await page_files().get_response("workbench.html", request.scope)


@router.get("/playground", response_class=RedirectResponse)
async def playground() -> RedirectResponse:
    """Redirects to the workbench's part on sampling, which used to be here."""
    return RedirectResponse("workbench#tab=sampling")


@router.get("/workbench/data.json", response_class=JSONResponse)
def data() -> JSONResponse:  # not async: the first call reads files, so it runs in a thread
    """The workbench's data about grammars and sampling: keywords, formats, presets, examples."""
    return JSONResponse(workbench_data(), headers={"cache-control": "no-cache"})


@router.get(
    "/workbench/{path:path}", response_class=Response, responses={404: {"description": "There is no such file."}}
)
async def static_file(request: Request, path: str) -> Response:
    """A script or style sheet of the workbench."""
    return await page_files().get_response(path, request.scope)
