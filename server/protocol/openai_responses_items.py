"""Output items of OpenAI's responses while they are written. Each method returns events, as pairs of name and data."""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from .openai_files import file_citation
from .pieces import Citation, DeltaKind

Event = tuple[str, dict[str, Any]]


class OutputItem(ABC):
    """An output item. index: its position in the output.

    kind: class attribute; the kind of pieces that the item is made of.
    type, id_prefix: class attributes of the item's object.
    event: class attribute; the beginning of the names of its text events.
    """

    kind: ClassVar[DeltaKind]
    type: ClassVar[str]
    id_prefix: ClassVar[str]
    event: ClassVar[str]

    def __init__(self, index: int) -> None:
        self._id = f"{self.id_prefix}_{uuid.uuid4().hex}"
        self._index = index
        self._status = "in_progress"
        self._texts: list[str] = []

    @property
    def object(self) -> dict[str, Any]:
        """The item's object in the response, with all text so far."""
        return {"type": self.type, "id": self._id, **self._fields, "status": self._status}

    def begin(self) -> list[Event]:
        """The events that open the item."""
        return [("response.output_item.added", {"output_index": self._index, "item": self.object})]

    def write(self, text: str, logprobs: list[dict[str, Any]]) -> list[Event]:
        """The events for more text. logprobs: log-probabilities of its tokens, which only messages report."""
        self._texts.append(text)
        return [(f"{self.event}.delta", {**self._place, "delta": text})]

    def end(self, *, is_complete: bool) -> list[Event]:
        """The events that close the item."""
        self._status = "completed" if is_complete else "incomplete"
        return [
            (f"{self.event}.done", {**self._place, **self._written}),
            ("response.output_item.done", {"output_index": self._index, "item": self.object}),
        ]

    @property
    @abstractmethod
    def _fields(self) -> dict[str, Any]:
        """The fields of this type's object."""

    @property
    def _written(self) -> dict[str, Any]:
        """The data of the event that ends the item's text."""
        return {"text": self._text}

    @property
    def _place(self) -> dict[str, Any]:
        return {"item_id": self._id, "output_index": self._index, "content_index": 0}

    @property
    def _text(self) -> str:
        return "".join(self._texts)


class PartItem(OutputItem):
    """An item whose content is one part with text. part: class attribute; the part's fields beside its text."""

    part: ClassVar[dict[str, Any]]

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self._content: list[dict[str, Any]] = []

    @property
    def _part(self) -> dict[str, Any]:
        return {**self.part, **self._written}

    def begin(self) -> list[Event]:
        """The opening events of the item and of its part."""
        added = super().begin()
        self._content = [self._part]
        return [*added, ("response.content_part.added", {**self._place, "part": self._content[0]})]

    def end(self, *, is_complete: bool) -> list[Event]:
        """The closing events of the item and of its part."""
        self._content = [self._part]
        text, done = super().end(is_complete=is_complete)
        return [text, ("response.content_part.done", {**self._place, "part": self._content[0]}), done]


class ReasoningItem(PartItem):
    """The model's thinking before its answer."""

    kind = "thinking"
    type = "reasoning"
    id_prefix = "rs"
    event = "response.reasoning_text"
    part: ClassVar[dict[str, Any]] = {"type": "reasoning_text"}

    @property
    def _fields(self) -> dict[str, Any]:
        return {"summary": [], "content": self._content}


class MessageItem(PartItem):
    """The answer's text."""

    kind = "text"
    type = "message"
    id_prefix = "msg"
    event = "response.output_text"
    part: ClassVar[dict[str, Any]] = {"type": "output_text"}

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self._logprobs: list[dict[str, Any]] = []
        self._annotations: list[dict[str, Any]] = []

    def write(self, text: str, logprobs: list[dict[str, Any]]) -> list[Event]:
        """The events for more text, with its log-probabilities."""
        self._logprobs += logprobs
        [(name, data)] = super().write(text, logprobs)
        return [(name, {**data, "logprobs": logprobs})]

    def annotate(self, citation: Citation) -> list[Event]:
        """The event for a quote that ends with the text so far."""
        self._annotations.append(file_citation(citation, len(self._text)))
        added = {"annotation_index": len(self._annotations) - 1, "annotation": self._annotations[-1]}
        return [(f"{self.event}.annotation.added", {**self._place, **added})]

    @property
    def _fields(self) -> dict[str, Any]:
        return {"role": "assistant", "content": self._content}

    @property
    def _part(self) -> dict[str, Any]:
        return {**super()._part, "annotations": list(self._annotations)}

    @property
    def _written(self) -> dict[str, Any]:
        return {"text": self._text, "logprobs": list(self._logprobs)}


class CallItem(OutputItem):
    """A function call."""

    kind = "call"
    type = "function_call"
    id_prefix = "fc"
    event = "response.function_call_arguments"

    def __init__(self, index: int, call_id: str, name: str, namespace: str | None = None) -> None:
        super().__init__(index)
        self._call_id = call_id
        self._name = name
        self._namespace = {} if namespace is None else {"namespace": namespace}

    @property
    def _fields(self) -> dict[str, Any]:
        return {"call_id": self._call_id, **self._namespace, **self._written}

    @property
    def _written(self) -> dict[str, Any]:
        return {"name": self._name, "arguments": self._text}

    @property
    def _place(self) -> dict[str, Any]:
        return {"item_id": self._id, "output_index": self._index}


class CustomCallItem(CallItem):
    """A call of a custom tool."""

    type = "custom_tool_call"
    id_prefix = "ctc"
    event = "response.custom_tool_call_input"

    @property
    def _fields(self) -> dict[str, Any]:
        return {"call_id": self._call_id, **self._namespace, "name": self._name, **self._written}

    @property
    def _written(self) -> dict[str, Any]:
        return {"input": self._text}
