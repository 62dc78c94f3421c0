"""OpenAI's chat completions: `POST /v1/chat/completions`, read and checked.

The fields of sampling are those of `guided.params.conversions.from_openai`, the constraints those of
`constraints.py`; `return_masked_mass` adds to each log-probability what the grammar ruled out, `return_token_ids` the
ids of prompt and outputs. Known fields that this server does not act on yet are refused (`unsupported.py`), unknown
ones tolerated.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from guided.params.conversions import sent_names
from guided.params.sampling_params import SamplingParams
from guided.requests.prompting import Conversation
from guided.tools import ToolUse

from ..errors import InvalidRequestError
from ..validation import validate
from .base import Call, WireFormat
from .constraints import ConstraintFields, RequestPart, read_constraint
from .openai_chat_answers import ChatCompletionBuilder, ChatShape
from .openai_messages import ChatMessage, template_messages
from .sampling import read_params
from .tool_use import AnyToolChoice, FunctionDefinition, FunctionName, FunctionTool, named_choice, read_tool_use
from .unsupported import CHAT_FIELDS, refuse_unsupported

THINKING_SWITCHES = ("enable_thinking", "thinking")


class StreamOptions(RequestPart):
    """`stream_options`."""

    include_usage: bool | None = None
    continuous_usage_stats: Literal[False] | None = None


class ChatCompletionRequest(ConstraintFields):
    """The fields that are acted on, but for those of sampling. Null, and only null, takes the default."""

    model: str | None = None
    messages: Annotated[list[ChatMessage], Field(min_length=1)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    tools: list[FunctionTool] | None = None
    tool_choice: AnyToolChoice | None = None
    parallel_tool_calls: bool | None = None
    repeat_tool_calls: bool | None = None
    functions: list[FunctionDefinition] | None = None
    function_call: Literal["none", "auto"] | FunctionName | None = None
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    separate_reasoning: bool | None = None
    chat_template_kwargs: dict[str, Any] | None = None
    add_generation_prompt: bool | None = None
    continue_final_message: bool | None = None
    return_masked_mass: bool | None = None
    return_token_ids: bool | None = None
    user: str | None = None


def read_call(body: dict[str, Any]) -> Call:
    """A request's body, checked. Raises InvalidRequestError with the path of the first wrong field."""
    refuse_unsupported(body, CHAT_FIELDS)
    request = validate(ChatCompletionRequest, body)
    constraint = read_constraint(request)
    separates = request.separate_reasoning is not False
    params = read_params(_with_thinking(body, request), constraint, {"separate_thinking": separates})
    tools = _read_tools(request)
    _check_together(request, params, tools)
    shape = ChatShape(
        include_usage=request.stream_options is not None and bool(request.stream_options.include_usage),
        num_outputs=params.n,
        with_masked_mass=bool(request.return_masked_mass),
        with_token_ids=bool(request.return_token_ids),
        is_legacy_function=bool(request.functions),
    )
    return Call(
        model=request.model,
        prompts=(_conversation(request),),
        params=params,
        is_stream=bool(request.stream),
        make_builder=partial(ChatCompletionBuilder, shape),
        tools=tools,
        constraint_param=None if constraint is None else constraint.param,
        sent_names=sent_names(body),
        shows_token_ids=shape.with_token_ids,
    )


def _conversation(request: ChatCompletionRequest) -> Conversation:
    variables = request.chat_template_kwargs or {}
    effort = None if request.reasoning_effort == "none" else request.reasoning_effort
    continues = bool(request.continue_final_message)
    if continues and request.add_generation_prompt:
        message = "continue_final_message and add_generation_prompt exclude each other"
        raise InvalidRequestError(message, "continue_final_message")
    return Conversation(
        template_messages(request.messages),
        template_variables={name: value for name, value in variables.items() if name not in THINKING_SWITCHES},
        reasoning_effort=effort,
        add_generation_prompt=request.add_generation_prompt is not False and not continues,
        continue_final_message=continues,
    )


def _with_thinking(body: Mapping[str, Any], request: ChatCompletionRequest) -> dict[str, Any]:
    """The body's fields, with `thinking` where another field says it."""
    said: dict[str, Any] = {} if body.get("thinking") is None else {"thinking": body["thinking"]}
    if request.reasoning_effort == "none":
        said["reasoning_effort"] = False
    for name in THINKING_SWITCHES:
        value = (request.chat_template_kwargs or {}).get(name)
        if value is not None:
            said[f"chat_template_kwargs.{name}"] = value
    values = list(said.values())
    if any(value != values[0] for value in values):
        raise InvalidRequestError(f"{' and '.join(said)} exclude each other", next(iter(said)))
    return {**body, "thinking": values[0]} if values else dict(body)


def _read_tools(request: ChatCompletionRequest) -> ToolUse | None:
    if request.functions or request.function_call not in (None, "none", "auto"):
        return _read_functions(request)
    return read_tool_use(
        [tool.function for tool in request.tools or ()],
        request.tool_choice,
        parallel=request.parallel_tool_calls is not False,
        repeat=request.repeat_tool_calls,
    )


def _read_functions(request: ChatCompletionRequest) -> ToolUse | None:
    """The older fields: at most one call in an answer."""
    if request.tools or request.tool_choice is not None:
        raise InvalidRequestError("functions are the older form of tools; give one of the two", "functions")
    call = request.function_call
    return read_tool_use(
        request.functions or [],
        named_choice(call.name) if isinstance(call, FunctionName) else call,
        parallel=False,
        tools_param="functions",
        choice_param="function_call",
    )


def _check_together(request: ChatCompletionRequest, params: SamplingParams, tools: ToolUse | None) -> None:
    """What no field shows alone."""
    if request.stream_options is not None and not request.stream:
        raise InvalidRequestError("stream_options needs stream=true", param="stream_options")
    if request.stream and params.prompt_logprobs is not None:
        raise InvalidRequestError("prompt_logprobs can't be streamed; leave out stream", param="prompt_logprobs")
    has_grammar = params.is_constrained or (tools is not None and tools.is_offered)
    if request.return_masked_mass and (params.logprobs is None or not has_grammar):
        raise InvalidRequestError(
            "return_masked_mass needs logprobs=true and a constraint, whose mask it measures",
            param="return_masked_mass",
        )
    tells_apart = has_grammar or params.thinking is not None or params.thinking_budget is not None
    if request.separate_reasoning is False and tells_apart:
        raise InvalidRequestError(
            "separate_reasoning=false can't go with a constraint, tools, thinking or thinking_budget, which tell "
            "thinking apart; leave it out",
            param="separate_reasoning",
        )


OPENAI_CHAT = WireFormat(
    name="chat_completions",
    summary="OpenAI's chat completions, whole or streamed",
    read_call=read_call,
    request_model=ChatCompletionRequest,
)
