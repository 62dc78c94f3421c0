"""The `jsonschema` library, imported without the parsers that only the formats `iri` and `iri-reference` need.

The library imports `rfc3987_syntax`, which builds 38 parsers (2.5 s of processor time) in every process. Here the first
check of an IRI imports `rfc3987_syntax`. The library still accepts the same documents everywhere in the process.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any

_PARSERS = "rfc3987_syntax"


def _is_valid_syntax(term: str, value: str) -> bool:
    """`rfc3987_syntax.is_valid_syntax`, imported at the first call."""
    return bool(importlib.import_module(_PARSERS).is_valid_syntax(term, value))


def _import_library() -> Any:
    names = ("jsonschema", "rfc3987", _PARSERS)
    if any(name in sys.modules for name in names) or importlib.util.find_spec(_PARSERS) is None:
        return importlib.import_module("jsonschema")
    stand_in = ModuleType(_PARSERS)
    stand_in.is_valid_syntax = _is_valid_syntax  # type: ignore[attr-defined]
    sys.modules[_PARSERS] = stand_in
    try:
        return importlib.import_module("jsonschema")
    finally:
        del sys.modules[_PARSERS]


jsonschema: Any = _import_library()
