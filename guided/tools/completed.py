"""`completed`: a tool's definition for a chat template that reads more of parameters than schemas have to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def completed(definition: Mapping[str, Any]) -> dict[str, Any]:
    """The same with descriptions, properties and one type where there are several. What calls are held to stays."""
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
