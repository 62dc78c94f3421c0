"""Requests and answers as these tests write and read them."""

from __future__ import annotations

from typing import Any

import httpx

from guided.server import ServerSettings

CHAT_URL = "/v1/chat/completions"
SMALL_LIMITS = ServerSettings(max_concurrent_requests=3, max_body_bytes=20_000)


def chat_body(**fields: Any) -> dict[str, Any]:
    """A smallest valid request for the scripted model, with `fields` on top."""
    return {"model": "scripted", "messages": [{"role": "user", "content": "Hi"}]} | fields


def schema_format(schema: Any, **fields: Any) -> dict[str, Any]:
    """A `response_format`."""
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema} | fields}


def sse_events(text: str) -> list[str]:
    """The `data:` payloads of a stream, as they are."""
    return [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]


def answer_of(response: httpx.Response) -> tuple[int, str | None]:
    """Status and error code."""
    body = response.json()
    return response.status_code, body["error"]["code"] if "error" in body else None
