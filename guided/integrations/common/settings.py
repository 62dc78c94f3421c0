"""What the operator of an engine sets: environment variables, since they reach all of its processes."""

from __future__ import annotations

import json
import os
from dataclasses import fields
from functools import lru_cache

from guided.grammars import Limits
from guided.grammars.errors import InvalidInputError

from ...processors.settings import ProcessorSettings

LIMITS = "GUIDED_LIMITS"
"""On one grammar: JSON text of fields of `Limits`, such as {"max_compile_seconds": 5}."""
PROCESSOR_KEY_FILE = "GUIDED_PROCESSOR_KEY_FILE"
"""The key file of signed processors, see `ProcessorSettings`."""


def grammar_limits() -> Limits:
    """Raises InvalidInputError for a variable that can't be used."""
    return _read_limits(os.environ.get(LIMITS, "{}"))


def processor_settings() -> ProcessorSettings:
    """Raises ProcessorRefusedError for a key file that can't be used."""
    return ProcessorSettings(key_file=os.environ.get(PROCESSOR_KEY_FILE))


@lru_cache(maxsize=4)
def _read_limits(text: str) -> Limits:
    known = {field.name: type(field.default) for field in fields(Limits)}
    try:
        given = json.loads(text)
    except ValueError as error:
        raise InvalidInputError(f"{LIMITS} is no JSON text: {error}") from None
    if not isinstance(given, dict):
        raise InvalidInputError(f"{LIMITS} is no JSON object, but {text}")
    for name, value in given.items():
        if name not in known:
            raise InvalidInputError(f"{LIMITS}: unknown limit {name!r}; known are {', '.join(known)}")
        is_number = isinstance(value, known[name] | int) and not isinstance(value, bool)
        if not is_number or value <= 0:
            raise InvalidInputError(f"{LIMITS}: {name} is {value!r}; expected a {known[name].__name__} above 0")
    return Limits(**given)
