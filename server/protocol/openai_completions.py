"""OpenAI's text completions: `POST /v1/completions`, read and checked.

A prompt is a text, its token ids, or a list of these: each prompt has its own choices. Special tokens written in a
prompt are meant. `logprobs` is the number of alternatives; with `echo` it covers the prompt too and, without a
constraint, the token that ended the text. `max_tokens: 0` then scores the prompt alone. Sampling and constraints are as
in chats.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from guided.params.conversions import MAX_OUTPUTS, MAX_TOP_LOGPROBS, sent_names
from guided.params.sampling_params import SamplingParams

from ..errors import InvalidRequestError
from ..validation import validate
from .base import Call, Prompt, WireFormat
from .constraints import Constraint, ConstraintFields, read_constraint
from .openai_chat import StreamOptions
from .openai_completions_answers import TextCompletionBuilder, TextShape
from .sampling import read_params
from .unsupported import COMPLETION_FIELDS, refuse_unsupported

DEFAULT_MAX_TOKENS = 16  # as OpenAI
LENGTH_FIELDS = ("max_tokens", "max_completion_tokens", "max_new_tokens")
TokenIds = Annotated[list[int], Field(min_length=1)]


class CompletionRequest(ConstraintFields):
    """The fields that are acted on, but for those of sampling. Null, and only null, takes the default."""

    model: str | None = None
    prompt: str | TokenIds | Annotated[list[str] | list[TokenIds], Field(min_length=1)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    echo: bool | None = None
    logprobs: Annotated[int | None, Field(ge=0, le=MAX_TOP_LOGPROBS)] = None
    best_of: Annotated[int | None, Field(ge=1, le=MAX_OUTPUTS)] = None
    max_tokens: Annotated[int | None, Field(ge=0)] = None
    return_token_ids: bool | None = None
    user: str | None = None


def read_call(body: dict[str, Any]) -> Call:
    """A request's body, checked. Raises InvalidRequestError with the path of the first wrong field."""
    refuse_unsupported(body, COMPLETION_FIELDS)
    request = validate(CompletionRequest, body)
    constraint = read_constraint(request)
    params, num_choices = _read_params(body, request, constraint)
    _check_together(request, params, num_choices)
    prompts = _prompts(request.prompt)
    shape = TextShape(
        prompts=prompts,
        num_prompts=len(prompts),
        num_choices=num_choices,
        num_outputs=params.n,
        num_logprobs=request.logprobs,
        echo=bool(request.echo),
        scores_only=request.max_tokens == 0,
        scores_end=bool(request.echo) and constraint is None and request.max_tokens != 0,
        include_usage=request.stream_options is not None and bool(request.stream_options.include_usage),
        with_token_ids=bool(request.return_token_ids),
        with_prompt_logprobs=body.get("prompt_logprobs") is not None,
    )
    return Call(
        model=request.model,
        prompts=prompts,
        params=params,
        is_stream=bool(request.stream),
        make_builder=partial(TextCompletionBuilder, shape),
        constraint_param=None if constraint is None else constraint.param,
        prompt_param="prompt",
        sent_names=sent_names(body) | ({} if request.best_of is None else {"n": "best_of"}),
        shows_token_ids=shape.with_token_ids,
    )


def _prompts(prompt: str | list[Any]) -> tuple[Prompt, ...]:
    if isinstance(prompt, str):
        return (prompt,)
    return (prompt,) if isinstance(prompt[0], int) else tuple(prompt)


def _read_params(
    body: dict[str, Any], request: CompletionRequest, constraint: Constraint | None
) -> tuple[SamplingParams, int]:
    """The params of each prompt, and how many choices of its outputs are shown."""
    fields = dict(body)
    if request.logprobs is not None:
        fields |= {"logprobs": True, "top_logprobs": request.logprobs}
    if all(fields.get(name) is None for name in LENGTH_FIELDS):
        fields["max_tokens"] = DEFAULT_MAX_TOKENS
    if request.max_tokens == 0:
        fields["max_tokens"] = 1  # the engine makes one token at least; it is not shown
    params = read_params(fields, constraint)
    if request.echo and request.logprobs is not None:
        if params.prompt_logprobs is not None:
            message = "prompt_logprobs and echo with logprobs say the same; give one of them"
            raise InvalidRequestError(message, "prompt_logprobs")
        params = replace(params, prompt_logprobs=request.logprobs)
    best_of = params.n if request.best_of is None else request.best_of
    if best_of < params.n:
        raise InvalidRequestError(f"best_of must be at least n, {params.n}, not {best_of}", "best_of")
    num_choices = params.n
    if best_of > num_choices:  # their log-probabilities decide which are the best
        params = replace(params, n=best_of, logprobs=params.logprobs or 0)
    return params, num_choices


def _check_together(request: CompletionRequest, params: SamplingParams, num_choices: int) -> None:
    """What no field shows alone."""
    if request.max_tokens == 0 and not request.echo:
        raise InvalidRequestError(
            "max_tokens must be at least 1, or 0 with echo=true to score the prompt", "max_tokens"
        )
    if request.stream_options is not None and not request.stream:
        raise InvalidRequestError("stream_options needs stream=true", "stream_options")
    if not request.stream:
        return
    if request.max_tokens == 0:
        raise InvalidRequestError("max_tokens=0 makes nothing to stream; leave out stream", "max_tokens")
    if params.n > num_choices:
        raise InvalidRequestError("best_of is decided at the end; leave out stream", "best_of")
    if params.prompt_logprobs is not None:
        param = "logprobs" if request.echo and request.logprobs is not None else "prompt_logprobs"
        raise InvalidRequestError(f"{param} of the prompt can't be streamed; leave out stream", param)


OPENAI_COMPLETIONS = WireFormat(
    name="completions",
    summary="OpenAI's text completions, whole or streamed",
    read_call=read_call,
    request_model=CompletionRequest,
)
