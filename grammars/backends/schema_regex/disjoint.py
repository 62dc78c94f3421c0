"""Proofs that no JSON value fits two schemas, so that their `oneOf` is a plain choice.

A proof looks at JSON types, at finite sets of values, and at required properties that are disjoint themselves (the tag
of a discriminated union). No proof does not mean that there is an overlap.
"""

from __future__ import annotations

from typing import Any

from ..json_equality import equality_key
from .places import Place

MAX_STEPS = 200_000
"""Schemas, or pairs of them, that one prover looks at before it proves nothing more. About 2 us each."""

_TYPES = frozenset({"null", "boolean", "number", "string", "array", "object"})


class _OutOfSteps(Exception):
    pass


class DisjointnessProver:
    """Proves for the schemas of one document, with one budget of `max_steps` for all its proofs.

    Results are kept by the identity of the schemas, which the document keeps alive.
    """

    def __init__(self, max_steps: int = MAX_STEPS) -> None:
        self.num_steps_left = max_steps
        self._proofs: dict[tuple[int, int], bool] = {}
        self._types_of: dict[int, frozenset[str]] = {}
        self._values_of: dict[int, frozenset[str] | None] = {}

    def are_disjoint(self, first: Place, second: Place) -> bool:
        """True when it is proven that no value is valid under both; False also when the steps are used up."""
        try:
            return self._prove(first, second)
        except _OutOfSteps:
            return False

    def _prove(self, first: Place, second: Place) -> bool:
        first, second = self._followed(first), self._followed(second)
        key = id(first.schema), id(second.schema)
        if key not in self._proofs:
            self._proofs[key] = self._find_proof(first, second)
        return self._proofs[key]

    def _find_proof(self, first: Place, second: Place) -> bool:
        """`first` and `second` are followed."""
        if not self._types(first) & self._types(second):
            return True
        first_values, second_values = self._values(first), self._values(second)
        if first_values is not None and second_values is not None:
            return not first_values & second_values
        for place, other in ((first, second), (second, first)):
            branches = _branches(place)
            if branches:
                return all(self._prove(branch, other) for branch in branches)
        is_objects = self._types(first) == self._types(second) == {"object"}
        return is_objects and self._have_disjoint_tags(first, second)

    def _types(self, place: Place) -> frozenset[str]:
        """The JSON types that its values can have; integers count as numbers."""
        place = self._followed(place)
        key = id(place.schema)
        if key not in self._types_of:
            self._types_of[key] = self._find_types(place)
        return self._types_of[key]

    def _find_types(self, place: Place) -> frozenset[str]:
        if place.schema is False:
            return frozenset()
        branches = _branches(place)
        if branches:
            return frozenset[str]().union(*(self._types(branch) for branch in branches))
        listed = _values_listed(place)
        if listed is not None:
            return frozenset(_type_name(value) for value in listed)
        named = place.keywords.get("type", list(_TYPES))
        names = [named] if isinstance(named, str) else named
        return frozenset("number" if name == "integer" else name for name in names)

    def _values(self, place: Place) -> frozenset[str] | None:
        """The equality keys of all its values; None when there is no list of them."""
        place = self._followed(place)
        key = id(place.schema)
        if key not in self._values_of:
            self._values_of[key] = self._find_values(place)
        return self._values_of[key]

    def _find_values(self, place: Place) -> frozenset[str] | None:
        branches = _branches(place)
        if branches:
            found = [self._values(branch) for branch in branches]
            lists = [values for values in found if values is not None]
            return frozenset[str]().union(*lists) if len(lists) == len(found) else None
        listed = _values_listed(place)
        if listed is not None:
            return frozenset(equality_key(value) for value in listed)
        kinds = self._types(place)
        if kinds <= {"null", "boolean"}:
            return frozenset(["null"] * ("null" in kinds) + ["true", "false"] * ("boolean" in kinds))
        return None

    def _have_disjoint_tags(self, first: Place, second: Place) -> bool:
        shared = set(first.keywords.get("required", ())) & set(second.keywords.get("required", ()))
        return any(
            self._prove(first.child("properties", key), second.child("properties", key))
            for key in sorted(shared)
            if key in first.keywords.get("properties", {}) and key in second.keywords.get("properties", {})
        )

    def _followed(self, place: Place) -> Place:
        """The schema behind `$ref` and `allOf` of one; the builder has refused cycles and constraints beside them."""
        while True:
            self.num_steps_left -= 1
            if self.num_steps_left < 0:
                raise _OutOfSteps
            if "$ref" in place.keywords:
                place = place.target()
            elif len(place.keywords.get("allOf", ())) == 1:
                place = place.child("allOf", 0)
            else:
                return place


def _branches(place: Place) -> list[Place]:
    return [place.child(key, i) for key in ("anyOf", "oneOf") for i in range(len(place.keywords.get(key, ())))]


def _values_listed(place: Place) -> list[Any] | None:
    """The values of `const` or `enum`, None where the schema has neither."""
    if "const" in place.keywords:
        return [place.keywords["const"]]
    enum: list[Any] | None = place.keywords.get("enum")
    return enum


def _type_name(value: Any) -> str:
    """The JSON type of a value; integers are numbers."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    for name, kinds in (("number", (int, float)), ("string", (str,)), ("array", (list,))):
        if isinstance(value, kinds):
            return name
    return "object"
