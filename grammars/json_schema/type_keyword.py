"""The keyword `type` as a formula."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from . import numbers
from .drafts import Draft
from .formula import Formula, Kind, all_of, kinds, number_in

_KINDS: dict[str, tuple[Kind, ...]] = {
    "null": ("null",),
    "boolean": ("true", "false"),
    "object": ("object",),
    "array": ("array",),
    "number": ("number",),
    "integer": ("number",),
    "string": ("string",),
}


def type_formula(value: str | list[str], draft: Draft) -> Formula:
    """`type` without keywords of numbers beside it."""
    names = (value,) if isinstance(value, str) else tuple(value)
    return _type_formula(names, "text" if draft.number == 4 else "value")


@lru_cache(maxsize=1024)
def _type_formula(names: tuple[str, ...], integers: numbers.Integers) -> Formula:
    allowed = kinds_of(names)
    if not are_integers(names):
        return allowed
    return all_of([allowed, number_in(numbers.bounded(integer=integers), plain_only=True)])


@lru_cache(maxsize=1024)
def kinds_of(names: tuple[str, ...]) -> Formula:
    """The values of any of some types, integers apart."""
    return kinds({kind for name in names for kind in _KINDS[name]})


def are_integers(names: Sequence[str]) -> bool:
    """True when of the numbers only integers are named."""
    return "integer" in names and "number" not in names
