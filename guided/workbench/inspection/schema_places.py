"""`SchemaPlaces`: which parts of a JSON Schema apply to a place in a document, as JSON pointers into the schema.

Parts that may apply count too: those of `if`, of `true`, and of name patterns that are not supported. A branch is left
out when the document contradicts its `type`, `const` or `enum`. No other keyword is checked, so a listed branch may
still fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...json_events import OpenContainer
from ...schemas.document_place import DocumentPlace
from ...schemas.subschemas import SchemaPart, Subschemas

MAX_PARTS = 200  # maximum number of parts of the schema for one place
_TYPES = {"integer": "number"}


class SchemaPlaces:
    """Finds the parts of one schema that apply to places of documents."""

    def __init__(self, schema: Any) -> None:
        self._parts = Subschemas(schema)

    def at(self, place: DocumentPlace) -> list[SchemaPart]:
        """Return the parts that apply to the value at a place, each before the parts that it refers to. If the place is
        a key, return the parts for its object.
        """
        return self._of(place, place.steps)

    def of_container(self, place: DocumentPlace) -> list[SchemaPart]:
        """Return the parts that apply to the innermost open container; without one, to the whole document."""
        return self._of(place, place.steps[: max(len(place.containers) - 1, 0)])

    def _of(self, place: DocumentPlace, steps: Sequence[str | int]) -> list[SchemaPart]:
        """Return the parts that apply to the value at the end of `steps`, which begin the steps of `place`."""
        known = [_known_of_value(place, depth) for depth in range(len(steps) + 1)]
        found = self._parts.possible_at(steps, lambda depth, schema: _is_possible(schema, *known[depth]), MAX_PARTS)
        own = {part.pointer: part for part in found if not part.pointer or part.pointer.startswith("/")}
        return list(own.values())


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
    """Return False when a part of a schema contradicts the known type or content of a value."""
    if not isinstance(schema, dict):
        return schema is not False
    types = schema.get("type")
    if kind is not None and isinstance(types, str | list):
        listed = [types] if isinstance(types, str) else types
        if kind not in [_TYPES.get(one, one) for one in listed]:
            return False
    if container is None or not isinstance(container.value, dict):
        return True
    properties = schema.get("properties")
    members = properties if isinstance(properties, dict) else {}
    return all(_takes(members[key], value) for key, value in container.value.items() if key in members)


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
