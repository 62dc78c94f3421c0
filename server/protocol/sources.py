"""`sources`: the named texts that a grammar quotes from, given as text or as a reference to a message.

    "sources": {"text": {"message": -1}, "catalogue": "lamp, chair, table"}

A message is referred to by its index in the request's `messages` (or items of `input`), from 0, or from the end with
-1. The text of a message is that of all its text parts, joined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ..errors import InvalidRequestError

Messages = str | Sequence[Any] | None
"""The messages of a request; a text is one message. None: the format has no messages."""


class SourceMessage(BaseModel):
    """A message of the request as a source."""

    model_config = ConfigDict(strict=True, extra="forbid")

    message: Annotated[int, Field(description="Its place among the request's messages; -1 is the last one.")]


Sources = dict[str, str | SourceMessage]


def read_sources(sources: Sources | None, messages: Messages, cited: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The sources as an argument of `SamplingParams`; empty if there are none. cited: the texts of citations.

    Raises InvalidRequestError if a message does not exist or has no text, and for a source named like a cited text.
    """
    if sources is None and not cited:
        return {}
    for name in cited or ():
        if name in (sources or {}):
            param = f"sources.{name}"
            raise InvalidRequestError(f"{param}: a cited file has this name here; give the source another one", param)
    texts = {
        name: source if isinstance(source, str) else _text_of(source.message, messages, f"sources.{name}.message")
        for name, source in (sources or {}).items()
    }
    return {"sources": {**texts, **(cited or {})}}


def _text_of(place: int, messages: Messages, param: str) -> str:
    if messages is None:
        raise InvalidRequestError(f"{param}: this endpoint takes no messages; give the source's text", param)
    listed = [messages] if isinstance(messages, str) else messages
    if not -len(listed) <= place < len(listed):
        raise InvalidRequestError(f"{param} is {place}, and the request has {len(listed)} messages", param)
    message = listed[place]
    content = message if isinstance(message, str) else getattr(message, "content", None)
    if isinstance(content, str):
        return content
    texts = [part.text for part in content or () if isinstance(getattr(part, "text", None), str)]
    if not texts:
        raise InvalidRequestError(f"{param}: message {place} has no text to quote", param)
    return "".join(texts)
