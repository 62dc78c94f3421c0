"""`types_at`: the JSON types that a schema permits for the value at a path.

Grammars of styles without marks for types, and the readers of their texts, both use this function, so they agree. The
answer holds for all documents of a schema, whatever their other members are. If parts of the schema exclude each other,
it may contain a type that no document has.

Alternatives of a schema (`anyOf`, `oneOf`, `if`) may declare different members. The types of a member come from the
alternatives that declare it; an alternative that leaves the member open only adds strings. Suppose that one alternative
asks for the string "true", and another one takes any value: the text true then means that string. Some documents are
lost. Example: one alternative declares a number, and another leaves the member open; the member then can't be `true`,
null, a list or an object.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..json_paths import Path
from ..regex import algebra as lang
from ..styles import JsonType
from .formula import FALSE, KINDS, TRUE, Atom, Each, Formula, Items, JsonKind, Kinds, all_of, any_of, kinds
from .residual import atoms, conjuncts, said_of
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


def kinds_at(value: Formula) -> Formula:
    """The formula that a value has one of the types which `types_at` names for it. value: what `value_at` gave."""
    types = types_at(value, None)
    return kinds([kind for kind in KINDS if _TYPES[kind] in types])


def value_at(formula: Formula, path: Path) -> Formula:
    """A condition on the value at a path, with the types of `types_at`. If alternatives differ, the condition is weaker
    than the schema.
    """
    if not isinstance(path, tuple):
        return formula
    outer, key = path
    container = value_at(formula, outer)
    special = specialise(container, "array" if isinstance(key, int) else "object")
    said = said_of(special, lambda atom: _of_item(atom, key) if isinstance(key, int) else _of_member(atom, key))
    if not said.is_open:
        return said.declared
    is_declared = isinstance(key, int) or any(isinstance(one, Each) and key in one.properties for one in atoms(special))
    if not is_declared or said.declared is FALSE:
        return TRUE
    # An open alternative may allow any value inside a container.
    return any_of([kinds_at(said.declared), kinds(["string"])])


def _of_member(atom: Atom, name: str) -> Formula | None:
    """The condition of an assertion about an object on the member with that name; None if it says nothing."""
    if not isinstance(atom, Each):
        return None
    asked = [formula for language, formula in atom.patterns if lang.matches(language, name)]
    if name in atom.properties:
        asked.append(atom.properties[name])
    return all_of(asked) if asked else None if atom.additional is TRUE else atom.additional


def _of_item(atom: Atom, index: int) -> Formula | None:
    """The condition of an assertion about an array on the item at that index; None if it says nothing."""
    if not isinstance(atom, Items):
        return None
    place = atom.offset + index
    return atom.prefix[place] if place < len(atom.prefix) else None if atom.rest is TRUE else atom.rest
