"""`GET /playground`, the page, and `POST /playground/distribution`, its numbers."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from guided.completion import Completion
from guided.sampling_params import SamplingParams

from ..answers import AnsweringRoute
from ..body import read_json_object
from ..protocol.base import Message
from ..state import state_of
from ..streaming import unless_disconnected
from ..worker import Job
from .distribution import distribution, kept_params, raw_params, read_request

router = APIRouter(route_class=AnsweringRoute)

# The page holds all of its style and code, and talks to this server alone.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)


@router.get("/playground")
async def playground() -> HTMLResponse:
    """The page."""
    return HTMLResponse(_page(), headers={"content-security-policy": CONTENT_SECURITY_POLICY})


@router.post("/playground/distribution")
async def next_token(request: Request) -> dict[str, Any]:
    """The next token's probabilities for a prompt, and one token drawn with the given seed."""
    state = state_of(request)
    prompt, params = read_request(await read_json_object(request, state.settings.max_body_bytes))
    state.worker.require_llm()
    raw, kept = [await _complete(request, prompt, one) for one in (raw_params(params), kept_params(params))]
    return distribution(raw, kept, params)


async def _complete(request: Request, prompt: str | list[Message], params: SamplingParams) -> Completion:
    """One generation, waited for; it ends when the client leaves."""
    worker = state_of(request).worker
    job = worker.submit(prompt, params)
    try:
        return await unless_disconnected(request, _completion_of(job))
    finally:
        worker.cancel(job)


async def _completion_of(job: Job) -> Completion:
    chunk = await job.next_chunk()
    while chunk.completion is None:
        chunk = await job.next_chunk()
    return chunk.completion


@cache
def _page() -> str:
    return files(__package__).joinpath("page.html").read_text(encoding="utf-8")
