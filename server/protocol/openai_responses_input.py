"""The `input` of OpenAI's responses: items of a conversation, converted to messages for a chat template.

A call is added to the assistant's message before it. Reasoning is added to the assistant's message or call after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Tag, field_validator
from pydantic_core import PydanticCustomError

from guided.tools import ToolCall

from ..errors import InvalidRequestError
from .base import Message
from .constraints import RequestPart
from .openai_files import InputFile
from .openai_messages import FunctionCall, RefusalPart, check_files, has_refusal, joined_text, kind_of_part
from .openai_responses_tools import ResponseTool, joined_name


class TextPart(RequestPart):
    """A part of a message or of a function's output."""

    type: str
    text: str

    @field_validator("type")
    @classmethod
    def _only_text(cls, value: str) -> str:
        if value not in ("input_text", "output_text", "text"):
            raise PydanticCustomError(
                "unknown_type", "must be 'input_text', 'output_text' or, in a message, 'input_file'"
            )
        return value


Part = Annotated[
    Annotated[TextPart, Tag("text part")]
    | Annotated[RefusalPart, Tag("refusal part")]
    | Annotated[InputFile, Tag("file part")],
    Discriminator(kind_of_part),
]


class InputMessage(RequestPart):
    """A message."""

    role: Literal["user", "assistant", "system", "developer"]
    content: str | list[Part]


class InputCall(FunctionCall):
    """A function call that the model made."""

    type: Literal["function_call"]
    call_id: str
    namespace: str | None = None


class InputCustomCall(RequestPart):
    """A call of a custom tool that the model made."""

    type: Literal["custom_tool_call"]
    call_id: str
    name: str
    input: str
    namespace: str | None = None


class CallOutputItem(RequestPart):
    """The output of a call."""

    type: Literal["function_call_output", "custom_tool_call_output"]
    call_id: str
    output: str | list[TextPart]


class AdditionalTools(RequestPart):
    """Tools that are available from this item on. Here they are offered like the request's own tools."""

    type: Literal["additional_tools"]
    tools: list[ResponseTool]


class ItemReference(RequestPart):
    """An item of an earlier response that is still kept."""

    type: Literal["item_reference"] | None = None
    id: str


class ReasoningPart(RequestPart):
    """A part of the model's reasoning, or of its summary."""

    type: Literal["reasoning_text", "summary_text"]
    text: str


class InputReasoning(RequestPart):
    """Earlier reasoning of the model. Another server's reasoning may be encrypted or have only a summary."""

    type: Literal["reasoning"]
    content: list[ReasoningPart] | None = None
    summary: list[ReasoningPart] | None = None
    encrypted_content: str | None = None

    @property
    def text(self) -> str:
        """The readable text of the reasoning."""
        return "".join(part.text for part in self.content or self.summary or ())


OUTPUTS = ("function_call_output", "custom_tool_call_output")


def is_reference(item: Any) -> bool:
    """True if the item refers to one of an earlier response. Only such an item may consist of an id alone."""
    kind = item.get("type") if isinstance(item, dict) else "message"
    return kind == "item_reference" or (kind is None and "id" in item and "role" not in item)


def _kind(item: Any) -> str:
    kind = item.get("type", "message") if isinstance(item, dict) else "message"
    if is_reference(item):
        return "item_reference"
    return "message" if not isinstance(kind, str) else "call output" if kind in OUTPUTS else kind


InputItem = Annotated[
    Annotated[InputMessage, Tag("message")]
    | Annotated[InputCall, Tag("function_call")]
    | Annotated[InputCustomCall, Tag("custom_tool_call")]
    | Annotated[CallOutputItem, Tag("call output")]
    | Annotated[InputReasoning, Tag("reasoning")]
    | Annotated[AdditionalTools, Tag("additional_tools")]
    | Annotated[ItemReference, Tag("item_reference")],
    Discriminator(
        _kind,
        custom_error_type="unknown_type",
        custom_error_message="must have the type 'message', 'function_call', 'custom_tool_call', 'reasoning', "
        "'item_reference', or that of a call with '_output' behind it",
    ),
]


def input_messages(items: Sequence[Any], instructions: str | None, num_earlier: int) -> list[Message]:
    """Messages for the chat template.

    items: instances of `InputItem`. The first `num_earlier` of them come from earlier responses.
    Reasoning that no assistant's item follows becomes a message without text: the answer was cut off while thinking.
    Raises InvalidRequestError for a refusal in a message that is not the assistant's, and for a file that was not read.
    """
    messages: list[Message] = [] if instructions is None else [{"role": "system", "content": instructions}]
    reasoning = ""
    for index, item in enumerate(items, start=-num_earlier):
        if isinstance(item, AdditionalTools):
            continue
        if isinstance(item, InputReasoning):
            reasoning += item.text
            continue
        if reasoning and not _may_have_thought(item):
            messages.append(_only_thought(reasoning))
            reasoning = ""
        if isinstance(item, InputMessage):
            check_files(item.content, f"input[{index}]")
        if isinstance(item, InputMessage) and item.role != "assistant" and has_refusal(item.content):
            raise InvalidRequestError(f"input[{index}]: a refusal belongs to an assistant", f"input[{index}]")
        if isinstance(item, CallOutputItem):
            messages.append({"role": "tool", "tool_call_id": item.call_id, "content": joined_text(item.output)})
        else:
            _add(messages, item, reasoning)
        reasoning = ""
    return [*messages, _only_thought(reasoning)] if reasoning else messages


def additional_tools(items: Sequence[Any], num_earlier: int) -> Iterator[tuple[str, Any]]:
    """The tools in items, with their paths. A tool that is repeated unchanged counts once. Arguments as for
    `input_messages`.
    """
    known: list[Any] = []
    for index, item in enumerate(items, start=-num_earlier):
        for inner, tool in enumerate(item.tools if isinstance(item, AdditionalTools) else ()):
            if tool not in known:
                known.append(tool)
                yield f"input[{index}].tools[{inner}]", tool


def _may_have_thought(item: Any) -> bool:
    return isinstance(item, InputCall | InputCustomCall) or (
        isinstance(item, InputMessage) and item.role == "assistant"
    )


def _only_thought(reasoning: str) -> Message:
    return {"role": "assistant", "content": "", "reasoning_content": reasoning}


def _add(messages: list[Message], item: InputMessage | InputCall | InputCustomCall, reasoning: str) -> None:
    thought = {"reasoning_content": reasoning} if reasoning else {}
    if isinstance(item, InputMessage):
        role = "system" if item.role == "developer" else item.role
        messages.append({"role": role, "content": joined_text(item.content), **thought})
        return
    is_custom = isinstance(item, InputCustomCall)
    known_as = item.name if item.namespace is None else joined_name(item.namespace, item.name)
    text = item.input if isinstance(item, InputCustomCall) else item.arguments
    call = ToolCall(item.call_id, known_as, text, is_custom).message_part
    if thought or not messages or messages[-1]["role"] != "assistant":
        messages.append({"role": "assistant", "content": None, **thought})
    messages[-1].setdefault("tool_calls", []).append(call)
