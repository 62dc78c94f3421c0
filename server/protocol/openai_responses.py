"""OpenAI's responses: reads and checks `POST /v1/responses`.

`input` contains the conversation, or continues from a response that the server still keeps. `text.format` constrains
the answer, as do the fields of this server, vLLM and SGLang. Sampling is as in chat completions.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from guided.params.conversions import sent_names
from guided.requests.prompting import Conversation

from ..errors import InvalidRequestError
from ..kept_responses import NOTHING_KEPT, KeptResponses
from ..validation import validate
from .base import Call, WireFormat
from .citations import read_documents
from .constraints import (
    ClosedPart,
    Constraint,
    ConstraintFields,
    DescribedSchema,
    RequestPart,
    read_constraint,
    schema_or_object,
)
from .openai_responses_answers import ResponsesBuilder, repeated_fields
from .openai_responses_history import keeper, whole_input
from .openai_responses_input import InputItem, InputReasoning, TextPart, additional_tools, input_messages
from .openai_responses_tools import ResponseTool, read_response_tools
from .sampling import read_params
from .sources import read_sources
from .tool_use import ChoiceField
from .unsupported import RESPONSE_FIELDS, UNSUPPORTED, refuse_unsupported

LOGPROBS = "message.output_text.logprobs"
ENCRYPTED = "reasoning.encrypted_content"
Included = Literal[
    "message.output_text.logprobs",
    "reasoning.encrypted_content",
    # fields of items that no answer of this server contains
    "file_search_call.results",
    "web_search_call.results",
    "web_search_call.action.sources",
    "message.input_image.image_url",
    "computer_call_output.output.image_url",
    "code_interpreter_call.outputs",
]
SUMMARIES = ("summary", "generate_summary")
FIELD_NAMES = {"max_tokens": "max_output_tokens", "reasoning_effort": "reasoning.effort"}


class ResponseTextFormat(DescribedSchema):
    """`text.format`. A schema's fields are at this level, not one level below."""

    type: Literal["text", "json_schema", "json_object"]


class TextConfig(ClosedPart):
    """The request's field `text`."""

    format: ResponseTextFormat | None = None
    verbosity: Literal["low", "medium", "high"] | None = None


class Reasoning(RequestPart):
    """`reasoning`. The answer contains the reasoning itself; summaries are never made, even if requested."""

    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    summary: Literal["auto", "concise", "detailed"] | None = None
    generate_summary: Literal["auto", "concise", "detailed"] | None = None


class ResponseRequest(ConstraintFields):
    """The supported fields, except those of sampling. Null, and only null, takes the default."""

    model: str | None = None
    input: str | Annotated[list[InputItem], Field(min_length=1)]
    instructions: str | None = None
    text: TextConfig | None = None
    tools: list[ResponseTool] | None = None
    tool_choice: ChoiceField | None = None
    parallel_tool_calls: bool | None = None
    repeat_tool_calls: bool | None = None
    reasoning: Reasoning | None = None
    include: list[Included] | None = None
    store: bool | None = None
    previous_response_id: str | None = None
    top_logprobs: int | None = None
    max_output_tokens: Annotated[int | None, Field(ge=1)] = None
    stream: bool | None = None
    metadata: dict[str, str] | None = None
    user: str | None = None


def read_call(body: dict[str, Any], kept: KeptResponses = NOTHING_KEPT) -> Call:
    """Read and check a request's body. Raises InvalidRequestError with the path of the first wrong field.

    kept: earlier responses that the request may refer to; the new response will be added.
    """
    ignored = refuse_unsupported(body, RESPONSE_FIELDS)
    request = validate(ResponseRequest, body)
    if request.store and not kept.is_on:
        raise InvalidRequestError("store=true is not supported: this server keeps no responses", "store", UNSUPPORTED)
    conversation = whole_input(body["input"], request.input, request.previous_response_id, kept)
    num_earlier = conversation.num_earlier
    constraint = read_constraint(request, _text_constraint(request.text))
    # an earlier file can't be changed any more, so it gives way to the request's own constraint
    read = read_documents(conversation.items, "input", _text_part, -num_earlier, cites_earlier=constraint is None)
    citations = read.citations
    if citations.documents:
        constraint = read_constraint(request, [*citations.constraints, *_text_constraint(request.text)])
    fields = _sampling_fields(body, request)
    own = request.input if isinstance(request.input, str) else read.plain[num_earlier:]
    others = {"separate_thinking": True, **read_sources(request.sources, own, citations.sources)}
    params = read_params(fields, constraint, others)
    given = {f"tools[{index}]": tool for index, tool in enumerate(request.tools or ())}
    tools = read_response_tools(
        {**given, **dict(additional_tools(conversation.items, num_earlier))},
        request.tool_choice,
        parallel=request.parallel_tool_calls is not False,
        repeat=request.repeat_tool_calls,
    )
    keep = None if request.store is False else keeper(conversation, kept)
    effort = None if request.reasoning is None else request.reasoning.effort
    return Call(
        model=request.model,
        prompts=(
            Conversation(
                input_messages(read.shown, request.instructions, num_earlier),
                reasoning_effort=None if effort == "none" else effort,
            ),
        ),
        params=params,
        is_stream=bool(request.stream),
        make_builder=partial(
            ResponsesBuilder, repeated_fields(body, params, is_kept=keep is not None), tools.namespaces, citations, keep
        ),
        tools=tools.use,
        constraint_param=None if constraint is None else constraint.param,
        prompt_param="input",
        sent_names={**FIELD_NAMES, **tools.places, **sent_names(fields)},
        ignored=(*ignored, *_ignored(request), *tools.ignored),
    )


def _text_part(text: str) -> TextPart:
    return TextPart(type="input_text", text=text)


def _ignored(request: ResponseRequest) -> Iterator[str]:
    """Paths of nested fields that have no effect."""
    if request.text is not None and request.text.verbosity not in (None, "medium"):
        yield "text.verbosity"
    if request.reasoning is not None:
        yield from (f"reasoning.{name}" for name in SUMMARIES if getattr(request.reasoning, name) is not None)
    for index, item in enumerate(() if isinstance(request.input, str) else request.input):
        if isinstance(item, InputReasoning) and item.encrypted_content is not None and not item.text:
            yield f"input[{index}].encrypted_content"
    for index, name in enumerate(request.include or ()):
        if name not in (LOGPROBS, ENCRYPTED):
            yield f"include[{index}]"


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
    """The body's sampling fields, by their names in chat completions."""
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


OPENAI_RESPONSES = WireFormat(
    name="responses",
    summary="OpenAI's responses, whole or streamed",
    read_call=read_call,
    request_model=ResponseRequest,
    field_names=FIELD_NAMES,
)
