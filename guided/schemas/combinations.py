"""`plain_parts`: the grammars of an `all_of` as plain data; schemas may be given as Python types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guided.grammars.limits import Limits

from .python_types import grammar_schema, is_type


def plain_parts(
    parts: Any, limits: Limits | None = None, whitespace: str | None = None, *, values_of_types: str | None = None
) -> Any:
    """The parts, with each schema as a JSON Schema. Invalid parts are returned unchanged, and `compile_grammar` refuses
    them.

    limits: limits on schemas; None: `Limits()`.
    whitespace: default for parts with a schema; None: the default of `compile_grammar`.
    values_of_types: default of `values` for parts with a Python type; None: the general default.
    """
    if isinstance(parts, str | Mapping) or not hasattr(parts, "__iter__"):
        return parts
    return [_plain(part, limits, whitespace, values_of_types) for part in parts]


def _plain(part: Any, limits: Limits | None, whitespace: str | None, values_of_types: str | None) -> Any:
    if not isinstance(part, Mapping):
        return part
    if "all_of" in part:
        return {**part, "all_of": plain_parts(part["all_of"], limits, whitespace, values_of_types=values_of_types)}
    if part.get("json_schema") is None:
        return part
    default = {} if whitespace is None else {"whitespace": whitespace}
    if values_of_types is not None and is_type(part["json_schema"]):
        default["values"] = values_of_types
    return {**default, **part, "json_schema": grammar_schema(part["json_schema"], limits)}
