"""Formulas on every string and key of a document: `spellable` and `without_substrings`.

A schema's formula is joined with `spellable` to exclude values that a vocabulary without some bytes can't write.
Examples: a value of an `enum`, an object with a certain required key, or all objects if no token has a brace.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..regex import algebra as lang
from ..regex import charset as cs
from ..regex.algebra import Language
from ..regex.charset import CharSet
from ..regex.free_text import free_text
from ..regex.spelled import JSON_ESCAPES
from ..spelling import Spelling
from .formula import (
    Formula,
    JsonKind,
    Reference,
    all_of,
    each,
    item_count,
    items,
    kinds,
    member_count,
    names_in,
    number_in,
    string_in,
)

_NEEDED: tuple[tuple[JsonKind, str], ...] = (
    *(("null", "null"), ("true", "true"), ("false", "false")),
    *(("string", '"'), ("object", "{}"), ("array", "[]")),
)
_NUMBER = "-+.eE0123456789"
# Characters that a string need not escape:
_UNESCAPED = cs.complement(cs.from_chars([char for char, _ in JSON_ESCAPES]))


def spellable(spelling: Spelling) -> Formula:
    """A formula that holds exactly for values whose text the tokens can spell. spelling: texts that the tokens
    spell.
    """
    allowed: set[JsonKind] = {kind for kind, text in _NEEDED if spelling.can_spell(text)}
    known = "".join(char for char in _NUMBER if spelling.can_spell(char))
    parts: list[Formula] = []
    if any(digit in known for digit in "0123456789"):
        allowed.add("number")
        if known != _NUMBER:
            parts.append(number_in(lang.repeat(lang.chars(cs.from_chars(known)), 0), of_texts=True))
    most = None if spelling.can_spell(",") else 1
    parts += [kinds(allowed), item_count(0, most), member_count(0, most if spelling.can_spell('":') else 0)]
    return _everywhere(parts, lang.repeat(lang.chars(_strings_of(spelling)), 0))


def without_substrings(banned: Iterable[str]) -> Formula:
    """A formula that holds exactly for values in which no string and no key contains a banned substring."""
    return _everywhere([], free_text(banned))


def _everywhere(parts: Iterable[Formula], texts: Language) -> Formula:
    """A formula for a value and for all values inside it. texts: strings and keys that may occur."""
    inside = Reference("everywhere in the document", lambda: whole)
    whole = all_of([*parts, string_in(texts), names_in(texts), each({}, (), inside), items((), inside)])
    return whole


def _strings_of(spelling: Spelling) -> CharSet:
    """The characters that can be spelled inside a string, as themselves or as escapes."""
    escaped = cs.from_chars([char for char, escape in JSON_ESCAPES if spelling.can_spell(escape)])
    return cs.union(cs.intersection(spelling.characters, _UNESCAPED), escaped)
