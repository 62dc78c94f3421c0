"""Evaluates residual formulas when some assertions are decided, and lists the ways to make them hold or fail.

A `Choice` is a formula that must hold, or must fail, and for which there are several ways. Each way is a `Branch`: a
list of other formulas that must hold or fail. So the search for a plan (`plan_search`) never builds new formulas. This
is a tableau method (E. Beth 1955; R. Smullyan, First-Order Logic, 1968). Choices with a single branch are taken at once
(M. Davis, G. Logemann, D. Loveland, A machine program for theorem-proving, CACM 1962).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from .formula import FALSE, TRUE, And, Atom, ExactlyOne, Formula, Has, Not, Or, Outcome, remembered

Goal = tuple[Formula, bool]
"""(formula, True: it must hold; False: it must fail)."""

Branch = list[Goal]
Choice = tuple[And | Or | ExactlyOne, bool]
Truth = Mapping[Formula, bool]
"""Formula -> whether it must hold, for assertions and other formulas that are decided."""


@remembered
def parts_of(formula: Formula) -> frozenset[Formula]:
    """All parts of a formula, at any depth."""
    found, pending = set[Formula](), [formula]
    while pending:
        part = pending.pop()
        inner = (part.part,) if isinstance(part, Not) else part.parts if isinstance(part, And | Or | ExactlyOne) else ()
        pending += [one for one in inner if one not in found]
        found.update(inner)
    return frozenset(found)


def value(formula: Formula, truth: Truth, known: dict[Formula, bool | None]) -> bool | None:
    """The truth of a formula; None if it is open. known: cache of the values of parts under this `truth`."""
    decided = truth.get(formula)
    if decided is not None or isinstance(formula, Atom):
        return decided
    if formula is TRUE or formula is FALSE:
        return formula is TRUE
    if formula in known:
        return known[formula]
    if isinstance(formula, Not):
        inner = value(formula.part, truth, known)
        found = None if inner is None else not inner
    else:
        assert isinstance(formula, And | Or | ExactlyOne), formula
        found = value_by_parts(formula, truth, known)
    known[formula] = found
    return found


def value_by_parts(formula: And | Or | ExactlyOne, truth: Truth, known: dict[Formula, bool | None]) -> bool | None:
    """Like `value`, but computed from the parts even if `truth` has an entry for the formula."""
    return _joined(formula, [value(part, truth, known) for part in formula.parts])


def _joined(formula: And | Or | ExactlyOne, values: list[bool | None]) -> bool | None:
    if isinstance(formula, ExactlyOne):
        num_true = values.count(True)
        if num_true > 1:
            return False
        return None if None in values else num_true == 1
    decisive = isinstance(formula, Or)
    if decisive in values:
        return decisive
    return None if None in values else not decisive


def branches(choice: Choice, truth: Truth, known: dict[Formula, bool | None], *, is_generous: bool) -> Iterator[Branch]:
    """Yields the branches of an open choice. Branches that constrain the value before the object come last.

    is_generous: True: branches that forbid a key come after others; False: before them. Such branches need no member
        that breaks an assertion, but leave fewer keys.
    """
    formula, holds = choice
    open_parts = [part for part in formula.parts if value(part, truth, known) is None]
    open_parts.sort(key=lambda part: (_asks_before(part), _forbids(part, holds) is is_generous))
    if not isinstance(formula, ExactlyOne):
        for part in open_parts:
            yield [(part, holds)]
        return
    is_one_true = any(value(part, truth, known) for part in formula.parts)
    if is_one_true is holds:
        yield [(part, False) for part in open_parts]
    if holds and not is_one_true:
        for place, part in enumerate(open_parts):
            yield [(part, True), *[(other, False) for other in (*open_parts[:place], *open_parts[place + 1 :])]]
    elif not holds and is_one_true:
        for part in open_parts:
            yield [(part, True)]
    elif not holds:
        yield from ([(first, True), (second, True)] for first, second in combinations(open_parts, 2))


def _forbids(part: Formula, holds: bool) -> bool:
    return isinstance(part.part, Has) and holds if isinstance(part, Not) else isinstance(part, Has) and not holds


def _asks_before(part: Formula) -> bool:
    inner = part.part if isinstance(part, Not) else part
    return any(isinstance(one, Outcome) for one in (inner.parts if isinstance(inner, And) else (inner,)))
