"""What is left of a container takes at least so many tokens and bytes: the bound that leads its search (A*).

Of an object: its missing keys with their shortest values, and one more key for each condition that does not hold yet
and shares no key with those. Of an array: the items that must come. `distance` is no bound but a guess, of how many
members or items are left.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import TypeAlias

from ..automaton import layout as at
from ..automaton.frames import Frame
from ..automaton.words import spell
from ..json_schema.arrays import ArrayFrame
from ..json_schema.formula import (
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
from ..json_schema.keys import Shape
from ..json_schema.objects import ObjectFrame
from ..json_schema.residual import conjuncts, holds_at_close
from .spaces import Spaces
from .spelling import Speller
from .unknowns import Outcomes, Unknown

Least: TypeAlias = tuple[int, int]
"""Tokens, bytes."""
_Search: TypeAlias = Generator[Unknown, Outcomes, Least]

_LEAST_PIECE = (2, 6)  # of a member: a comma, a key and a colon, then a value; `,"":0`
_MANY_KEYS = 16  # that could make one condition true


class Leasts:
    """For one search. It asks for the shortest texts of values as the search does."""

    def __init__(self, speller: Speller, spaces: Spaces) -> None:
        self._speller = speller
        self._spaces = spaces
        self._members: dict[tuple[Shape, int], Least] = {}
        self._items: dict[Formula, Least] = {}

    def of(self, frame: Frame) -> _Search:
        """Of a frame after a member or an item."""
        if isinstance(frame, ObjectFrame):
            return (yield from self._of_object(frame))
        return (yield from self._of_array(frame)) if isinstance(frame, ArrayFrame) else (0, 0)

    def _of_object(self, frame: ObjectFrame) -> _Search:
        coming = frame.missing()
        pieces, taken, later = [], set(coming), set(frame.later())
        for index in coming:
            pieces.append((yield from self._of_member(frame, index)))
        for part in conjuncts(frame.rest):
            keys = helping_keys(part)
            if keys is None or not 0 < len(keys) <= _MANY_KEYS:
                continue
            indexes = {frame.order.index[key] for key in keys}
            possible = [index for index in sorted(indexes & later) if frame.shape.is_possible(index)]
            if taken.isdisjoint(indexes) and possible:
                taken |= indexes
                choices = []
                for index in possible:
                    choices.append((yield from self._of_member(frame, index)))
                pieces.append(_least_of(choices))
        pieces += [_LEAST_PIECE] * (frame.low - len(pieces))
        return _sum(pieces)

    def _of_array(self, frame: ArrayFrame) -> _Search:
        tokens, num_bytes = 0, 0
        for formula, number in frame.needed_items():
            item = yield from self._of_item(frame, formula)
            tokens, num_bytes = tokens + number * item[0], num_bytes + number * item[1]
        for part in conjuncts(frame.rest):
            if isinstance(part, Contains):
                item = yield from self._of_item(frame, part.item)
                tokens, num_bytes = max(tokens, part.low * item[0]), max(num_bytes, part.low * item[1])
        return tokens, num_bytes

    def _of_member(self, frame: ObjectFrame, index: int) -> _Search:
        """A member with that key, which is declared."""
        found = self._members.get((frame.shape, index))
        if found is None:
            spaces = self._spaces
            key = b"," + spaces.of(at.KEY) + b'"' + spell(frame.order.names[index]) + b'"'
            before = self._piece(key + spaces.of(at.COLON) + b":" + spaces.of(at.VALUE))
            values = yield frame.document.goal(frame.shape.value(index)).spec()
            found = _sum([before, _shortest(values), self._piece(spaces.of(at.AFTER_MEMBER))])
            self._members[frame.shape, index] = found
        return found

    def _of_item(self, frame: ArrayFrame, formula: Formula) -> _Search:
        """An item that satisfies a formula, and perhaps more."""
        found = self._items.get(formula)
        if found is None:
            before = self._piece(b"," + self._spaces.of(at.VALUE))
            values = yield frame.document.goal(formula).spec()
            found = _sum([before, _shortest(values), self._piece(self._spaces.of(at.AFTER_ITEM))])
            self._items[formula] = found
        return found

    def _piece(self, text: bytes) -> Least:
        rope = self._speller.rope(text)
        return (0, 0) if rope is None else (rope.num_tokens, rope.num_bytes)


def _shortest(values: Outcomes) -> Least:
    """Of a value; of one that is not known (yet), hardly anything."""
    return _least_of([(rope.num_tokens, rope.num_bytes) for rope in values.values()] or [(1, 1)])


def _least_of(choices: list[Least]) -> Least:
    return min([one for one, _ in choices]), min([one for _, one in choices])


def _sum(pieces: Iterable[Least]) -> Least:
    pieces = list(pieces)
    return sum([one for one, _ in pieces]), sum([one for _, one in pieces])


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
    waiting, seen = [(part, True)], set[tuple[Formula, bool]]()
    while waiting:
        here = formula, helps = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        if isinstance(formula, Not):
            waiting.append((formula.part, not helps))
        elif isinstance(formula, And | Or):
            waiting += [(one, helps) for one in formula.parts]
        elif isinstance(formula, ExactlyOne):
            waiting += [(one, either) for one in formula.parts for either in (True, False)]
        elif isinstance(formula, Has):
            if helps:
                found.add(formula.key)
        elif isinstance(formula, Each):
            if not helps:
                if formula.patterns or formula.additional is not TRUE:
                    return None
                found.update(formula.properties)
        elif isinstance(formula, NamesIn):
            if not helps:
                return None
        elif isinstance(formula, MemberCount) and helps is (formula.low > 0):
            return None
    return frozenset(found)


def distance(frame: Frame) -> int:
    """A guess of how many members or items are left."""
    if isinstance(frame, ObjectFrame):
        return max(len(frame.missing()), frame.low) + _distance(frame.rest, True)
    return max(frame.low, _distance(frame.rest, True)) if isinstance(frame, ArrayFrame) else 0


def _distance(part: Formula, holds: bool) -> int:
    """Members or items that make a condition true, or false."""
    memo, key = part.memo(), ("distance", holds)
    if key not in memo:
        memo[key] = 0 if holds_at_close(part) is holds else _find_distance(part, holds)
    found: int = memo[key]
    return found


def _find_distance(part: Formula, holds: bool) -> int:
    if isinstance(part, Not):
        return _distance(part.part, not holds)
    if isinstance(part, And | Or):
        each = [_distance(one, holds) for one in part.parts]
        return sum(each) if isinstance(part, And) is holds else min(each)
    if isinstance(part, ExactlyOne):
        return min([one for one in (_distance(one, True) for one in part.parts) if one], default=1)
    if isinstance(part, MemberCount | ItemCount | Contains):
        return part.low if holds else 1 + (part.high or 0)
    return 2 if isinstance(part, UniqueItems) else 1
