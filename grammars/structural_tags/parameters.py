"""The parameters of a tool whose calls write them one by one, each with its own schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .parameter_texts import refused

_NAME = re.compile(r"[^<>\n]+")
_REFUSED = [
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "const",
    "enum",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
]
_DATA = ("default", "examples", "example", "enum", "const")
_BY_NAME = ("properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions")
_LOCAL_REFERENCE = re.compile(r"#/(\$defs|definitions)/.*", re.S)


def parameters_of(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of a tool's schema. Raises UnsupportedSchemaError where it says more than what each of them is."""
    for keyword in _REFUSED:
        if keyword in schema:
            raise refused("", keyword, "is about several parameters at once, or about others than those in properties")
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if not isinstance(schema.get(keyword, False), bool):
            raise refused("", keyword, "is about parameters that the schema does not list")
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        keyword = "required" if isinstance(properties, Mapping) else "properties"
        raise refused("", keyword, "is not what JSON Schema has there")
    for name in required:
        if not isinstance(name, str) or name not in properties:
            raise refused("", "required", f"names {name!r}, which is not in properties")
    for name in properties:
        if not _NAME.fullmatch(name):
            raise refused("", "properties", f"has the parameter {name!r}: its name can't be told from what follows it")
    return properties


def parameter_schema(root: Mapping[str, Any], name: str, schema: Any) -> Any:
    """The parameter's schema on its own, with the definitions that it may refer to; None where it can't be written."""
    if schema is False and name not in root.get("required", ()):
        return None
    shared = {key: root[key] for key in ("$schema", "$defs", "definitions") if key in root}
    for keyword, reference in _references({**shared, "properties": {name: schema}}):
        if not _LOCAL_REFERENCE.fullmatch(reference):
            raise refused(f"/properties/{name}", keyword, f"{reference!r} does not lead into $defs or definitions")
    return {"allOf": [schema], **shared} if shared else schema


def _references(schema: Any) -> Iterator[tuple[str, str]]:
    """All that a schema may refer to, with the keyword. An `$id` counts: it moves what the references mean."""
    stack = [(schema, False)]
    while stack:
        value, is_by_name = stack.pop()
        if isinstance(value, Mapping):
            for key, item in value.items():
                if is_by_name:
                    stack.append((item, False))
                elif key in ("$ref", "$dynamicRef", "$recursiveRef", "$id", "id") and isinstance(item, str):
                    yield key, item
                elif key not in _DATA:
                    stack.append((item, key in _BY_NAME))
        elif isinstance(value, list):
            stack += [(item, False) for item in value]
