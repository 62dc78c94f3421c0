"""Refuse JSON Schemas that another library would read as something else, keyword by keyword."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..errors import UnsupportedGrammarError, UnsupportedSchemaError
from ..json_paths import escape
from ..limits import Limits
from ..rules.expressions import JsonDocument, RuleGraph
from ..spec import GrammarSpec
from .meta_schema import DEFAULT_DIALECT, check_meta_schema, dialect_of

_NAMED = ("properties", "patternProperties", "$defs", "definitions")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems", "items")
_SINGLE = ("items", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties")
_ANNOTATIONS = frozenset(
    ("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment")
)
_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
    "number": (int, float),
    "integer": (int,),
}
_SUGGESTION = "the native backend enforces it"


class SchemaGuard:
    """Refuses the schemas that a library does not enforce exactly.

    backend: the library's name.
    keywords: keywords to refuse wherever they occur. `x-quote` is always refused, as no library knows it.
    formats: formats to refuse.
    has_local_refs_only: True: every `$ref` is refused except `#` and JSON pointers.
    skips_beside_enum: True: keywords beside enum and const are refused, since the library ignores them.

    Libraries for one draft read keywords of other drafts, too. `check` refuses these keywords for all libraries.
    """

    def __init__(
        self,
        backend: str,
        keywords: frozenset[str] = frozenset(),
        formats: frozenset[str] = frozenset(),
        has_local_refs_only: bool = False,
        skips_beside_enum: bool = False,
    ) -> None:
        self._backend = backend
        self._keywords = keywords | {"x-quote"}
        self._formats = formats
        self._has_local_refs_only = has_local_refs_only
        self._skips_beside_enum = skips_beside_enum

    def read(self, spec: GrammarSpec, limits: Limits) -> Any:
        """Return the schema of a spec. Raises UnsupportedGrammarError, also for what the library has no option for."""
        if spec.property_order != "schema":
            raise UnsupportedGrammarError(f"{self._backend} has keys in schema order only, not {spec.property_order!r}")
        if spec.resources:
            raise UnsupportedGrammarError(f"{self._backend} takes no resources; the native backend does")
        schema = json.loads(spec.source)
        check_meta_schema(schema, dialect_of(schema), limits)
        self.check(schema)
        return schema

    def check(self, schema: Any) -> None:
        """Raise UnsupportedSchemaError at the first schema, here or inside, that the library would read otherwise."""
        draft = schema.get("$schema", DEFAULT_DIALECT) if isinstance(schema, dict) else DEFAULT_DIALECT
        foreign = "additionalItems" if draft.rstrip("#") == DEFAULT_DIALECT else "prefixItems"
        self._check(schema, "", self._keywords | {foreign})

    def check_keywords(self, schema: Any, keywords: frozenset[str]) -> None:
        """Raise as `check` does, for these keywords alone."""
        self._check(schema, "", keywords)

    def _check(self, schema: Any, pointer: str, keywords: frozenset[str]) -> None:
        if not isinstance(schema, dict):
            return
        self._check_own(schema, pointer, keywords)
        for keyword in _NAMED:
            for name, child in _object(schema.get(keyword)).items():
                self._check(child, f"{pointer}/{keyword}/{escape(name)}", keywords)
        for keyword in _LISTS:
            for index, child in enumerate(_list(schema.get(keyword))):
                self._check(child, f"{pointer}/{keyword}/{index}", keywords)
        for keyword in _SINGLE:
            self._check(schema.get(keyword), f"{pointer}/{keyword}", keywords)

    def _check_own(self, schema: dict[str, Any], pointer: str, keywords: frozenset[str]) -> None:
        for keyword in sorted(keywords & schema.keys()):
            raise self._error(pointer, keyword, f"{self._backend} does not enforce it as this draft means it")
        if schema.get("format") in self._formats:
            raise self._error(pointer, "format", f"{self._backend} takes more than {schema['format']!r} allows")
        reference = schema.get("$ref")
        if self._has_local_refs_only and isinstance(reference, str) and reference != "#" and reference[:2] != "#/":
            raise self._error(pointer, "$ref", f"{self._backend} follows JSON pointers only, not {reference!r}")
        if self._skips_beside_enum:
            self._check_beside_enum(schema, pointer)

    def _check_beside_enum(self, schema: dict[str, Any], pointer: str) -> None:
        for keyword in {"enum", "const"} & schema.keys():
            beside = schema.keys() - _ANNOTATIONS - {keyword, "type", "$schema", *_NAMED[2:]}
            if beside:
                reason = f"{self._backend} skips {min(beside)!r} beside it"
                raise self._error(pointer, keyword, reason)
            values = schema[keyword] if keyword == "enum" else [schema[keyword]]
            if "type" in schema and not all(_has_type(value, schema["type"]) for value in values):
                raise self._error(
                    pointer, keyword, f"{self._backend} skips 'type' beside it, and not all are of the type"
                )

    def _error(self, pointer: str, keyword: str, reason: str) -> UnsupportedSchemaError:
        return UnsupportedSchemaError(pointer, keyword, reason, _SUGGESTION)


def refuse_quotes(backend: str, graph: RuleGraph) -> None:
    """Raise UnsupportedSchemaError when a schema inside a grammar asks for quotes, which the backend would ignore."""
    guard = SchemaGuard(backend)
    for _, part in graph.foreign:
        if isinstance(part, JsonDocument):
            try:
                guard.check_keywords(part.spec.data, frozenset({"x-quote"}))
            except UnsupportedSchemaError as error:
                raise part.located(error) from None


def _has_type(value: Any, type_: str | list[str]) -> bool:
    names = [type_] if isinstance(type_, str) else type_
    return any(isinstance(value, _TYPES[name]) and (not isinstance(value, bool) or name == "boolean") for name in names)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
