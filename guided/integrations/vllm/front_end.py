"""Checks requests before they reach the engine, so that the sender gets a 400 with the error and its place.

The grammar is compiled for a small vocabulary, within the limits of time and size, and the result is remembered. If the
engine runs in this process, the grammar is compiled for the model's vocabulary, and the engine finds it in the cache.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from typing import Any

from guided.grammars import Vocabulary, compile_grammar
from guided.grammars.cache import PROCESS_CACHE
from guided.grammars.errors import GuidedError, LimitExceededError
from guided.schemas.enforcement import Enforcement, enforcement_of

from ..common.engines import VLLM
from ..common.latest import Latest
from ..common.options import BACKEND, WARMUP_SCHEMA
from ..common.settings import grammar_limits, is_of_a_clock
from .enforcement import check_enforcement, drop_enforcement, keep_enforcement
from .options import VllmOptions
from .sources import grammar_arguments
from .vocabularies import check_vocabulary, model_vocabulary

MAX_VERDICTS = 1024


@dataclass(frozen=True)
class GrammarVerdict:
    """The result of a grammar check.

    message: why the grammar can't be used; None if it can.
    enforcement: what the grammar enforces, if the request asked for it.
    """

    message: str | None = None
    enforcement: Enforcement | None = None


_VERDICTS = Latest[Any, GrammarVerdict](MAX_VERDICTS)
_is_engine_here = False


def note_engine_here() -> None:
    """Record that an engine runs in this process."""
    global _is_engine_here
    _is_engine_here = True


def check_request(params: Any, model_config: Any, tokenizer: Any) -> None:
    """Raise VLLMValidationError if a request's structured output can't be enforced.

    params: vLLM's `SamplingParams`; the backend is recorded in its `structured_outputs`, and what the grammar enforces
        in its `extra_args`, if the request asks for that.
    tokenizer: None refuses every grammar.
    """
    drop_enforcement(params)  # the result for another request with the same parameters
    outputs = params.structured_outputs
    if outputs is None:
        return
    if getattr(model_config, "is_diffusion", False):
        raise _refusal("structured outputs can't be used with diffusion language models, which write no text in order")
    if tokenizer is None:
        raise _refusal("structured outputs need a tokenizer; remove skip_tokenizer_init")
    if outputs._backend not in (None, BACKEND):
        raise _refusal(f"the engine has the backend {BACKEND!r} for all requests; remove {outputs._backend!r}")
    verdict = _check_grammar(params, model_config, tokenizer)
    if verdict.message is not None:
        raise _refusal(verdict.message)
    outputs._backend = BACKEND
    if verdict.enforcement is not None:
        keep_enforcement(params, verdict.enforcement)


def mark_valid(params: Any, model_config: Any, tokenizer: Any) -> None:
    """Record that the grammar of these parameters is valid, so that `check_request` need not compile it.

    For callers that have compiled it for the model's own vocabulary. Raises GuidedError.
    """
    options = VllmOptions.read(params.extra_args)
    arguments = grammar_arguments(params.structured_outputs, options)
    key = _key(arguments, check_vocabulary(model_config, tokenizer), is_enforcement_asked=False)
    _VERDICTS.put(key, GrammarVerdict())


def prepare(model_config: Any) -> None:
    """Prepare what every check needs, so that no request waits for it. An error is reported at the first request."""
    from vllm.tokenizers import cached_tokenizer_from_config

    with contextlib.suppress(GuidedError):
        vocabulary = check_vocabulary(model_config, cached_tokenizer_from_config(model_config=model_config))
        compile_grammar(vocabulary, json_schema=WARMUP_SCHEMA, cache=None)


def check_options(params: Any, vllm_config: Any) -> None:
    """Raise VLLMValidationError for a request's options that the engine's configuration does not support."""
    if not hasattr(params, "extra_args"):
        return  # parameters of pooling
    from .processor_checks import check_processors

    try:
        options = VllmOptions.read(params.extra_args)
        if options.logit_processors:
            VLLM.require_hooks()
            check_processors(options, params, vllm_config)
        if options.return_enforcement:
            VLLM.require_hooks()
            check_enforcement(params, vllm_config)
    except GuidedError as error:
        raise _refusal(str(error)) from error


def _check_grammar(params: Any, model_config: Any, tokenizer: Any) -> GrammarVerdict:
    """The verdict on a grammar: the reason against it, or the keywords that it enforces."""
    try:
        options = VllmOptions.read(params.extra_args)
        arguments = grammar_arguments(params.structured_outputs, options)
        vocabulary = check_vocabulary(model_config, tokenizer)
    except GuidedError as error:
        return GrammarVerdict(str(error))
    try:
        key = _key(arguments, vocabulary, is_enforcement_asked=options.return_enforcement)
    except RecursionError:
        depth = grammar_limits().max_schema_depth
        return GrammarVerdict(
            str(LimitExceededError("max_schema_depth", depth, "levels", "nested deeper than Python's stack"))
        )
    known = _VERDICTS.get(key)
    if known is not None:
        return known
    cache = None
    if _is_engine_here:
        vocabulary, cache = model_vocabulary(model_config, tokenizer), PROCESS_CACHE
    try:
        grammar = compile_grammar(vocabulary, **arguments, limits=grammar_limits(), cache=cache)
        verdict = GrammarVerdict(enforcement=enforcement_of(grammar) if options.return_enforcement else None)
    except GuidedError as error:
        verdict = GrammarVerdict(str(error))
        if is_of_a_clock(error):  # a later try may have enough time
            return verdict
    _VERDICTS.put(key, verdict)
    return verdict


def _key(arguments: dict[str, Any], vocabulary: Vocabulary, *, is_enforcement_asked: bool) -> tuple[Any, ...]:
    source = json.dumps(arguments, default=repr)
    return vocabulary.fingerprint, vocabulary.special_fingerprint, source, is_enforcement_asked


def _refusal(message: str) -> Exception:
    from vllm.exceptions import VLLMValidationError

    error: Exception = VLLMValidationError(message, parameter="structured_outputs")
    return error
