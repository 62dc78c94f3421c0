"""Languages whose texts are written in another way, character by character.

`spelled` writes escapes for some characters, as in JSON strings. `within` keeps the texts that have only certain
characters. Different texts stay different, so each part of a Language is rewritten alone: counts stay counts, and
unions, intersections and complements stay the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..watch import checkpoint
from . import algebra as lang
from . import charset as cs
from .algebra import CharSet, Language

Escapes = tuple[tuple[str, str], ...]
"""(character, escape) pairs. No escape is the beginning of another; each begins with a character that has an escape."""

JSON_ESCAPES: Escapes = tuple([(char, json.dumps(char)[1:-1]) for char in (*map(chr, range(0x20)), '"', "\\")])
"""The short escapes of JSON, else `\\u00` and two digits."""


def spelled(language: Language, escapes: Escapes) -> Language:
    """Return the texts of a Language with their characters escaped.

    Example: with (("<", "&lt;"),), "a<b" becomes "a&lt;b". With JSON_ESCAPES, any JSON parser reads the texts back.
    """
    if not escapes:
        return language
    of_codes = str.maketrans(dict(escapes))
    special = cs.from_chars([char for char, _ in escapes])

    def of_chars(charset: CharSet) -> Language:
        written = [escape for char, escape in escapes if cs.contains(charset, ord(char))]
        return lang.union(lang.chars(cs.difference(charset, special)), lang.words(written))

    return _rewritten(
        language, of_chars, lambda word: word.translate(of_codes), lambda one: lang.machine(_Spelled(one, escapes))
    )


def within(language: Language, charset: CharSet) -> Language:
    """Return the texts of a Language whose characters are all in a set."""

    def of_word(word: str) -> str | None:
        return word if all(cs.contains(charset, ord(char)) for char in word) else None

    anything = lang.repeat(lang.chars(charset), 0)
    return _rewritten(
        language,
        lambda chars: lang.chars(cs.intersection(chars, charset)),
        of_word,
        lambda one: lang.intersect(one, anything),
    )


def _rewritten(
    language: Language,
    of_chars: Callable[[CharSet], Language],
    of_word: Callable[[str], str | None],
    of_machine: Callable[[Language], Language],
) -> Language:
    """Return a Language with its texts written in another way. The functions write its leaves; a word that can't be
    written is None.
    """
    found: dict[Language, Language] = {}
    anything = lang.repeat(of_chars(cs.ALL), 0)

    def written(node: Language) -> Language:
        match node:
            case lang.Chars():
                return of_chars(node.charset)
            case lang.Words():
                return lang.words([word for word in map(of_word, node.sorted_words) if word is not None])
            case lang.Concat():
                return lang.concat(found[node.head], found[node.tail])
            case lang.Union():
                return lang.union(*[found[part] for part in node.parts])
            case lang.Intersection():
                whole = [found[part] for part in node.parts if not isinstance(part, lang.Complement)] or [anything]
                others = [found[part.child] for part in node.parts if isinstance(part, lang.Complement)]
                return lang.intersect(*whole, *map(lang.complement, others))
            case lang.Complement():
                return lang.difference(anything, found[node.child])
            case lang.Repeat():
                return lang.repeat(found[node.child], node.low, node.high)
        return of_machine(node)

    pending = [language]
    while pending:
        node = pending[-1]
        missing = [part for part in node.parts if part not in found]
        if missing:
            pending += missing
        else:
            checkpoint()
            found[pending.pop()] = written(node)
    return found[language]


class _Spelled(NamedTuple):
    """A `TextAutomaton` that reads spelled texts.

    rest: the texts that may follow.
    begun: the beginning of an escape that has been read; "" outside an escape.
    """

    rest: Language
    escapes: Escapes
    begun: str = ""

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
        for char, escape in self.escapes:
            target = self.rest.step(ord(char)) if escape.startswith(self.begun) else lang.NOTHING
            if target is not lang.NOTHING:
                begun = escape[: len(self.begun) + 1]
                is_whole = begun == escape
                following[begun[-1]] = self._replace(
                    rest=target if is_whole else self.rest, begun="" if is_whole else begun
                )
        return (*plain, *[(cs.single(char), target) for char, target in following.items()])

    def _plain(self) -> Iterator[tuple[CharSet, _Spelled]]:
        special = cs.from_chars([char for char, _ in self.escapes])
        for charset, target in self.rest.transitions():
            unescaped = cs.difference(charset, special)
            if unescaped:
                yield unescaped, self._replace(rest=target)
