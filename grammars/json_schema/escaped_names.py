"""`escaped`: the Language of names that are written with escapes for some of their characters."""

from __future__ import annotations

from dataclasses import dataclass

from ..regex import algebra as lang
from ..regex import charset as cs
from ..regex.algebra import Language

Escapes = tuple[tuple[str, str], ...]
"""(character, escape) pairs. A character of a pair may occur in other escapes only as the first character."""


def escaped(names: Language, escapes: Escapes) -> Language:
    """The texts of the names with their characters escaped. Example: with (("<", "&lt;"),), "a<b" becomes "a&lt;b"."""
    return lang.machine(_Name(names, escapes)) if escapes else names


@dataclass(frozen=True)
class _Name:
    """The state between two characters of a name.

    rest: Language of the rest of the names.
    escapes: the escapes of all characters.
    """

    rest: Language
    escapes: Escapes

    @property
    def nullable(self) -> bool:
        return self.rest.nullable

    def transitions(self) -> tuple[tuple[cs.CharSet, _Name | _Escape], ...]:
        special = cs.from_chars("".join(character for character, _ in self.escapes))
        found: list[tuple[cs.CharSet, _Name | _Escape]] = []
        begun: dict[str, list[tuple[str, Language]]] = {}
        for charset, target in self.rest.transitions():
            if lang.is_empty(target):
                continue
            if plain := cs.difference(charset, special):
                found.append((plain, _Name(target, self.escapes)))
            for character, escape in self.escapes:
                if cs.intersection(charset, cs.from_chars(character)):
                    begun.setdefault(escape[0], []).append((escape[1:], target))
        found += [(cs.from_chars(first), _Escape(tuple(ways), self.escapes)) for first, ways in begun.items()]
        return tuple(found)


@dataclass(frozen=True)
class _Escape:
    """The state inside an escape.

    ways: (rest of the escape, Language of the rest of the names) for each escape that this one may be.
    escapes: the escapes of all characters.
    """

    ways: tuple[tuple[str, Language], ...]
    escapes: Escapes
    nullable = False

    def transitions(self) -> tuple[tuple[cs.CharSet, _Name | _Escape], ...]:
        begun: dict[str, list[tuple[str, Language]]] = {}
        for left, target in self.ways:
            begun.setdefault(left[0], []).append((left[1:], target))
        return tuple(
            [
                (
                    cs.from_chars(first),
                    _Escape(tuple(ways), self.escapes) if ways[0][0] else _Name(ways[0][1], self.escapes),
                )
                for first, ways in begun.items()
            ]
        )
