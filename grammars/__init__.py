"""Grammars over bytes, compiled into bitmasks over a model's vocabulary.

The package knows no model, no tensor library and no HTTP, and imports only the standard library, numpy, numba and
libraries that parse grammars or JSON Schema. `guided` and `guided.server` import this package, never the reverse.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import library
    from .backends.base import GrammarBackend
    from .backends.registry import backend_names, get_backend, register_backend
    from .bitset import Bitmask, allocate_bitmask, allowed_token_ids
    from .combination import all_of
    from .compile import compile_grammar, fill_bitmasks
    from .limits import Limits
    from .protocol import CompiledGrammar, Matcher, ReportEntry
    from .spec import GrammarSpec
    from .vocabulary import Vocabulary

_MODULES = {
    "CompiledGrammar": "protocol",
    "GrammarBackend": "backends.base",
    "Matcher": "protocol",
    "ReportEntry": "protocol",
    "backend_names": "backends.registry",
    "get_backend": "backends.registry",
    "register_backend": "backends.registry",
    "fill_bitmasks": "compile",
    "all_of": "combination",
    "Bitmask": "bitset",
    "allocate_bitmask": "bitset",
    "allowed_token_ids": "bitset",
    "compile_grammar": "compile",
    "Limits": "limits",
    "GrammarSpec": "spec",
    "Vocabulary": "vocabulary",
}

__all__ = [
    "Bitmask",
    "CompiledGrammar",
    "GrammarBackend",
    "GrammarSpec",
    "Limits",
    "Matcher",
    "ReportEntry",
    "Vocabulary",
    "all_of",
    "allocate_bitmask",
    "allowed_token_ids",
    "backend_names",
    "compile_grammar",
    "fill_bitmasks",
    "get_backend",
    "library",
    "register_backend",
]


def __getattr__(name: str) -> Any:
    """Load the module of an exported name when the name is first used."""
    if name == "library":
        return import_module(".library", __name__)
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)
