"""A model's calls of tools: whole, and as the pieces in which they are streamed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
