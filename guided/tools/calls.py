"""A model's calls of tools: whole, and as the pieces in which they are streamed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

MAX_DEPTH = 100  # of lists and objects in arguments that a chat template gets as an object


@dataclass(frozen=True)
class ToolCall:
    """One call.

    id: made here, different for each call. name: of the tool. arguments: JSON text as the model wrote it; where the
    output was cut off inside the call (`Completion.finish_reason` "length") only what there is of it.
    """

    id: str
    name: str
    arguments: str

    @property
    def message_part(self) -> dict[str, Any]:
        """The call in OpenAI's form, as messages have it under "tool_calls"."""
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": self.arguments}}

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
    """

    index: int
    arguments: str = ""
    id: str | None = None
    name: str | None = None
