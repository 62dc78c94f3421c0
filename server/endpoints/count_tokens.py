"""`/v1/messages/count_tokens`: the length in tokens of a prompt in Anthropic's format."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from fastapi import Request, Response

from ..body import read_request
from ..context import context_of
from ..generation import compile_aside, ignored_header
from ..limits import check_call, without_vain_wishes
from ..protocol.anthropic_messages import FIELD_NAMES, CountRequest, read_count
from ..protocol.base import Call
from ..state import state_of
from .base import Answer, keyed_router, posting

if TYPE_CHECKING:
    from guided.llm import LLM

router = keyed_router()


class CountAnswer(Answer):
    """The number of tokens that the model would read."""

    input_tokens: int


@router.post("/v1/messages/count_tokens", openapi_extra=posting(CountRequest))
async def count_tokens(request: Request, response: Response) -> CountAnswer:
    """The number of tokens of a prompt with its tools, as the model's chat template writes it."""
    state, context = state_of(request), context_of(request)
    context.field_names = FIELD_NAMES

    def read(body: dict[str, Any]) -> tuple[Call, int | None]:
        """The request and its count; the count is None if a schema must be compiled first."""
        call = read_count(body)
        context.note(call)
        call = check_call(call, state.settings)
        llm = state.require(call.model)
        call = without_vain_wishes(llm, call)
        return call, None if call.params.json_schema is not None else _count(llm, call)

    call, count = await read_request(request, read)
    if count is None:
        count = await compile_aside(request, lambda cancel: _count(state.require(call.model), call, cancel))
    response.headers.update(ignored_header(call))
    return CountAnswer(input_tokens=count)


def _count(llm: LLM, call: Call, cancel: threading.Event | None = None) -> int:
    return llm.count_prompt_tokens(call.prompts[0], call.tools, params=call.params, cancel=cancel)
