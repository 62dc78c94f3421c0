"""A schema at its place: the value, the JSON pointer that error messages name, and how its `$ref`s resolve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urldefrag

from referencing import Registry, Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import specification_with

from ...cached import cached_property
from ...errors import UnsupportedSchemaError
from ...json_paths import escape
from .dialects import unknown_keywords

if TYPE_CHECKING:
    from referencing._core import Resolver

Schema = bool | dict[str, Any]

_NAMED_SCHEMAS = frozenset({"properties", "patternProperties", "definitions"})
_LISTED_SCHEMAS = frozenset({"allOf", "anyOf", "oneOf", "items"})
_SCHEMAS = frozenset({"items", "additionalProperties", "not"})
"""Keywords that hold schemas in every draft from 4 on."""


@dataclass(frozen=True)
class Place:
    """One schema in its document.

    dialect: URI of the document's draft.
    """

    schema: Schema
    pointer: str
    resolver: Resolver[Any]
    dialect: str

    @cached_property
    def keywords(self) -> dict[str, Any]:
        """The schema as keywords, without those its draft does not know; none for a boolean schema."""
        if not isinstance(self.schema, dict):
            return {}
        unknown = self.unknown_keywords
        return {key: value for key, value in self.schema.items() if key not in unknown} if unknown else self.schema

    @cached_property
    def unknown_keywords(self) -> frozenset[str]:
        """The keywords of this schema that constrain something only in other drafts."""
        return unknown_keywords(self.dialect).intersection(self.schema if isinstance(self.schema, dict) else ())

    def child(self, *keys: str | int) -> Place:
        """The subschema under these keys."""
        schema: Any = self.schema
        for key in keys:
            schema = schema[key]
        pointer = self.pointer + "".join(f"/{escape(str(key))}" for key in keys)
        return Place(schema, pointer, self._resolver_for(schema), self.dialect)

    def target(self) -> Place:
        """What `$ref` points at. Raises UnsupportedSchemaError when that is not in this document."""
        ref = self.keywords["$ref"]
        try:
            resolved = self.resolver.lookup(ref)
        except (Unresolvable, ValueError, TypeError):  # the last two: not a URI, a pointer into a number or a list
            raise UnsupportedSchemaError(
                self.pointer, "$ref", f"{ref!r} is not in this schema", "copy it into $defs; nothing is fetched"
            ) from None
        if not isinstance(resolved.contents, bool | dict):
            raise UnsupportedSchemaError(self.pointer, "$ref", f"{ref!r} points at something that is not a schema")
        pointer = unquote(ref[1:]) if ref.startswith("#") else ref
        return Place(resolved.contents, pointer, resolved.resolver, self.dialect)

    def refuse(self, keyword: str, reason: str, suggestion: str = "") -> UnsupportedSchemaError:
        """The error for a keyword of this schema; the caller raises it."""
        return UnsupportedSchemaError(self.pointer, keyword, reason, suggestion)

    def _resolver_for(self, schema: Schema) -> Resolver[Any]:
        resource = Resource.from_contents(schema, default_specification=specification_with(self.dialect))
        return self.resolver.in_subresource(resource)


def points_at_schema(ref: str, dialect: str) -> bool:
    """True when a `$ref` leads along keywords that hold schemas, so that its target was checked with the document."""
    named_schemas = _NAMED_SCHEMAS | {"$defs"} if "/draft/20" in dialect else _NAMED_SCHEMAS
    keys = unquote(urldefrag(ref).fragment).split("/")[1:]
    while keys:
        keyword = keys.pop(0)
        has_name = keyword in named_schemas or (keyword in _LISTED_SCHEMAS and keys and keys[0].isdecimal())
        if not (has_name and keys) and keyword not in _SCHEMAS:
            return False
        if has_name:
            keys.pop(0)
    return True


def root_place(schema: Schema, dialect: str) -> Place:
    """The root of a schema document of the draft `dialect` (a meta-schema URI)."""
    resource: Resource[Any] = specification_with(dialect).create_resource(schema)
    base = resource.id() or ""
    registry: Registry[Any] = Registry().with_resource(base, resource)
    return Place(schema, "", registry.resolver(base), dialect)
