"""Converts a request of our engines to vLLM's `SamplingParams`. Fields that vLLM can't follow are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from guided.grammars.vocabulary import Vocabulary

from ...errors import RequestFieldError
from ...integrations.common.options import KEY
from ...integrations.common.processors import is_plain
from ...params.sampling_params import SamplingParams
from ...processors.thinking import check_thinking, find_thinking_tokens, is_left_open
from ...requests.request import PromptRequest

# vLLM's bounds: it raises lower temperatures to the first and refuses higher ones than the second
MIN_TEMPERATURE, MAX_TEMPERATURE = 0.01, 2.0
MIN_TOP_P = 1e-6  # least top_p sent to vLLM, which refuses 0; with both, one token is left
TOGETHER = 64  # tokens passed on at once if nobody reads before the end: about 1 ms of checking

_Test = Callable[[SamplingParams, bool], bool]  # called with the params and whether there is a grammar

_REFUSALS: tuple[tuple[str, _Test, str], ...] = (
    (
        "temperature",
        lambda params, _: not params.is_greedy and not MIN_TEMPERATURE <= params.temperature <= MAX_TEMPERATURE,
        f"temperature is 0 or from {MIN_TEMPERATURE} to {MAX_TEMPERATURE:g} on vLLM",
    ),
    (
        "filter_order",
        lambda params, _: params.filter_order == "joint" and has_top_k(params) and params.top_p < 1,
        "filter_order 'joint' is not known to vLLM, whose top_p always comes after its top_k",
    ),
    (
        "penalize_forced",
        lambda params, is_constrained: is_constrained and has_penalties(params) and not params.penalize_forced,
        "penalize_forced must be true on vLLM, whose penalties count every token under a grammar",
    ),
    (
        "logprobs_mode",
        lambda params, _: params.logprobs_mode == "processed",
        "logprobs_mode is 'raw' or 'both' on vLLM: 'processed' is a setting of its whole engine",
    ),
    (
        "logprobs_mode",
        lambda params, is_constrained: params.logprobs_mode == "both" and not draws_plainly(params, is_constrained),
        "logprobs_mode 'both' is for draws from the model's own probabilities on vLLM: temperature 0 or 1, and no "
        "filters, penalties, biases, bans or processors",
    ),
    (
        "logprob_token_ids",
        lambda params, _: bool(params.logprob_token_ids),
        "logprob_token_ids is not supported on vLLM, which would give them to all requests of a batch",
    ),
    (
        "limits",
        lambda params, _: params.limits is not None,
        "limits are those of the whole engine on vLLM: give them to guided.LLM",
    ),
    (
        "thinking_budget",
        lambda params, _: params.thinking_budget is not None,
        "thinking_budget is not supported on vLLM; use the logit processor of that name",
    ),
    (
        "logit_processors",
        lambda params, _: any(not is_plain(spec) for spec in params.logit_processors or ()),
        "logit_processors are names or signed texts on vLLM: an object can't be sent to its engine's process",
    ),
)


def check_params(request: PromptRequest, vocabulary: Vocabulary, *, keeps_logits: bool = True) -> None:
    """Raise RequestFieldError for what a request asks and vLLM can't do.

    keeps_logits: the engine fulfils the needs of `masked_logprobs.py`: the first model runner, and no speculation.
    """
    params, is_constrained = request.params, request.grammar is not None
    if is_constrained and params.logprobs is not None and not keeps_logits:
        raise RequestFieldError(
            "vLLM gives no logprobs under a grammar with speculative decoding or its second model runner", "logprobs"
        )
    for field, is_refused, reason in _REFUSALS:
        if is_refused(params, is_constrained):
            raise RequestFieldError(reason, field)
    check_thinking(params, vocabulary)
    if not is_constrained and params.thinking is not False:
        return  # PERF: skip the search for an open block in the prompt, which may be long
    is_open = is_left_open(find_thinking_tokens(vocabulary), request.prompt_token_ids)
    if is_constrained and (is_open or params.thinking is True):
        raise RequestFieldError(
            "thinking before a grammar's text is not supported on vLLM; end it in the prompt", "thinking"
        )
    if is_open and params.thinking is False:
        raise RequestFieldError("thinking=false can't close the block that the prompt opens on vLLM", "thinking")


def has_top_k(params: SamplingParams) -> bool:
    """True if top-k is on."""
    return params.top_k is not None and params.top_k > 0


def draws_plainly(params: SamplingParams, is_constrained: bool) -> bool:
    """True if tokens are drawn from the model's own probabilities, or from the part that a grammar leaves."""
    has_filters = has_top_k(params) or params.top_p < 1 or params.min_p > 0
    is_plain = params.is_greedy or (params.temperature == 1 and not has_filters)
    has_rules = params.logit_bias or params.bad_words or params.allowed_token_ids or params.logit_processors
    return is_plain and not has_rules and not has_penalties(params) and (is_constrained or not params.min_new_tokens)


def has_penalties(params: SamplingParams) -> bool:
    """True if any penalty is on."""
    return bool(params.frequency_penalty or params.presence_penalty or params.repetition_penalty != 1)


def vllm_params(request: PromptRequest, vocabulary: Vocabulary, max_tokens: int) -> Any:
    """vLLM's parameters for a request that passed `check_params`.

    max_tokens: the output's token limit.
    Under a grammar the request's own stop tokens are left out, since only the reader of the text knows where they
    count.
    """
    from vllm.sampling_params import RequestOutputKind, StructuredOutputsParams
    from vllm.sampling_params import SamplingParams as VllmParams

    params, grammar = request.params, request.grammar
    stops = frozenset[int]() if params.ignore_eos else vocabulary.eos_token_ids
    stops |= frozenset(params.stop_token_ids or ()) if grammar is None else frozenset()
    options: dict[str, Any] = {}
    if grammar is not None:
        options["arguments"] = True
    if params.logit_processors:
        options["logit_processors"] = [_plain(spec) for spec in params.logit_processors]
        options["custom_params"] = None if params.custom_params is None else dict(params.custom_params)
    found = VllmParams(
        temperature=0.0 if params.is_greedy else params.temperature,
        top_p=max(params.top_p, MIN_TOP_P),
        top_k=(params.top_k or 0) if has_top_k(params) else 0,
        min_p=params.min_p,
        seed=params.seed,
        presence_penalty=params.presence_penalty,
        frequency_penalty=params.frequency_penalty,
        repetition_penalty=params.repetition_penalty,
        max_tokens=max_tokens,
        min_tokens=min(params.min_new_tokens, max_tokens),
        ignore_eos=params.ignore_eos,
        stop_token_ids=sorted(stops),
        logit_bias=None if params.logit_bias is None else dict(params.logit_bias),
        allowed_token_ids=None if params.allowed_token_ids is None else list(params.allowed_token_ids),
        # The requested number plus 1, for the token's log-probability after the mask: see `masked_logprobs.py`.
        logprobs=None if params.logprobs is None else min(params.logprobs + 1, vocabulary.size),
        prompt_logprobs=params.prompt_logprobs,
        structured_outputs=None
        if grammar is None
        else StructuredOutputsParams(grammar=json.dumps(grammar.spec.arguments)),
        extra_args={KEY: options} if options else None,
        detokenize=False,
        output_kind=RequestOutputKind.DELTA,
        stream_interval=TOGETHER if request.is_read_at_end else None,
        skip_clone=True,
    )
    if params.bad_words:  # vLLM's own field takes texts and tokenizes them, but these are tokens already
        found._bad_words_token_ids = [list(word) for word in params.bad_words]
    return found


def _plain(spec: Any) -> Any:
    """Convert tuples to lists, as in vLLM's messages."""
    return list(spec) if isinstance(spec, tuple) else spec
