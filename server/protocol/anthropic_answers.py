"""Answers in Anthropic's format: a `message` of content blocks, or its events.

Blocks follow each other: thinking, text, uses of tools. The last event is `message_stop`; there is no other end mark.
As in Anthropic's API, `input_tokens` counts the prompt's uncached tokens and `cache_read_input_tokens` the cached ones.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import from_json

from guided.grammars.vocabulary import Vocabulary
from guided.output.completion import Completion, CompletionChunk

from ..errors import WireError
from .base import Prompts, ResponseBuilder
from .citations import CitationReader, Citations
from .pieces import Delta, DeltaKind, event, notes_of, whole_chunk

DELTA_FIELDS: dict[DeltaKind, tuple[str, str]] = {  # the type of each kind's deltas, and their field with the new text
    "thinking": ("thinking_delta", "thinking"),
    "text": ("text_delta", "text"),
    "call": ("input_json_delta", "partial_json"),
}
# characters at the end of a number that may be cut off; the JSON parser itself drops a final "e"
OF_NUMBERS = "0123456789+-."
ERROR_TYPES: Mapping[int, str] = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
    504: "timeout_error",
}


def error_body(error: WireError, request_id: str) -> dict[str, Any]:
    """The body of a response that contains only an error."""
    return {"type": "error", "error": _error_object(error), "request_id": request_id}


class MessageBuilder(ResponseBuilder):
    """Builds a `message`, or its events under one id."""

    def __init__(self, citations: Citations, prompts: Prompts, _: Vocabulary, model: str) -> None:
        self._citations = CitationReader(citations)
        self._model = model
        self._num_prompt_tokens = sum(map(len, prompts))
        self._id = f"msg_{uuid.uuid4().hex}"
        self._content: list[dict[str, Any]] = []
        self._open: DeltaKind | None = None
        self._texts: list[str] = []  # pieces of the open block's text

    def whole(self, completions: Sequence[Completion]) -> dict[str, Any]:
        """The whole answer as a `message` object."""
        completion = completions[0]
        self.piece(whole_chunk(completion))
        return self._message(self._content, _usage(completion)) | _stop(completion) | _notes(completion)

    def start(self) -> list[bytes]:
        """The event `message_start`."""
        usage = {
            "input_tokens": self._num_prompt_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 0,
        }
        return [_event("message_start", {"message": self._message([], usage)})]

    def piece(self, chunk: CompletionChunk) -> list[bytes]:
        """Deltas of the open block, and events where a block ends or begins."""
        events = []
        for piece in self._citations.pieces(chunk):
            is_new_call = piece.call is not None and piece.call.name is not None
            if piece.begins or self._open != piece.kind or is_new_call:
                events += self._close()
                events += self._begin(piece)
            if piece.text:
                self._texts.append(piece.text)
                name, field = DELTA_FIELDS[piece.kind]
                events.append(self._delta({"type": name, field: piece.text}))
            if piece.citation is not None:
                self._content[-1]["citations"] = [piece.citation.location]
                events.append(self._delta({"type": "citations_delta", "citation": piece.citation.location}))
            if piece.ends:
                self._content[-1].setdefault("citations", None)
                events += self._close()
        return events + (self._close() if chunk.finish_reason is not None else [])

    def end(self, completions: Sequence[Completion]) -> list[bytes]:
        """The events `message_delta`, with stop reason and usage, and `message_stop`."""
        completion = completions[0]
        delta = {"delta": _stop(completion) | _notes(completion), "usage": _usage(completion)}
        return [_event("message_delta", delta), _event("message_stop", {})]

    def error(self, error: WireError) -> list[bytes]:
        """An `error` event."""
        return [_event("error", {"error": _error_object(error)})]

    def _delta(self, delta: dict[str, Any]) -> bytes:
        return _event("content_block_delta", {"index": len(self._content) - 1, "delta": delta})

    def _begin(self, piece: Delta) -> list[bytes]:
        self._open = piece.kind
        self._content.append(_new_block(piece))
        start = {"index": len(self._content) - 1, "content_block": self._content[-1]}
        return [_event("content_block_start", start)]

    def _close(self) -> list[bytes]:
        if self._open is None:
            return []
        text, field = "".join(self._texts), DELTA_FIELDS[self._open][1]
        self._content[-1] |= {"input": _read_input(text)} if self._open == "call" else {field: text}
        self._open = None
        self._texts.clear()
        return [_event("content_block_stop", {"index": len(self._content) - 1})]

    def _message(self, content: list[dict[str, Any]], usage: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": self._id,
            "type": "message",
            "role": "assistant",
            "model": self._model,
            "content": content,
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
        }


def _error_object(error: WireError) -> dict[str, Any]:
    """The `error` of a body or an event. The fields param and code, which Anthropic lacks, mean the same as in
    OpenAI's.
    """
    default = "invalid_request_error" if error.status < 500 else "api_error"
    kind = ERROR_TYPES.get(error.status, default)
    return {"type": kind, "message": error.message, "param": error.param, "code": error.code}


def _new_block(piece: Delta) -> dict[str, Any]:
    if piece.call is not None:
        call_id = f"toolu_{(piece.call.id or '').removeprefix('call_')}"
        return {"type": "tool_use", "id": call_id, "name": piece.call.name, "input": {}}
    if piece.kind == "thinking":
        return {"type": "thinking", "thinking": "", "signature": ""}
    return {"type": "text", "text": ""}


def _read_input(arguments: str) -> Any:
    """The arguments of a tool call as an object. If the call was cut off, only values that were completely written.

    A number at the cut is left out, since more digits might have followed.
    """
    written = arguments.rstrip(OF_NUMBERS)
    return from_json(written, allow_partial=True) if written else {}


def _stop(completion: Completion) -> dict[str, Any]:
    if completion.finish_reason == "length":
        return {"stop_reason": "max_tokens", "stop_sequence": None}
    if completion.tool_calls:
        return {"stop_reason": "tool_use", "stop_sequence": None}
    if isinstance(completion.stopped_by, str):
        return {"stop_reason": "stop_sequence", "stop_sequence": completion.stopped_by}
    return {"stop_reason": "end_turn", "stop_sequence": None}


def _notes(completion: Completion) -> dict[str, Any]:
    """Fields that Anthropic's format lacks. The text that stopped the output is not among them: `stop_sequence` has
    it.
    """
    return {name: value for name, value in notes_of(completion).items() if name != "stop_reason"}


def _usage(completion: Completion) -> dict[str, Any]:
    return {
        "input_tokens": completion.num_prompt_tokens - completion.num_cached_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": completion.num_cached_tokens,
        "output_tokens": completion.num_tokens,
    }


def _event(name: str, data: dict[str, Any]) -> bytes:
    return event({"type": name, **data}, name)
