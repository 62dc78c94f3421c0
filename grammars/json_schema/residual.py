"""Formulas over one container while it is being read: what is left of them after a member or an item, and at the end.

An assertion is replaced by TRUE or FALSE as soon as it is decided, as in a Brzozowski derivative; what remains is the
state. Formulas here are specialised: their assertions all speak of the container's kind, with no `Kinds` and no
references.
"""

from __future__ import annotations

from collections.abc import Callable

from .formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    Contains,
    Each,
    ExactlyOne,
    Formula,
    Has,
    ItemCount,
    Items,
    MemberCount,
    NamesIn,
    Not,
    Or,
    UniqueItems,
    all_of,
    any_of,
    exactly_one,
    negate,
)

Rewrite = Callable[[Formula], Formula]


def rewrite(formula: Formula, atom: Rewrite) -> Formula:
    """The formula with `atom(a)` in the place of each assertion a."""
    if formula is TRUE or formula is FALSE:
        return formula
    if isinstance(formula, And):
        return all_of([rewrite(part, atom) for part in formula.parts])
    if isinstance(formula, Or):
        return any_of([rewrite(part, atom) for part in formula.parts])
    if isinstance(formula, Not):
        return negate(rewrite(formula.part, atom))
    if isinstance(formula, ExactlyOne):
        return exactly_one([rewrite(part, atom) for part in formula.parts])
    return atom(formula)


def may_hold(formula: Formula, atom: Rewrite, is_positive: bool = True) -> Formula:
    """What a value must satisfy for the formula about its container to be still possible; perhaps less than that.

    atom: an assertion -> what it asks of the value, or the assertion itself where that is nothing. An assertion that
        must fail asks nothing: another value may break it.
    """
    if formula is TRUE or formula is FALSE:
        return formula if is_positive else negate(formula)
    if isinstance(formula, Not):
        return may_hold(formula.part, atom, not is_positive)
    if isinstance(formula, ExactlyOne):
        if is_positive:
            return any_of([may_hold(part, atom) for part in formula.parts])
        return TRUE
    if isinstance(formula, And | Or):
        parts = [may_hold(part, atom, is_positive) for part in formula.parts]
        return all_of(parts) if isinstance(formula, And) == is_positive else any_of(parts)
    found = atom(formula)
    return found if is_positive and found is not formula else TRUE


def atoms(formula: Formula) -> list[Atom]:
    """The assertions, each once, in order of appearance. Parts that stand in several places are looked at once."""
    found: dict[Atom, None] = {}
    pending, seen = [formula], set[Formula]()
    while pending:
        part = pending.pop()
        if part in seen:
            continue
        seen.add(part)
        if isinstance(part, And | Or | ExactlyOne):
            pending.extend(reversed(part.parts))
        elif isinstance(part, Not):
            pending.append(part.part)
        elif isinstance(part, Atom):
            found[part] = None
    return list(found)


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """The parts that must all hold."""
    if formula is TRUE:
        return ()
    return formula.parts if isinstance(formula, And) else (formula,)


def holds_at_close(formula: Formula) -> bool:
    """Whether the container, closed now, satisfies the formula."""
    if isinstance(formula, And):
        return all(map(holds_at_close, formula.parts))
    if isinstance(formula, Or):
        return any(map(holds_at_close, formula.parts))
    if isinstance(formula, Not):
        return not holds_at_close(formula.part)
    if isinstance(formula, ExactlyOne):
        return sum(map(holds_at_close, formula.parts)) == 1
    if isinstance(formula, MemberCount | ItemCount | Contains):
        return formula.low == 0
    if isinstance(formula, Has):
        return False
    if isinstance(formula, Each | NamesIn | Items | UniqueItems):
        return True
    assert formula is TRUE or formula is FALSE, formula
    return formula is TRUE
