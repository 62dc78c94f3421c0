"""Text without certain strings, and text up to the beginning of one of them, as regular languages.

A free region ends where a trigger or an end string first begins; these strings are its stops. If a free text is
followed by its `mark`, no stop begins before the mark.
"""

from __future__ import annotations

from collections.abc import Iterable

from . import algebra as lang


def free_text(without: Iterable[str], max_chars: int | None = None) -> lang.Language:
    """Return the texts that contain none of the strings.

    max_chars: maximum number of characters in a text; None: any number.
    """
    strings = frozenset(without)
    free = lang.complement(lang.concat(lang.ANYTHING, lang.words(strings), lang.ANYTHING)) if strings else lang.ANYTHING
    return free if max_chars is None else lang.intersect(free, lang.repeat(lang.ANY_CHAR, 0, max_chars))


def free_text_before(
    mark: str, stops: Iterable[str], excludes: Iterable[str] = (), max_chars: int | None = None
) -> lang.Language:
    """Return the free texts followed by the mark, such that no stop begins before the mark.

    mark: the string after the free text; may be empty.
    stops: strings that may overlap the mark's beginning or equal the mark.
    excludes: further strings that the free text does not contain; they may overlap the mark.
    max_chars: maximum number of characters in the free text; None: any number.
    """
    stops = frozenset(stops)
    texts = lang.concat(free_text(stops.union(excludes), max_chars), lang.text(mark))
    return lang.difference(texts, lang.union(*[_begins_before(mark, stop) for stop in stops if _may_lap(stop, mark)]))


def _may_lap(stop: str, mark: str) -> bool:
    """True if a stop can begin before the mark and end inside the mark."""
    return any(mark.startswith(stop[start:]) for start in range(1, len(stop)))


def _begins_before(mark: str, stop: str) -> lang.Language:
    """Return the texts that contain the stop so far from the end that the stop begins before the mark."""
    num_after = max(0, len(mark) + 1 - len(stop))
    return lang.concat(lang.ANYTHING, lang.text(stop), lang.repeat(lang.ANY_CHAR, num_after))
