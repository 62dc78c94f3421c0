"""The wire formats: a line here gives a format its route."""

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
"""Path -> the format that is answered there, by POST."""


def is_anthropic(request: Request) -> bool:
    """The client is one of Anthropic's: each of their requests says which version of the interface it means."""
    return "anthropic-version" in request.headers


def wire_format_for(request: Request) -> WireFormat:
    """The format whose error body is written; of /v1/models, which both have, Anthropic's for its clients."""
    path = request.url.path
    return ANTHROPIC_MESSAGES if path.startswith("/v1/models") and is_anthropic(request) else wire_format_of(path)


def wire_format_of(path: str) -> WireFormat:
    """The format whose error body is written for a path: the longest that the path begins with, or OpenAI's chat."""
    matching = [known for known in FORMATS if path == known or path.startswith(f"{known}/")]
    return FORMATS[max(matching, key=len)] if matching else OPENAI_CHAT
