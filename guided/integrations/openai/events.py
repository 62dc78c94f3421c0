"""Server-sent events: the JSON objects of a stream in OpenAI's protocol."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from .failures import no_answer

DONE = b"[DONE]"
MAX_LINE_BYTES = 16 * 2**20


async def read_events(chunks: AsyncIterator[bytes], where: str) -> AsyncIterator[dict[str, Any]]:
    """The object of each event, up to the end mark or the end of the stream. Raises EndpointAnswerError.

    chunks: the body, in pieces of any size. Lines end with a line feed alone: texts may hold other line separators.
    """
    async for data in _data_of_events(chunks, where):
        if data == DONE:
            return
        yield read_object(data, where)


def read_object(data: bytes, where: str) -> dict[str, Any]:
    """A JSON object. Raises EndpointAnswerError for anything else."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise no_answer(f"{data[:80]!r} is no JSON", where) from error
    if not isinstance(found, dict):
        raise no_answer(f"{data[:80]!r} is no JSON object", where)
    return found


async def _data_of_events(chunks: AsyncIterator[bytes], where: str) -> AsyncIterator[bytes]:
    parts: list[bytes] = []
    async for line in _lines(chunks, where):
        if line.startswith(b"data:"):
            parts.append(line[5:].removeprefix(b" "))
        elif not line and parts:
            yield b"\n".join(parts)
            parts = []
    if parts:  # the last event's empty line is missing
        yield b"\n".join(parts)


async def _lines(chunks: AsyncIterator[bytes], where: str) -> AsyncIterator[bytes]:
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > MAX_LINE_BYTES:
            raise no_answer(f"one line has more than {MAX_LINE_BYTES} bytes", where)
        for line in lines:
            yield line.removesuffix(b"\r")
    if rest:
        yield rest.removesuffix(b"\r")
