"""Anthropic's messages: reads and checks `POST /v1/messages` and `/v1/messages/count_tokens`.

If the last message is the assistant's, the answer continues it. Sampling fields that Anthropic lacks, and fields that
constrain an answer, are named as in OpenAI's chat completions. Cache settings of a user's block change no answer and
are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from guided.params.conversions import sent_names
from guided.requests.prompting import Conversation
from guided.tools import ToolUse
from guided.tools.definitions import Choice

from ..errors import InvalidRequestError
from ..kept_responses import NOTHING_KEPT, KeptResponses
from ..validation import validate
from .anthropic_answers import MessageBuilder, error_body
from .anthropic_blocks import AnthropicMessage, TextBlock, conversation_messages, unread_blocks
from .base import Call, WireFormat
from .citations import Citations, read_documents
from .constraints import ClosedPart, Constraint, ConstraintFields, DescribedSchema, RequestPart, Schema, read_constraint
from .sampling import read_params
from .sources import read_sources
from .tool_use import read_tool_use
from .unsupported import MESSAGE_FIELDS, refuse_unsupported

FIELD_NAMES = {
    "stop": "stop_sequences",
    "reasoning_effort": "output_config.effort",
    "thinking_budget": "thinking.budget_tokens",
}


class OwnTool(RequestPart):
    """A tool in `tools`: the client's own, with its schema."""

    type: Literal["custom"] | None = None
    name: str
    description: str | None = None
    input_schema: dict[str, Any]
    strict: bool | None = None

    @property
    def as_function(self) -> dict[str, Any]:
        """The tool in OpenAI's format for responses."""
        fields = {"name": self.name, "description": self.description, "parameters": self.input_schema}
        return {"type": "function", "strict": self.strict, **fields}


class TypedTool(RequestPart):
    """A tool of Anthropic's, whose type has a version (`web_search_20250305`, `bash_20250124`). The model is not
    offered it.
    """

    type: str


def _kind_of_tool(tool: Any) -> str:
    kind = tool.get("type") if isinstance(tool, dict) else getattr(tool, "type", None)
    if kind in (None, "custom"):
        return "own tool"
    return "typed tool" if isinstance(kind, str) and re.search(r"_20[0-9]{6}$", kind) else ""


AnthropicTool = Annotated[
    Annotated[OwnTool, Tag("own tool")] | Annotated[TypedTool, Tag("typed tool")],
    Discriminator(
        _kind_of_tool,
        custom_error_type="unknown_type",
        custom_error_message="must be of a known type: none, 'custom' or one with a version",
    ),
]


class ToolChoice(RequestPart):
    """The request's field `tool_choice`."""

    type: Literal["auto", "any", "none", "tool"]
    name: str | None = None
    disable_parallel_tool_use: bool | None = None


class Thinking(RequestPart):
    """`thinking`. The answer contains the model's thinking in full."""

    type: Literal["enabled", "disabled", "adaptive"]
    budget_tokens: Annotated[int | None, Field(ge=1)] = None
    display: Literal["summarized", "omitted"] | None = None


class OutputFormat(DescribedSchema):
    """`output_config.format`. name, strict and description come from OpenAI's format and have no effect."""

    type: Literal["json_schema"]
    schema_: Annotated[Schema, Field(alias="schema")]
    name: str | None = None


class OutputConfig(ClosedPart):
    """The request's field `output_config`."""

    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    format: OutputFormat | None = None
    task_budget: dict[str, Any] | None = None


class CountRequest(ConstraintFields):
    """The fields that shape the prompt. Constraints are among them, since a chat template may show the answer's
    schema.
    """

    model: str | None = None
    messages: Annotated[list[AnthropicMessage], Field(min_length=1)]
    system: str | list[TextBlock] | None = None
    tools: list[AnthropicTool] | None = None
    tool_choice: ToolChoice | None = None
    repeat_tool_calls: bool | None = None
    thinking: Thinking | None = None
    output_config: OutputConfig | None = None
    output_format: OutputFormat | None = None


class MessageRequest(CountRequest):
    """The supported fields, except those of sampling. Null, and only null, takes the default."""

    max_tokens: Annotated[int, Field(ge=1)]
    stop_sequences: list[str] | None = None
    stream: bool | None = None


def read_call(body: dict[str, Any], _: KeptResponses = NOTHING_KEPT) -> Call:
    """Read and check a request's body. Raises InvalidRequestError with the path of the first wrong field."""
    ignored = refuse_unsupported(body, MESSAGE_FIELDS)
    request = validate(MessageRequest, body)
    call, citations = _call(request, _sampling_fields(body, request), ignored, separate_thinking=True)
    return replace(
        call,
        is_stream=bool(request.stream),
        make_builder=partial(MessageBuilder, citations),
        sent_names={**call.sent_names, **sent_names(body)},
    )


def read_count(body: dict[str, Any]) -> Call:
    """Read a request to count a prompt's tokens. The call's params contain only fields that a chat template may
    show.
    """
    ignored = refuse_unsupported(body, MESSAGE_FIELDS)
    request = validate(CountRequest, body)
    return _call(request, _thinking_fields(request), ignored)[0]


def _call(
    request: CountRequest, fields: dict[str, Any], ignored: tuple[str, ...], **others: bool
) -> tuple[Call, Citations]:
    """The call of a request, and the documents that its answer may cite.

    fields: sampling fields, by their names in chat completions. ignored: fields of the body without effect.
    others: further arguments of `SamplingParams`.
    """
    read = read_documents(request.messages, "messages", _text_block)
    constraint = read_constraint(request, _constraints(request, read.citations))
    sources = read_sources(request.sources, read.plain, read.citations.sources)
    call = Call(
        model=request.model,
        prompts=(_conversation(request, read.shown),),
        params=read_params(fields, constraint, {**others, **sources}),
        tools=_read_tools(request),
        constraint_param=None if constraint is None else constraint.param,
        sent_names=_sent_names(request),
        wishes_thinking=request.thinking is not None and request.thinking.type == "enabled",
        ignored=ignored + _ignored(request),
    )
    return call, read.citations


def _ignored(request: CountRequest) -> tuple[str, ...]:
    """Paths of nested fields that have no effect."""
    budget = None if request.output_config is None else request.output_config.task_budget
    display = None if request.thinking is None else request.thinking.display
    told = {"output_config.task_budget": budget is not None, "thinking.display": display == "omitted"}
    tools = (f"tools[{place}]" for place, tool in enumerate(request.tools or ()) if isinstance(tool, TypedTool))
    return (*[name for name, is_given in told.items() if is_given], *tools, *unread_blocks(request.messages))


def _conversation(request: CountRequest, shown: Sequence[AnthropicMessage]) -> Conversation:
    """The conversation for the model. shown: the messages, with documents as text."""
    effort = None if request.output_config is None else request.output_config.effort
    messages = conversation_messages(shown, request.system)
    continues = messages[-1]["role"] == "assistant"
    if continues and messages[-1].get("tool_calls"):
        param = f"messages[{len(request.messages) - 1}]"
        raise InvalidRequestError(f"{param} calls tools; send their results after it", param)
    return Conversation(messages, reasoning_effort=effort, continue_final_message=continues)


def _text_block(text: str) -> TextBlock:
    return TextBlock(type="text", text=text)


def _constraints(request: CountRequest, citations: Citations) -> list[Constraint]:
    """The constraints from fields that chat completions lack."""
    found = citations.constraints
    if request.output_config is not None and request.output_config.format is not None:
        found.append(Constraint("output_config.format", "json_schema", request.output_config.format.schema_))
    if request.output_format is not None:
        found.append(Constraint("output_format", "json_schema", request.output_format.schema_))
    return found


def _sampling_fields(body: dict[str, Any], request: MessageRequest) -> dict[str, Any]:
    """The body's sampling fields, by their names in chat completions."""
    fields = {name: value for name, value in body.items() if name not in ("thinking", "stop_sequences")}
    if request.stop_sequences is not None:
        if body.get("stop") is not None:
            raise InvalidRequestError("stop and stop_sequences exclude each other", "stop")
        fields["stop"] = request.stop_sequences
    thinking = request.thinking
    if thinking is not None and thinking.budget_tokens is not None and thinking.budget_tokens >= request.max_tokens:
        message = f"thinking.budget_tokens must be less than max_tokens, {request.max_tokens}"
        raise InvalidRequestError(f"{message}, not {thinking.budget_tokens}", "thinking.budget_tokens")
    return fields | _thinking_fields(request)


def _thinking_fields(request: CountRequest) -> dict[str, Any]:
    thinking = request.thinking
    if thinking is None or thinking.type == "adaptive":
        return {}
    if (thinking.budget_tokens is not None) != (thinking.type == "enabled"):
        raise InvalidRequestError(
            "thinking.budget_tokens is for type 'enabled', which needs it", "thinking.budget_tokens"
        )
    return {"thinking": thinking.type == "enabled", "thinking_budget": thinking.budget_tokens}


def _read_tools(request: CountRequest) -> ToolUse | None:
    choice = request.tool_choice
    if choice is not None and (choice.name is not None) != (choice.type == "tool"):
        raise InvalidRequestError("tool_choice.name is for type 'tool', which needs it", "tool_choice.name")
    tools = {place: tool.as_function for place, tool in _own_tools(request).items()}
    only_one = choice is not None and bool(choice.disable_parallel_tool_use)
    kind = None if choice is None else choice.type
    word: Choice | None = "required" if kind == "any" else "none" if kind == "none" else None
    named = None if choice is None or choice.name is None else {"type": "function", "name": choice.name}
    return read_tool_use(tools, named or word, parallel=not only_one, repeat=request.repeat_tool_calls)


def _own_tools(request: CountRequest) -> dict[str, OwnTool]:
    """The client's own tools, by their paths in the request."""
    tools = enumerate(request.tools or ())
    return {f"tools[{place}]": tool for place, tool in tools if isinstance(tool, OwnTool)}


def _sent_names(request: CountRequest) -> dict[str, str]:
    """Field or tool in chat completions -> its name in the request."""
    return {**FIELD_NAMES, **{f"tools[{index}]": place for index, place in enumerate(_own_tools(request))}}


ANTHROPIC_MESSAGES = WireFormat(
    name="messages",
    summary="Anthropic's messages, whole or streamed",
    read_call=read_call,
    request_model=MessageRequest,
    error_body=error_body,
    field_names=FIELD_NAMES,
)
