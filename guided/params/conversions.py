"""`SamplingParams` from other formats: request fields in OpenAI's format, and named presets.

Known fields that change the output are never silently dropped. docs/sampling.md lists all fields and differences.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from guided.grammars.errors import InvalidInputError

from ..errors import RequestFieldError
from . import checks
from .sampling_params import CHECKS_OF_REQUESTS, CONSTRAINTS, MAX_SEED, Check, SamplingParams

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
    """The params of a named preset.

    Args:
        name: name of the preset.
        fields: further params, or replacements.

    Raises:
        InvalidInputError: for an unknown name or a wrong field; the message lists the names.
    """
    checks.check_one_of("preset", name, list(PRESETS))
    return SamplingParams(**{**PRESETS[name], **fields})


_WORD_OR_QUOTED = re.compile(r"(?<!\w)'(?:[^'\\]|\\.)*(?:'|$)|(?<!\w)\"(?:[^\"\\]|\\.)*(?:\"|$)|\w+")
"""A word of a message, or a text of the request, which is quoted there and must stay as it is."""


def from_openai(fields: Mapping[str, Any], constraint: Mapping[str, Any] | None = None) -> SamplingParams:
    """The params of a chat completion request in OpenAI's format, with the fields that vLLM and SGLang add.

    fields: the request's JSON object. Only null takes a default. Unknown fields, and fields not about sampling, are
        ignored. Without max_tokens the text may fill the context.
    constraint: fields of `SamplingParams` that give the grammar, already read.
    Raises RequestFieldError, whose `param` names the wrong field.
    """
    given = {name: fields[name] for name in OPENAI_FIELDS if fields.get(name) is not None}
    arguments: dict[str, Any] = {"max_new_tokens": None, **(constraint or {})}
    origins: dict[str, str] = {}
    for name, value in given.items():
        field, check = OPENAI_FIELDS[name]
        _check_request_field(name, value, check)
        if field in origins and not (isinstance(value, bool) and value == arguments[field]):
            raise RequestFieldError(f"{origins[field]} and {name} exclude each other; give {name}", origins[field])
        origins[field] = name
        arguments[field] = value
    _read_logprobs(fields, arguments)
    if "seed" in arguments:
        arguments["seed"] &= MAX_SEED  # a negative seed also gets its own stream
    if "custom_logit_processor" in given:
        arguments["logit_processors"] = [given["custom_logit_processor"]]
    try:
        return SamplingParams(**arguments)
    except InvalidInputError as error:
        raise _as_request_error(error, origins) from error


def sent_names(fields: Mapping[str, Any]) -> dict[str, str]:
    """Field of SamplingParams -> the request's field that gives it, for the fields that `from_openai` reads."""
    return {field: name for name, (field, _) in OPENAI_FIELDS.items() if fields.get(name) is not None}


def _read_logprobs(fields: Mapping[str, Any], arguments: dict[str, Any]) -> None:
    """Combine OpenAI's two fields into one: whether log-probabilities are wanted, and how many alternatives."""
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


def _check_request_field(name: str, value: Any, check: Any) -> None:
    try:
        check(name, value)
    except InvalidInputError as error:
        raise RequestFieldError(str(error), name) from error


def _as_request_error(error: InvalidInputError, origins: Mapping[str, str]) -> RequestFieldError:
    """The same error with the request's field names. A message about one field begins with its name."""
    message = _WORD_OR_QUOTED.sub(lambda found: origins.get(found[0], found[0]), str(error))
    first = re.match(r"\w+", message)
    known = {*SamplingParams.__dataclass_fields__, *origins.values()}
    return RequestFieldError(message, first[0] if first is not None and first[0] in known else "")


def check_serialized(name: str, value: Any) -> None:
    """Check for a text of `CustomLogitProcessor.to_str`. Names of registered processors have their own field. Raises
    InvalidInputError.
    """
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        raise InvalidInputError(
            f"{name} must be the text of a serialised processor, not {checks.shown(value)}; "
            "use logit_processors for a registered one"
        )


_NOT_SENT = frozenset(
    (*CONSTRAINTS, "dialect", "whitespace", "values", "sources", "limits", "particles", "separate_thinking", "logprobs")
    + ("return_hidden_states", "return_logits")
)
_NAMES = {  # field -> its names in requests, if they are not just the field's name
    "seed": ("seed", "sampling_seed"),
    "max_new_tokens": ("max_tokens", "max_completion_tokens", "max_new_tokens"),
    "min_new_tokens": ("min_tokens", "min_new_tokens"),
    "include_stop_str_in_output": ("include_stop_str_in_output", "no_stop_trim"),
}
_NARROWER: Mapping[str, Check] = {  # fields whose allowed values are narrower in requests
    "temperature": partial(checks.check_number, minimum=0.0, maximum=MAX_REQUEST_TEMPERATURE),
    "n": partial(checks.check_integer, minimum=1, maximum=MAX_OUTPUTS),
    # the range of OpenAI's API: 64 bits, signed
    "seed": partial(checks.check_integer, minimum=-MAX_SEED - 1, maximum=MAX_SEED),
    "prompt_logprobs": partial(checks.check_integer, minimum=0, maximum=MAX_TOP_LOGPROBS),
    "logit_bias": checks.check_mapping,
}

# Name in a request -> field of SamplingParams, and check of the value. Two names for one field exclude each other.
OPENAI_FIELDS: Mapping[str, tuple[str, Check]] = {
    "custom_logit_processor": ("logit_processors", check_serialized),
    **{
        name: (field, _NARROWER.get(field, check))
        for field, check in CHECKS_OF_REQUESTS.items()
        if field not in _NOT_SENT
        for name in _NAMES.get(field, (field,))
    },
}
