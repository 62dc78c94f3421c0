"""How far a condition on an object or array is from holding: which keys can bring it nearer, how many members it takes.

Nothing here is a bound that a search for a plan could rely on, but for `helping_keys`.
"""

from __future__ import annotations

from .formula import (
    TRUE,
    And,
    Contains,
    Each,
    ExactlyOne,
    Formula,
    Has,
    ItemCount,
    MemberCount,
    NamesIn,
    Not,
    Or,
    UniqueItems,
)
from .residual import holds_at_close, signed_atoms


def helping_keys(part: Formula) -> frozenset[str] | None:
    """Keys of which one must come for a condition on an object to hold; none where it holds, None where any may do."""
    memo = part.memo()
    if "helping_keys" not in memo:
        memo["helping_keys"] = frozenset() if holds_at_close(part) else _helping_keys(part)
    found: frozenset[str] | None = memo["helping_keys"]
    return found


def _helping_keys(part: Formula) -> frozenset[str] | None:
    """Keys that can change an assertion to what helps: it comes true, or false where it is negated."""
    found: set[str] = set()
    for atom, helps in signed_atoms(part):
        if isinstance(atom, Has):
            if helps:
                found.add(atom.key)
        elif isinstance(atom, Each):
            if not helps:
                if atom.patterns or atom.additional is not TRUE:
                    return None
                found.update(atom.properties)
        elif isinstance(atom, NamesIn):
            if not helps:
                return None
        elif isinstance(atom, MemberCount) and helps is (atom.low > 0):
            return None
    return frozenset(found)


def distance(part: Formula, holds: bool) -> int:
    """Members or items that make a condition true, or false."""
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
    if isinstance(part, MemberCount | ItemCount | Contains):
        return part.low if holds else 1 + (part.high or 0)
    return 2 if isinstance(part, UniqueItems) else 1
