"""Specialises a formula to one kind of value: drops assertions about other kinds and expands references.

For strings and numbers, the result is also available as a language. An `ExactlyOne` becomes an `Or` if a cheap test
shows that no value satisfies two of its parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from ..regex import algebra as lang
from ..regex.algebra import Language
from ..watch import checkpoint
from . import numbers
from .formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    Constant,
    Each,
    ExactlyOne,
    Formula,
    Has,
    JsonKind,
    Kinds,
    Not,
    NumberIn,
    Or,
    Reference,
    StringIn,
    all_of,
    any_of,
    exactly_one,
    negate,
    remembered,
)
from .number_sets import cells_of
from .residual import fold

_CONSTANT_KINDS = frozenset({"null", "true", "false", "string"})


def specialise(formula: Formula, kind: JsonKind) -> Formula:
    """The formula over values of `kind`, made of constants, boolean operations and assertions about this kind.

    There are no assertions about "null", "true" and "false", so for these the result is TRUE or FALSE. Results are
    cached with the formula.
    """
    if isinstance(formula, Constant):
        return formula
    if isinstance(formula, Atom):
        return formula if formula.kind == kind else TRUE
    if isinstance(formula, Kinds):
        return TRUE if kind in formula.kinds else FALSE
    memo = formula.memo()
    known: Formula | Literal["itself"] | None = memo.get(kind)
    if known is None:
        found = _specialise(formula, kind)
        memo[kind] = "itself" if found is formula else found  # avoids a reference cycle
        return found
    return formula if isinstance(known, str) else known


def exclude_each_other(parts: Iterable[Formula], kind: JsonKind) -> bool:
    """True if a cheap test shows that no value of the kind satisfies two of the parts."""
    return _are_disjoint([special for part in parts if (special := specialise(part, kind)) is not FALSE])


def _specialise(formula: Formula, kind: JsonKind) -> Formula:
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
    possible = [special for part in formula.parts if (special := specialise(part, kind)) is not FALSE]
    return any_of(possible) if _are_disjoint(possible) else exactly_one(possible)


def _are_disjoint(parts: Sequence[Formula]) -> bool:
    """True if a cheap test shows that no value satisfies two of the parts. The parts are specialised to one kind.

    The test succeeds if all parts require the same key and allow different constants for it. The time is linear in the
    size of the parts. PERF: inside objects, `Or` is much cheaper than `ExactlyOne`.
    """
    if len(parts) < 2 or any(isinstance(part, Constant) for part in parts):
        return len(parts) < 2
    conjuncts = [part.parts if isinstance(part, And) else (part,) for part in parts]
    required = [{atom.key for atom in atoms if isinstance(atom, Has)} for atoms in conjuncts]
    common = set.intersection(*required)
    return any(_tells_apart(key, conjuncts) for key in sorted(common))


def _tells_apart(key: str, conjuncts: Sequence[tuple[Formula, ...]]) -> bool:
    """True if all alternatives allow only constants for the key, and no constant is allowed twice."""
    seen: set[str] = set()
    for atoms in conjuncts:
        allowed = _allowed_constants(key, atoms)
        if allowed is None or not seen.isdisjoint(allowed):
            return False
        seen |= allowed
    return True


def _allowed_constants(key: str, atoms: tuple[Formula, ...]) -> frozenset[str] | None:
    """A finite set with all constants that the assertions allow for the key; None if no assertion gives such a set."""
    for atom in atoms:
        if isinstance(atom, Each) and key in atom.properties:
            found = _constants(atom.properties[key])
            if found is not None:
                return found
    return None


@remembered
def _constants(formula: Formula) -> frozenset[str] | None:
    """Names of strings, null, true and false; this finite set has every value of the formula. None: not known."""
    if isinstance(formula, Reference):
        return _constants(formula.target)
    kinds: frozenset[str] | None = None
    words: frozenset[str] | None = None
    for part in formula.parts if isinstance(formula, And) else (formula,):
        if isinstance(part, Kinds):
            kinds = part.kinds
        elif isinstance(part, StringIn) and isinstance(part.language, lang.Words):
            words = part.language.words
        elif isinstance(part, Reference):
            found = _constants(part)
            if found is not None:
                return found
    if kinds is None or not kinds <= _CONSTANT_KINDS or ("string" in kinds and words is None):
        return None
    constants = {f'"{word}"' for word in words} if words is not None and "string" in kinds else set()
    return frozenset(constants | (kinds - {"string"}))


def string_language(formula: Formula) -> Language:
    """The decoded strings that satisfy the formula."""
    return _language(specialise(formula, "string"))


def number_language(formula: Formula, *, is_written: bool = False) -> Language:
    """The texts in the formula's `number_domain` whose numbers satisfy the formula.

    is_written: True: only the texts that JSON writers write; see `numbers.within`.
    """
    found = specialise(formula, "number")
    return _written_numbers(found) if is_written else _numbers(found)


@remembered
def _numbers(formula: Formula) -> Language:
    return _number_texts(formula, is_written=False)


@remembered
def _written_numbers(formula: Formula) -> Language:
    return _number_texts(formula, is_written=True)


def _number_texts(formula: Formula, *, is_written: bool) -> Language:
    checkpoint()
    domain = number_domain([formula])
    if isinstance(formula, NumberIn):
        return numbers.within(domain, formula.language, is_written=is_written)
    cells = cells_of(formula, (), domain, is_written=is_written)
    if cells is not None:
        return cells[0][0]
    if isinstance(formula, And):
        return lang.intersect(*[number_language(part, is_written=is_written) for part in formula.parts])
    return numbers.within(domain, _language(formula), is_written=is_written)


def number_domain(formulas: Iterable[Formula]) -> Language:
    """The widest domain of number texts over which all assertions of the formulas are exact."""
    domain = numbers.JSON_NUMBER
    for formula in formulas:
        found = _domain(specialise(formula, "number"))
        if found is numbers.PLAIN:
            return found
        if found is numbers.CANONICAL:
            domain = found
    return domain


@remembered
def _domain(formula: Formula) -> Language:
    if isinstance(formula, Constant):
        return numbers.JSON_NUMBER
    if isinstance(formula, NumberIn):
        if formula.of_texts:
            return numbers.JSON_NUMBER
        return numbers.PLAIN if formula.plain_only else numbers.CANONICAL
    parts = (formula.part,) if isinstance(formula, Not) else formula.parts  # type: ignore[attr-defined]
    return numbers.PLAIN if any(_domain(part) is numbers.PLAIN for part in parts) else numbers.CANONICAL


@remembered
def _language(formula: Formula) -> Language:
    """The language of a formula whose assertions are all `StringIn`, or all `NumberIn`."""
    return fold(formula, _language_of_atom, lang.complement, _intersection, _union, _exactly_one)


def _language_of_atom(atom: Atom) -> Language:
    checkpoint()
    assert isinstance(atom, StringIn | NumberIn)
    return atom.language


def _intersection(languages: list[Language]) -> Language:
    return lang.intersect(*languages)


def _union(languages: list[Language]) -> Language:
    return lang.union(*languages)


def _exactly_one(languages: list[Language]) -> Language:
    """The texts that are in exactly one of the languages. The number of operations is linear in that of the
    languages.
    """
    none, one = lang.ANYTHING, lang.NOTHING
    for language in languages:
        checkpoint()
        one = lang.union(lang.difference(one, language), lang.intersect(none, language))
        none = lang.difference(none, language)
    return one
