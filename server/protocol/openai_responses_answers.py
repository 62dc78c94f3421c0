"""Answers in the format of OpenAI's responses: a `response` of output items, or its numbered events.

Items (reasoning, a message, function calls) have the order of the model's text.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from guided.engines.token_logprobs import TokenLogprobs
from guided.grammars.vocabulary import Vocabulary
from guided.output.completion import Completion, CompletionChunk
from guided.params.sampling_params import SamplingParams

from ..errors import WireError
from .base import Prompts, ResponseBuilder
from .citations import CitationReader, Citations
from .openai_logprobs import logprobs_object
from .openai_responses_items import CALL, CUSTOM_CALL, MESSAGE, REASONING, Event, OutputItem
from .openai_responses_tools import PLAIN_TYPES
from .pieces import DONE_EVENT, Delta, event, notes_of, whole_chunk

UNSAID = {"description": None, "parameters": None, "strict": True}
"""Defaults for a function's missing fields."""
FIELDS: Mapping[str, dict[str, Any]] = {"thinking": {"summary": []}, "text": {"role": "assistant"}}
"""Kind of a piece -> the fields of its item beside the text."""


def repeated_fields(body: Mapping[str, Any], params: SamplingParams, *, is_kept: bool) -> dict[str, Any]:
    """The request's settings that the response repeats. Tools that were not offered to the model are left out."""
    text = body.get("text") or {}
    reasoning = body.get("reasoning") or {}
    choice = body.get("tool_choice")
    parallel = body.get("parallel_tool_calls")
    tools = [tool for tool in body.get("tools") or () if tool["type"] in PLAIN_TYPES]
    return {
        "background": False,
        "frequency_penalty": params.frequency_penalty,
        "instructions": body.get("instructions"),
        "max_output_tokens": params.max_new_tokens,
        "max_tool_calls": body.get("max_tool_calls"),
        "metadata": body.get("metadata") or {},
        "parallel_tool_calls": True if parallel is None else parallel,
        "presence_penalty": params.presence_penalty,
        "previous_response_id": body.get("previous_response_id"),
        "prompt_cache_key": body.get("prompt_cache_key"),
        "reasoning": {"effort": reasoning.get("effort"), "summary": None},
        "safety_identifier": body.get("safety_identifier"),
        "service_tier": "default",
        "store": is_kept,
        "temperature": params.temperature,
        "text": {"format": text.get("format") or {"type": "text"}},
        "tool_choice": "auto" if choice is None else choice,
        "tools": [{**UNSAID, **tool} if tool["type"] == "function" else tool for tool in tools],
        "top_logprobs": params.logprobs or 0,
        "top_p": params.top_p,
        "truncation": "disabled",
        "user": body.get("user"),
    }


class ResponsesBuilder(ResponseBuilder):
    """Builds a `response`, or its events under one id and one `created_at`.

    namespaces: see `ResponseTools`. citations: the documents that the answer may quote.
    keep: called with the finished response before the client gets it; returns whether it was kept. None: the response
        is not kept.
    """

    def __init__(
        self,
        repeated: Mapping[str, Any],
        namespaces: Mapping[str, tuple[str, str]],
        citations: Citations,
        keep: Callable[[Mapping[str, Any]], bool] | None,
        _prompts: Prompts,
        _vocabulary: Vocabulary,
        model: str,
    ) -> None:
        self._model = model
        self._repeated = repeated
        self._namespaces = namespaces
        self._citations = CitationReader(citations)
        self._keep = keep
        self._id = f"resp_{uuid.uuid4().hex}"
        self._created_at = int(time.time())
        self._sequence_number = 0
        self._done: list[dict[str, Any]] = []
        self._open: OutputItem | None = None

    def whole(self, completions: Sequence[Completion]) -> dict[str, Any]:
        """The whole answer as a `response` object."""
        self.piece(whole_chunk(completions[0]))
        return self._finished(completions[0])

    def start(self) -> list[bytes]:
        """The events `response.created` and `response.in_progress`."""
        response = self._response("in_progress")
        return [self._event(f"response.{name}", {"response": response}) for name in ("created", "in_progress")]

    def piece(self, chunk: CompletionChunk) -> list[bytes]:
        """Events of the item that is being written. If a new item begins, also events that end the last item and open
        the new one.
        """
        events = []
        entries = _entries(chunk.logprobs)
        for piece in self._citations.pieces(chunk):
            events += self._turn_to(piece)
            assert self._open is not None
            has_entries = self._open.kind is MESSAGE
            if piece.text or (has_entries and entries):
                events += self._named(self._open.write(piece.text, entries))
            entries = [] if has_entries else entries
            if piece.citation is not None and has_entries:
                events += self._named(self._open.annotate(piece.citation))
        if entries and self._open is not None and self._open.kind is MESSAGE:
            events += self._named(self._open.write("", entries))
        if chunk.completion is not None:
            if not self._done and self._open is None:
                events += self._turn_to(Delta("text", ""))  # an empty answer is an empty message
            events += self._close(is_complete=chunk.completion.finish_reason == "stop")
        return events

    def end(self, completions: Sequence[Completion]) -> list[bytes]:
        """The event `response.completed`, or `response.incomplete` if the text was cut off, and the end mark."""
        response = self._finished(completions[0])
        return [self._event(f"response.{response['status']}", {"response": response}), DONE_EVENT]

    def error(self, error: WireError) -> list[bytes]:
        """The event `response.failed`, and the end mark."""
        details = {"code": "server_error" if error.status >= 500 else error.code, "message": error.message}
        return [self._event("response.failed", {"response": self._response("failed") | {"error": details}}), DONE_EVENT]

    def _turn_to(self, piece: Delta) -> list[bytes]:
        """Open the piece's item, unless it is already open; closes the item before it."""
        kind, fields = REASONING if piece.kind == "thinking" else MESSAGE, FIELDS.get(piece.kind, {})
        if piece.call is not None:
            kind = CUSTOM_CALL if piece.call.is_custom else CALL
            known_as = piece.call.name or ""
            namespace, name = self._namespaces.get(known_as, (None, known_as))
            fields = {"call_id": piece.call.id or "", "namespace": namespace, "name": name}
        if self._open is not None and self._open.kind is kind and (piece.call is None or piece.call.name is None):
            return []
        events = self._close(is_complete=True)
        known = {field: value for field, value in fields.items() if value is not None}
        self._open = OutputItem(kind, len(self._done), known)
        return events + self._named(self._open.begin())

    def _close(self, *, is_complete: bool) -> list[bytes]:
        if self._open is None:
            return []
        events = self._named(self._open.end(is_complete=is_complete))
        self._done.append(self._open.object)
        self._open = None
        return events

    def _finished(self, completion: Completion) -> dict[str, Any]:
        is_complete = completion.finish_reason == "stop"
        response = self._response("completed" if is_complete else "incomplete")
        response["completed_at"] = int(time.time()) if is_complete else None
        response |= notes_of(completion)
        response["incomplete_details"] = None if is_complete else {"reason": "max_output_tokens"}
        num_new_tokens = completion.num_tokens
        response["usage"] = {
            "input_tokens": completion.num_prompt_tokens,
            "input_tokens_details": {"cached_tokens": completion.num_cached_tokens, "cache_write_tokens": 0},
            "output_tokens": num_new_tokens,
            "output_tokens_details": {"reasoning_tokens": completion.num_thinking_tokens},
            "total_tokens": completion.num_prompt_tokens + num_new_tokens,
        }
        return response | {"store": self._keep is not None and self._keep(response)}

    def _response(self, status: str) -> dict[str, Any]:
        return {
            "id": self._id,
            "object": "response",
            "created_at": self._created_at,
            "completed_at": None,
            "status": status,
            "error": None,
            "incomplete_details": None,
            "model": self._model,
            "output": list(self._done),
            "usage": None,
            **self._repeated,
        }

    def _named(self, events: Sequence[Event]) -> list[bytes]:
        return [self._event(name, data) for name, data in events]

    def _event(self, name: str, data: dict[str, Any]) -> bytes:
        number, self._sequence_number = self._sequence_number, self._sequence_number + 1
        return event({"type": name, "sequence_number": number, **data}, name)


def _entries(logprobs: Sequence[TokenLogprobs] | None) -> list[dict[str, Any]]:
    content = [] if logprobs is None else logprobs_object(logprobs)["content"]
    return [entry | {"bytes": entry["bytes"] or []} for entry in content]
