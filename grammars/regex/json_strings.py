"""Spell Languages in JSON strings: `in_json_string`.

Every character has one spelling, the one that most writers of JSON choose: the character itself where JSON allows it,
else its short escape, else `\\u00` and two digits. Spelling therefore keeps unions,
intersections and complements, and any JSON parser reads a spelled text back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from ..watch import checkpoint
from . import algebra as lang
from . import charset as cs
from .algebra import CharSet, Language

ESCAPES = {char: json.dumps(char)[1:-1] for char in (*map(chr, range(0x20)), '"', "\\")}
_ESCAPED = cs.from_chars(ESCAPES)
_BY_CODE_POINT = str.maketrans(ESCAPES)


def in_json_string(language: Language) -> Language:
    """Return the texts of a Language as they stand between the quotes of a JSON string."""
    spelled: dict[Language, Language] = {}
    pending = [language]
    while pending:
        node = pending[-1]
        missing = [part for part in _parts(node) if part not in spelled]
        if missing:
            pending += missing
        else:
            checkpoint()
            spelled[pending.pop()] = _spell(node, spelled)
    return spelled[language]


def _parts(node: Language) -> tuple[Language, ...]:
    match node:
        case lang.Concat():
            return (node.head, node.tail)
        case lang.Union() | lang.Intersection():
            return node.parts
        case lang.Complement() | lang.Repeat():
            return (node.child,)
        case _:
            return ()


def _spell(node: Language, spelled: dict[Language, Language]) -> Language:
    """Return the spelling of a node. The spellings of its parts must be known."""
    match node:
        case lang.Chars():
            escapes = [escape for char, escape in ESCAPES.items() if cs.contains(node.charset, ord(char))]
            return lang.union(lang.chars(cs.difference(node.charset, _ESCAPED)), lang.words(escapes))
        case lang.Words():
            return lang.words([word.translate(_BY_CODE_POINT) for word in node.sorted_words])
        case lang.Concat():
            return lang.concat(spelled[node.head], spelled[node.tail])
        case lang.Union():
            return lang.union(*[spelled[part] for part in node.parts])
        case lang.Intersection():
            return lang.intersect(*[spelled[part] for part in node.parts])
        case lang.Complement():
            return lang.difference(ANY_STRING, spelled[node.child])
        case lang.Repeat():
            return lang.repeat(spelled[node.child], node.low, node.high)
        case _:
            return lang.machine(_Spelled(node, ""))


class _Spelled(NamedTuple):
    """A `TextAutomaton` that reads spelled texts.

    rest: the texts that may follow.
    begun: the beginning of an escape that has been read; "" outside an escape.
    """

    rest: Language
    begun: str

    @property
    def nullable(self) -> bool:
        """True if the text may end here."""
        return not self.begun and self.rest.nullable

    @property
    def is_transient(self) -> bool:
        """True if `rest` is transient, as nodes.py explains."""
        return self.rest.is_transient

    @property
    def is_recursive(self) -> bool:
        """True if `rest` is recursive, as nodes.py explains."""
        return self.rest.is_recursive

    def transitions(self) -> tuple[tuple[CharSet, _Spelled], ...]:
        """Return the next characters: plain ones, and the next character of each possible escape."""
        plain = [] if self.begun else [*self._plain()]
        following: dict[str, _Spelled] = {}
        for char, escape in ESCAPES.items():
            target = self.rest.step(ord(char)) if escape.startswith(self.begun) else lang.NOTHING
            if target is not lang.NOTHING:
                begun = escape[: len(self.begun) + 1]
                following[begun[-1]] = _Spelled(target, "") if begun == escape else _Spelled(self.rest, begun)
        return (*plain, *[(cs.single(char), target) for char, target in following.items()])

    def _plain(self) -> Iterator[tuple[CharSet, _Spelled]]:
        for charset, target in self.rest.transitions():
            unescaped = cs.difference(charset, _ESCAPED)
            if unescaped:
                yield unescaped, _Spelled(target, "")


ANY_STRING = lang.repeat(_spell(lang.ANY_CHAR, {}), 0)
