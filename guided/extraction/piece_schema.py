"""`for_pieces`: the schema for reading a piece of a long text.

Minimum numbers of members or items hold for the whole document and not for each piece: a model would invent values to
reach them. Minimums are therefore removed from all parts that `merging.py` merges: lists and objects inside objects,
from the root on.

The minimums are removed below `properties`, `allOf`, `anyOf`, `then` and `else`. References from there are replaced by
the changed part, since other parts may use the original. List items, unions of objects and tuples stay unchanged. Parts
of `oneOf` stay too, since several of them might then fit. Schemas with references that depend on their place (`$id`,
`$dynamicRef`) stay unchanged as a whole.
"""

from __future__ import annotations

from typing import Any

from guided.grammars.json_paths import resolve
from guided.grammars.json_schema.drafts import draft_of

from ..schemas.shape import ValueShape
from .quote_marks import LAST_DRAFT_OF_LONE_REF
from .schema_walk import REFERENCES, schemas

_LEAST = frozenset({"minItems", "minProperties"})
_PLACED = (REFERENCES | {"$id", "id", "$anchor", "$dynamicAnchor"}) - {"$ref"}
_BESIDE_REF = frozenset({"$schema", "$defs", "definitions"})  # kept beside a replaced `$ref` in early drafts, too


def for_pieces(schema: Any) -> Any:
    """The schema of a piece's document, which accepts everything that `schema` accepts. `schema` itself is not
    changed.
    """
    if not isinstance(schema, dict) or any(
        not _PLACED.isdisjoint(part) for part in schemas(schema) if part is not schema
    ):
        return schema
    is_early = draft_of(schema).number <= LAST_DRAFT_OF_LONE_REF
    return _Relaxing(schema, is_early).of(schema, frozenset())


class _Relaxing:
    """Removes minimums from a schema.

    root: the whole schema.
    is_early: its draft lacks `minContains` and ignores keywords beside `$ref`.
    """

    def __init__(self, root: dict[str, Any], is_early: bool) -> None:
        self._root = root
        self._is_early = is_early

    def of(self, part: Any, followed: frozenset[str]) -> Any:
        """A part that describes a merged value, without minimums. followed: the references that led to it."""
        if not isinstance(part, dict):
            return part
        shape = ValueShape((part,), self._root)
        if shape.is_tuple or shape.num_objects > 1:
            return part
        found = self._without_least(part)
        for keyword in ("allOf", "anyOf"):
            if isinstance(found.get(keyword), list):
                found[keyword] = [self.of(one, followed) for one in found[keyword]]
        for keyword in ("then", "else"):
            if keyword in found:
                found[keyword] = self.of(found[keyword], followed)
        if isinstance(found.get("properties"), dict):
            found["properties"] = {key: self.of(one, followed) for key, one in found["properties"].items()}
        return self._with_reference(found, followed)

    def _without_least(self, part: dict[str, Any]) -> dict[str, Any]:
        found = {key: value for key, value in part.items() if key not in _LEAST}
        if self._is_early:
            found.pop("contains", None)
        elif "contains" in found:
            found["minContains"] = 0
        return found

    def _with_reference(self, part: dict[str, Any], followed: frozenset[str]) -> dict[str, Any]:
        """Replace the part's reference by the part that it refers to, if that one changes for pieces."""
        reference = part.get("$ref")
        target = resolve(self._root, reference)
        if not isinstance(reference, str) or not isinstance(target, dict) or reference in followed:
            return part
        relaxed = self.of(target, followed | {reference})
        if relaxed == target:
            return part
        others = {key: one for key, one in part.items() if key != "$ref" and (key in _BESIDE_REF or not self._is_early)}
        return {**others, "allOf": [*others.get("allOf", ()), relaxed]}
