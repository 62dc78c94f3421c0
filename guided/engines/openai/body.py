"""The body of a request in OpenAI's protocol, with our own fields if the other server is ours."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from guided.grammars.limits import Limits

from ...params.sampling_params import SamplingParams
from ...requests.prompting import Conversation
from ...schemas.combinations import plain_parts
from ...schemas.python_types import grammar_schema
from ...tools.definitions import Tool, ToolUse
from .asked import OURS, Asked, is_asked
from .endpoint import Endpoint

CHAT_PATH, TEXT_PATH = "chat/completions", "completions"
ANY_OBJECT = {"type": "object"}


def request_path(asked: Asked) -> str:
    """The path of a request below the base address."""
    return CHAT_PATH if asked.is_chat else TEXT_PATH


def request_body(asked: Asked, endpoint: Endpoint, limits: Limits | None = None) -> dict[str, Any]:
    """The body of a request that `check_asked` accepts. The body has no stops: our code finds them in the text."""
    params, settings = asked.params, endpoint.settings
    body: dict[str, Any] = {
        "model": endpoint.model,
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.0 if params.is_greedy else params.temperature,
        "top_p": params.top_p,
    }
    if isinstance(asked.content, Conversation):
        body |= _conversation(asked.content, endpoint)
    else:
        body["prompt"] = asked.content
    if params.max_new_tokens is not None:
        body[settings.max_tokens_field if asked.is_chat else "max_tokens"] = params.max_new_tokens
    for name in ("frequency_penalty", "presence_penalty"):
        if getattr(params, name):
            body[name] = getattr(params, name)
    if params.seed is not None:
        body["seed"] = params.seed
    body |= _logprobs(asked)
    body |= _constraint(asked.answer, endpoint, limits)
    if asked.tools is not None:
        body |= _tools(asked.tools, endpoint)
    if endpoint.is_guided:
        body |= _ours(asked)
    return body


def _conversation(conversation: Conversation, endpoint: Endpoint) -> dict[str, Any]:
    found: dict[str, Any] = {"messages": [_message(message) for message in conversation.messages]}
    if conversation.reasoning_effort is not None:
        found["reasoning_effort"] = conversation.reasoning_effort
    if conversation.template_variables:
        found["chat_template_kwargs"] = dict(conversation.template_variables)
    if conversation.continue_final_message:
        found["continue_final_message"] = True
    elif not conversation.add_generation_prompt:
        found["add_generation_prompt"] = False
    return found


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message in the protocol's form: the arguments of calls are text."""
    calls = message.get("tool_calls")
    if not calls:
        return {key: value for key, value in message.items() if key != "tool_calls"}
    return {**message, "tool_calls": [_call(index, call) for index, call in enumerate(calls)]}


def _call(index: int, call: Mapping[str, Any]) -> dict[str, Any]:
    function = dict(call["function"])
    if not isinstance(function.get("arguments"), str):
        function["arguments"] = json.dumps(function.get("arguments"), ensure_ascii=False)
    return {"id": call.get("id") or f"call_{index}", "type": "function", "function": function}


def _logprobs(asked: Asked) -> dict[str, Any]:
    count = asked.params.logprobs
    if count is None:
        return {}
    if not asked.is_chat:
        return {"logprobs": count}
    return {"logprobs": True, "top_logprobs": count} if count else {"logprobs": True}


def _constraint(answer: SamplingParams, endpoint: Endpoint, limits: Limits | None) -> dict[str, Any]:
    kind = answer.constraint
    if kind is None:
        return {}
    if kind != "json_schema":
        source = plain_parts(answer.all_of, limits) if kind == "all_of" else getattr(answer, kind)
        return {kind: source} | ({} if answer.dialect is None else {"dialect": answer.dialect})
    schema = grammar_schema(answer.json_schema, limits)
    if schema == ANY_OBJECT:
        return {"response_format": {"type": "json_object"}}
    named = {"name": "answer", "schema": schema, "strict": endpoint.settings.strict}
    spaces = {} if answer.whitespace is None else {"whitespace": answer.whitespace}
    return {"response_format": {"type": "json_schema", "json_schema": named}} | spaces


def _tools(use: ToolUse, endpoint: Endpoint) -> dict[str, Any]:
    found: dict[str, Any] = {"tools": [_tool(tool, endpoint) for tool in use.tools]}
    found["tool_choice"] = _choice(use)
    if not use.parallel:
        found["parallel_tool_calls"] = False
    if use.may_repeat and endpoint.is_guided:
        found["repeat_tool_calls"] = True
    return found


def _tool(tool: Tool, endpoint: Endpoint) -> dict[str, Any]:
    """A tool's definition with the schema for its calls. Unnamed members are forbidden unless the tool is open."""
    function = {**tool.definition["function"], "parameters": tool.schema}
    is_strict = endpoint.settings.strict and not tool.is_open
    return {"type": "function", "function": {**function, "strict": is_strict}}


def _choice(use: ToolUse) -> Any:
    if use.only is not None:
        return {"type": "function", "function": {"name": use.only}}
    if use.allowed is None:
        return use.choice
    tools = [{"type": "function", "function": {"name": name}} for name in sorted(use.allowed)]
    return {"type": "allowed_tools", "allowed_tools": {"mode": use.choice, "tools": tools}}


def _ours(asked: Asked) -> dict[str, Any]:
    """Fields of a request's body that only our own servers know."""
    params = asked.params
    found = {field: _plain(getattr(params, field)) for field in OURS if is_asked(params, field)}
    if params.logprobs is not None and params.logprobs_mode != "raw":
        found["logprobs_mode"] = params.logprobs_mode
        if params.logprobs_mode == "both" and (asked.answer.is_constrained or asked.tools is not None):
            found["return_masked_mass"] = True
    return found


def _plain(value: Any) -> Any:
    """A copy with lists instead of tuples, and texts as keys."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
