"""`/playground/distribution`: the next token's probabilities for a prompt, before and after the sampler's filters."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from fastapi import Request

from guided.errors import RequestFieldError
from guided.output.completion import Completion
from guided.output.token_logprobs import TokenLogprobs
from guided.params.conversions import from_openai
from guided.params.sampling_params import SamplingParams
from guided.requests.prompting import Conversation

from ..body import read_request
from ..context import context_of
from ..endpoints.base import keyed_router, posting
from ..errors import InvalidRequestError
from ..generation import complete
from ..limits import require_tokenizer
from ..protocol.base import Call
from ..protocol.constraints import RequestPart
from ..state import state_of
from ..validation import validate

router = keyed_router()
NUM_TOKENS = 200  # looked at; the page shows the first of them
FIELDS = ("temperature", "top_k", "top_p", "min_p", "seed")

HOT = 1.5  # from this temperature on, unfiltered text falls apart
NARROW_TOP_K = 10
NARROW_TOP_P = 0.5
NARROW_MIN_P = 0.3
COLD = 0.3


class DistributionRequest(RequestPart):
    """What is not read by `from_openai`. as_chat: the prompt is a user's message, not a text to go on with."""

    prompt: str
    as_chat: bool = False


@router.post("/playground/distribution", openapi_extra=posting(DistributionRequest))
async def next_token(request: Request) -> dict[str, Any]:
    """The next token's probabilities for a prompt, and one token drawn with the given seed."""
    prompt, params = await read_request(request, read_distribution)
    context_of(request).prompt_param = "prompt"
    model = state_of(request).models.find(None)
    require_tokenizer(model.require())
    name = model.require_name()
    of_modes = [replace(params, logprobs_mode=mode) for mode in ("raw", "processed")]
    (raw,), (kept,) = [await complete(request, Call(name, (prompt,), one, "prompt")) for one in of_modes]
    return distribution(raw, kept, params)


def read_distribution(body: dict[str, Any]) -> tuple[str | Conversation, SamplingParams]:
    """The prompt, and the params of one token. Raises InvalidRequestError with the wrong field."""
    request = validate(DistributionRequest, body)
    try:
        params = from_openai({name: body.get(name) for name in FIELDS})
    except RequestFieldError as error:
        raise InvalidRequestError(str(error), param=error.param) from None
    if not request.prompt:
        raise InvalidRequestError("prompt is empty; give it some text", param="prompt")
    prompt = Conversation([{"role": "user", "content": request.prompt}]) if request.as_chat else request.prompt
    return prompt, replace(params, max_new_tokens=1, logprobs=NUM_TOKENS, skip_special_tokens=False)


def distribution(raw: Completion, kept: Completion, params: SamplingParams) -> dict[str, Any]:
    """The answer's body. raw, kept: completions with the model's own distribution, and with what is drawn from."""
    before, after = _only_step(raw), _only_step(kept)
    probabilities = _kept_probabilities(after, params)
    tokens: list[dict[str, Any]] = [
        {
            "token_id": one.token_id,
            "token": one.text,
            "raw": math.exp(one.logprob),
            "kept": probabilities.get(one.token_id, 0.0),
        }
        for one in before.top
    ]
    num_kept = sum(probability > 0 for probability in probabilities.values())
    return {
        "tokens": tokens,
        "num_kept": num_kept if num_kept < NUM_TOKENS else None,  # None: more than were looked at
        "rest": {
            "raw": max(0.0, 1.0 - sum(token["raw"] for token in tokens)),
            "kept": max(0.0, 1.0 - sum(probabilities.values())),
        },
        "sampled": {"token_id": after.token_id, "token": after.text},
        "warnings": warnings(params),
    }


def warnings(params: SamplingParams) -> list[dict[str, str]]:
    """What is unwise about the parameters, each with a code and a sentence."""
    is_narrow: dict[str, bool] = {
        "top-k": params.top_k is not None and 0 < params.top_k <= NARROW_TOP_K,
        "top-p": params.top_p <= NARROW_TOP_P,
        "min-p": params.min_p >= NARROW_MIN_P,
        "temperature": params.temperature <= COLD,
    }
    narrow = [name for name, value in is_narrow.items() if value]
    is_filtered = bool(params.top_k and params.top_k > 0) or params.top_p < 1 or params.min_p > 0
    found = []
    if params.is_greedy:
        if is_filtered:
            found.append(("no_effect", "At temperature 0 the most probable token is always taken: filters do nothing."))
    elif len(narrow) > 1:
        message = (
            f"{' and '.join(narrow)} are all narrow: hardly any token is left, and texts repeat. Relax all but one."
        )
        found.append(("stacked_filters", message))
    if params.temperature >= HOT and not is_filtered:
        message = "Nothing cuts off the unlikely tokens that this temperature lifts: add top-p 0.95 or min-p 0.05."
        found.append(("hot_and_unfiltered", message))
    return [{"code": code, "message": message} for code, message in found]


def _only_step(completion: Completion) -> TokenLogprobs:
    assert completion.logprobs is not None
    return completion.logprobs[0]


def _kept_probabilities(after: TokenLogprobs, params: SamplingParams) -> dict[int | None, float]:
    """Token id -> the probability of drawing it."""
    if params.is_greedy:
        return {after.token_id: 1.0}
    return {one.token_id: math.exp(one.logprob) for one in after.top}
