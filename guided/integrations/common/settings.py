"""What the operator of an engine sets: environment variables, since they reach all of its processes.

Our own server on vLLM gives the same in the engine's configuration, `additional_config`, which reaches them too.
"""

from __future__ import annotations

import os
from typing import Any

from guided.grammars import Limits

from ...params.limits import read_limits
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
    return read_limits(_read(LIMITS, vllm_config) or "{}", LIMITS)


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
