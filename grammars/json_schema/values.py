"""The formulas of `type`, and of `enum` and `const`: of given JSON values. 1 equals 1.0; true does not equal 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from ..regex import algebra as lang
from ..watch import paced
from . import numbers
from .drafts import Draft
from .formula import (
    FALSE,
    TRUE,
    And,
    Formula,
    JsonKind,
    all_of,
    any_of,
    each,
    has,
    item_count,
    items,
    kinds,
    number_in,
    string_in,
)

_KINDS: dict[str, tuple[JsonKind, ...]] = {
    "null": ("null",),
    "boolean": ("true", "false"),
    "object": ("object",),
    "array": ("array",),
    "number": ("number",),
    "integer": ("number",),
    "string": ("string",),
}
NumberTexts = Callable[[Iterable[Decimal]], lang.Language]
_LITERALS: dict[Any, JsonKind] = {None: "null", True: "true", False: "false"}


def type_formula(value: str | list[str], draft: Draft) -> Formula:
    """The formula of `type` if the schema has no keywords about numbers beside it. value: a name or several."""
    names = (value,) if isinstance(value, str) else tuple(value)
    return _type_formula(names, "text" if draft.number == 4 else "value")


@lru_cache(maxsize=1024)
def _type_formula(names: tuple[str, ...], integers: numbers.Integers) -> Formula:
    allowed = kinds_of(names)
    if not are_integers(names):
        return allowed
    found = all_of([allowed, number_in(numbers.bounded(integer=integers), plain_only=True)])
    if isinstance(found, And):
        found.is_satisfiable = True
    return found


@lru_cache(maxsize=1024)
def kinds_of(names: tuple[str, ...]) -> Formula:
    """The formula of the values of some types. "integer" means all numbers here."""
    return kinds({kind for name in names for kind in _KINDS[name]})


def are_integers(names: Sequence[str]) -> bool:
    """True if the names include "integer" and not "number"."""
    return "integer" in names and "number" not in names


def one_of_values(
    values: Sequence[Any], texts_of: NumberTexts = numbers.one_of, *, gives_order: bool = True
) -> Formula:
    """The formula that the value equals one of `values`.

    texts_of: function that gives the language of the texts that equal one of some numbers.
    gives_order: False if documents may have the keys of objects in other orders than `values`.
    """
    strings: list[str] = []
    decimals: dict[Decimal, None] = {}
    literals: set[JsonKind] = set()
    containers: list[Formula] = []
    for value in paced(values):
        if isinstance(value, str):
            strings.append(value)
        elif value is None or isinstance(value, bool):
            literals.add(_LITERALS[value])
        elif isinstance(value, int | float | Decimal):
            decimals[decimal_of(value)] = None
        else:
            containers.append(_container(value, texts_of, gives_order))
    return any_of([_scalars(strings, texts_of(decimals) if decimals else None, literals), *containers])


def decimal_of(value: int | float | Decimal) -> Decimal:
    """The number as a decimal. For a float, this is the shortest decimal that reads back as the same float."""
    return Decimal(str(value)) if isinstance(value, float) else Decimal(value)


def _scalars(strings: list[str], number_texts: lang.Language | None, literals: set[JsonKind]) -> Formula:
    allowed: set[JsonKind] = set(literals)
    parts: list[Formula] = []
    if strings:
        allowed.add("string")
        parts.append(string_in(lang.words(strings)))
    if number_texts is not None:
        allowed.add("number")
        parts.append(number_in(number_texts))
    return all_of([kinds(allowed), *parts])


def _container(value: dict[str, Any] | list[Any], texts_of: NumberTexts, gives_order: bool) -> Formula:
    def equals(part: Any) -> Formula:
        return one_of_values([part], texts_of, gives_order=gives_order)

    if isinstance(value, list):
        inside = tuple([equals(item) for item in value])
        return all_of([kinds({"array"}), items(inside, TRUE), item_count(len(inside), len(inside))])
    members = each({key: equals(member) for key, member in value.items()}, (), FALSE, gives_order=gives_order)
    return all_of([kinds({"object"}), members, *(has(key) for key in value)])
