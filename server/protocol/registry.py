"""The wire formats. A line in this table gives a format its route."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Request

from .anthropic_messages import ANTHROPIC_MESSAGES
from .base import WireFormat
from .openai_chat import OPENAI_CHAT
from .openai_completions import OPENAI_COMPLETIONS
from .openai_responses import OPENAI_RESPONSES

FORMATS: Mapping[str, WireFormat] = {
    "/v1/chat/completions": OPENAI_CHAT,
    "/v1/completions": OPENAI_COMPLETIONS,
    "/v1/responses": OPENAI_RESPONSES,
    "/v1/messages": ANTHROPIC_MESSAGES,
}
"""Path -> wire format of POST requests there."""


def is_anthropic(request: Request) -> bool:
    """True for clients of Anthropic's API, whose requests always send its version."""
    return "anthropic-version" in request.headers


def wire_format_for(request: Request) -> WireFormat:
    """The format of a request's error body. For /v1/models, which exists in both APIs, the client decides."""
    path = request.url.path
    return ANTHROPIC_MESSAGES if path.startswith("/v1/models") and is_anthropic(request) else wire_format_of(path)


def wire_format_of(path: str) -> WireFormat:
    """The format of error bodies for a path: that of the longest matching beginning, or OpenAI's chat completions."""
    matching = [known for known in FORMATS if path == known or path.startswith(f"{known}/")]
    return FORMATS[max(matching, key=len)] if matching else OPENAI_CHAT
