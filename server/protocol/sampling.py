"""The sampling fields of all wire formats: reads them into parameters, and describes them for the OpenAPI document."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from guided.errors import RequestFieldError
from guided.grammars.errors import InvalidInputError
from guided.params import checks
from guided.params.conversions import OPENAI_FIELDS, check_serialized, from_openai
from guided.params.sampling_params import MAX_BIAS, Check, SamplingParams, meanings
from guided.params.stopping import Stops

from .constraints import Constraint


def read_params(
    fields: Mapping[str, Any], constraint: Constraint | None, others: Mapping[str, Any] | None = None
) -> SamplingParams:
    """Read a request's sampling fields into parameters.

    fields: named as in `guided.params.conversions.from_openai`.
    others: further arguments of `SamplingParams`.
    Raises RequestFieldError with the wrong field's name in chat completions.
    """
    arguments = {**(others or {}), **({} if constraint is None else constraint.arguments)}
    params = from_openai(fields, arguments)
    try:
        Stops(params)
    except InvalidInputError as error:
        raise RequestFieldError(str(error), "stop_regex") from None
    return params


Schema = dict[str, Any]
_TEXT: Schema = {"type": "string", "minLength": 1}
_TOKEN_IDS: Schema = {"type": "array", "items": {"type": "integer", "minimum": 0}}
_NAMED: Schema = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "params": {"type": "object"}},
    "required": ["name"],
    "additionalProperties": False,
}
_TAKEN: Mapping[Callable[..., None], Schema] = {  # check -> schema of the values that it accepts
    checks.check_number: {"type": "number"},
    checks.check_integer: {"type": "integer"},
    checks.check_bool: {"type": "boolean"},
    checks.check_one_of: {"type": "string"},
    checks.check_texts: {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]},
    checks.check_token_ids: _TOKEN_IDS,
    checks.check_words: {"type": "array", "items": {"anyOf": [_TEXT, {**_TOKEN_IDS, "minItems": 1}]}},
    checks.check_mapping: {"type": "object"},
    check_serialized: {"type": "string"},
}
_OWN: Mapping[str, Schema] = {  # fields whose check gives too little detail
    "logit_bias": {
        "type": "object",
        "propertyNames": {"pattern": "^[0-9]{1,18}$"},
        "additionalProperties": {"type": "number", "minimum": -MAX_BIAS, "maximum": MAX_BIAS},
    },
    "logit_processors": {
        "type": "array",
        "items": {"anyOf": [{"type": "string"}, {"type": "array", "minItems": 2, "maxItems": 2}, _NAMED]},
    },
}

_IN_JSON = {"None": "null", "True": "true", "False": "false"}


def sampling_schemas() -> dict[str, Schema]:
    """Field of a request -> its JSON Schema, from the meanings and checks of `SamplingParams`. Null takes the
    default.
    """
    said = meanings()
    return {
        name: {
            "anyOf": [_OWN[name] if name in _OWN else _schema_of(check), {"type": "null"}],
            "description": re.sub(r"\b(None|True|False)\b", lambda word: _IN_JSON[word[0]], said.get(field, "")),
        }
        for name, (field, check) in OPENAI_FIELDS.items()
    }


def _schema_of(check: Check) -> Schema:
    if not isinstance(check, partial):
        return _TAKEN[check]
    said = check.keywords
    bounds = {name: said[name] for name in ("minimum", "maximum") if said.get(name) not in (None, math.inf)}
    if "allowed" in said:
        bounds["enum"] = list(said["allowed"])
    if said.get("may_be_empty") is False:
        bounds["minItems"] = 1
    return _TAKEN[check.func] | bounds
