"""A model's tool calls: whole, and as streamed pieces."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from .custom import text_arguments

MAX_DEPTH = 100  # maximum nesting of arguments that a chat template gets as an object


@dataclass(frozen=True)
class ToolCall:
    """One call.

    id: created here, different for each call.
    name: the tool's name.
    arguments: JSON text as the model wrote it. If the output was cut off inside the call (`finish_reason` "length"),
        only its beginning.
    is_custom: a call of a custom tool; `arguments` is then its text.
    """

    id: str
    name: str
    arguments: str
    is_custom: bool = False

    @property
    def message_part(self) -> dict[str, Any]:
        """The call in OpenAI's format, as in a message's "tool_calls"."""
        if self.is_custom:
            return {"id": self.id, "type": "custom", "custom": {"name": self.name, "input": self.arguments}}
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": self.arguments}}

    @property
    def as_function(self) -> ToolCall:
        """The call as a function call. A custom tool's call becomes one of the function that the model is shown."""
        return ToolCall(self.id, self.name, text_arguments(self.arguments)) if self.is_custom else self

    @property
    def object(self) -> dict[str, Any] | None:
        """The parsed arguments. None if they are not JSON text of an object, or if chat templates can't show the
        object.
        """
        try:
            value = json.loads(self.arguments)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) and _can_be_shown(value, MAX_DEPTH) else None


def _can_be_shown(value: Any, depth: int) -> bool:
    """True if a value is nested at most `depth` levels deep and all its strings are valid Unicode."""
    if isinstance(value, dict):
        return depth > 0 and all(_can_be_shown(part, depth - 1) for item in value.items() for part in item)
    if isinstance(value, list):
        return depth > 0 and all(_can_be_shown(item, depth - 1) for item in value)
    return not isinstance(value, str) or not any("\ud800" <= char <= "\udfff" for char in value)


@dataclass(frozen=True)
class ToolCallDelta:
    """A piece of a call.

    index: number of the call in the output, from 0.
    arguments: next characters of the arguments; all pieces joined are the call's `ToolCall.arguments`.
    id, name: on the call's first piece, else None.
    is_custom: a call of a custom tool.
    """

    index: int
    arguments: str = ""
    id: str | None = None
    name: str | None = None
    is_custom: bool = False
