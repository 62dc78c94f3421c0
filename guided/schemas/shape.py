"""`ValueShape`: what a JSON Schema says about the form of a value: its types, members and items.

A shape reads a schema like documentation, not like a validator: it collects possibilities and ignores conditions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from guided.grammars.json_paths import resolve

_KINDS = (("boolean", bool), ("null", type(None)), ("integer", int), ("number", float), ("string", str))
_SAME_VALUE = ("allOf", "anyOf", "oneOf")
_MAX_PARTS = 1_000


@dataclass(frozen=True, eq=False)
class ValueShape:
    """The form of one value. parts: the schemas that describe it. root: the schema that their references point into."""

    parts: tuple[Any, ...]
    root: Any

    @classmethod
    def of(cls, schema: Any) -> ValueShape:
        """The shape of a schema's documents."""
        return cls((schema,), schema)

    @cached_property
    def facets(self) -> list[dict[str, Any]]:
        """All schemas that describe the value, through references and combinations."""
        found: dict[int, dict[str, Any]] = {}
        pending = list(reversed(self.parts))
        while pending and len(found) < _MAX_PARTS:
            part = pending.pop()
            if not isinstance(part, dict) or id(part) in found:
                continue
            found[id(part)] = part
            pending += [one for keyword in _SAME_VALUE for one in reversed(part.get(keyword) or ())]
            pending += [part[keyword] for keyword in ("then", "else") if keyword in part]
            if isinstance(part.get("$ref"), str):
                pending.append(resolve(self.root, part["$ref"]))
        return list(found.values())

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The types that the value may have; empty if the schema does not say."""
        return frozenset(kind for facet in self.facets for kind in _kinds(facet))

    @cached_property
    def keys(self) -> list[str]:
        """The names of the members that the schema describes, in its order."""
        return list(dict.fromkeys(key for facet in self.facets for key in facet.get("properties") or ()))

    @cached_property
    def is_open(self) -> bool:
        """True if an object may have members that the schema does not name."""
        return any(map(_is_map, self.facets))

    @cached_property
    def num_objects(self) -> int:
        """Number of different kinds of objects that the value may be; more than one for a union."""
        described = [facet for facet in self.facets if facet.get("properties") or _is_map(facet)]
        return len(described) if any(_is_union(facet) for facet in self.facets) else min(len(described), 1)

    @cached_property
    def is_tuple(self) -> bool:
        """True for an array whose items have schemas by position."""
        return any("prefixItems" in facet or isinstance(facet.get("items"), list) for facet in self.facets)

    @cached_property
    def is_set(self) -> bool:
        """True for an array without equal items."""
        return any(facet.get("uniqueItems") is True for facet in self.facets)

    def member(self, key: str) -> ValueShape:
        """The shape of the member with this name."""
        return ValueShape(tuple(self._member_parts(key)), self.root)

    @cached_property
    def item(self) -> ValueShape:
        """The shape of the items of an array that is no tuple."""
        return ValueShape(
            tuple(facet["items"] for facet in self.facets if isinstance(facet.get("items"), dict)), self.root
        )

    def _member_parts(self, key: str) -> Iterator[Any]:
        for facet in self.facets:
            properties = facet.get("properties") or {}
            if key in properties:
                yield properties[key]
            elif "additionalProperties" in facet:
                yield facet["additionalProperties"]


def _kinds(facet: dict[str, Any]) -> list[str]:
    named = facet.get("type")
    if named is not None:
        return [named] if isinstance(named, str) else list(named)
    values = [facet["const"]] if "const" in facet else facet.get("enum") or ()
    kinds = [next((kind for kind, of in _KINDS if isinstance(value, of)), "object") for value in values]
    return kinds or (["object"] if "properties" in facet else [])


def _is_map(facet: dict[str, Any]) -> bool:
    return facet.get("additionalProperties", False) is not False or bool(facet.get("patternProperties"))


def _is_union(facet: dict[str, Any]) -> bool:
    return any(len(facet.get(keyword) or ()) > 1 for keyword in ("anyOf", "oneOf"))
