"""`SchemaPlaces`: which parts of a JSON Schema apply to a place in a document, as JSON pointers into the schema.

`SchemaPlaces` follows properties, items, references into the schema itself (`#/...`, `#name` of an anchor), and
branches of `allOf`, `anyOf`, `oneOf`, `if` and dependencies. A branch is left out when the document contradicts its
`type`, `const` or `enum`. No other keyword is checked, so a listed branch may still fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from guided.grammars.errors import InvalidRegexError
from guided.grammars.json_paths import escape, unescape
from guided.grammars.regex import algebra as lang
from guided.grammars.regex import ecma

from ...schemas.document_place import DocumentPlace, OpenContainer

MAX_PARTS = 200  # for one place
_BRANCHES = ("allOf", "anyOf", "oneOf")
_ONE_SCHEMA = ("if", "then", "else")
_TYPES = {"integer": "number"}


class SchemaPart(NamedTuple):
    """A part of a schema.

    pointer: JSON pointer of the part in the schema.
    """

    pointer: str
    schema: Any


class SchemaPlaces:
    """Finds the parts of one schema that apply to places of documents."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema
        self._anchors: dict[str, SchemaPart] | None = None

    def at(self, place: DocumentPlace) -> list[SchemaPart]:
        """Return the parts that apply to the value at a place, each before the parts that it refers to. If the place is
        a key, return the parts for its object.
        """
        return self._of(place, place.steps)

    def of_container(self, place: DocumentPlace) -> list[SchemaPart]:
        """Return the parts that apply to the innermost open container; where none is open, to the whole document."""
        return self._of(place, place.steps[: max(len(place.containers) - 1, 0)])

    def _of(self, place: DocumentPlace, steps: Sequence[str | int]) -> list[SchemaPart]:
        """Return the parts that apply to the value at the end of `steps`, which begin the steps of `place`."""
        parts = [SchemaPart("", self._schema)]
        for depth, step in enumerate(steps):
            container = place.containers[depth]
            parts = [
                found
                for part in self._applied(parts, container.kind, container)
                for found in self._child(part, step, container.kind)
            ]
            parts = _distinct(parts)
        return self._applied(parts, *_known_of_value(place, len(steps)))

    def _applied(
        self, parts: Sequence[SchemaPart], kind: str | None, container: OpenContainer | None
    ) -> list[SchemaPart]:
        """Return the parts and all that they refer to, without those that the value contradicts.

        kind: the type of the value; None while unknown.
        container: the value itself when it is an open container, else None.
        """
        found: dict[str, SchemaPart] = {}
        waiting = list(reversed(parts))
        while waiting and len(found) < MAX_PARTS:
            part = waiting.pop()
            if part.pointer in found or not _is_possible(part.schema, kind, container):
                continue
            found[part.pointer] = part
            if isinstance(part.schema, dict):
                waiting += reversed(list(self._further(part)))
        return list(found.values())

    def _further(self, part: SchemaPart) -> Iterator[SchemaPart]:
        """Yield the parts that a part refers to for the same value."""
        pointer, schema = part
        for keyword in ("$ref", "$dynamicRef"):
            target = self._resolve(schema.get(keyword))
            if target is not None:
                yield target
        for keyword in _BRANCHES:
            branches = schema.get(keyword)
            for index, branch in enumerate(branches if isinstance(branches, list) else ()):
                yield SchemaPart(f"{pointer}/{keyword}/{index}", branch)
        for keyword in _ONE_SCHEMA:
            if keyword in schema:
                yield SchemaPart(f"{pointer}/{keyword}", schema[keyword])
        for keyword in ("dependentSchemas", "dependencies"):
            branches = schema.get(keyword)
            for key, branch in branches.items() if isinstance(branches, dict) else ():
                if isinstance(branch, dict | bool):
                    yield SchemaPart(f"{pointer}/{keyword}/{escape(key)}", branch)

    def _child(self, part: SchemaPart, step: str | int, kind: str) -> Iterator[SchemaPart]:
        """Yield the parts for one member or item of the value."""
        if not isinstance(part.schema, dict):
            return
        found = _of_items(part, step) if kind == "array" else _of_members(part, str(step))
        yield from found

    def _resolve(self, reference: Any) -> SchemaPart | None:
        """Return the part that a reference into the schema itself leads to; None for all other references."""
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        if reference == "#":
            return SchemaPart("", self._schema)
        if not reference.startswith("#/"):
            return self._anchor(reference[1:])
        part, steps = self._schema, [unescape(token) for token in reference[2:].split("/")]
        for step in steps:
            if isinstance(part, dict):
                part = part.get(step)
            elif isinstance(part, list) and step.isdigit() and int(step) < len(part):
                part = part[int(step)]
            else:
                return None
        return None if part is None else SchemaPart(reference[1:], part)

    def _anchor(self, name: str) -> SchemaPart | None:
        if self._anchors is None:
            self._anchors = {}
            waiting: list[SchemaPart] = [SchemaPart("", self._schema)]
            while waiting:
                pointer, part = waiting.pop()
                if isinstance(part, dict):
                    for keyword in ("$anchor", "$dynamicAnchor"):
                        if isinstance(part.get(keyword), str):
                            self._anchors.setdefault(part[keyword], SchemaPart(pointer, part))
                    waiting += [SchemaPart(f"{pointer}/{escape(key)}", one) for key, one in part.items()]
                elif isinstance(part, list):
                    waiting += [SchemaPart(f"{pointer}/{index}", one) for index, one in enumerate(part)]
        return self._anchors.get(name)


def _of_members(part: SchemaPart, key: str) -> Iterator[SchemaPart]:
    pointer, schema = part
    is_declared = False
    properties = schema.get("properties")
    if isinstance(properties, dict) and key in properties:
        is_declared = True
        yield SchemaPart(f"{pointer}/properties/{escape(key)}", properties[key])
    patterns = schema.get("patternProperties")
    for pattern, one in patterns.items() if isinstance(patterns, dict) else ():
        if _may_match(pattern, key):
            is_declared = True
            yield SchemaPart(f"{pointer}/patternProperties/{escape(pattern)}", one)
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if not is_declared and keyword in schema:
            yield SchemaPart(f"{pointer}/{keyword}", schema[keyword])


def _of_items(part: SchemaPart, step: str | int) -> Iterator[SchemaPart]:
    pointer, schema = part
    index = int(step)
    items = schema.get("items")
    first, keyword = (items, "items") if isinstance(items, list) else (schema.get("prefixItems"), "prefixItems")
    rest = "additionalItems" if isinstance(items, list) else "items"
    if isinstance(first, list) and index < len(first):
        yield SchemaPart(f"{pointer}/{keyword}/{index}", first[index])
    elif rest in schema:
        yield SchemaPart(f"{pointer}/{rest}", schema[rest])
    elif "unevaluatedItems" in schema:
        yield SchemaPart(f"{pointer}/unevaluatedItems", schema["unevaluatedItems"])
    if "contains" in schema:
        yield SchemaPart(f"{pointer}/contains", schema["contains"])


def _may_match(pattern: str, key: str) -> bool:
    """Return True if a pattern of ECMA-262 finds something in a key, and also when the pattern is invalid."""
    try:
        return lang.matches(ecma.search(pattern), key)
    except InvalidRegexError:
        return True


def _known_of_value(place: DocumentPlace, depth: int) -> tuple[str | None, OpenContainer | None]:
    """Return the type of the value at a depth and, when the value is an open container, the container; None while
    unknown.
    """
    if depth < len(place.containers):
        container = place.containers[depth]
        return container.kind, container
    is_begun = place.mode in ("string", "scalar", "after", "end")
    return (place.value_kind if is_begun else None), None


def _is_possible(schema: Any, kind: str | None, container: OpenContainer | None) -> bool:
    """Return False when a part of a schema contradicts what is known about a value."""
    if not isinstance(schema, dict):
        return schema is not False
    types = schema.get("type")
    if kind is not None and isinstance(types, str | list):
        listed = [types] if isinstance(types, str) else types
        if kind not in [_TYPES.get(one, one) for one in listed]:
            return False
    if container is None or container.kind != "object":
        return True
    properties = schema.get("properties")
    members = properties if isinstance(properties, dict) else {}
    return all(_takes(members[key], value) for key, value in container.members.items() if key in members)


def _takes(schema: Any, value: Any) -> bool:
    """Return False when the `const` or `enum` of a member's schema excludes the member's value."""
    if not isinstance(schema, dict):
        return schema is not False
    if "const" in schema and _differ(schema["const"], value):
        return False
    enum = schema.get("enum")
    return not isinstance(enum, list) or not all(_differ(one, value) for one in enum)


def _differ(one: Any, other: Any) -> bool:
    return isinstance(one, bool) != isinstance(other, bool) or one != other


def _distinct(parts: list[SchemaPart]) -> list[SchemaPart]:
    return list({part.pointer: part for part in parts}.values())[:MAX_PARTS]
