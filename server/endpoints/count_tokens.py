"""`/v1/messages/count_tokens`: how long the prompt of a request in Anthropic's format is."""

from __future__ import annotations

import asyncio
import threading

from fastapi import Request

from ..body import read_json_object
from ..context import context_of
from ..generation import compile_aside
from ..limits import check_grammars, check_messages
from ..protocol.anthropic_messages import FIELD_NAMES, read_count
from ..state import state_of
from .base import Answer, keyed_router

router = keyed_router()


class CountAnswer(Answer):
    """Tokens that the model would read."""

    input_tokens: int


@router.post("/v1/messages/count_tokens")
async def count_tokens(request: Request) -> CountAnswer:
    """The number of tokens of a prompt with its tools, as the model's chat template writes it."""
    state, context = state_of(request), context_of(request)
    context.field_names = FIELD_NAMES
    call = read_count(await read_json_object(request, state.settings))
    check_messages(call.prompt.messages, state.settings, "messages")
    check_grammars(call.params, call.tools, state.settings, call.constraint_param)
    llm = state.require(call.model)
    context.prompt_param, context.constraint_param = "messages", call.constraint_param

    def count(cancel: threading.Event | None = None) -> int:
        return llm.count_prompt_tokens(call.prompt, call.tools, params=call.params, cancel=cancel)

    if call.params.json_schema is None:
        return CountAnswer(input_tokens=await asyncio.to_thread(count))
    return CountAnswer(input_tokens=await compile_aside(request, count))
