"""`/v1/score`: the probability of each of several continuations of a prompt, under the unmodified model.

No temperature, filter or grammar applies: log-probabilities come straight from the model's logits. The engine reads a
shared prompt only once if it caches prefixes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Request
from pydantic import Field

from guided.grammars.errors import InvalidInputError
from guided.output.completion import Completion
from guided.params.sampling_params import SamplingParams
from guided.requests.prompting import PromptEncoder

from ..body import read_request
from ..context import context_of
from ..errors import InvalidRequestError
from ..generation import complete
from ..limits import check_number
from ..protocol.base import Call
from ..protocol.openai_logprobs import logprobs_object
from ..state import state_of
from ..validation import validate
from .base import Answer, keyed_router, posting
from .tokens import PromptFields

router = keyed_router()


class ScoreRequest(PromptFields):
    """A prompt or messages, and possible continuations."""

    choices: Annotated[list[str], Field(min_length=1)]


class ScoredToken(Answer):
    """A token of a continuation. bytes: null for a special token."""

    token: str
    bytes: list[int] | None
    logprob: float


class ScoredChoice(Answer):
    """A continuation with its probability.

    logprob: sum over the continuation's tokens.
    mean_logprob: mean over its tokens, to compare continuations of different lengths.
    share: its share of the probability of all given continuations, 0 to 1.
    """

    index: int
    text: str
    logprob: float
    mean_logprob: float
    share: float
    tokens: list[ScoredToken]


class ScoreAnswer(Answer):
    """choices: in the request's order. best: index of the most probable one."""

    model: str
    choices: list[ScoredChoice]
    best: int
    prompt_tokens: int


@router.post("/v1/score", openapi_extra=posting(ScoreRequest))
async def score(request: Request) -> ScoreAnswer:
    """The log-probabilities of continuations of a prompt. Each continuation is tokenized apart from the prompt, so no
    token spans both.
    """
    given, prompt, choices = await read_request(request, lambda body: _read(request, body))
    prompts = tuple([*prompt, *choice] for choice in choices)
    prompt_param = context_of(request).prompt_param or "prompt"
    call = Call(given.model, prompts, SamplingParams(max_new_tokens=1, prompt_logprobs=0), prompt_param)
    completions = await complete(request, call)
    return _answer(given, state_of(request).models.find(given.model).require_name(), len(prompt), completions)


def _read(request: Request, body: dict[str, Any]) -> tuple[ScoreRequest, list[int], list[list[int]]]:
    """The request, the token ids of its prompt, and the token ids of each choice."""
    given = validate(ScoreRequest, body)
    check_number(len(given.choices), "{} choices", state_of(request).settings, "max_outputs", "choices")
    llm = given.require_llm(request)
    return given, *_encode(llm.encoder, given)


def _encode(encoder: PromptEncoder, given: ScoreRequest) -> tuple[list[int], list[list[int]]]:
    if given.messages is not None:
        prompt = encoder.encode_chat([message.model_dump() for message in given.messages])
    else:
        assert given.prompt is not None
        prompt = encoder.encode_text(given.prompt)
    choices = []
    for index, text in enumerate(given.choices):
        param = f"choices[{index}]"
        if not text:
            raise InvalidRequestError(f"{param} is empty; give it some text", param=param)
        try:
            choices.append(encoder.encode_part(text))
        except InvalidInputError as error:
            raise InvalidRequestError(f"{param}: {error}", param=param) from None
    return prompt, choices


def _answer(given: ScoreRequest, model: str, num_prompt_tokens: int, completions: Sequence[Completion]) -> ScoreAnswer:
    scored = [_tokens(completion, num_prompt_tokens) for completion in completions]
    sums = [math.fsum(token.logprob for token in tokens) for tokens in scored]
    best = max(range(len(sums)), key=sums.__getitem__)
    weights = [math.exp(one - sums[best]) for one in sums]
    choices = [
        ScoredChoice(
            index=index,
            text=text,
            logprob=sums[index],
            mean_logprob=sums[index] / len(scored[index]),
            share=weights[index] / sum(weights),
            tokens=scored[index],
        )
        for index, text in enumerate(given.choices)
    ]
    return ScoreAnswer(model=model, choices=choices, best=best, prompt_tokens=num_prompt_tokens)


def _tokens(completion: Completion, num_prompt_tokens: int) -> list[ScoredToken]:
    """The tokens of a continuation, which the model read as the end of its prompt."""
    assert completion.prompt_logprobs is not None
    found = [one for one in completion.prompt_logprobs[num_prompt_tokens:] if one is not None]
    return [ScoredToken.model_validate(entry) for entry in logprobs_object(found)["content"]]
