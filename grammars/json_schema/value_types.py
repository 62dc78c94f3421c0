"""`types_at`: the JSON types that a schema permits for the value at a path.

Grammars of styles without marks for types, and the readers of their texts, both use this function, so they agree. It
answers for all documents of a schema at once, whatever their other members are. It never misses a type of some
document. If parts of the schema exclude each other, it may name a type that no document has.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..json_paths import Path
from ..regex import algebra as lang
from ..styles import JsonType
from .formula import FALSE, KINDS, Each, Formula, Items, JsonKind, Kinds, all_of
from .residual import conjuncts, may_hold
from .specialise import specialise

_TYPES: Mapping[JsonKind, JsonType] = {
    "null": "null",
    "true": "boolean",
    "false": "boolean",
    "number": "number",
    "string": "string",
    "object": "object",
    "array": "array",
}


def types_at(formula: Formula, path: Path) -> frozenset[JsonType]:
    """The types of the values at a path, in documents that satisfy the formula."""
    value = value_at(formula, path)
    named = [part.kinds for part in conjuncts(value) if isinstance(part, Kinds)]
    possible = named[0].intersection(*named[1:]) if named else KINDS
    return frozenset([_TYPES[kind] for kind in possible if specialise(value, kind) is not FALSE])


def value_at(formula: Formula, path: Path) -> Formula:
    """A condition that the value at a path satisfies; perhaps weaker than the schema's."""
    if not isinstance(path, tuple):
        return formula
    outer, key = path
    container = value_at(formula, outer)
    if isinstance(key, str):
        return may_hold(specialise(container, "object"), lambda atom: _of_member(atom, key))
    return may_hold(specialise(container, "array"), lambda atom: _of_item(atom, key))


def _of_member(atom: Formula, name: str) -> Formula:
    """The condition of an assertion about an object on the member with that name."""
    if not isinstance(atom, Each):
        return atom
    asked = [formula for language, formula in atom.patterns if lang.matches(language, name)]
    if name in atom.properties:
        asked.append(atom.properties[name])
    return all_of(asked) if asked else atom.additional


def _of_item(atom: Formula, index: int) -> Formula:
    """The condition of an assertion about an array on the item at that index."""
    if not isinstance(atom, Items):
        return atom
    place = atom.offset + index
    return atom.prefix[place] if place < len(atom.prefix) else atom.rest
