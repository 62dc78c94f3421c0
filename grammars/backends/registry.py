"""Find backends by name. A backend is loaded on first use, once for the whole process."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..errors import InvalidInputError, UnknownBackendError
from ..extras import needed_by
from ..forks import anew_after_fork
from ..spec import GrammarKind
from .base import GrammarBackend

DEFAULT_BACKENDS: dict[GrammarKind, str] = {
    "json_schema": "native",
    "regex": "native",
    "choice": "native",
    "ebnf": "native",
    "structural_tag": "native",
    "all_of": "native",
}
"""The backend for each kind of grammar when the caller names none."""

Loader = Callable[[], GrammarBackend]


def _load_outlines_core() -> GrammarBackend:
    from .outlines_core import OutlinesCoreBackend

    return OutlinesCoreBackend()


def _load_native() -> GrammarBackend:
    from .native import NativeBackend

    return NativeBackend()


def _load_interegular() -> GrammarBackend:
    from .interegular import InteregularBackend

    return InteregularBackend()


def _load_llguidance() -> GrammarBackend:
    from .llguidance import LlguidanceBackend

    return LlguidanceBackend()


def _load_xgrammar() -> GrammarBackend:
    from .xgrammar import XgrammarBackend

    return XgrammarBackend()


_loaders: dict[str, Loader] = {
    "native": _load_native,
    "outlines_core": _load_outlines_core,
    "interegular": _load_interegular,
    "llguidance": _load_llguidance,
    "xgrammar": _load_xgrammar,
}
_loaded: dict[str, GrammarBackend] = {}
_lock = anew_after_fork(threading.Lock())


def register_backend(name: str, loader: Loader) -> None:
    """Add a backend.

    name: the name for `get_backend`.
    loader: called without arguments when the backend is first used.
    Raises InvalidInputError when the name is taken.
    """
    with _lock:
        if name in _loaders:
            raise InvalidInputError(f"a backend named {name!r} is registered already")
        _loaders[name] = loader


def backend_names() -> list[str]:
    """Return the names that `get_backend` knows, sorted."""
    return sorted(_loaders)


def get_backend(name: str) -> GrammarBackend:
    """Return the backend of this name.

    Args:
        name: one of `backend_names()`.

    Raises:
        UnknownBackendError: for another name; the message lists the known ones.
        BackendNotInstalledError: if a library of the backend is missing.
    """
    with _lock:
        if name not in _loaders:
            raise UnknownBackendError(f"unknown grammar backend {name!r}; known are {', '.join(sorted(_loaders))}")
        if name not in _loaded:
            with needed_by(f"backend {name!r}"):
                _loaded[name] = _loaders[name]()
        return _loaded[name]
