"""Shared by the builders of all formats: server-sent events, and an output's new content as consecutive pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from guided.output.completion import Completion, CompletionChunk
from guided.tools import ToolCallDelta

DeltaKind = Literal["thinking", "text", "call"]
DONE_EVENT = b"data: [DONE]\n\n"


def event(data: dict[str, Any], name: str | None = None) -> bytes:
    """A server-sent event. name: its type, written on a line of its own; None: no such line."""
    line = b"data: " + json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"
    return line if name is None else b"event: " + name.encode() + b"\n" + line


@dataclass(frozen=True)
class Citation:
    """A quote's place in a document.

    quote: the quote as the answer has it; `cited_text` has the document's own whitespace.
    index: position of the document among the request's documents.
    start, end: first place of the quote in the document, in characters.
    """

    quote: str
    index: int
    title: str | None
    cited_text: str
    start: int
    end: int

    @property
    def location(self) -> dict[str, Any]:
        """The place in Anthropic's form."""
        return {
            "type": "char_location",
            "cited_text": self.cited_text,
            "document_index": self.index,
            "document_title": self.title,
            "file_id": None,
            "start_char_index": self.start,
            "end_char_index": self.end,
        }


@dataclass(frozen=True)
class Delta:
    """New text of one kind.

    call: for kind "call", the delta that the text is from.
    begins: the piece begins a new block.
    ends: the piece ends its block.
    citation: the citation of the quote that ends.
    """

    kind: DeltaKind
    text: str
    call: ToolCallDelta | None = None
    begins: bool = False
    ends: bool = False
    citation: Citation | None = None


def pieces_of(chunk: CompletionChunk) -> Iterator[Delta]:
    """The pieces of a chunk, in order: thinking, the rest of an already open call, text, new calls."""
    if chunk.thinking:
        yield Delta("thinking", chunk.thinking)
    deltas = list(chunk.tool_calls)
    while deltas and deltas[0].name is None:
        yield Delta("call", deltas[0].arguments, deltas.pop(0))
    if chunk.text:
        yield Delta("text", chunk.text)
    for delta in deltas:
        yield Delta("call", delta.arguments, delta)


def whole_chunk(completion: Completion) -> CompletionChunk:
    """A finished output as one chunk."""
    deltas = [
        ToolCallDelta(index, call.arguments, call.id, call.name, call.is_custom)
        for index, call in enumerate(completion.tool_calls)
    ]
    return CompletionChunk(
        completion.text,
        completion.finish_reason,
        completion.usage,
        completion,
        completion.shown_logprobs,
        thinking=completion.thinking,
        token_ids=completion.token_ids,
        tool_calls=tuple(deltas),
    )


def notes_of(completion: Completion) -> dict[str, Any]:
    """An output's facts without a field in the wire formats; facts that say nothing are left out.

    closed_in_budget, min_new_tokens_overruled, unheld_tools, foreign_calls, enforcement: see `Completion`. stop_reason:
        the stop string, or the id of the stop token, that ended the text, as in vLLM.
    """
    notes: dict[str, Any] = {
        "closed_in_budget": completion.closed_in_budget,
        "min_new_tokens_overruled": completion.min_new_tokens_overruled,
        "unheld_tools": dict(completion.unheld_tools),
        "foreign_calls": completion.foreign_calls,
        "enforcement": None if completion.enforcement is None else completion.enforcement.as_json(),
    }
    said = {name: value for name, value in notes.items() if value}
    return said if completion.stopped_by is None else {**said, "stop_reason": completion.stopped_by}
