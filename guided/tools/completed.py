"""`completed`: a tool's definition with the optional parts of its schema that some chat templates need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def completed(definition: Mapping[str, Any]) -> dict[str, Any]:
    """The definition with descriptions and properties everywhere, and with one type instead of several.

    Only the template sees it: calls are held to the tool's own schema.
    """
    function = definition["function"]
    return {**definition, "function": {**function, "parameters": _completed(function["parameters"])}}


def _completed(schema: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"description": "", **(schema if isinstance(schema, Mapping) else {})}
    if isinstance(found.get("type"), list | tuple):
        found["type"] = next((one for one in found["type"] if one != "null"), "null")
    if found.get("type") == "object":
        found = {"properties": {}, "additionalProperties": {}, **found}
    if isinstance(found.get("properties"), Mapping):
        found["properties"] = {name: _completed(one) for name, one in found["properties"].items()}
    if "items" in found:
        found["items"] = _completed(found["items"])
    return found
