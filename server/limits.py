"""Limits of `ServerSettings` on what one request may ask for. Each limit has its own error message."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from guided.grammars.schema_input import json_text
from guided.params.sampling_params import SamplingParams
from guided.processors import find_thinking_tokens
from guided.requests.prompting import Conversation
from guided.tools import ToolUse

from .errors import InvalidRequestError, RequestLimitError
from .protocol.base import Call
from .settings import ServerSettings

if TYPE_CHECKING:
    from guided.llm import LLM

_SPACED = json.JSONEncoder(ensure_ascii=False)

EFFORT = "reasoning_effort"
NO_TOKENS = "only the server behind this one (--engine openai) knows the model's tokens; ask there"


def check_call(call: Call, settings: ServerSettings) -> Call:
    """Check a call against the server's limits. Returns the call, with the server's max_new_tokens if the call gives
    none or more. A larger number is named in `ignored`.

    Raises RequestLimitError.
    """
    for prompt in call.prompts:
        if isinstance(prompt, Conversation):
            check_messages(prompt.messages, settings, call.prompt_param)
    _check_outputs(call, settings)
    _check_grammars(call.params, call.tools, settings, call.constraint_param)
    limit = settings.max_new_tokens
    if limit is None:
        return call
    asked, least = call.params.max_new_tokens, call.params.min_new_tokens
    if least is not None and least > limit:
        name = call.sent_names.get("min_new_tokens", "min_new_tokens")
        raise RequestLimitError(f"{least} new tokens", limit, "max_new_tokens", name)
    if asked is not None and asked <= limit:
        return call
    name = call.sent_names.get("max_new_tokens", "max_new_tokens")
    ignored = () if asked is None else (call.sent_names.get(name, name),)  # responses use another name for this field
    return replace(call, params=replace(call.params, max_new_tokens=limit), ignored=(*call.ignored, *ignored))


def without_vain_wishes(llm: LLM, call: Call) -> Call:
    """The call without settings that this model can't follow; `ignored` of the returned call names them.

    Such settings are a reasoning effort that the chat template does not read, and Anthropic's `thinking` if the model
    has no thinking tokens.
    """
    if any(getattr(prompt, EFFORT, None) is not None for prompt in call.prompts) and not llm.reads_effort:
        prompts = [
            replace(one, reasoning_effort=None) if isinstance(one, Conversation) else one for one in call.prompts
        ]
        call = replace(call, prompts=tuple(prompts), ignored=(*call.ignored, call.sent_names.get(EFFORT, EFFORT)))
    if not call.wishes_thinking or _may_think(llm):
        return call
    params = replace(call.params, thinking=None, thinking_budget=None)
    return replace(call, params=params, ignored=(*call.ignored, "thinking"))


def _may_think(llm: LLM) -> bool:
    """False if the model can't think, as far as known here."""
    channels = None if llm.tool_support is None else llm.tool_support.syntax.channels
    has_part = channels is not None and any(part.is_thinking for part in channels.before)
    return has_part or not llm.has_tokenizer or find_thinking_tokens(llm.vocabulary) is not None


def check_prompt(token_ids: Sequence[int], call: Call, settings: ServerSettings) -> None:
    """Raise RequestLimitError if a prompt has too many tokens."""
    check_number(len(token_ids), "the prompt has {} tokens", settings, "max_prompt_tokens", call.prompt_param)


def check_tokens_are_known(llm: LLM, call: Call, settings: ServerSettings) -> None:
    """Raise InvalidRequestError if a call needs token ids but the model's tokenizer is on another server."""
    if llm.has_tokenizer:
        return
    if call.shows_token_ids:
        raise InvalidRequestError(f"return_token_ids: {NO_TOKENS}", "return_token_ids")
    if settings.max_prompt_tokens is not None:
        raise InvalidRequestError(f"this server can't apply its max_prompt_tokens: {NO_TOKENS}", call.prompt_param)


def require_tokenizer(llm: LLM) -> None:
    """Raise InvalidRequestError if the model's tokenizer is on another server."""
    if not llm.has_tokenizer:
        raise InvalidRequestError(NO_TOKENS, "model")


def check_number(number: int, what: str, settings: ServerSettings, name: str, param: str | None) -> None:
    """Raise RequestLimitError if a request asks for more than a setting allows.

    number: what the request asks for. what: the same in words, with {} for the number.
    name: the setting; if the setting is None there is no limit. param: the request's field.
    """
    limit = getattr(settings, name)
    if limit is not None and number > limit:
        raise RequestLimitError(what.format(number), limit, name, param)


def check_messages(messages: Sequence[Any], settings: ServerSettings, param: str) -> None:
    """Raise RequestLimitError for too many messages."""
    check_number(len(messages), "{} messages", settings, "max_messages", param)


def _check_outputs(call: Call, settings: ServerSettings) -> None:
    num_prompts, num_each = len(call.prompts), call.params.n
    what = "{} outputs" if num_prompts == 1 else f"{num_prompts} prompts with {num_each} outputs each"
    param = call.sent_names.get("n", call.prompt_param)
    check_number(num_prompts * num_each, what, settings, "max_outputs", param)


def check_source(source: Any, settings: ServerSettings, param: str | None) -> None:
    """Raise RequestLimitError if the source of a constraint, a text or JSON, is too large."""
    size = len((source if isinstance(source, str) else json_text(source, _SPACED)).encode())
    check_number(size, "a grammar of {} bytes", settings, "max_schema_bytes", param)


def _check_grammars(
    params: SamplingParams, tools: ToolUse | None, settings: ServerSettings, constraint_param: str | None
) -> None:
    """Raise RequestLimitError if the constraint is too large, or all tools together, which become one grammar."""
    if params.constraint is not None:
        check_source(getattr(params, params.constraint), settings, constraint_param)
    if tools is not None:
        grammars = [tool.schema if tool.grammar is None else tool.grammar.definition for tool in tools.tools]
        check_source(grammars, settings, "tools")
