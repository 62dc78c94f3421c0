"""OpenAI's responses: `POST /v1/responses`, read and checked.

Nothing is stored: the whole conversation comes as `input`. Of tools there are functions. `text.format` constrains the
answer, and so do the fields that this server, vLLM and SGLang have beside it; sampling is as in chats.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from guided.params.conversions import sent_names
from guided.requests.prompting import Conversation
from guided.tools import ToolUse
from guided.tools.definitions import Choice, ToolChoice

from ..errors import InvalidRequestError
from ..validation import validate
from .base import Call, WireFormat
from .constraints import ClosedPart, Constraint, ConstraintFields, RequestPart, read_constraint, schema_or_object
from .openai_responses_answers import ResponsesBuilder, repeated_fields
from .openai_responses_input import InputItem, input_messages
from .sampling import read_params
from .sources import read_sources
from .tool_use import SchemaPart, kind_of_choice, named_choice, read_tool_use
from .unsupported import RESPONSE_FIELDS, refuse_unsupported

LOGPROBS = "message.output_text.logprobs"


class TextFormat(ClosedPart):
    """`text.format`. The fields of a schema are here, not one level below."""

    type: Literal["text", "json_schema", "json_object"]
    name: Annotated[str | None, Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")] = None
    schema_: Annotated[dict[str, Any] | bool | None, Field(alias="schema")] = None
    strict: bool | None = None
    description: str | None = None


class TextConfig(ClosedPart):
    """`text`."""

    format: TextFormat | None = None
    verbosity: Literal["medium"] | None = None


class ResponseTool(SchemaPart):
    """One of `tools`: a function, whose fields are here, not one level below."""

    type: Literal["function"]
    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class NamedFunction(RequestPart):
    """A `tool_choice` that names the function to call."""

    type: Literal["function"]
    name: str


class AllowedFunctions(RequestPart):
    """A `tool_choice` that names the functions that may be called."""

    type: Literal["allowed_tools"]
    mode: Literal["auto", "required"]
    tools: Annotated[list[NamedFunction], Field(min_length=1)]


ResponseToolChoice = Annotated[
    Annotated[Choice, Tag("word")]
    | Annotated[NamedFunction, Tag("named tool")]
    | Annotated[AllowedFunctions, Tag("allowed tools")],
    Discriminator(kind_of_choice),
]


class Reasoning(RequestPart):
    """`reasoning`. There are no summaries: the reasoning itself comes back."""

    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    summary: None = None
    generate_summary: None = None


class ResponseRequest(ConstraintFields):
    """The fields that are acted on, but for those of sampling. Null, and only null, takes the default."""

    model: str | None = None
    input: str | Annotated[list[InputItem], Field(min_length=1)]
    instructions: str | None = None
    text: TextConfig | None = None
    tools: list[ResponseTool] | None = None
    tool_choice: ResponseToolChoice | None = None
    parallel_tool_calls: bool | None = None
    repeat_tool_calls: bool | None = None
    reasoning: Reasoning | None = None
    include: list[Literal["message.output_text.logprobs", "reasoning.encrypted_content"]] | None = None
    top_logprobs: int | None = None
    max_output_tokens: Annotated[int | None, Field(ge=1)] = None
    stream: bool | None = None
    metadata: dict[str, str] | None = None
    user: str | None = None


def read_call(body: dict[str, Any]) -> Call:
    """A request's body, checked. Raises InvalidRequestError with the path of the first wrong field."""
    refuse_unsupported(body, RESPONSE_FIELDS)
    request = validate(ResponseRequest, body)
    constraint = read_constraint(request, _text_constraint(request.text))
    fields = _sampling_fields(body, request)
    others = {"separate_thinking": True, **read_sources(request.sources, request.input)}
    params = read_params(fields, constraint, others)
    tools = _read_tools(request)
    effort = None if request.reasoning is None else request.reasoning.effort
    return Call(
        model=request.model,
        prompts=(
            Conversation(
                input_messages(request.input, request.instructions),
                reasoning_effort=None if effort == "none" else effort,
            ),
        ),
        params=params,
        is_stream=bool(request.stream),
        make_builder=partial(ResponsesBuilder, repeated_fields(body, params)),
        tools=tools,
        constraint_param=None if constraint is None else constraint.param,
        prompt_param="input",
        sent_names=sent_names(fields),
    )


def _text_constraint(text: TextConfig | None) -> list[Constraint]:
    text_format = None if text is None else text.format
    if text_format is None:
        return []
    if text_format.type == "text":
        if text_format.schema_ is not None:
            raise InvalidRequestError("text.format.schema needs type 'json_schema'", "text.format.schema")
        return []
    if text_format.type == "json_object":
        return [Constraint("text.format", "json_schema", schema_or_object(text_format.schema_))]
    for field, value in (("name", text_format.name), ("schema", text_format.schema_)):
        if value is None:
            param = f"text.format.{field}"
            raise InvalidRequestError(f"{param} is required for type 'json_schema'", param)
    return [Constraint("text.format", "json_schema", text_format.schema_)]


def _sampling_fields(body: dict[str, Any], request: ResponseRequest) -> dict[str, Any]:
    """The body's fields with the names that chats have for them."""
    fields = {name: value for name, value in body.items() if name not in ("max_output_tokens", "reasoning", "text")}
    if request.max_output_tokens is not None:
        fields["max_tokens"] = request.max_output_tokens
    if LOGPROBS in (request.include or ()):
        fields["logprobs"] = True
    elif request.top_logprobs:
        raise InvalidRequestError(f"top_logprobs needs {LOGPROBS!r} in include", "top_logprobs")
    if request.reasoning is not None and request.reasoning.effort == "none":
        if body.get("thinking"):
            raise InvalidRequestError("reasoning.effort and thinking exclude each other", "reasoning.effort")
        fields["thinking"] = False
    return fields


def _read_tools(request: ResponseRequest) -> ToolUse | None:
    return read_tool_use(
        request.tools or [],
        _chat_choice(request.tool_choice),
        parallel=request.parallel_tool_calls is not False,
        repeat=request.repeat_tool_calls,
    )


def _chat_choice(choice: Choice | NamedFunction | AllowedFunctions | None) -> ToolChoice | None:
    """The same in the form of chats."""
    if isinstance(choice, NamedFunction):
        return named_choice(choice.name)
    if isinstance(choice, AllowedFunctions):
        allowed = {"mode": choice.mode, "tools": [named_choice(tool.name) for tool in choice.tools]}
        return {"type": "allowed_tools", "allowed_tools": allowed}
    return choice


OPENAI_RESPONSES = WireFormat(
    name="responses",
    summary="OpenAI's responses, whole or streamed; nothing is stored",
    read_call=read_call,
    request_model=ResponseRequest,
    field_names={"max_tokens": "max_output_tokens", "reasoning_effort": "reasoning.effort"},
)
