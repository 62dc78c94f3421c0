"""Output items of OpenAI's responses while they are written. Each method returns events, as pairs of name and data."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from .openai_files import file_citation
from .pieces import Citation

Event = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class ItemKind:
    """A kind of output item.

    type, id_prefix: of the item's object.
    event: the beginning of the names of its text events.
    text: the field with the item's text.
    part: type of the one part that has the text; None: the object itself has it.
    """

    type: str
    id_prefix: str
    event: str
    text: str = "text"
    part: str | None = None


REASONING = ItemKind("reasoning", "rs", "response.reasoning_text", part="reasoning_text")
MESSAGE = ItemKind("message", "msg", "response.output_text", part="output_text")
CALL = ItemKind("function_call", "fc", "response.function_call_arguments", "arguments")
CUSTOM_CALL = ItemKind("custom_tool_call", "ctc", "response.custom_tool_call_input", "input")


class OutputItem:
    """An output item.

    kind: attribute; its kind.
    index: its position in the output.
    fields: the fields of its object that are known when it begins.
    """

    def __init__(self, kind: ItemKind, index: int, fields: dict[str, Any]) -> None:
        self.kind = kind
        self._id = f"{kind.id_prefix}_{uuid.uuid4().hex}"
        self._index = index
        self._fields = fields
        self._status = "in_progress"
        self._texts: list[str] = []
        self._content: list[dict[str, Any]] = []
        self._logprobs: list[dict[str, Any]] = []
        self._annotations: list[dict[str, Any]] = []

    @property
    def object(self) -> dict[str, Any]:
        """The item's object in the response, with all text so far."""
        written = {self.kind.text: self._text} if self.kind.part is None else {"content": self._content}
        return {"type": self.kind.type, "id": self._id, **self._fields, **written, "status": self._status}

    def begin(self) -> list[Event]:
        """The events that open the item, and its part if it has one."""
        added = [("response.output_item.added", {"output_index": self._index, "item": self.object})]
        return added + self._part_event("added")

    def write(self, text: str, logprobs: list[dict[str, Any]]) -> list[Event]:
        """The events for more text. logprobs: log-probabilities of its tokens, which only messages report."""
        self._texts.append(text)
        self._logprobs += logprobs
        told = {"logprobs": logprobs} if self.kind is MESSAGE else {}
        return [(f"{self.kind.event}.delta", {**self._place, "delta": text, **told})]

    def annotate(self, citation: Citation) -> list[Event]:
        """The event for a quote that ends with the text so far."""
        self._annotations.append(file_citation(citation, len(self._text)))
        added = {"annotation_index": len(self._annotations) - 1, "annotation": self._annotations[-1]}
        return [(f"{self.kind.event}.annotation.added", {**self._place, **added})]

    def end(self, *, is_complete: bool) -> list[Event]:
        """The events that close the item, and its part if it has one."""
        named = {"name": self._fields["name"]} if self.kind is CALL else {}
        text = (f"{self.kind.event}.done", {**self._place, **named, **self._written})
        part = self._part_event("done")
        self._status = "completed" if is_complete else "incomplete"
        return [text, *part, ("response.output_item.done", {"output_index": self._index, "item": self.object})]

    def _part_event(self, what: str) -> list[Event]:
        """The event for the item's part, which the item's object then contains."""
        if self.kind.part is None:
            return []
        quotes = {"annotations": list(self._annotations)} if self.kind is MESSAGE else {}
        self._content = [{"type": self.kind.part, **self._written, **quotes}]
        return [(f"response.content_part.{what}", {**self._place, "part": self._content[0]})]

    @property
    def _written(self) -> dict[str, Any]:
        told = {"logprobs": list(self._logprobs)} if self.kind is MESSAGE else {}
        return {self.kind.text: self._text, **told}

    @property
    def _place(self) -> dict[str, Any]:
        part = {} if self.kind.part is None else {"content_index": 0}
        return {"item_id": self._id, "output_index": self._index, **part}

    @property
    def _text(self) -> str:
        return "".join(self._texts)
