"""What a formula says of values of one kind: assertions about other kinds fall away, references are expanded.

Of strings and numbers that is a language.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..regex import algebra as lang
from ..regex.algebra import Language
from ..watch import checkpoint
from . import numbers
from .disjoint import are_disjoint, one_of
from .formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    Constant,
    ExactlyOne,
    Formula,
    Kind,
    Kinds,
    Not,
    NumberIn,
    Or,
    Reference,
    StringIn,
    all_of,
    any_of,
    negate,
)
from .residual import fold


def specialise(formula: Formula, kind: Kind) -> Formula:
    """The formula over values of `kind`: built of constants, boolean operations and atoms of that kind alone.

    Of "null", "true" and "false" there are no atoms, so it is TRUE or FALSE. Computed once for each formula.
    """
    if isinstance(formula, Constant):
        return formula
    if isinstance(formula, Atom):
        return formula if formula.kind == kind else TRUE
    if isinstance(formula, Kinds):
        return TRUE if kind in formula.kinds else FALSE
    memo = formula.memo()
    found: Formula | None = memo.get(kind)
    if found is None:
        found = memo[kind] = _specialise(formula, kind)
    return found


def exclude_each_other(parts: Iterable[Formula], kind: Kind) -> bool:
    """Whether it is plain that no value of the kind satisfies two of the parts."""
    possible = [special for part in parts if (special := specialise(part, kind)) is not FALSE]
    return len(possible) < 2 or are_disjoint(possible)


def _specialise(formula: Formula, kind: Kind) -> Formula:
    if isinstance(formula, Reference):
        return specialise(formula.target, kind)
    if isinstance(formula, Not):
        return negate(specialise(formula.part, kind))
    if isinstance(formula, And):
        parts = []
        for part in formula.parts:
            one = specialise(part, kind)
            if one is FALSE:  # before the other parts are expanded
                return FALSE
            parts.append(one)
        return all_of(parts)
    if isinstance(formula, Or):
        return any_of(specialise(part, kind) for part in formula.parts)
    assert isinstance(formula, ExactlyOne)
    return one_of([specialise(part, kind) for part in formula.parts])


def string_language(formula: Formula) -> Language:
    """The decoded strings that satisfy the formula."""
    found = specialise(formula, "string")
    memo = found.memo()
    if "string_language" not in memo:
        memo["string_language"] = _language(found)
    language: Language = memo["string_language"]
    return language


def number_language(formula: Formula, *, is_written: bool = False) -> Language:
    """The texts of numbers that satisfy the formula, among those of its `number_domain`.

    is_written: only those that writers write.
    """
    found = specialise(formula, "number")
    memo = found.memo()
    key = "written_numbers" if is_written else "number_language"
    if key not in memo:
        domain = number_domain([found])
        memo[key] = _written(found, domain) if is_written else numbers.within(domain, _language(found))
    language: Language = memo[key]
    return language


def number_domain(formulas: Iterable[Formula]) -> Language:
    """The widest domain of numbers over which everything that the formulas assert of numbers is exact."""
    domain = numbers.JSON_NUMBER
    for formula in formulas:
        found = _domain(specialise(formula, "number"))
        if found is numbers.PLAIN:
            return found
        if found is numbers.CANONICAL:
            domain = found
    return domain


def _domain(formula: Formula) -> Language:
    if isinstance(formula, Constant):
        return numbers.JSON_NUMBER
    if isinstance(formula, NumberIn):
        if formula.of_texts:
            return numbers.JSON_NUMBER
        return numbers.PLAIN if formula.plain_only else numbers.CANONICAL
    memo = formula.memo()
    if "number_domain" not in memo:
        parts = (formula.part,) if isinstance(formula, Not) else formula.parts  # type: ignore[attr-defined]
        is_plain = any(_domain(part) is numbers.PLAIN for part in parts)
        memo["number_domain"] = numbers.PLAIN if is_plain else numbers.CANONICAL
    domain: Language = memo["number_domain"]
    return domain


def _language(formula: Formula) -> Language:
    """The language of a formula built of `StringIn` or of `NumberIn`."""
    return fold(formula, _language_of_atom, lang.complement, _intersection, _union, _exactly_one)


def _language_of_atom(atom: Atom) -> Language:
    checkpoint()
    assert isinstance(atom, StringIn | NumberIn)
    return atom.language


def _intersection(languages: list[Language]) -> Language:
    return lang.intersect(*languages)


def _union(languages: list[Language]) -> Language:
    return lang.union(*languages)


def _written(formula: Formula, domain: Language) -> Language:
    """The numbers of a formula of `NumberIn` that writers write; what asks for integers has them without a point."""
    if formula is FALSE:
        return lang.NOTHING
    if isinstance(formula, NumberIn):
        return numbers.written(domain, formula.language)
    if isinstance(formula, And):
        others = [_language(part) for part in formula.parts if isinstance(part, Not)]
        if len(others) < len(formula.parts):
            asked = [_written(part, domain) for part in formula.parts if not isinstance(part, Not)]
            return lang.intersect(*asked, *others)
    if isinstance(formula, Or):
        return lang.union(*[_written(part, domain) for part in formula.parts])
    if isinstance(formula, ExactlyOne):
        any_part = lang.union(*[_written(part, domain) for part in formula.parts])
        return lang.intersect(_language(formula), any_part)
    return numbers.written(domain, _language(formula))


def _exactly_one(languages: list[Language]) -> Language:
    """Texts that are in exactly one of the languages; linear in their number."""
    none, one = lang.ANYTHING, lang.NOTHING
    for language in languages:
        checkpoint()
        one = lang.union(lang.difference(one, language), lang.intersect(none, language))
        none = lang.difference(none, language)
    return one
