"""Messages of OpenAI's chat completions: read and checked, and as a chat template takes them.

`developer` messages become `system`, the older name of the same role. Text parts of one message are joined with nothing
between them. Calls of the older form (`function_call`, role `function`) become calls of tools with ids made here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Tag, field_validator
from pydantic_core import PydanticCustomError

from guided.tools import ToolCall

from ..errors import InvalidRequestError
from .base import Message
from .constraints import RequestPart
from .tool_use import kind_of_tool


class ContentPart(RequestPart):
    """One part of a message's content."""

    type: str
    text: str

    @field_validator("type")
    @classmethod
    def _only_text(cls, value: str) -> str:
        if value != "text":
            raise PydanticCustomError("unknown_type", "must be 'text', the only part that is supported yet")
        return value


class RefusalPart(RequestPart):
    """A part in which an assistant refused; for the model that is text of its own as any other."""

    type: Literal["refusal"]
    refusal: str

    @property
    def text(self) -> str:
        """What it said."""
        return self.refusal


def kind_of_part(part: Any) -> str:
    """For the union of parts; no name that a field has."""
    is_refusal = isinstance(part, dict) and part.get("type") == "refusal"
    return "refusal part" if is_refusal else "text part"


class FunctionCall(RequestPart):
    """What was called. arguments: as the model wrote them; no JSON where the call was cut at the limit of tokens."""

    name: str
    arguments: str


Part = Annotated[
    Annotated[ContentPart, Tag("text part")] | Annotated[RefusalPart, Tag("refusal part")],
    Discriminator(kind_of_part),
]


class CustomCall(RequestPart):
    """The text with which a custom tool was called."""

    name: str
    input: str


class FunctionToolCall(RequestPart):
    """One call of a function that an assistant made."""

    id: str
    type: Literal["function"] = "function"
    function: FunctionCall


class CustomToolCall(RequestPart):
    """One call of a custom tool that an assistant made."""

    id: str
    type: Literal["custom"]
    custom: CustomCall


MessageToolCall = Annotated[
    Annotated[FunctionToolCall, Tag("function tool")] | Annotated[CustomToolCall, Tag("custom tool")],
    Discriminator(kind_of_tool),
]


class ChatMessage(RequestPart):
    """One message. Only an assistant that called something may have no content."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    tool_calls: list[MessageToolCall] | None = None
    function_call: FunctionCall | None = None
    audio: Any = None
    name: str | None = None
    tool_call_id: str | None = None
    reasoning_content: str | None = None
    content: str | list[Part] | None = None
    refusal: str | None = None

    @field_validator("audio")
    @classmethod
    def _not_yet(cls, value: Any) -> Any:
        if value:
            raise PydanticCustomError("refused_field", "is not supported yet; put what matters into content")
        return value

    @property
    def text(self) -> str | None:
        """The content in one piece, or the refusal that came instead of it."""
        if self.content is None:
            return self.refusal
        return joined_text(self.content) + (self.refusal or "")

    @property
    def has_refusal(self) -> bool:
        """Something was refused in it."""
        return bool(self.refusal) or has_refusal(self.content)


def joined_text(content: str | list[Any]) -> str:
    """The text of parts, or the text itself."""
    return content if isinstance(content, str) else "".join(part.text for part in content)


def has_refusal(content: str | list[Any] | None) -> bool:
    """One of the parts is a refusal."""
    return isinstance(content, list) and any(isinstance(part, RefusalPart) for part in content)


def template_messages(messages: Sequence[ChatMessage]) -> list[Message]:
    """What the chat template gets. Raises InvalidRequestError for messages that don't go with their role."""
    for index, message in enumerate(messages):
        _check(message, f"messages[{index}]")
    return [_convert(message, f"call_{index}") for index, message in enumerate(messages)]


def _convert(message: ChatMessage, legacy_id: str) -> Message:
    role = {"developer": "system", "function": "tool"}.get(message.role, message.role)
    calls = [_read_call(call).message_part for call in message.tool_calls or ()]
    if message.function_call is not None:
        older = message.function_call
        calls.append(ToolCall(legacy_id, older.name, older.arguments).message_part)
    others = {
        "name": message.name,
        "tool_call_id": message.tool_call_id,
        "reasoning_content": message.reasoning_content,
        "tool_calls": calls or None,
    }
    content = message.text if calls else message.text or ""
    return {"role": role, "content": content} | {key: value for key, value in others.items() if value is not None}


def _read_call(call: FunctionToolCall | CustomToolCall) -> ToolCall:
    if isinstance(call, CustomToolCall):
        return ToolCall(call.id, call.custom.name, call.custom.input, is_custom=True)
    return ToolCall(call.id, call.function.name, call.function.arguments)


def _check(message: ChatMessage, where: str) -> None:
    has_calls = bool(message.tool_calls) or message.function_call is not None
    if has_calls and message.role != "assistant":
        field = "tool_calls" if message.tool_calls else "function_call"
        raise InvalidRequestError(f"{where}.{field} belongs to an assistant", f"{where}.{field}")
    if message.has_refusal and message.role != "assistant":
        raise InvalidRequestError(f"{where}: a refusal belongs to an assistant", where)
    if message.text is None and not has_calls:
        raise InvalidRequestError(f"{where}.content is required", f"{where}.content")
