"""Residual formulas: what remains of a container's condition after each member or item, and its truth at the end.

An assertion becomes TRUE or FALSE as soon as it is decided, as in a Brzozowski derivative. The residual formula is the
state. Formulas here are specialised: they have only assertions about the container's kind, no `Kinds` and no
references.

Each call visits a part once, even if it occurs several times in the formula. Otherwise the cost of `oneOf` over
references to references would be exponential in their depth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import not_
from typing import Generic, NamedTuple, TypeVar

from .formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    Each,
    ExactlyOne,
    Formula,
    Has,
    Items,
    NamesIn,
    Not,
    Or,
    PartCount,
    UniqueItems,
    all_of,
    any_of,
    exactly_one,
    negate,
    remembered,
)

T = TypeVar("T")
Rewrite = Callable[[Formula], Formula]
_COMPOUND = (And, Or, Not, ExactlyOne)


def fold(
    formula: Formula,
    atom: Callable[[Atom], T],
    opposite: Callable[[T], T],
    every: Callable[[list[T]], T],
    some: Callable[[list[T]], T],
    one: Callable[[list[T]], T],
) -> T:
    """Evaluate a formula bottom-up.

    atom: function that gives the value of an assertion.
    opposite: operation for `Not`.
    every, some, one: operations for `And`, `Or` and `ExactlyOne`, on the list of the parts' values.
    """
    return _Fold(atom, opposite, every, some, one).of(formula)


class _Fold(Generic[T]):
    """A single call of `fold`. A recursive inner function would be a reference cycle, left to the garbage collector."""

    __slots__ = ("_atom", "_every", "_known", "_one", "_opposite", "_some")

    def __init__(
        self,
        atom: Callable[[Atom], T],
        opposite: Callable[[T], T],
        every: Callable[[list[T]], T],
        some: Callable[[list[T]], T],
        one: Callable[[list[T]], T],
    ) -> None:
        self._atom, self._opposite, self._every, self._some, self._one = atom, opposite, every, some, one
        self._known: dict[Formula, T] = {}

    def of(self, part: Formula) -> T:
        """The value of a part."""
        if isinstance(part, Atom):
            return self._atom(part)
        if part is TRUE or part is FALSE:
            return self._every([]) if part is TRUE else self._some([])
        found = self._known.get(part)
        if found is None:
            found = self._known[part] = self._joined(part)
        return found

    def _joined(self, part: Formula) -> T:
        assert isinstance(part, _COMPOUND), part
        if isinstance(part, Not):
            return self._opposite(self.of(part.part))
        join = self._every if isinstance(part, And) else self._some if isinstance(part, Or) else self._one
        return join([self.of(inner) for inner in part.parts])


def rewrite(formula: Formula, atom: Rewrite) -> Formula:
    """The formula with each assertion a replaced by `atom(a)`."""
    return fold(formula, atom, negate, all_of, any_of, exactly_one)


class Said(NamedTuple):
    """The conditions that a formula's alternatives put on one member or item.

    declared: the conditions joined by "or"; FALSE if no alternative has one.
    is_open: True if an alternative has no condition.
    """

    declared: Formula
    is_open: bool

    @property
    def needed(self) -> Formula:
        """The necessary condition: the container's formula can't hold without it."""
        return TRUE if self.is_open else self.declared


_OPEN = Said(FALSE, True)  # no alternative has a condition
_Both = tuple[Said, Said]  # the conditions of a formula, and those of its negation


def said_of(formula: Formula, of_atom: Callable[[Atom], Formula | None]) -> Said:
    """The conditions that a container's formula puts on one member or item.

    of_atom: function that returns an assertion's condition on the member or item; None if it has none.

    An assertion that must fail puts no condition on this member, since another member may break it.
    """

    def of_one(atom: Atom) -> _Both:
        asked = of_atom(atom)
        return (_OPEN if asked is None else Said(asked, False)), _OPEN

    found: _Both = fold(
        formula,
        of_one,
        lambda both: (both[1], both[0]),
        lambda parts: (_both([said for said, _ in parts]), _either([said for _, said in parts])),
        lambda parts: (_either([said for said, _ in parts]), _both([said for _, said in parts])),
        lambda parts: (_either([said for said, _ in parts]), _OPEN),
    )
    return found[0]


def _both(parts: list[Said]) -> Said:
    """The conditions of a conjunction, from those of its parts."""
    certain = [part.declared for part in parts if not part.is_open]
    if certain:
        return Said(all_of(certain), False)
    return Said(any_of([part.declared for part in parts]), True)


def _either(parts: list[Said]) -> Said:
    """The conditions of a disjunction, from those of its parts."""
    return Said(any_of([part.declared for part in parts]), any(part.is_open for part in parts))


def atoms(formula: Formula) -> list[Atom]:
    """The assertions in a formula, each once, in order of appearance."""
    found: dict[Atom, None] = {}
    parts = conjuncts(formula)
    if all(isinstance(part, Atom) for part in parts):
        return list(parts)  # type: ignore[arg-type]
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


def signed_atoms(formula: Formula) -> Iterator[tuple[Atom, bool]]:
    """Yields (assertion, sign). Sign True: if the assertion is true, that can only help the formula to hold; False: it
    can only harm. An assertion that can do both comes twice.
    """
    pending, seen = [(formula, True)], set[tuple[Formula, bool]]()
    while pending:
        part, helps = pending.pop()
        if (part, helps) in seen:
            continue
        seen.add((part, helps))
        if isinstance(part, Atom):
            yield part, helps
        elif isinstance(part, Not):
            pending.append((part.part, not helps))
        elif isinstance(part, And | Or):
            pending.extend((one, helps) for one in part.parts)
        elif isinstance(part, ExactlyOne):
            pending.extend((one, either) for one in part.parts for either in (True, False))


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """The parts of an `And`; () for TRUE; else the formula alone."""
    if formula is TRUE:
        return ()
    return formula.parts if isinstance(formula, And) else (formula,)


def holds_at_close(formula: Formula) -> bool:
    """True if the container satisfies the formula when it is closed now."""
    return fold(formula, _asserted_at_close, not_, all, any, lambda parts: sum(parts) == 1)


def _asserted_at_close(atom: Atom) -> bool:
    if isinstance(atom, PartCount):
        return atom.low == 0
    if isinstance(atom, Has):
        return False
    assert isinstance(atom, Each | NamesIn | Items | UniqueItems), atom
    return True


# --- how far a condition is from holding


@remembered
def helping_keys(part: Formula) -> frozenset[str] | None:
    """Keys such that a condition on an object can't hold until one of them comes.

    Returns an empty set if the condition already holds at the end, and None if any key may help. A key helps if it can
    make an assertion true, or a negated assertion false.
    """
    if holds_at_close(part):
        return frozenset()
    found: set[str] = set()
    for atom, helps in signed_atoms(part):
        if any_key_changes(atom, helps):
            return None
        if isinstance(atom, Has) and helps:
            found.add(atom.key)
        elif isinstance(atom, Each) and not helps:
            found.update(atom.properties)
    return frozenset(found)


def any_key_changes(atom: Atom, helps: bool) -> bool:
    """True if a member with any key may make an assertion true. helps: False: make it false instead."""
    if isinstance(atom, PartCount):
        return helps is (atom.low > 0)
    is_of_others = isinstance(atom, NamesIn) or (
        isinstance(atom, Each) and (bool(atom.patterns) or atom.additional is not TRUE)
    )
    return is_of_others and not helps


def distance(part: Formula, holds: bool) -> int:
    """Estimate of the number of members or items that make a condition true (or false, if `holds` is False).

    The estimate may be too high or too low.
    """
    memo, key = part.memo(), ("distance", holds)
    if key not in memo:
        memo[key] = 0 if holds_at_close(part) is holds else _find_distance(part, holds)
    found: int = memo[key]
    return found


def _find_distance(part: Formula, holds: bool) -> int:
    if isinstance(part, Not):
        return distance(part.part, not holds)
    if isinstance(part, And | Or):
        each = [distance(one, holds) for one in part.parts]
        return sum(each) if isinstance(part, And) is holds else min(each)
    if isinstance(part, ExactlyOne):
        return min([one for one in (distance(one, True) for one in part.parts) if one], default=1)
    if isinstance(part, PartCount):
        return part.low if holds else 1 + (part.high or 0)
    return 2 if isinstance(part, UniqueItems) else 1
