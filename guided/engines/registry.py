"""Engines by name. Adding an engine means adding one file here and one line to `_LOADERS`."""

from __future__ import annotations

from collections.abc import Callable

from guided.grammars.errors import InvalidInputError
from guided.grammars.extras import needed_by

from ..errors import UnknownEngineError
from .factory import EngineFactory


def _load_transformers() -> EngineFactory:
    from .local.loading import load_transformers_engine

    return load_transformers_engine


def _load_echo() -> EngineFactory:
    from .local.echo import load_echo_engine

    return load_echo_engine


def _load_vllm() -> EngineFactory:
    import vllm as vllm  # first, so that no import error in our own code counts as a missing package

    from .vllm.loading import load_vllm_engine

    return load_vllm_engine


def _load_openai() -> EngineFactory:
    import openai as openai  # first, as above

    from .openai.loading import load_openai_engine

    return load_openai_engine


_LOADERS: dict[str, Callable[[], EngineFactory]] = {
    "transformers": _load_transformers,
    "echo": _load_echo,
    "vllm": _load_vllm,
    "openai": _load_openai,
}


def register_engine(name: str, loader: Callable[[], EngineFactory]) -> None:
    """Register an engine for `guided.LLM(engine=name)`.

    loader: function that imports and returns the engine's factory; called when the engine is first used.
    Raises InvalidInputError if the name is taken.
    """
    if name in _LOADERS:
        raise InvalidInputError(f"an engine named {name!r} is registered already")
    _LOADERS[name] = loader


def engine_factory(name: str) -> EngineFactory:
    """The factory that is registered under `name`.

    Raises UnknownEngineError, which lists the known names, and BackendNotInstalledError if a package is missing.
    """
    if name not in _LOADERS:
        raise UnknownEngineError(f"unknown engine {name!r}; known engines: {', '.join(sorted(_LOADERS))}")
    with needed_by(f"engine {name!r}"):
        return _LOADERS[name]()
