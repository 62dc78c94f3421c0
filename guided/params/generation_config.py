"""`SamplingParams` from a `transformers.GenerationConfig`.

A field is converted, or passed over (None, in `_CHANGES_NO_TOKEN`, or at a value of `_NEUTRAL`). Any other field is an
error that names it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from guided.grammars.errors import InvalidInputError

from . import checks
from .sampling_params import SamplingParams

DEFAULT_TOP_K = 50

_RENAMED = {
    "num_return_sequences": "n",
    "repetition_penalty": "repetition_penalty",
    "stop_strings": "stop",
    "bad_words_ids": "bad_words",
}
_FIELDS = frozenset(
    (
        "do_sample",
        "max_length",
        "max_new_tokens",
        "min_length",
        "min_new_tokens",
        "min_p",
        "no_repeat_ngram_size",
        "sequence_bias",
        "suppress_tokens",
        "temperature",
        "top_k",
        "top_p",
        *_RENAMED,
    )
)

# Fields that can't be honoured -> values that ask for nothing.
_NEUTRAL: Mapping[str, tuple[Any, ...]] = {
    "num_beams": (1,),
    "num_beam_groups": (1,),
    "diversity_penalty": (0.0,),
    "penalty_alpha": (0.0,),
    "typical_p": (1.0,),
    "epsilon_cutoff": (0.0,),
    "eta_cutoff": (0.0,),
    "encoder_repetition_penalty": (1.0,),
    "encoder_no_repeat_ngram_size": (0,),
    "guidance_scale": (1.0,),
    "token_healing": (False,),
}

# Fields that configure the model or transformers' loop without changing which token is drawn. Token ids that begin, pad
# and end texts are read from the model. Only beam search uses early_stopping and length_penalty. Invalid values are
# always removed, and probabilities always renormalised. Speculation, caches and compilation only change speed.
_CHANGES_NO_TOKEN = frozenset(
    (
        "_from_model_config",
        "assistant_confidence_threshold",
        "assistant_early_exit",
        "assistant_ensemble_weight",
        "assistant_lookbehind",
        "bos_token_id",
        "cache_config",
        "cache_implementation",
        "compile_config",
        "continuous_batching_config",
        "decoder_start_token_id",
        "disable_compile",
        "early_stopping",
        "eos_token_id",
        "is_assistant",
        "length_penalty",
        "low_memory",
        "max_cache_len",
        "max_matching_ngram_size",
        "num_assistant_tokens",
        "num_assistant_tokens_schedule",
        "output_attentions",
        "output_hidden_states",
        "output_logits",
        "output_scores",
        "pad_token_id",
        "prefill_chunk_size",
        "prompt_lookup_num_tokens",
        "remove_invalid_values",
        "renormalize_logits",
        "return_dict_in_generate",
        "speculation_type",
        "target_lookbehind",
        "transformers_version",
        "use_cache",
        "use_mtp",
    )
)


def from_generation_config(config: Any, *, num_prompt_tokens: int | None = None) -> SamplingParams:
    """The params for drawing a text as `transformers`' `generate` draws it under this configuration.

    config: a `transformers.GenerationConfig`, or its fields as a dict. Missing fields have `generate`'s defaults (top_k
        is 50 when sampling), except the length: without one the text may fill the context.
    num_prompt_tokens: tokens of the prompt, for max_length and min_length, which count the prompt.
    Raises InvalidInputError for a field that can't be honoured.
    """
    fields = {
        name: value
        for name, value in (config if isinstance(config, Mapping) else vars(config)).items()
        if value is not None and name not in _CHANGES_NO_TOKEN
    }
    for name, value in fields.items():
        if name not in _FIELDS and value not in _NEUTRAL.get(name, ()):
            raise InvalidInputError(
                f"{name}={checks.shown(value)} of a GenerationConfig can't be honoured; leave it out"
            )
    arguments: dict[str, Any] = {target: fields[name] for name, target in _RENAMED.items() if name in fields}
    if arguments.get("stop"):
        arguments["include_stop_str_in_output"] = True  # like `generate`
    arguments |= _drawing(fields) | _lengths(fields, num_prompt_tokens) | _tokens(fields)
    return SamplingParams(**arguments)


def _drawing(fields: Mapping[str, Any]) -> dict[str, Any]:
    temperature = fields.get("temperature", 1.0)
    checks.check_number("temperature", temperature, -math.inf)
    if not fields.get("do_sample") or temperature <= 0:
        return {"temperature": 0.0}
    top_k = fields.get("top_k", DEFAULT_TOP_K)
    checks.check_integer("top_k", top_k, -(2**63))
    return {
        "temperature": temperature,
        "top_k": top_k if top_k > 0 else None,
        "top_p": min(fields.get("top_p", 1.0), 1.0),
        "min_p": fields.get("min_p", 0.0),
    }


def _lengths(fields: Mapping[str, Any], num_prompt_tokens: int | None) -> dict[str, Any]:
    """max_new_tokens and min_new_tokens. Each takes precedence over the length that counts the prompt."""
    lengths: dict[str, Any] = {"max_new_tokens": fields.get("max_new_tokens")}
    if "min_new_tokens" in fields:
        lengths["min_new_tokens"] = fields["min_new_tokens"]
    for name, target in (("max_length", "max_new_tokens"), ("min_length", "min_new_tokens")):
        total = fields.get(name)
        if not total or lengths.get(target) is not None:
            continue
        if num_prompt_tokens is None:
            raise InvalidInputError(f"{name}={total} counts the prompt; give num_prompt_tokens, or {target} instead")
        lengths[target] = max(total - num_prompt_tokens, 0)
    return lengths


def _tokens(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Params from fields with token ids: biases and custom processors."""
    arguments: dict[str, Any] = {}
    if fields.get("sequence_bias"):
        arguments["logit_bias"] = _single_biases(fields["sequence_bias"])
    processors = []
    if fields.get("no_repeat_ngram_size"):
        processors.append({"name": "no_repeat_ngram", "params": {"ngram_size": fields["no_repeat_ngram_size"]}})
    if fields.get("suppress_tokens"):
        processors.append({"name": "disallowed_tokens", "params": {"token_ids": list(fields["suppress_tokens"])}})
    return arguments | ({"logit_processors": processors} if processors else {})


def _single_biases(sequence_bias: Any) -> dict[int, float]:
    """The biases of single tokens, given as {(id,): bias} or [[[id], bias], ...]."""
    biases: dict[int, float] = {}
    for token_ids, bias in sequence_bias.items() if isinstance(sequence_bias, Mapping) else sequence_bias:
        if len(token_ids) != 1:
            raise InvalidInputError(f"sequence_bias of {list(token_ids)} can't be honoured; only of single tokens")
        biases[token_ids[0]] = bias
    return biases
