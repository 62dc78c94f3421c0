"""`substrings`: texts made of adjacent chunks of a list."""

from __future__ import annotations

from typing import NamedTuple

from ..regex import algebra as lang
from ..regex import charset as cs
from ..regex.algebra import CharSet, Language


def substrings(chunks: list[str]) -> Language:
    """Return the texts of any number of adjacent chunks; the empty text is included."""
    edges, length = [0], 0
    for chunk in chunks:
        length += len(chunk)
        edges.append(length)
    kept = frozenset(edges)
    return lang.machine(_Places("".join(chunks), kept, kept))


class _Places(NamedTuple):
    """An automaton: the places in the joined text where the text so far may end. Texts may end at a chunk's edge."""

    text: str
    edges: frozenset[int]
    places: frozenset[int]

    @property
    def nullable(self) -> bool:
        """True if the text may end: one of the places is a chunk's edge."""
        return not self.places.isdisjoint(self.edges)

    def transitions(self) -> tuple[tuple[CharSet, _Places], ...]:
        """Return the places after each character that can follow."""
        following: dict[str, list[int]] = {}
        for place in self.places:
            if place < len(self.text):
                following.setdefault(self.text[place], []).append(place + 1)
        return tuple(
            [
                (cs.single(char), self._replace(places=frozenset(places)))
                for char, places in sorted(following.items())
                if cs.single(char)
            ]
        )
