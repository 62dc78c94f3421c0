"""`%regex {"substring_...": ...}`: what stands somewhere in a row of chunks, from the edge of one to another's.

As llguidance has it: `substring_chunks` lists the chunks, `substring_words` cuts a text into words, runs of whitespace
being words too and other characters standing alone, `substring_chars` into characters. The empty text is among them.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from ..regex import algebra as lang
from ..regex import charset as cs
from ..regex.algebra import CharSet, Language
from .source import GrammarSource

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_KINDS = ("substring_chunks", "substring_words", "substring_chars")


def read_substrings(source: GrammarSource, text: str, offset: int) -> Language:
    """The Language of the JSON object of a `%regex`. Raises InvalidGrammarError."""
    value: Any = json.loads(text)
    if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in _KINDS:
        raise source.error(f"%regex takes an object with one of the keys {', '.join(_KINDS)}", offset)
    ((kind, argument),) = value.items()
    if kind == "substring_chunks":
        if not (isinstance(argument, list) and all(isinstance(chunk, str) for chunk in argument)):
            raise source.error("substring_chunks is a list of strings", offset)
        return substrings(argument)
    if not isinstance(argument, str):
        raise source.error(f"{kind} is a string", offset)
    return substrings(_WORDS.findall(argument) if kind == "substring_words" else list(argument))


def substrings(chunks: list[str]) -> Language:
    """The texts of any number of chunks in a row."""
    edges, length = [0], 0
    for chunk in chunks:
        length += len(chunk)
        edges.append(length)
    kept = frozenset(edges)
    return lang.machine(_Places("".join(chunks), kept, kept))


class _Places(NamedTuple):
    """A Machine: where in the text what was read so far may end. It may end at an edge of a chunk."""

    text: str
    edges: frozenset[int]
    places: frozenset[int]

    @property
    def nullable(self) -> bool:
        """True if one of the places is an edge."""
        return not self.places.isdisjoint(self.edges)

    def transitions(self) -> tuple[tuple[CharSet, _Places], ...]:
        """The places after each character that can follow."""
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
