"""What the operator of an engine sets: environment variables, since they reach all of its processes.

Our own server on vLLM gives the same in the engine's configuration, `additional_config`, which reaches them too.
"""

from __future__ import annotations

import json
import os
from dataclasses import fields
from functools import lru_cache
from typing import Any

from guided.grammars import Limits
from guided.grammars.errors import InvalidInputError

from ...processors.settings import ProcessorSettings

LIMITS = "GUIDED_LIMITS"
"""On one grammar: JSON text of fields of `Limits`, such as {"max_compile_seconds": 5}."""
PROCESSOR_KEY_FILE = "GUIDED_PROCESSOR_KEY_FILE"
"""The key file of signed processors, see `ProcessorSettings`."""
OWN = "guided"
"""Of these settings, in `additional_config`: the variables' names and texts."""
LOGPROBS_BEFORE_MASK = "logprobs_before_mask"
"""Among them alone, with any text: our engine wants log-probabilities of the model itself, see `masked_logprobs.py`."""


def grammar_limits(vllm_config: Any = None) -> Limits:
    """vllm_config: of the engine, where it is at hand. Raises InvalidInputError for a variable that can't be used."""
    return read_limits(_read(LIMITS, vllm_config) or "{}")


def processor_settings(vllm_config: Any = None) -> ProcessorSettings:
    """vllm_config: as above. Raises ProcessorRefusedError for a key file that can't be used."""
    return ProcessorSettings(key_file=_read(PROCESSOR_KEY_FILE, vllm_config))


def takes_logprobs_before_mask(vllm_config: Any) -> bool:
    """True for an engine of ours."""
    return _read(LOGPROBS_BEFORE_MASK, vllm_config) is not None


def _read(name: str, vllm_config: Any) -> str | None:
    more = getattr(vllm_config, "additional_config", None)
    own = more.get(OWN, {}) if isinstance(more, dict) else {}
    found: str | None = own.get(name, os.environ.get(name))
    return found


@lru_cache(maxsize=4)
def read_limits(text: str) -> Limits:
    """Limits on one grammar from JSON text. Raises InvalidInputError for what is no limit."""
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
