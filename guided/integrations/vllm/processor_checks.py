"""Which logit processors a request may use in an engine with its configuration. Checked in the front end."""

from __future__ import annotations

from typing import Any

from guided.grammars import Vocabulary

from ...processors.registry import BoundProcessor, resolve_processors
from ..common.errors import RequestOptionError
from ..common.processors import is_plain
from ..common.settings import processor_settings
from .options import VllmOptions
from .vocabularies import model_vocabulary

NAME = "logit_processors"


def check_processors(options: VllmOptions, params: Any, vllm_config: Any) -> None:
    """Raise a GuidedError if a request's processors can't run. params: vLLM's parameters. vllm_config: the engine's
    configuration.
    """
    if vllm_config.speculative_config is not None:
        raise RequestOptionError(NAME, "vLLM runs no logits processors under speculative decoding")
    if vllm_config.use_v2_model_runner:
        raise RequestOptionError(
            NAME, "vLLM's second model runner has another interface for them; set VLLM_USE_V2_MODEL_RUNNER=0"
        )
    if not all(map(is_plain, options.logit_processors)):  # processors are sent to another process
        raise RequestOptionError(NAME, "expected names, or signed texts of processors, not objects")
    config = vllm_config.model_config
    from vllm.tokenizers import cached_tokenizer_from_config

    bound = bind(options, model_vocabulary(config, cached_tokenizer_from_config(model_config=config)), vllm_config)
    is_apart = vllm_config.parallel_config.distributed_executor_backend != "uni"
    for one in bound:
        if is_apart and not one.processor.is_trusted:
            raise RequestOptionError(
                NAME, f"{one.name!r} may fail, and then can't end its request: the model runs in processes of its own"
            )


def bind(options: VllmOptions, vocabulary: Vocabulary, vllm_config: Any = None) -> tuple[BoundProcessor, ...]:
    """The processors of a request with their parameters. Raises what `resolve_processors` raises."""
    settings = processor_settings(vllm_config)
    return resolve_processors(options.logit_processors, options.custom_params, settings=settings, vocabulary=vocabulary)
