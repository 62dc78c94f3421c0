"""Loads a model into vLLM for `guided.LLM(engine="vllm")`, and defines which of our settings vLLM gets."""

from __future__ import annotations

import difflib
import json
import logging
import os
from collections.abc import Mapping
from dataclasses import asdict, fields
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits

from ...integrations.common.options import BACKEND
from ...integrations.common.settings import LIMITS, LOGPROBS_BEFORE_MASK, OWN, PROCESSOR_KEY_FILE
from ...integrations.vllm.plugin import register
from ...processors.settings import ProcessorSettings
from .. import factory
from ..factory import EngineOptions, LoadedEngine, refuse_settings
from ..local.loading import load_text_side
from ..settings import EngineSettings

log = logging.getLogger(__name__)

_OURS = {
    "model": "LLM(model=...)",
    "served_model_name": "served_model_name of the server",
    "skip_tokenizer_init": "nothing: the tokenizer is needed",
    "logprobs_mode": "nothing: raw_logprobs is what our log-probabilities mean",
    "reasoning_parser": "nothing: thinking is told apart here",
    "reasoning_parser_plugin": "nothing: thinking is told apart here",
    "reasoning_config": "nothing: thinking is told apart here",
}
"""Fields of vLLM's `EngineArgs` that can't be given -> what to give instead."""
_UNREAD = {
    "kv_cache_tokens": "give engine_args num_gpu_blocks_override or gpu_memory_utilization",
    "page_size": "give engine_args block_size",
    "max_prefill_tokens": "give engine_args max_num_batched_tokens",
    "max_draft_tokens": "give engine_args speculative_config",
    "num_threads": "vLLM binds its own threads",
    "short_steps": "vLLM plans its own steps",
}
"""Fields of our `EngineSettings` that vLLM does not get, see `refuse_settings`."""


def load_vllm_engine(model: Any, options: EngineOptions) -> LoadedEngine:
    """Load a model into vLLM and start it. model: a folder or hub name.

    options: `engine_args` are fields of vLLM's `AsyncEngineArgs`, or a JSON object of them; they take precedence over
        our settings.
    Raises InvalidInputError for settings that vLLM can't use, the errors of loading a tokenizer, and vLLM's own errors.
    """
    if not isinstance(model, str | os.PathLike) or not isinstance(options.tokenizer, str | os.PathLike | None):
        raise InvalidInputError("the vllm engine takes a model's folder or hub name, no loaded model or tokenizer")
    if options.device != "auto":
        raise InvalidInputError(f"the vllm engine runs where vLLM was built for; leave out device={options.device!r}")
    name, processor_settings = os.fspath(model), options.processor_settings
    settings = options.settings or EngineSettings()
    refuse_settings(settings, "vllm", _UNREAD)
    _check_plugin()
    register()
    given = read_engine_args(options.engine_args)
    arguments = engine_arguments(name, options.tokenizer, options.dtype, settings, given)
    arguments["additional_config"] = _with_own(given.get("additional_config"), options.limits, processor_settings)
    loaded_tokenizer, vocabulary, _ = load_text_side(os.fspath(options.tokenizer or name))
    client, figures = _start(arguments)
    from .engine import VllmEngine

    short_name = Path(name).resolve().name if Path(name).is_dir() else name
    engine = VllmEngine(
        client,
        vocabulary,
        figures,
        model_name=short_name,
        settings=settings,
        processor_settings=processor_settings,
    )
    log.info("loaded %s into vLLM: a context of %d", name, engine.max_context_tokens)
    return LoadedEngine(engine, loaded_tokenizer)


def read_engine_args(engine_args: Mapping[str, Any] | str | None) -> dict[str, Any]:
    """Fields of vLLM's `EngineArgs`. Raises InvalidInputError, also for fields that have arguments of their own
    here.
    """
    given = factory.read_engine_args(engine_args)
    for field, instead in _OURS.items():
        if field in given:
            raise InvalidInputError(f"engine_args can't have {field}; give {instead}")
    return given


def engine_arguments(
    name: str, tokenizer: Any, dtype: str, settings: EngineSettings, given: dict[str, Any]
) -> dict[str, Any]:
    """The fields of `AsyncEngineArgs` to set. Raises InvalidInputError for unknown ones."""
    from vllm.engine.arg_utils import AsyncEngineArgs
    from vllm.platforms import current_platform

    known = [field.name for field in fields(AsyncEngineArgs)]
    for field in given:
        if field not in known:
            close = difflib.get_close_matches(field, known, 1)
            advice = f"; did you mean {close[0]!r}?" if close else ""
            raise InvalidInputError(f"engine_args: vLLM's EngineArgs have no field {field!r}{advice}")
    if dtype == "auto" and current_platform.is_cpu():
        dtype = "float32"  # the same type as in our own engine
    outputs = given.get("structured_outputs_config") or {}
    if not isinstance(outputs, dict) or outputs.get("backend", BACKEND) != BACKEND:
        raise InvalidInputError("engine_args: structured_outputs_config is an object, whose backend is 'guided'")
    arguments: dict[str, Any] = {
        "model": name,
        "dtype": dtype,
        "max_num_seqs": settings.max_batch_size,
        "enable_prefix_caching": settings.prefix_caching,
        "max_logprobs": -1,
    }
    if tokenizer is not None:
        arguments["tokenizer"] = os.fspath(tokenizer)
    return arguments | given | {"structured_outputs_config": {**outputs, "backend": BACKEND}}


def _check_plugin() -> None:
    """Raise InvalidInputError if the entry points are missing or disabled: vLLM's other processes find the plug-in only
    by them.
    """
    named = os.environ.get("VLLM_PLUGINS")
    if named is not None and BACKEND not in named.split(","):
        raise InvalidInputError(f"VLLM_PLUGINS leaves out {BACKEND!r}, which the vllm engine needs; add it there")
    if not any(point.name == BACKEND for point in entry_points(group="vllm.general_plugins")):
        raise InvalidInputError(
            "the entry points of guided's plug-in for vLLM are missing here; run: pip install guided-generation"
        )


def _with_own(given: Any, limits: Limits | None, processors: ProcessorSettings | None) -> dict[str, Any]:
    """`additional_config`, with the settings for our code in vLLM's processes."""
    if given is not None and not isinstance(given, dict):
        raise InvalidInputError("engine_args: additional_config must be an object")
    own = {LOGPROBS_BEFORE_MASK: "yes"}
    if limits is not None:
        own[LIMITS] = json.dumps(asdict(limits))
    if processors is not None and processors.key_file is not None:
        own[PROCESSOR_KEY_FILE] = os.path.abspath(processors.key_file)
    return {**(given or {}), OWN: own}


def _start(arguments: dict[str, Any]) -> tuple[Any, Any]:
    """Start vLLM's engine, in its own processes. Returns its client and its figures."""
    from vllm.engine.arg_utils import AsyncEngineArgs
    from vllm.v1.engine.async_llm import AsyncLLM

    from .figures import EngineFigures

    try:
        config = AsyncEngineArgs(**arguments).create_engine_config()
    except (TypeError, ValueError) as error:
        raise InvalidInputError(f"vLLM refuses its settings: {error}") from error
    figures = EngineFigures(config)
    client = AsyncLLM.from_vllm_config(config, stat_loggers=[lambda *_: figures], disable_log_stats=True)
    return client, figures
