"""`load_model`: loads a model into its engine, together with the reader of its requests, for `LLM`."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypedDict

from guided.grammars.limits import Limits

from .embedded.files import model_path, package_folder
from .engines.base import Engine
from .engines.factory import EngineOptions, with_endpoint
from .engines.registry import engine_factory
from .engines.settings import EngineSettings
from .errors import ModelNotFoundError
from .garbage import paused
from .models.find import (
    BEST_MODEL,
    DEFAULT_VARIABLE,
    EMBEDDED_MODEL,
    NamedModel,
    default_model,
    naming_the_variable,
    tokenizer_folder,
)
from .models.folders import is_model_folder
from .params.checks import advice_on_unknown
from .params.limits import RequestLimits
from .processors.settings import ProcessorSettings
from .requests.prompting import PromptEncoder
from .requests.reader import RequestReader

log = logging.getLogger(__name__)


class LoadOptions(TypedDict, total=False):
    """Options for loading a model and its engine.

    tokenizer: the loaded tokenizer of a loaded model. For a model by name: the folder or name of its tokenizer; None:
        it is with the model.
    device: "auto" (CUDA if available, else the CPU) or a torch device; for models loaded by name.
    dtype: "float32", "bfloat16", "float16" or "auto"; for models loaded by name. "auto": float32 on a CPU, else the
        model's own; bfloat16 for a GGUF file, except on CPUs that are slow with it.
    backend: name of the grammar backend; None: the default one.
    limits: limits on compiling one grammar; None: `Limits()`.
    request_limits: limits on the lists of one request; None: `RequestLimits()`.
    processor_settings: the serialised logit processors that requests may send; None: none.
    engine_settings: settings of the engine; None: `EngineSettings()`.
    engine_args: with engine="vllm": fields of vLLM's `EngineArgs`, or a JSON object of them. With engine="openai":
        fields of `EndpointSettings`.
    base_url: with engine="openai": address of the other server ("https://host/v1"). `model` is then the model's name on
        the server; None: its only one. There is no tokenizer.
    api_key: with engine="openai": key for that server.
    """

    tokenizer: Any
    device: str
    dtype: str
    backend: str | None
    limits: Limits | None
    request_limits: RequestLimits | None
    processor_settings: ProcessorSettings | None
    engine_settings: EngineSettings | None
    engine_args: Mapping[str, Any] | str | None
    base_url: str | None
    api_key: str | None


def check_load_options(options: Iterable[str]) -> None:
    """Raises TypeError for a name that `LoadOptions` does not have."""
    known = list(LoadOptions.__annotations__)
    for name in options:
        if name not in known:
            raise TypeError(f"LLM() has no option {name!r}; {advice_on_unknown(name, known)}")


@dataclass(frozen=True)
class LoadedModel:
    """A loaded model: its engine, and the reader of its requests."""

    model_name: str
    engine: Engine
    reader: RequestReader


@paused()
def load_model(
    model: Any,
    engine_name: str,
    *,
    tokenizer: Any = None,
    device: str = "auto",
    dtype: str = "auto",
    backend: str | None = None,
    limits: Limits | None = None,
    request_limits: RequestLimits | None = None,
    processor_settings: ProcessorSettings | None = None,
    engine_settings: EngineSettings | None = None,
    engine_args: Mapping[str, Any] | str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
) -> LoadedModel:
    """Load a model. The default is that of `default_model`; with the engine "openai", the server's only model; with
    "echo", the embedded model.

    For the arguments see `guided.LLM` and `LoadOptions`.
    """
    named = _named(model, engine_name)
    is_embedded = named is not None and named.is_embedded
    is_default = named is not None and named.is_default
    with naming_the_variable(named):
        if engine_name == "transformers" and named is not None and not is_embedded and named.gguf_file() is None:
            is_model_folder(named.name)  # raises for a wrong path before torch is imported
        load = engine_factory(engine_name)
        if named is not None and not is_embedded:
            found = named.found(device, dtype)
            model, dtype = found.name, found.dtype
    if isinstance(tokenizer, str | os.PathLike):
        own = NamedModel(os.fspath(tokenizer))
        tokenizer = os.fspath(package_folder()) if own.is_embedded else tokenizer_folder(own.name)
    options = EngineOptions(
        tokenizer=tokenizer,
        device=device,
        dtype=dtype,
        settings=engine_settings,
        processor_settings=processor_settings,
        limits=limits,
        engine_args=with_endpoint(engine_name, engine_args, base_url, api_key),
    )
    if is_embedded or (model is None and engine_name == "echo"):
        model = _embedded_model(engine_name)
    with naming_the_variable(named if tokenizer is None else None):
        loaded = load(model, options)
    engine = loaded.engine
    reader = RequestReader(
        loaded.encoder or PromptEncoder(loaded.tokenizer, engine.vocabulary, engine.max_context_tokens),
        backend,
        limits,
        RequestLimits() if request_limits is None else request_limits,
        knows_tokens=loaded.tokenizer is not None,
    )
    if is_default and not os.environ.get(DEFAULT_VARIABLE):
        _say_which_model(EMBEDDED_MODEL if is_embedded else engine.model_name)
    # An echo engine keeps its own name.
    is_renamed = is_embedded and engine_name != "echo"
    return LoadedModel(EMBEDDED_MODEL if is_renamed else engine.model_name, engine, reader)


def _named(model: Any, engine_name: str) -> NamedModel | None:
    """The model by its name, or the default one; None for a loaded model, and if the engine has its own names."""
    if engine_name == "openai" or not isinstance(model, str | os.PathLike | None):
        return None
    if model is None:
        return None if engine_name == "echo" else default_model()
    return NamedModel(os.fspath(model))


@cache
def _say_which_model(name: str) -> None:
    """Log once in a process which model was chosen, and how to get the other one."""
    if name == EMBEDDED_MODEL:
        log.warning(
            "no model was named, so guided uses the small one in the package; "
            "`guided model %s` fetches one for more kinds of texts",
            BEST_MODEL,
        )
    else:
        log.warning('no model was named, so it is %s; LLM("embedded") is the small one in the package', name)


def _embedded_model(engine_name: str) -> str:
    """The embedded model's folder in the package; for engines that need standard files, the folder with those."""
    folder = package_folder()
    if not (folder / "config.json").is_file():
        raise ModelNotFoundError(f"the embedded model is not in {folder}; reinstall guided or give LLM(model=...)")
    return os.fspath(folder if engine_name in ("transformers", "echo") else model_path())
