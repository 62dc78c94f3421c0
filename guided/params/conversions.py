"""`SamplingParams` from what others say: request fields in OpenAI's form, named presets, a GenerationConfig.

Nothing that is known to change the output is dropped in silence. docs/sampling.md lists all fields and what differs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from guided.grammars.errors import InvalidInputError

from ..errors import RequestFieldError
from . import checks
from .generation_config import from_generation_config
from .sampling_params import (
    MAX_PENALTY,
    MAX_SEED,
    MAX_TOKENS,
    MIN_REPETITION_PENALTY,
    FilterOrder,
    LogprobsMode,
    SamplingParams,
)

__all__ = ["PRESETS", "from_generation_config", "from_openai", "from_preset", "sent_names"]

PRESETS: Mapping[str, Mapping[str, float]] = {
    "factual": {"temperature": 0.0},
    "code": {"temperature": 0.0},
    "chat": {"temperature": 0.7, "top_p": 0.9},
    "creative": {"temperature": 1.0, "top_p": 0.95},
}

MAX_REQUEST_TEMPERATURE = 2.0
MAX_OUTPUTS = 128
MAX_TOP_LOGPROBS = 20


def from_preset(name: str, **fields: Any) -> SamplingParams:
    """The params of a named preset; `fields` are further ones, or replace its own. Raises InvalidInputError."""
    checks.check_one_of("preset", name, list(PRESETS))
    return SamplingParams(**{**PRESETS[name], **fields})


def from_openai(fields: Mapping[str, Any], constraint: Mapping[str, Any] | None = None) -> SamplingParams:
    """The params of a chat completion request in OpenAI's form, with the fields that vLLM and SGLang added to it.

    fields: the request's JSON object. Only null takes a default; fields that say nothing about sampling, and unknown
        ones, are passed over. Without max_tokens the text may fill the context.
    constraint: the fields of `SamplingParams` that give its grammar, already read.
    Raises RequestFieldError, whose `param` is the field that is wrong.
    """
    given = {name: fields[name] for name in _OPENAI_FIELDS if fields.get(name) is not None}
    arguments: dict[str, Any] = {"max_new_tokens": None, **(constraint or {})}
    origins: dict[str, str] = {}
    for name, value in given.items():
        field, check = _OPENAI_FIELDS[name]
        _check_request_field(name, value, check)
        if field in origins and not (isinstance(value, bool) and value == arguments[field]):
            raise RequestFieldError(f"{origins[field]} and {name} exclude each other; give {name}", origins[field])
        origins[field] = name
        arguments[field] = value
    _read_logprobs(fields, arguments)
    if "logit_bias" in given:
        arguments["logit_bias"] = _read_bias(given["logit_bias"])
    if "custom_logit_processor" in given:
        arguments["logit_processors"] = [given["custom_logit_processor"]]
    try:
        return SamplingParams(**arguments)
    except InvalidInputError as error:
        raise _as_request_error(error, origins) from error


def sent_names(fields: Mapping[str, Any]) -> dict[str, str]:
    """Field of SamplingParams -> which of the request's fields gives it, for the fields that `from_openai` reads."""
    return {field: name for name, (field, _) in _OPENAI_FIELDS.items() if fields.get(name) is not None}


def _read_logprobs(fields: Mapping[str, Any], arguments: dict[str, Any]) -> None:
    """OpenAI's two fields are one of ours: whether, and how many alternatives."""
    wanted, top = fields.get("logprobs"), fields.get("top_logprobs")
    if wanted is not None:
        _check_request_field("logprobs", wanted, checks.check_bool)
    if top is not None:
        _check_request_field(
            "top_logprobs", top, lambda name, value: checks.check_integer(name, value, 0, MAX_TOP_LOGPROBS)
        )
    if top and not wanted:
        raise RequestFieldError("top_logprobs needs logprobs=true", "top_logprobs")
    if wanted:
        arguments["logprobs"] = top or 0
        return
    for name, asks_nothing in (("logprob_token_ids", None), ("logprobs_mode", "raw")):
        if fields.get(name) not in (None, asks_nothing):
            raise RequestFieldError(f"{name} needs logprobs=true", name)


def _read_bias(bias: Any) -> dict[int, float]:
    """JSON has only strings as keys: "50256"."""
    biases: dict[int, float] = {}
    for key, value in bias.items():
        if not isinstance(key, int) and not re.fullmatch("[0-9]{1,18}", key):
            raise RequestFieldError(f"logit_bias: {checks.shown(key)} is no token id", "logit_bias")
        biases[int(key)] = value
    return biases


def _check_request_field(name: str, value: Any, check: Any) -> None:
    try:
        check(name, value)
    except InvalidInputError as error:
        raise RequestFieldError(str(error), name) from error


def _as_request_error(error: InvalidInputError, origins: Mapping[str, str]) -> RequestFieldError:
    """The same message with the request's own names for the fields. The one that is wrong stands first in it."""
    message = re.sub(r"\w+", lambda word: origins.get(word[0], word[0]), str(error))
    field = re.match(r"\w+", message)
    return RequestFieldError(message, "" if field is None else field[0])


def _number(minimum: float, maximum: float) -> Any:
    return lambda name, value: checks.check_number(name, value, minimum, maximum)


def _integer(minimum: int, maximum: int | None = None) -> Any:
    return lambda name, value: checks.check_integer(name, value, minimum, maximum)


def _check_serialized(name: str, value: Any) -> None:
    """The text that `CustomLogitProcessor.to_str` writes; names of registered processors have their own field."""
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        raise InvalidInputError(
            f"{name} must be the text of a serialised processor, not {checks.shown(value)}; "
            "use logit_processors for a registered one"
        )


def _one_of(allowed: Sequence[str]) -> Any:
    return lambda name, value: checks.check_one_of(name, value, allowed)


# Name in a request -> field of SamplingParams, check of the value. Two names for one field exclude each other.
_OPENAI_FIELDS: Mapping[str, tuple[str, Any]] = {
    # OpenAI
    "temperature": ("temperature", _number(0.0, MAX_REQUEST_TEMPERATURE)),
    "top_p": ("top_p", _number(0.0, 1.0)),
    "n": ("n", _integer(1, MAX_OUTPUTS)),
    "max_tokens": ("max_new_tokens", _integer(1)),
    "max_completion_tokens": ("max_new_tokens", _integer(1)),
    "stop": ("stop", checks.check_texts),
    "presence_penalty": ("presence_penalty", _number(-2.0, 2.0)),
    "frequency_penalty": ("frequency_penalty", _number(-2.0, 2.0)),
    "logit_bias": ("logit_bias", checks.check_mapping),
    "seed": ("seed", _integer(0, MAX_SEED)),
    # vLLM and SGLang
    "max_new_tokens": ("max_new_tokens", _integer(1)),
    "min_tokens": ("min_new_tokens", _integer(0, MAX_TOKENS)),
    "min_new_tokens": ("min_new_tokens", _integer(0, MAX_TOKENS)),
    "sampling_seed": ("seed", _integer(0, MAX_SEED)),
    "top_k": ("top_k", _integer(-1)),
    "min_p": ("min_p", _number(0.0, 1.0)),
    "repetition_penalty": ("repetition_penalty", _number(MIN_REPETITION_PENALTY, MAX_PENALTY)),
    "stop_token_ids": ("stop_token_ids", checks.check_token_ids),
    "stop_regex": ("stop_regex", checks.check_texts),
    "ignore_eos": ("ignore_eos", checks.check_bool),
    "stop_in_strings": ("stop_in_strings", checks.check_bool),
    "include_stop_str_in_output": ("include_stop_str_in_output", checks.check_bool),
    "no_stop_trim": ("include_stop_str_in_output", checks.check_bool),
    "skip_special_tokens": ("skip_special_tokens", checks.check_bool),
    "spaces_between_special_tokens": ("spaces_between_special_tokens", checks.check_bool),
    "bad_words": ("bad_words", checks.check_words),
    "allowed_token_ids": ("allowed_token_ids", checks.check_token_ids),
    "prompt_logprobs": ("prompt_logprobs", _integer(0, MAX_TOP_LOGPROBS)),
    "custom_params": ("custom_params", checks.check_mapping),
    "custom_logit_processor": ("logit_processors", _check_serialized),
    # ours
    "filter_order": ("filter_order", _one_of(get_args(FilterOrder))),
    "penalize_forced": ("penalize_forced", checks.check_bool),
    "logprobs_mode": ("logprobs_mode", _one_of(get_args(LogprobsMode))),
    "logprob_token_ids": ("logprob_token_ids", checks.check_token_ids),
    "logit_processors": ("logit_processors", checks.check_list),
    "thinking": ("thinking", checks.check_bool),
    "thinking_budget": ("thinking_budget", _integer(0, MAX_TOKENS)),
}
