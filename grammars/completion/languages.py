"""`Shortest`: a shortest text of a regular language, in bytes, as it is spelled in its place.

A* over derivatives (Hart, Nilsson, Raphael 1968): what is left of a text is at least as long as the derivative's
`min_length`, which is exact for expressions without product and complement. Of a set of words the one of the
fewest tokens is taken.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence

from ..automaton.words import spell
from ..errors import LimitExceededError
from ..regex import algebra as lang
from ..regex import charset as charsets
from ..regex.algebra import Language
from ..regex.charset import CharSet
from ..watch import checkpoint
from .bounds import Bounds
from .ropes import best, text_of
from .spelling import Speller

_MAX_STATES = 20_000
_MANY_WORDS = 256
_WANTED = (((97, 122),), ((48, 57),), ((65, 90),), ((32, 33), (35, 91), (93, 126)), ((0x80, 0x7FF),))
"""Characters by how long they are when they are spelled; those that are plain in JSON come first."""
_State = tuple[Language, str | None]  # a derivative, and the text so far while an excluded one begins so


def _by_length(text: bytes) -> tuple[int, bytes]:
    return len(text), text


def best_text(speller: Speller, texts: Sequence[bytes]) -> bytes | None:
    """The text of the fewest tokens among the first ones. texts: the shortest first. None where there are none."""
    found = best([speller.rope(text) for text in texts[:_MANY_WORDS]])
    return None if found is None else text_of(found)


def plain(text: str) -> bytes:
    """A text as it is."""
    return text.encode()


class Shortest:
    """What was found for one vocabulary. spell: how a text is written in its place."""

    def __init__(self, speller: Speller, spelled: Callable[[str], bytes] = spell) -> None:
        self._speller = speller
        self._spelled = spelled
        self.bounds = Bounds(lambda charset: self._cheapest(charset)[1], lambda word: len(spelled(word)))
        self._known: dict[tuple[Language, frozenset[str]], bytes | None] = {}

    def text(self, language: Language, excluded: frozenset[str] = frozenset()) -> bytes | None:
        """A shortest text that is none of some others, as it is spelled; None where there is none."""
        key = (language, excluded)
        if key not in self._known:
            self._known[key] = self._find(language, excluded)
        return self._known[key]

    def _find(self, language: Language, excluded: frozenset[str]) -> bytes | None:
        if isinstance(language, lang.Words):
            words = sorted([self._spelled(word) for word in language.words if word not in excluded], key=_by_length)
            return best_text(self._speller, words)
        text = self._search(language, excluded)
        return None if text is None else self._spelled(text)

    def _search(self, language: Language, excluded: frozenset[str]) -> str | None:
        """The shortest text, by A* over derivatives; beside each, the text so far while an excluded one begins so.

        PERF: the automaton of the language without hundreds of words is never built.
        """
        if language is lang.NOTHING:
            return None
        following = _following_chars(excluded)
        start: _State = (language, "" if excluded else None)
        cost = {start: 0}
        origins: dict[_State, tuple[_State, str]] = {}
        waiting = [(language.min_length, 0, start)]
        order = 0
        while waiting:
            _, negative_order, state = heapq.heappop(waiting)
            del negative_order
            node, begun = state
            if node.nullable and begun not in excluded:
                return _read_back(state, start, origins)
            checkpoint()
            for charset, target in node.transitions():
                if target._is_empty:
                    continue
                for char, length, longer in self._steps(charset, begun, following):
                    total, next_state = cost[state] + length, (target, longer)
                    if total >= cost.get(next_state, 1 << 60):
                        continue
                    if len(cost) >= _MAX_STATES:
                        raise LimitExceededError(
                            "max_completion_states", _MAX_STATES, "states", "looking for a short text"
                        )
                    cost[next_state] = total
                    origins[next_state] = (state, char)
                    order -= 1  # of equally good ones the latest: it is the furthest
                    heapq.heappush(waiting, (total + target.min_length, order, next_state))
        return None

    def _steps(
        self, charset: CharSet, begun: str | None, following: dict[str, CharSet]
    ) -> Iterator[tuple[str, int, str | None]]:
        """Characters of a set by which a text can go on: (character, bytes, what excluded texts have begun with).

        One stands for all that lead away from the excluded texts.
        """
        along = charsets.intersection(charset, following[begun]) if begun is not None else ()
        if along and begun is not None:
            charset = charsets.difference(charset, along)
            for low, high in along:
                for code in range(low, high + 1):
                    yield chr(code), len(self._spelled(chr(code))), begun + chr(code)
        if charset:
            yield *self._cheapest(charset), None

    def _cheapest(self, charset: CharSet) -> tuple[str, int]:
        """A character of a set, and how many bytes it takes."""
        for wanted in _WANTED:
            common = charsets.intersection(charset, wanted)
            if common:
                char = chr(common[0][0])
                return char, len(self._spelled(char))
        return min([(chr(low), len(self._spelled(chr(low)))) for low, _ in charset], key=lambda pair: pair[1])


def _following_chars(texts: frozenset[str]) -> dict[str, CharSet]:
    """For each beginning of the texts, the characters that come next in one of them."""
    found: dict[str, set[int]] = {text: set() for text in texts}
    for text in texts:
        for length, char in enumerate(text):
            found.setdefault(text[:length], set()).add(ord(char))
    return {begun: charsets.union(*[((code, code),) for code in codes]) for begun, codes in found.items()}


def _read_back(state: _State, start: _State, origins: dict[_State, tuple[_State, str]]) -> str:
    letters = []
    while state != start:
        state, char = origins[state]
        letters.append(char)
    return "".join(reversed(letters))
