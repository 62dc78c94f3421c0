"""Messages of OpenAI's chat completions: read, checked, and converted for a chat template.

`developer` messages become `system`, the older name of that role. Text parts of one message are joined without a
separator. The older form of calls (`function_call`, role `function`) is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, LiteralString

from pydantic import Discriminator, Tag, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from guided.tools import ToolCall

from ..errors import InvalidRequestError
from .base import Message
from .citations import DocumentPart
from .constraints import RequestPart
from .openai_files import ChatFile
from .tool_use import kind_of_tool


class ContentPart(RequestPart):
    """A text part of a message's content."""

    type: str
    text: str

    @field_validator("type")
    @classmethod
    def _only_text(cls, value: str) -> str:
        if value != "text":
            raise PydanticCustomError("unknown_type", "must be 'text' or 'file'; no other part is supported yet")
        return value


class RefusalPart(RequestPart):
    """A refusal of an assistant. The model reads it like other text of the assistant."""

    type: Literal["refusal"]
    refusal: str

    @property
    def text(self) -> str:
        """The text of the refusal."""
        return self.refusal


def kind_of_part(part: Any) -> str:
    """Tag of a part for a discriminated union. Tags differ from all field names."""
    kind = part.get("type") if isinstance(part, dict) else None
    return "refusal part" if kind == "refusal" else "file part" if kind in ("file", "input_file") else "text part"


class FunctionCall(RequestPart):
    """A called function. arguments: as the model wrote them; not JSON if the call was cut at the token limit."""

    name: str
    arguments: str


Part = Annotated[
    Annotated[ContentPart, Tag("text part")]
    | Annotated[RefusalPart, Tag("refusal part")]
    | Annotated[ChatFile, Tag("file part")],
    Discriminator(kind_of_part),
]


class CustomCall(RequestPart):
    """A called custom tool and its input text."""

    name: str
    input: str


class FunctionToolCall(RequestPart):
    """A call of a function by an assistant."""

    id: str
    type: Literal["function"] = "function"
    function: FunctionCall


class CustomToolCall(RequestPart):
    """A call of a custom tool by an assistant."""

    id: str
    type: Literal["custom"]
    custom: CustomCall


MessageToolCall = Annotated[
    Annotated[FunctionToolCall, Tag("function tool")] | Annotated[CustomToolCall, Tag("custom tool")],
    Discriminator(kind_of_tool),
]


REFUSED_FIELDS: Mapping[str, LiteralString] = {  # field of a message -> why it must be empty
    "audio": "is not supported yet; put what matters into content",
    "function_call": "is the older form of tool_calls; use that",
}


class ChatMessage(RequestPart):
    """One message. Only an assistant's message with calls may lack content."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    tool_calls: list[MessageToolCall] | None = None
    function_call: Any = None
    audio: Any = None
    name: str | None = None
    tool_call_id: str | None = None
    reasoning_content: str | None = None
    content: str | list[Part] | None = None
    refusal: str | None = None

    @field_validator(*REFUSED_FIELDS)
    @classmethod
    def _refused(cls, value: Any, info: ValidationInfo) -> Any:
        if value:
            raise PydanticCustomError("refused_field", REFUSED_FIELDS[info.field_name or ""])
        return value

    @property
    def text(self) -> str | None:
        """The content as one text, or the refusal that replaced it; None without either."""
        if self.content is None:
            return self.refusal
        return joined_text(self.content) + (self.refusal or "")

    @property
    def has_refusal(self) -> bool:
        """True if the message contains a refusal."""
        return bool(self.refusal) or has_refusal(self.content)


def joined_text(content: str | list[Any]) -> str:
    """The joined text of parts; a text is returned as it is."""
    return content if isinstance(content, str) else "".join(part.text for part in content)


def check_files(content: str | list[Any] | None, where: str) -> None:
    """Refuse files in messages that are not the user's; only users' files are read. Raises InvalidRequestError."""
    for index, part in enumerate(content if isinstance(content, list) else ()):
        if isinstance(part, DocumentPart):
            param = f"{where}.content[{index}]"
            raise InvalidRequestError(f"{param}: only a user's message may have files", param)


def has_refusal(content: str | list[Any] | None) -> bool:
    """True if one of the parts is a refusal."""
    return isinstance(content, list) and any(isinstance(part, RefusalPart) for part in content)


def template_messages(messages: Sequence[ChatMessage]) -> list[Message]:
    """Messages for the chat template. Raises InvalidRequestError if a message's content does not fit its role."""
    for index, message in enumerate(messages):
        _check(message, f"messages[{index}]")
    return [_convert(message) for message in messages]


def _convert(message: ChatMessage) -> Message:
    role = "system" if message.role == "developer" else message.role
    calls = [_read_call(call).message_part for call in message.tool_calls or ()]
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
    check_files(message.content, where)
    has_calls = bool(message.tool_calls)
    if has_calls and message.role != "assistant":
        raise InvalidRequestError(f"{where}.tool_calls belongs to an assistant", f"{where}.tool_calls")
    if message.has_refusal and message.role != "assistant":
        raise InvalidRequestError(f"{where}: a refusal belongs to an assistant", where)
    if message.text is None and not has_calls:
        raise InvalidRequestError(f"{where}.content is required", f"{where}.content")
