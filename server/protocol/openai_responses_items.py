"""Output items of OpenAI's responses while they are written: each says its events, as pairs of name and data."""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from typing import Any

from .pieces import Kind

Event = tuple[str, dict[str, Any]]


class OutputItem(ABC):
    """One item. index: its place in the output. object: as it is in the response; grows as it is written."""

    kind: Kind

    def __init__(self, index: int, prefix: str) -> None:
        self.index = index
        self.id = f"{prefix}_{uuid.uuid4().hex}"
        self.status = "in_progress"
        self._texts: list[str] = []

    @property
    def text(self) -> str:
        """What was written so far."""
        return "".join(self._texts)

    @property
    @abstractmethod
    def object(self) -> dict[str, Any]:
        """See the class."""

    @abstractmethod
    def begin(self) -> list[Event]:
        """The events that open it."""

    @abstractmethod
    def write(self, text: str) -> list[Event]:
        """The events of more text."""

    @abstractmethod
    def end(self, *, is_complete: bool) -> list[Event]:
        """The events that close it."""

    def _added(self) -> Event:
        return "response.output_item.added", {"output_index": self.index, "item": self.object}

    def _done(self) -> Event:
        return "response.output_item.done", {"output_index": self.index, "item": self.object}

    @property
    def _place(self) -> dict[str, Any]:
        return {"item_id": self.id, "output_index": self.index}

    @property
    def _part_place(self) -> dict[str, Any]:
        return {**self._place, "content_index": 0}

    def _finish(self, is_complete: bool) -> None:
        self.status = "completed" if is_complete else "incomplete"


class ReasoningItem(OutputItem):
    """What the model thinks before its answer."""

    kind = "thinking"

    def __init__(self, index: int) -> None:
        super().__init__(index, "rs")

    @property
    def object(self) -> dict[str, Any]:
        """A `reasoning` item."""
        content = [{"type": "reasoning_text", "text": self.text}] if self._texts else []
        return {"type": "reasoning", "id": self.id, "summary": [], "content": content, "status": self.status}

    def begin(self) -> list[Event]:
        """See `OutputItem`."""
        return [self._added()]

    def write(self, text: str) -> list[Event]:
        """See `OutputItem`."""
        self._texts.append(text)
        return [("response.reasoning_text.delta", {**self._part_place, "delta": text})]

    def end(self, *, is_complete: bool) -> list[Event]:
        """See `OutputItem`."""
        self._finish(is_complete)
        return [("response.reasoning_text.done", {**self._part_place, "text": self.text}), self._done()]


class MessageItem(OutputItem):
    """The answer's text."""

    kind = "text"

    def __init__(self, index: int) -> None:
        super().__init__(index, "msg")
        self._logprobs: list[dict[str, Any]] = []
        self._is_begun = False

    @property
    def object(self) -> dict[str, Any]:
        """A `message` item."""
        content = [self._part] if self._is_begun else []
        return {"type": "message", "id": self.id, "role": "assistant", "status": self.status, "content": content}

    @property
    def _part(self) -> dict[str, Any]:
        return {"type": "output_text", "text": self.text, "annotations": [], "logprobs": list(self._logprobs)}

    def begin(self) -> list[Event]:
        """See `OutputItem`."""
        added = self._added()
        self._is_begun = True
        return [added, ("response.content_part.added", {**self._part_place, "part": self._part})]

    def write(self, text: str) -> list[Event]:
        """See `OutputItem`."""
        return self.write_tokens(text, [])

    def write_tokens(self, text: str, logprobs: list[dict[str, Any]]) -> list[Event]:
        """`write`, with the log-probabilities of its tokens."""
        self._texts.append(text)
        self._logprobs += logprobs
        return [("response.output_text.delta", {**self._part_place, "delta": text, "logprobs": logprobs})]

    def end(self, *, is_complete: bool) -> list[Event]:
        """See `OutputItem`."""
        self._finish(is_complete)
        text = {**self._part_place, "text": self.text, "logprobs": list(self._logprobs)}
        part = {**self._part_place, "part": self._part}
        return [("response.output_text.done", text), ("response.content_part.done", part), self._done()]


class CallItem(OutputItem):
    """A call of a function."""

    kind = "call"

    def __init__(self, index: int, call_id: str, name: str) -> None:
        super().__init__(index, "fc")
        self._call_id = call_id
        self._name = name

    @property
    def object(self) -> dict[str, Any]:
        """A `function_call` item."""
        return {
            "type": "function_call",
            "id": self.id,
            "call_id": self._call_id,
            "name": self._name,
            "arguments": self.text,
            "status": self.status,
        }

    def begin(self) -> list[Event]:
        """See `OutputItem`."""
        return [self._added()]

    def write(self, text: str) -> list[Event]:
        """See `OutputItem`."""
        self._texts.append(text)
        return [("response.function_call_arguments.delta", {**self._place, "delta": text})]

    def end(self, *, is_complete: bool) -> list[Event]:
        """See `OutputItem`."""
        self._finish(is_complete)
        done = {**self._place, "name": self._name, "arguments": self.text}
        return [("response.function_call_arguments.done", done), self._done()]
