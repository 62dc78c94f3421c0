"""Schemas of 2020-12 as `random_schemas` makes them, rewritten for older drafts: what a draft lacks is left out."""

from __future__ import annotations

from typing import Any

import jsonschema

from .random_schemas import KEYWORDS

VALIDATORS: dict[str, Any] = {
    "http://json-schema.org/draft-04/schema#": jsonschema.Draft4Validator,
    "http://json-schema.org/draft-06/schema#": jsonschema.Draft6Validator,
    "http://json-schema.org/draft-07/schema#": jsonschema.Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema.Draft201909Validator,
    "https://json-schema.org/draft/2020-12/schema": jsonschema.Draft202012Validator,
}
DRAFTS = tuple(VALIDATORS)

_ONE = ("not", "if", "then", "else", "additionalProperties", "items", "contains", "propertyNames")
_MANY = ("allOf", "anyOf", "oneOf", "prefixItems")
_NAMED = ("properties", "patternProperties", "$defs", "dependentSchemas")
_UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")  # jsonschema's 2019-09 has ideas of its own about them
_MISSING = (
    ("const", "contains", "propertyNames", "if", "then", "else", "dependentRequired", "dependentSchemas"),
    ("if", "then", "else", "dependentRequired", "dependentSchemas"),
    ("dependentRequired", "dependentSchemas"),
    (),
)
_ANCHORS = {"#d0": "#/$defs/d0", "#d1": "#/$defs/d1"}


def in_draft(schema: dict[str, Any], draft: str) -> dict[str, Any]:
    """The document in one of DRAFTS, which `$schema` names."""
    return {"$schema": draft, **_rewritten(schema, DRAFTS.index(draft))}


def _rewritten(schema: Any, draft: int) -> Any:
    """draft: place in DRAFTS."""
    if isinstance(schema, bool):
        return schema if draft else {} if schema else {"not": {}}
    if draft == len(DRAFTS) - 1:
        return schema
    inside = {key: _inside(key, value, draft) for key, value in schema.items() if key not in _UNEVALUATED}
    _move_items(inside)
    inside.pop("$dynamicAnchor", None)
    reference = inside.pop("$dynamicRef", None) or inside.get("$ref")
    if reference is not None:
        inside["$ref"] = _ANCHORS.get(reference, reference)
    if draft < 3:
        _rewrite_before_2019(inside)
    if draft == 0:
        _rewrite_for_4(inside)
    return {key: value for key, value in inside.items() if key not in _MISSING[draft]}


def _inside(key: str, value: Any, draft: int) -> Any:
    if key in _ONE:
        return _rewritten(value, draft)
    if key in _MANY:
        return [_rewritten(one, draft) for one in value]
    if key in _NAMED:
        return {name: _rewritten(one, draft) for name, one in value.items()}
    assert key in KEYWORDS, key
    return value


def _move_items(schema: dict[str, Any]) -> None:
    if "prefixItems" in schema:
        rest = schema.pop("items", None)
        schema["items"] = schema.pop("prefixItems")
        if rest is not None:
            schema["additionalItems"] = rest


def _rewrite_before_2019(schema: dict[str, Any]) -> None:
    dependencies = {**schema.get("dependentRequired", {}), **schema.get("dependentSchemas", {})}
    if dependencies:
        schema["dependencies"] = dependencies
    for key in ("$anchor", "minContains", "maxContains"):
        schema.pop(key, None)
    if "$defs" in schema:
        schema["definitions"] = schema.pop("$defs")
    if "$ref" in schema:
        schema["$ref"] = schema["$ref"].replace("$defs", "definitions")


def _rewrite_for_4(schema: dict[str, Any]) -> None:
    if "const" in schema:
        schema["enum"] = [schema["const"]]
    for bound in ("Minimum", "Maximum"):
        exclusive = schema.pop(f"exclusive{bound}", None)
        if exclusive is not None:
            schema[bound.lower()] = exclusive
            schema[f"exclusive{bound}"] = True
