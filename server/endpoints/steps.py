"""`/v1/workbench/steps`: streams an answer token by token; each event says what the grammar did at that token.

`guided.workbench.steps` does the work; this file defines the format of request and events. A client pauses a stream
by closing it. The client continues by sending the answer's tokens so far as a prefix. Replacing the prefix's last
token makes a fork.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Request, Response
from pydantic import Field

from guided.errors import GenerationCancelledError
from guided.params.conversions import sent_names
from guided.requests.prompting import Conversation
from guided.workbench.steps.step import GenerationStep, TokenChance
from guided.workbench.steps.stream import MAX_TOP, NUM_TOP, StepStream

from ..answers import wire_error_of
from ..body import read_request
from ..context import RequestContext, context_of
from ..errors import InvalidRequestError, Refusal, RefusedError
from ..limits import check_call, check_prompt, require_tokenizer
from ..protocol.base import Call, Prompt
from ..protocol.constraints import ConstraintFields, read_constraint
from ..protocol.openai_messages import ChatMessage, template_messages
from ..protocol.pieces import DONE_EVENT, event
from ..protocol.sampling import read_params, sampling_schemas
from ..protocol.sources import read_sources
from ..protocol.unsupported import SHARED_FIELDS, refuse_unsupported
from ..settings import ServerSettings
from ..state import ServerState, state_of
from ..streaming import EventStreamResponse, unless_gone
from ..validation import validate
from .base import keyed_router, posting
from .grammars import ExpectedAnswer, PlaceAnswer

if TYPE_CHECKING:
    from guided.llm import LLM

router = keyed_router()

LENGTH_FIELDS = ("max_tokens", "max_completion_tokens", "max_new_tokens")
OWN_LOGPROBS = ("logprobs", "top_logprobs", "prompt_logprobs", "logprobs_mode", "logprob_token_ids")
_SAMPLING = {name: one for name, one in sampling_schemas().items() if name not in (*LENGTH_FIELDS, *OWN_LOGPROBS)}


class StepsRequest(ConstraintFields):
    """A prompt or messages, an optional constraint, sampling fields, and what to report.

    prefix_token_ids: tokens of the answer so far; the stream goes on after them.
    max_tokens: the most tokens of this stream, which then pauses; null: it goes on to the answer's end.
    max_answer_tokens: maximum number of tokens of the whole answer with its prefix; the grammar completes it within
        them. null: the server's default, or the rest of the context.
    num_top: number of most likely tokens to report, with and without the mask.
    """

    model: str | None = None
    prompt: str | None = None
    messages: Annotated[list[ChatMessage] | None, Field(min_length=1)] = None
    prefix_token_ids: list[int] = Field(default_factory=list)
    max_tokens: Annotated[int | None, Field(ge=1)] = None
    max_answer_tokens: Annotated[int | None, Field(ge=1)] = None
    num_top: Annotated[int, Field(ge=0, le=MAX_TOP)] = NUM_TOP


@router.post("/v1/workbench/steps", response_class=Response, openapi_extra=posting(StepsRequest, _SAMPLING))
async def watch_steps(request: Request) -> Response:
    """Server-sent events, one for each token of an answer: its probability, what the mask excluded, what the grammar
    expected, and where.
    """
    state, context = state_of(request), context_of(request)
    if not state.settings.watch_steps:
        raise RefusedError(Refusal.SWITCHED_OFF, "watching answers is switched off on this server (--watch-steps)")
    given, call = await read_request(request, lambda body: _read(body, state.settings))
    llm = state.require(given.model)
    context.note(call)
    context.model = state.models.find(given.model).require_name()
    with state.admit(request, is_watched=True):
        stream = await unless_gone(request.receive, _start(state, context, llm, given, call))
        return EventStreamResponse(_events(state, context, stream), context)


def _read(body: dict[str, Any], settings: ServerSettings) -> tuple[StepsRequest, Call]:
    refuse_unsupported(body, SHARED_FIELDS)
    for name in OWN_LOGPROBS:
        if body.get(name) is not None:
            raise InvalidRequestError(f"{name}: steps tell probabilities by themselves; num_top says how many", name)
    given = validate(StepsRequest, body)
    constraint = read_constraint(given)
    fields = {name: value for name, value in body.items() if name not in LENGTH_FIELDS}
    sources = read_sources(given.sources, given.messages)
    params = read_params(fields, constraint, {"max_new_tokens": given.max_answer_tokens, **sources})
    prompt, param = _prompt_of(given)
    call = Call(
        model=given.model,
        prompts=(prompt,),
        params=params,
        prompt_param=param,
        is_stream=True,
        constraint_param=None if constraint is None else constraint.param,
        sent_names={**sent_names(fields), "max_new_tokens": "max_answer_tokens"},
        shows_token_ids=True,
    )
    return given, check_call(call, settings)


def _prompt_of(given: StepsRequest) -> tuple[Prompt, str]:
    """The prompt, and the name of the request's field that holds it."""
    if (given.prompt is None) == (given.messages is None):
        raise InvalidRequestError("give a prompt or messages, one of the two", param="prompt")
    if given.messages is not None:
        return Conversation(template_messages(given.messages)), "messages"
    assert given.prompt is not None
    if not given.prompt:
        raise InvalidRequestError("prompt is empty; give it some text", param="prompt")
    return given.prompt, "prompt"


async def _start(state: ServerState, context: RequestContext, llm: LLM, given: StepsRequest, call: Call) -> StepStream:
    """Create and start the stream, in a thread for grammars."""

    def start() -> StepStream:
        require_tokenizer(llm)
        stream = StepStream(
            llm,
            call.prompts[0],
            call.params,
            prefix_token_ids=given.prefix_token_ids,
            max_steps=given.max_tokens,
            num_top=given.num_top,
            deadline_s=max(0.0, context.deadline - time.monotonic()),
            cancel=context.is_left,
        )
        check_prompt(stream.prompt_token_ids, call, state.settings)
        context.attach(stream)
        stream.submit(is_bounded=True)
        return stream

    return await state.starter.compile(context, start)


async def _events(state: ServerState, context: RequestContext, stream: StepStream) -> AsyncIterator[bytes]:
    """The stream's events as bytes. A failure becomes the last event, since the status was sent already."""
    try:
        while stream.completion is None:
            frames, error = await state.starter.watch(lambda: _next_frames(stream))
            if frames:
                yield frames
            if error is not None:
                raise error
        context.completions = [stream.completion]
        yield DONE_EVENT
    except Exception as error:  # noqa: BLE001 - answered, and logged when it is not the client's
        found = wire_error_of(error, context, "a stream of steps failed midway")
        yield event(found.body, "error")
    finally:
        stream.cancel()


def _next_frames(stream: StepStream) -> tuple[bytes, Exception | None]:
    """The next steps as events, and the error that ended the stream or None."""
    steps = stream.next_steps()
    if not steps:
        return b"", GenerationCancelledError()
    frames = b"".join([event(step_object(step)) for step in steps if step.token_id is not None])
    return frames, steps[-1].error


def step_object(step: GenerationStep) -> dict[str, Any]:
    """A step in the event's JSON format."""
    expected = None if step.expected is None else ExpectedAnswer.model_validate(step.expected)
    return {
        "index": step.index,
        "token_id": step.token_id,
        "text": step.text,
        "bytes": list(step.token),
        "kind": step.kind,
        "is_thinking": step.is_thinking,
        "raw_prob": step.raw_prob,
        "prob": step.prob,
        "rank": step.rank,
        "masked_mass": step.masked_mass,
        "num_allowed": step.num_allowed,
        "top_raw": _chances(step.top_raw),
        "top": _chances(step.top),
        "expected": None if expected is None else expected.text,
        "options": None if expected is None else [vars(one) for one in expected.options],
        "may_end": None if expected is None else expected.may_end,
        "place": _place(step),
        "times_ms": _times(step),
        "finish_reason": step.finish_reason,
        "fits_grammar": step.fits_grammar,
    }


def _place(step: GenerationStep) -> dict[str, Any] | None:
    place = None if step.expected is None else PlaceAnswer.of(step.expected)
    return None if place is None else place.model_dump(by_alias=True)


def _times(step: GenerationStep) -> dict[str, float | None]:
    """Times in milliseconds. compile: only on the first step, if there is a grammar."""
    times = step.times
    return {
        "compile": None if step.compile_s is None else round(1000 * step.compile_s, 3),
        "mask": None if times is None else round(1000 * times.mask_s, 3),
        "forward": None if times is None else round(1000 * times.forward_s, 3),
    }


def _chances(chances: Sequence[TokenChance]) -> list[dict[str, Any]]:
    return [
        {
            "token_id": one.token_id,
            "text": one.token.decode("utf-8", "replace"),
            "prob": one.prob,
            "allowed": one.is_allowed,
            "special": one.is_special,
        }
        for one in chances
    ]
