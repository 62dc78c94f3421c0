"""An engine operator's settings: environment variables, since these reach all of the engine's processes.

Our own server on vLLM passes the same settings in the engine's configuration, `additional_config`, which also reaches
all processes.
"""

from __future__ import annotations

import os
from typing import Any

from guided.grammars import Limits
from guided.grammars.errors import GuidedError, LimitExceededError

from ...params.limits import read_limits
from ...processors.settings import ProcessorSettings

LIMITS = "GUIDED_LIMITS"
"""Variable with limits on one grammar: JSON text with fields of `Limits`, such as {"max_compile_seconds": 5}."""
PROCESSOR_KEY_FILE = "GUIDED_PROCESSOR_KEY_FILE"
"""Variable with the key file of signed processors, see `ProcessorSettings`."""
OWN = "guided"
"""Key of these settings in `additional_config`: variable name -> text."""
LOGPROBS_BEFORE_MASK = "logprobs_before_mask"
"""Key there only, with any text: our engine needs log-probabilities of the model itself, see `masked_logprobs.py`."""


def grammar_limits(vllm_config: Any = None) -> Limits:
    """The limits on one grammar. vllm_config: the engine's configuration, or None. Raises InvalidInputError for an
    invalid setting.
    """
    return read_limits(_read(LIMITS, vllm_config) or "{}", LIMITS)


def is_of_a_clock(error: GuidedError) -> bool:
    """True for a time limit. Another try, or another rank, may not reach it, since clocks and processors differ."""
    return isinstance(error, LimitExceededError) and error.is_of_time


def processor_settings(vllm_config: Any = None) -> ProcessorSettings:
    """The settings of processors. vllm_config: the engine's configuration, or None. Raises ProcessorRefusedError for an
    unusable key file.
    """
    return ProcessorSettings(key_file=_read(PROCESSOR_KEY_FILE, vllm_config))


def takes_logprobs_before_mask(vllm_config: Any) -> bool:
    """True if our own engine wrote this configuration."""
    return _read(LOGPROBS_BEFORE_MASK, vllm_config) is not None


def _read(name: str, vllm_config: Any) -> str | None:
    more = getattr(vllm_config, "additional_config", None)
    own = more.get(OWN, {}) if isinstance(more, dict) else {}
    found: str | None = own.get(name, os.environ.get(name))
    return found
