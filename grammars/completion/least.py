"""A lower bound on the tokens and bytes of a container's rest, which guides its search (A*).

For styles, the numbers are those of the JSON text: an estimate, no lower bound.

For an object: its missing keys with their shortest values, and one more key for each unmet condition that shares no key
with those. For an array: the items that must come. `distance` is no bound, but an estimate of the number of members or
items left.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable
from typing import TypeAlias

from ..machine import layout as at
from ..machine.documents.words import quoted
from ..machine.frames import Frame, OpenArray, OpenObject, ValueGoal
from .spaces import Spaces
from .spelling import Speller
from .unknowns import Outcomes, Unknown, as_json

Least: TypeAlias = tuple[int, int]
"""Tokens, bytes."""
_Search: TypeAlias = Generator[Unknown, Outcomes, Least]

_LEAST_PIECE = (2, 6)  # least cost of a member: a comma, a key and a colon, then a value: `,"":0`


class Leasts:
    """The lower bounds of one search. Shortest texts of values are requested in the way that the search does."""

    def __init__(self, speller: Speller, spaces: Spaces) -> None:
        self._speller = speller
        self._spaces = spaces
        self._members: dict[tuple[Hashable, int], Least] = {}
        self._items: dict[ValueGoal, Least] = {}

    def of(self, frame: Frame) -> _Search:
        """Return the least cost of a container's rest, after a member or an item."""
        container = as_json(frame)
        if container.kind == "object":
            return (yield from self._of_object(container))
        return (yield from self._of_array(container))

    def _of_object(self, frame: OpenObject) -> _Search:
        pieces = []
        for members in frame.needed_members():
            choices = []
            for number in members:
                choices.append((yield from self._of_member(frame, number)))
            pieces.append(_least_of(choices))
        tokens, num_bytes = _sum(pieces)
        num_others = max(frame.min_members - len(pieces), 0)  # multiplied, not counted: it may be 10 ** 18
        return tokens + num_others * _LEAST_PIECE[0], num_bytes + num_others * _LEAST_PIECE[1]

    def _of_array(self, frame: OpenArray) -> _Search:
        tokens, num_bytes = 0, 0
        for goal, number in frame.coming_items():
            item = yield from self._of_item(goal)
            tokens, num_bytes = tokens + number * item[0], num_bytes + number * item[1]
        for goal, number in frame.contained_items():
            item = yield from self._of_item(goal)
            tokens, num_bytes = max(tokens, number * item[0]), max(num_bytes, number * item[1])
        return tokens, num_bytes

    def _of_member(self, frame: OpenObject, number: int) -> _Search:
        """Return the least cost of a member with a declared key."""
        found = self._members.get((frame.members, number))
        if found is None:
            spaces, (name, goal) = self._spaces, frame.member(number)
            spec = goal.spec()
            key = quoted(name) + spaces.of(at.COLON) if spec.marks is None else name.encode()
            before = self._piece(b"," + spaces.of(at.KEY) + key + b":" + spaces.of(at.VALUE))
            values = yield spec
            found = _sum([before, _shortest(values), self._piece(spaces.of(at.AFTER_MEMBER))])
            self._members[frame.members, number] = found
        return found

    def _of_item(self, goal: ValueGoal) -> _Search:
        """Return the least cost of an item that satisfies at least a goal."""
        found = self._items.get(goal)
        if found is None:
            before = self._piece(b"," + self._spaces.of(at.VALUE))
            values = yield goal.spec()
            found = _sum([before, _shortest(values), self._piece(self._spaces.of(at.AFTER_ITEM))])
            self._items[goal] = found
        return found

    def _piece(self, text: bytes) -> Least:
        rope = self._speller.rope(text)
        return (0, 0) if rope is None else (rope.num_tokens, rope.num_bytes)


def _shortest(values: Outcomes) -> Least:
    """Return the least cost of a value; almost nothing if the value is not known yet."""
    return _least_of([(rope.num_tokens, rope.num_bytes) for rope in values.values()] or [(1, 1)])


def _least_of(choices: list[Least]) -> Least:
    return min([one for one, _ in choices]), min([one for _, one in choices])


def _sum(pieces: Iterable[Least]) -> Least:
    pieces = list(pieces)
    return sum([one for one, _ in pieces]), sum([one for _, one in pieces])
