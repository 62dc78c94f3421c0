"""What one request may ask for: the limits of `ServerSettings` on a call, each with an error of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from guided.prompting import Conversation

from .calls import AnyCall, CallT
from .errors import RequestLimitError
from .settings import ServerSettings


def check_call(call: CallT, settings: ServerSettings) -> CallT:
    """The call, with the server's own max_new_tokens where it gives none. Raises RequestLimitError."""
    _check_messages(call, settings.max_messages)
    _check_outputs(call, settings.max_outputs)
    _check_grammars(call, settings)
    limit, asked = settings.max_new_tokens, call.params.max_new_tokens
    if limit is None:
        return call
    if asked is None:
        asked = max(limit, call.params.min_new_tokens)
        call = replace(call, params=replace(call.params, max_new_tokens=asked))
    if asked > limit:
        raise RequestLimitError(f"{asked} new tokens", limit, "tokens", "max_tokens")
    return call


def check_prompt(token_ids: Sequence[int], call: AnyCall, settings: ServerSettings) -> None:
    """Raises RequestLimitError for a prompt that is too long."""
    limit = settings.max_prompt_tokens
    if limit is not None and len(token_ids) > limit:
        raise RequestLimitError(f"the prompt has {len(token_ids)} tokens", limit, "tokens", call.prompt_param)


def _check_messages(call: AnyCall, limit: int) -> None:
    for prompt in call.prompts:
        if isinstance(prompt, Conversation) and len(prompt.messages) > limit:
            raise RequestLimitError(f"{len(prompt.messages)} messages", limit, "messages", call.prompt_param)


def _check_outputs(call: AnyCall, limit: int) -> None:
    num_prompts, num_outputs = len(call.prompts), len(call.prompts) * call.params.n
    if num_outputs > limit:
        what = (
            f"{num_outputs} outputs" if num_prompts == 1 else f"{num_prompts} prompts with {call.params.n} outputs each"
        )
        raise RequestLimitError(what, limit, "outputs", "n" if call.params.n > 1 else call.prompt_param)


def check_source(source: Any, settings: ServerSettings, param: str | None) -> None:
    """Raises RequestLimitError for what constrains an answer, a text or JSON, where it is too large."""
    size = len((source if isinstance(source, str) else json.dumps(source, ensure_ascii=False)).encode())
    if size > settings.max_schema_bytes:
        raise RequestLimitError(f"a grammar of {size} bytes", settings.max_schema_bytes, "bytes", param)


def _check_grammars(call: AnyCall, settings: ServerSettings) -> None:
    """Of the constraint, and of all tools together, which become one grammar."""
    if call.params.constraint is not None:
        check_source(getattr(call.params, call.params.constraint), settings, call.constraint_param)
    if call.tools is not None:
        check_source([tool.schema for tool in call.tools.tools], settings, "tools")
