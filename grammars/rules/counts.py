"""Long counts in regular languages: texts of so many units, and expressions in which such texts are parts of their own.

The machine of rules counts their units beside the state instead of having states for each number
(`machine/rules/counters.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..regex import algebra as lang
from ..regex.algebra import Language
from .expressions import Choice, Expression, Repeat, Sequence, Terminal

MIN_COUNT = 100
"""Units: shorter bounds have few states."""


@dataclass(frozen=True, slots=True)
class Count:
    """Texts of a base of `low` to `high` units (None: no bound). Units are characters; else the texts of a repetition.

    is_of_characters: they are characters. Else the base repeats its child without bound.
    """

    base: Language
    low: int
    high: int | None
    is_of_characters: bool


def count_of(language: Language) -> Count | None:
    """A language as texts of a base with a long bound; None for others. Whether it can be counted a DFA tells."""
    if isinstance(language, lang.Repeat):
        if max(language.low, language.high or 0) <= MIN_COUNT or language.child.nullable:
            return None
        return Count(lang.repeat(language.child, 0), language.low, language.high, False)
    if not isinstance(language, lang.Intersection):
        return None
    for part in language.parts:
        if isinstance(part, lang.Repeat) and part.child is lang.ANY_CHAR and max(part.low, part.high or 0) > MIN_COUNT:
            rest = lang.intersect(*[other for other in language.parts if other is not part])
            return Count(rest, part.low, part.high, True)
    return None


def with_counts_apart(rules: Mapping[str, Expression]) -> dict[str, Expression]:
    """The rules, with texts of long counts as Terminals of their own."""
    known: dict[Language, bool] = {}
    return {name: _apart(rule, known) for name, rule in rules.items()}


def _apart(expression: Expression, known: dict[Language, bool]) -> Expression:
    match expression:
        case Terminal(language):
            return _of_language(language, known) if _has_count(language, known) else expression
        case Sequence(parts):
            return Sequence(tuple([_apart(part, known) for part in parts]))
        case Choice(options):
            return Choice(tuple([_apart(option, known) for option in options]))
        case Repeat(child, low, high):
            return Repeat(_apart(child, known), low, high)
    return expression


def _of_language(language: Language, known: dict[Language, bool]) -> Expression:
    if not _has_count(language, known) or count_of(language) is not None:
        return Terminal(language)
    if isinstance(language, lang.Concat):
        parts: list[Expression] = []
        run: list[Language] = []  # neighbours without counts
        for part in _parts_of_sequence(language):
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
    assert isinstance(language, lang.Repeat), "no other has a count inside"
    return Repeat(_of_language(language.child, known), language.low, language.high)


def _has_count(language: Language, known: dict[Language, bool]) -> bool:
    """Whether a language is a count, or is put together from some."""
    waiting = [language]
    while waiting:
        top = waiting[-1]
        if top not in known:
            if count_of(top) is not None:
                known[top] = True
            else:
                parts = _parts_of(top)
                missing = [part for part in parts if part not in known]
                if missing:
                    waiting += missing
                    continue
                known[top] = any(known[part] for part in parts)
        waiting.pop()
    return known[language]


def _parts_of(language: Language) -> tuple[Language, ...]:
    if isinstance(language, lang.Concat):
        return language.head, language.tail
    if isinstance(language, lang.Union):
        return language.parts
    return (language.child,) if isinstance(language, lang.Repeat) else ()


def _parts_of_sequence(language: Language) -> list[Language]:
    parts = []
    while isinstance(language, lang.Concat):
        parts.append(language.head)
        language = language.tail
    return [*parts, language]
