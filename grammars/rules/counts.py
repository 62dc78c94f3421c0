"""Long counts in regular languages: texts of many units, and expressions with such texts as separate parts.

The machine of rules counts their units beside the state, without separate states for each number
(`machine/rules/counters.py`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import LimitExceededError
from ..regex import algebra as lang
from ..regex.algebra import Language
from .expressions import Choice, CountedRepeat, Expression, Leaf, Sequence, Terminal, map_leaves

MIN_COUNT = 100
"""Number of units; shorter bounds have few states."""
_MANY_STATES = 5_000
"""Approximate number of DFA states. If all units together have more, fewer units than MIN_COUNT are counted, too. If
one unit has more, its units are not counted.
"""
_STATES_OF_UTF8 = 300
"""Estimated states inside the characters of a set such as `\\w`."""
_MAX_COPIES = 1000
"""Maximum number of copies of a count when a repetition around it is written out."""
_MAX_FORMS = 8
_SHORT_SEARCH = 500  # maximum number of states to visit


@dataclass(frozen=True, slots=True)
class Count:
    """Texts of a base with `low` to `high` units (None: no bound).

    base: language of the texts. If units are no characters, it repeats its child without bound.
    is_of_characters: True if units are characters; False if they are the texts of the repeated child.
    """

    base: Language
    low: int
    high: int | None
    is_of_characters: bool


def count_of(language: Language) -> Count | None:
    """Return a language as a base with a long bound; None for others. A DFA decides later whether counting is exact."""
    if isinstance(language, lang.Repeat):
        most = max(language.low, language.high or 0)
        if language.child.nullable or not _is_long(most, language.child):
            return None
        return Count(lang.repeat(language.child, 0), language.low, language.high, False)
    forms = _forms(language) if isinstance(language, lang.Intersection) else ()
    return forms[0] if len(forms) == 1 else None


def _is_long(most: int, unit: Language) -> bool:
    """Return True if `most` units should be counted: they would have many states, while one unit has few."""
    size = _size(unit)
    return size <= _MANY_STATES and (most > MIN_COUNT or (most > 1 and most * size > _MANY_STATES))


def _size(language: Language) -> int:
    """Return an estimate of the states in a DFA of the language."""
    if isinstance(language, lang.Chars):
        charset = language.charset
        return 1 if charset[-1][1] < 0x80 else min(2 + len(charset), _STATES_OF_UTF8)
    if isinstance(language, lang.Repeat):
        return _size(language.child) * max(language.low, language.high or 1)
    if isinstance(language, lang.Concat):
        return sum(map(_size, lang.sequence_of(language)))
    if isinstance(language, lang.Union):
        return sum(map(_size, language.parts))
    return language.max_length or 1


def _forms(language: Language) -> tuple[Count, ...]:
    """Return counts of characters whose texts together are those of a language; () without a long bound.

    A text of a repeated character and parts of fixed lengths has one length for each number of repetitions.
    """
    found = _all_forms(language)
    is_long = any(max(form.low, form.high or 0) > MIN_COUNT for form in found)
    if not is_long or any(_has_bound(form.base) for form in found):
        return ()
    return found if len(found) == 1 else _with_texts(found)


def _with_texts(forms: tuple[Count, ...]) -> tuple[Count, ...]:
    """Return the forms that have texts; () if a short search can't decide this for all."""
    try:
        return tuple([form for form in forms if not lang.is_empty(form.base, _SHORT_SEARCH)])
    except LimitExceededError:
        return ()


def _has_bound(language: Language) -> bool:
    """Return True if a language, or one of its parts, has a long bound."""
    if isinstance(language, lang.Repeat):
        return max(language.low, language.high or 0) > MIN_COUNT or _has_bound(language.child)
    if isinstance(language, lang.Concat):
        return any(map(_has_bound, lang.sequence_of(language)))
    return any(map(_has_bound, language.parts))


def _all_forms(language: Language) -> tuple[Count, ...]:
    if isinstance(language, lang.Repeat) and isinstance(language.child, lang.Chars):
        return (Count(lang.repeat(language.child, 0), language.low, language.high, True),)
    if isinstance(language, lang.Intersection):
        return _combined([_all_forms(part) for part in language.parts])
    if isinstance(language, lang.Concat):
        parts = lang.sequence_of(language)
        loops = {number: loop for number, part in enumerate(parts) if (loop := _loop_of(part)) is not None}
        if len(loops) == 1:
            ((number, loop),) = loops.items()
            before, after = (lang.concat(*some) for some in (parts[:number], parts[number + 1 :]))
            ends = [(first, last) for first in _by_length(before) for last in _by_length(after)]
            return tuple([_between(first, loop, last) for first, last in ends]) or (Count(language, 0, None, True),)
    return (Count(language, 0, None, True),)


def _loop_of(language: Language) -> Count | None:
    """Return a part of a sequence as a count of characters; None for others."""
    if isinstance(language, lang.Repeat | lang.Intersection):
        forms = _all_forms(language)
        if len(forms) == 1 and (forms[0].low > 1 or forms[0].high is not None):
            return forms[0]
    return None


def _by_length(language: Language) -> list[Language]:
    """Return a language once for each of its few lengths; [] if it has more than two."""
    low, high = language.min_length, language.max_length
    if high is None or high - low >= 2:
        return []
    lengths = range(low, high + 1)
    return [lang.intersect(language, lang.repeat(lang.ANY_CHAR, length, length)) for length in lengths]


def _between(first: Language, loop: Count, last: Language) -> Count:
    """Return a counted loop between two texts of fixed lengths."""
    more = first.min_length + last.min_length
    high = None if loop.high is None else loop.high + more
    return Count(lang.concat(first, loop.base, last), loop.low + more, high, True)


def _combined(parts: list[tuple[Count, ...]]) -> tuple[Count, ...]:
    """Return the texts of all parts; each part is a union of counts."""
    if math.prod(map(len, parts)) > _MAX_FORMS:
        return ()
    found = []
    for choice in itertools.product(*parts):
        base = lang.intersect(*[form.base for form in choice])
        low, highs = max([form.low for form in choice]), [form.high for form in choice if form.high is not None]
        found.append(Count(base, low if low > base.min_length else 0, min(highs, default=None), True))
    return tuple([form for form in found if form.base is not lang.NOTHING])


def with_counts_apart(rules: Mapping[str, Expression]) -> dict[str, Expression]:
    """Return the rules with texts of long counts as Terminals of their own."""
    known: dict[Language, int] = {}

    def apart(leaf: Leaf) -> Expression:
        return _of_language(leaf.language, known) if isinstance(leaf, Terminal) else leaf

    return {name: map_leaves(rule, apart) for name, rule in rules.items()}


def _of_language(language: Language, known: dict[Language, int]) -> Expression:
    if not _has_count(language, known) or count_of(language) is not None:
        return Terminal(language)
    if isinstance(language, lang.Concat):
        parts: list[Expression] = []
        run: list[Language] = []  # neighbouring parts without counts, which become one Terminal
        for part in lang.sequence_of(language):
            if not _has_count(part, known):
                run.append(part)
                continue
            parts += [Terminal(lang.concat(*run))] if run else []
            parts.append(_of_language(part, known))
            run = []
        return Sequence(tuple(parts + ([Terminal(lang.concat(*run))] if run else [])))
    if isinstance(language, lang.Union):
        counted = [part for part in language.parts if _has_count(part, known)]
        others = [part for part in language.parts if not _has_count(part, known)]
        options: list[Expression] = [_of_language(part, known) for part in counted]
        return Choice((*options, *([Terminal(lang.union(*others))] if others else [])))
    if isinstance(language, lang.Intersection):
        return Choice(tuple([Terminal(part) for part in _parts_of(language)]))
    assert isinstance(language, lang.Repeat), "no other has a count inside"
    return CountedRepeat(_of_language(language.child, known), language.low, language.high)


def _has_count(language: Language, known: dict[Language, int]) -> bool:
    """Return True if a language is a count, or is put together from counts."""
    return _copies(language, known) > 0


def _copies(language: Language, known: dict[Language, int]) -> int:
    """Return the number of counts in a language, with repetitions written out; 0 for none or too many.

    known: results for other languages; new results are added.
    """
    waiting = [language]
    while waiting:
        top = waiting[-1]
        if top not in known:
            parts = _parts_of(top)
            missing = [part for part in parts if part not in known]
            if missing:
                waiting += missing
                continue
            inside = sum([known[part] for part in parts])
            if isinstance(top, lang.Repeat):
                inside *= max(top.low, top.high or 1)
                inside *= inside <= _MAX_COPIES
            known[top] = 1 if count_of(top) is not None else inside
        waiting.pop()
    return known[language]


def _parts_of(language: Language) -> tuple[Language, ...]:
    if isinstance(language, lang.Intersection):
        forms = _forms(language)
        found = [lang.intersect(form.base, lang.repeat(lang.ANY_CHAR, form.low, form.high)) for form in forms]
        return tuple(found) if len(found) > 1 else ()
    return () if isinstance(language, lang.Complement) else language.parts
