"""Text without certain strings, and text up to where one of them begins, as regular languages.

A free region ends where a trigger or an end string first begins. So text before a string `mark` is what holds no such
"stop", and together with the mark has no stop that begins earlier than the mark.
"""

from __future__ import annotations

from collections.abc import Iterable

from . import algebra as lang


def free_text(without: Iterable[str], max_chars: int | None = None) -> lang.Language:
    """Texts that hold none of the strings. max_chars: how many characters they have at most; None: any number."""
    strings = frozenset(without)
    free = lang.complement(lang.concat(lang.ANYTHING, lang.words(strings), lang.ANYTHING)) if strings else lang.ANYTHING
    return free if max_chars is None else lang.intersect(free, lang.repeat(lang.ANY_CHAR, 0, max_chars))


def free_text_before(
    mark: str, stops: Iterable[str], excludes: Iterable[str] = (), max_chars: int | None = None
) -> lang.Language:
    """Free texts followed by the mark, in which no stop begins before the mark.

    mark: may be empty. stops: they may overlap the mark's beginning, or be the mark. excludes: strings that the free
    text does not hold; they may overlap the mark. max_chars: of the free text.
    """
    stops = frozenset(stops)
    texts = lang.concat(free_text(stops.union(excludes), max_chars), lang.text(mark))
    return lang.difference(texts, lang.union(*[_begins_before(mark, stop) for stop in stops if _may_lap(stop, mark)]))


def _may_lap(stop: str, mark: str) -> bool:
    """True if a stop can begin before the mark and end inside it."""
    return any(mark.startswith(stop[start:]) for start in range(1, len(stop)))


def _begins_before(mark: str, stop: str) -> lang.Language:
    """Texts that hold the stop, with more characters from its beginning on than the mark has."""
    num_after = max(0, len(mark) + 1 - len(stop))
    return lang.concat(lang.ANYTHING, lang.text(stop), lang.repeat(lang.ANY_CHAR, num_after))
