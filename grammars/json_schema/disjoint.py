"""Exactly one of several formulas, written as an alternative where it is plain that no value satisfies two of them."""

from __future__ import annotations

from collections.abc import Sequence

from ..regex.algebra import Words
from .formula import (
    FALSE,
    And,
    Constant,
    Each,
    Formula,
    Has,
    Kinds,
    Reference,
    StringIn,
    any_of,
    exactly_one,
)

_CONSTANT_KINDS = frozenset({"null", "true", "false", "string"})


def one_of(parts: Sequence[Formula]) -> Formula:
    """Exactly one of the parts, which are specialised to one kind.

    An alternative is much cheaper inside objects. Parts are seen to exclude each other when all require the same key
    and allow it different constants. Linear in the size of the parts.
    """
    possible = [part for part in parts if part is not FALSE]
    return any_of(possible) if are_disjoint(possible) else exactly_one(possible)


def are_disjoint(parts: Sequence[Formula]) -> bool:
    """Whether it is plain that no value satisfies two of the parts."""
    if len(parts) < 2 or any(isinstance(part, Constant) for part in parts):
        return len(parts) < 2
    conjuncts = [part.parts if isinstance(part, And) else (part,) for part in parts]
    required = [{atom.key for atom in atoms if isinstance(atom, Has)} for atoms in conjuncts]
    common = set.intersection(*required)
    return any(_tells_apart(key, conjuncts) for key in sorted(common))


def _tells_apart(key: str, conjuncts: Sequence[tuple[Formula, ...]]) -> bool:
    """Whether the values that the alternatives allow the key have no constant in common."""
    seen: set[str] = set()
    for atoms in conjuncts:
        allowed = _constants(key, atoms)
        if allowed is None or not seen.isdisjoint(allowed):
            return False
        seen |= allowed
    return True


def _constants(key: str, atoms: tuple[Formula, ...]) -> frozenset[str] | None:
    """A finite set that holds the constants that one assertion allows the key; None where none does."""
    for atom in atoms:
        if isinstance(atom, Each) and key in atom.properties:
            found = constants_of(atom.properties[key])
            if found is not None:
                return found
    return None


def constants_of(formula: Formula) -> frozenset[str] | None:
    """Names of a finite set of strings, null, true and false that holds every value of the formula; None: not plain."""
    memo = formula.memo()
    if "constants" not in memo:
        memo["constants"] = _constants_of(formula)
    found: frozenset[str] | None = memo["constants"]
    return found


def _constants_of(formula: Formula) -> frozenset[str] | None:
    if isinstance(formula, Reference):
        return constants_of(formula.target)
    kinds: frozenset[str] | None = None
    words: frozenset[str] | None = None
    for part in formula.parts if isinstance(formula, And) else (formula,):
        if isinstance(part, Kinds):
            kinds = part.kinds
        elif isinstance(part, StringIn) and isinstance(part.language, Words):
            words = part.language.words
        elif isinstance(part, Reference):
            found = constants_of(part)
            if found is not None:
                return found
    if kinds is None or not kinds <= _CONSTANT_KINDS or ("string" in kinds and words is None):
        return None
    constants = {f'"{word}"' for word in words} if words is not None and "string" in kinds else set()
    return frozenset(constants | (kinds - {"string"}))
