"""Messages in Anthropic's format, converted to messages for a chat template. Content is a text or a list of blocks.

Tool results in a user's message become messages of their own, at their place. Text blocks of one message are joined
without a separator. A result with `is_error` begins with "Error: ".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Tag, field_validator
from pydantic_core import PydanticCustomError

from guided.tools import ToolCall

from ..errors import InvalidRequestError
from .base import Message
from .citations import CitedDocument, DocumentPart
from .constraints import ClosedPart, RequestPart


class TextBlock(RequestPart):
    """Text; also a part of `system` and of a tool's result."""

    type: Literal["text"]
    text: str


class ThinkingBlock(RequestPart):
    """Earlier thinking of the model."""

    type: Literal["thinking"]
    thinking: str


class RedactedThinkingBlock(RequestPart):
    """Encrypted thinking of another server's model."""

    type: Literal["redacted_thinking"]


class ToolUseBlock(RequestPart):
    """A tool call that the model made."""

    type: Literal["tool_use"]
    id: str
    name: str
    input: dict[str, Any]


class ToolResultBlock(RequestPart):
    """The result of a tool call."""

    type: Literal["tool_result"]
    tool_use_id: str
    content: str | list[TextBlock] | None = None
    is_error: bool | None = None

    @property
    def text(self) -> str:
        """The content as one text."""
        content = self.content or ""
        text = content if isinstance(content, str) else "".join(block.text for block in content)
        return f"Error: {text}" if self.is_error else text


class PlainText(ClosedPart):
    """`source` of a document; plain text is the only supported form."""

    type: Literal["text"]
    media_type: Literal["text/plain"]
    data: str


class DocumentBlock(DocumentPart):
    """A text for the model to read, and to quote if `citations` are enabled."""

    type: Literal["document"]
    source: PlainText
    title: str | None = None
    context: str | None = None

    def document(self, param: str) -> CitedDocument:
        """See `DocumentPart.document`."""
        return CitedDocument(self.source.data, self.title, self.context)


def _kind(block: Any) -> str:
    kind = block.get("type") if isinstance(block, dict) else None
    return kind if isinstance(kind, str) else ""


Block = Annotated[
    Annotated[TextBlock, Tag("text")]
    | Annotated[ThinkingBlock, Tag("thinking")]
    | Annotated[RedactedThinkingBlock, Tag("redacted_thinking")]
    | Annotated[ToolUseBlock, Tag("tool_use")]
    | Annotated[ToolResultBlock, Tag("tool_result")]
    | Annotated[DocumentBlock, Tag("document")],
    Discriminator(
        _kind,
        custom_error_type="unknown_type",
        custom_error_message="must be of a supported type: text, document, thinking, tool_use or tool_result",
    ),
]


class AnthropicMessage(RequestPart):
    """One message."""

    role: Literal["user", "assistant", "system"]
    content: str | list[Block]

    @field_validator("content")
    @classmethod
    def _has_blocks(cls, value: Any) -> Any:
        if value == []:
            raise PydanticCustomError("refused_empty", "is an empty list; give it a block, or a text instead")
        return value


def conversation_messages(
    messages: Sequence[AnthropicMessage], system: str | Sequence[TextBlock] | None
) -> list[Message]:
    """Messages for the chat template. Raises InvalidRequestError if a block does not fit its message's role."""
    text = system if isinstance(system, str) else "".join(block.text for block in system or ())
    converted: list[Message] = [{"role": "system", "content": text}] if text else []
    for index, message in enumerate(messages):
        blocks = [TextBlock(type="text", text=message.content)] if isinstance(message.content, str) else message.content
        _check(message.role, blocks, f"messages[{index}].content")
        if message.role == "assistant":
            converted.append(_of_assistant(blocks))
        else:
            converted += _of_others(message.role, blocks)
    return converted


def unread_blocks(messages: Sequence[AnthropicMessage]) -> Iterator[str]:
    """Paths of blocks that this server can't read and therefore ignores."""
    for place, message in enumerate(messages):
        blocks = () if isinstance(message.content, str) else message.content
        found = (index for index, block in enumerate(blocks) if isinstance(block, RedactedThinkingBlock))
        yield from (f"messages[{place}].content[{index}]" for index in found)


def _of_assistant(blocks: Sequence[Any]) -> Message:
    text = "".join(block.text for block in blocks if isinstance(block, TextBlock))
    thinking = "".join(block.thinking for block in blocks if isinstance(block, ThinkingBlock))
    calls = [_call(block) for block in blocks if isinstance(block, ToolUseBlock)]
    message: Message = {"role": "assistant", "content": text or None if calls else text}
    if thinking:
        message["reasoning_content"] = thinking
    return message | ({"tool_calls": calls} if calls else {})


def _call(block: ToolUseBlock) -> dict[str, Any]:
    arguments = json.dumps(block.input, ensure_ascii=False)
    return ToolCall(block.id, block.name, arguments).message_part


def _of_others(role: str, blocks: Sequence[Any]) -> list[Message]:
    messages: list[Message] = []
    for block in blocks:
        if isinstance(block, ToolResultBlock):
            messages.append({"role": "tool", "tool_call_id": block.tool_use_id, "content": block.text})
        elif messages and messages[-1]["role"] == role:
            messages[-1]["content"] += block.text
        else:
            messages.append({"role": role, "content": block.text})
    return messages


def _check(role: str, blocks: Sequence[Any], where: str) -> None:
    allowed = {
        "assistant": (TextBlock, ThinkingBlock, RedactedThinkingBlock, ToolUseBlock),
        "user": (TextBlock, ToolResultBlock),
        "system": (TextBlock,),
    }[role]
    for index, block in enumerate(blocks):
        if not isinstance(block, allowed):
            param = f"{where}[{index}].type"
            raise InvalidRequestError(f"{param} {block.type!r} does not go with the role {role!r}", param)
