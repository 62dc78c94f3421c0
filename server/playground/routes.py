"""`GET /playground`, the page, and `POST /playground/distribution`, its numbers."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse

from ..body import read_request
from ..context import context_of
from ..endpoints.base import keyed_router, open_router, posting
from ..generation import complete
from ..limits import require_tokenizer
from ..protocol.base import Call
from ..state import state_of
from .distribution import DistributionRequest, distribution, kept_params, raw_params, read_distribution

router = keyed_router()
page_router = open_router()

# The page holds all of its style and code, and talks to this server alone.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)


@page_router.get("/playground", response_class=HTMLResponse)
async def playground() -> HTMLResponse:
    """The page."""
    return HTMLResponse(_page(), headers={"content-security-policy": CONTENT_SECURITY_POLICY})


@router.post("/playground/distribution", openapi_extra=posting(DistributionRequest))
async def next_token(request: Request) -> dict[str, Any]:
    """The next token's probabilities for a prompt, and one token drawn with the given seed."""
    prompt, params = await read_request(request, read_distribution)
    context_of(request).prompt_param = "prompt"
    model = state_of(request).models.find(None)
    require_tokenizer(model.require())
    name = model.require_name()
    calls = [Call(name, (prompt,), one, "prompt") for one in (raw_params(params), kept_params(params))]
    (raw,), (kept,) = [await complete(request, call) for call in calls]
    return distribution(raw, kept, params)


@cache
def _page() -> str:
    return files(__package__).joinpath("page.html").read_text(encoding="utf-8")
