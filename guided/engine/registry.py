"""Engines by name. Adding an engine means adding one file here and one line to `_LOADERS`."""

from __future__ import annotations

from collections.abc import Callable

from guided.grammars.errors import InvalidInputError

from ..errors import UnknownEngineError
from .factory import EngineFactory


def _load_transformers() -> EngineFactory:
    from .loading import load_transformers_engine

    return load_transformers_engine


def _load_echo() -> EngineFactory:
    from .echo import load_echo_engine

    return load_echo_engine


_LOADERS: dict[str, Callable[[], EngineFactory]] = {"transformers": _load_transformers, "echo": _load_echo}


def register_engine(name: str, loader: Callable[[], EngineFactory]) -> None:
    """Make an engine known as `guided.LLM(engine=name)`.

    loader: imports it, when it is asked for. Raises InvalidInputError when the name is taken.
    """
    if name in _LOADERS:
        raise InvalidInputError(f"an engine named {name!r} is registered already")
    _LOADERS[name] = loader


def engine_factory(name: str) -> EngineFactory:
    """The factory registered under `name`. Raises UnknownEngineError, which lists the known names."""
    if name not in _LOADERS:
        raise UnknownEngineError(f"unknown engine {name!r}; known engines: {', '.join(sorted(_LOADERS))}")
    return _LOADERS[name]()
