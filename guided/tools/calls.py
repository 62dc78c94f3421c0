"""A model's calls of tools: whole, and as the pieces in which they are streamed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from .custom import text_arguments

MAX_DEPTH = 100  # of lists and objects in arguments that a chat template gets as an object


@dataclass(frozen=True)
class ToolCall:
    """One call.

    id: made here, different for each call. name: of the tool. arguments: JSON text as the model wrote it; where the
    output was cut off inside the call (`Completion.finish_reason` "length") only what there is of it.
    is_custom: of a custom tool; the arguments are its text itself.
    """

    id: str
    name: str
    arguments: str
    is_custom: bool = False

    @property
    def message_part(self) -> dict[str, Any]:
        """The call in OpenAI's form, as messages have it under "tool_calls"."""
        if self.is_custom:
            return {"id": self.id, "type": "custom", "custom": {"name": self.name, "input": self.arguments}}
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": self.arguments}}

    @property
    def as_function(self) -> ToolCall:
        """The same call; of a custom tool as that of the function as which the model is shown it."""
        return ToolCall(self.id, self.name, text_arguments(self.arguments)) if self.is_custom else self

    @property
    def object(self) -> dict[str, Any] | None:
        """The arguments, read. None if they are no JSON text of an object, or of one that chat templates can't show."""
        try:
            value = json.loads(self.arguments)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) and _can_be_shown(value, MAX_DEPTH) else None


def _can_be_shown(value: Any, depth: int) -> bool:
    """It is not nested deeper than that, and each of its strings is valid Unicode."""
    if isinstance(value, dict):
        return depth > 0 and all(_can_be_shown(part, depth - 1) for item in value.items() for part in item)
    if isinstance(value, list):
        return depth > 0 and all(_can_be_shown(item, depth - 1) for item in value)
    return not isinstance(value, str) or not any("\ud800" <= char <= "\udfff" for char in value)


@dataclass(frozen=True)
class ToolCallDelta:
    """A piece of a call.

    index: which call of the output it belongs to, from 0. id, name: on a call's first piece, else None.
    arguments: the next characters of the arguments; joined, those of a call are its `ToolCall.arguments`.
    is_custom: as of the call.
    """

    index: int
    arguments: str = ""
    id: str | None = None
    name: str | None = None
    is_custom: bool = False
