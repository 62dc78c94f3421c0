"""`Contents`: what local states are made of, interned in tables that the kernels read and add to."""

from __future__ import annotations

from typing import NamedTuple

from ..automaton import layout as at
from . import layout as pd
from .numbers import add_nothing
from .structs import RuleMachine

Moved = tuple[tuple[int, int], ...]
"""Pairs (state of a terminal, or number, and GSS node), ascending."""


class ItemSet(NamedTuple):
    """A local state. items: (state of a terminal, GSS node); documents: (number, GSS node) of JSON documents
    that may begin; tokens: the same of sets of tokens. labels: the frame's GSS nodes that go on here. All ascend.

    is_complete: the text may end here.
    """

    items: Moved
    documents: Moved
    tokens: Moved
    labels: tuple[int, ...]
    is_complete: bool


class Contents:
    """What each local state of one grammar is; and what frames keep. Content 0 is that of nothing."""

    def __init__(self, machine: RuleMachine) -> None:
        self._states, self._contents, self._numbers = machine.states, machine.contents, machine.numbers
        self._known: dict[int, ItemSet] = {}
        self._contents.ensure(256)
        self._numbers.ensure(1024)
        for table in (machine.moving.moved, machine.moving.kept, machine.moving.merged):
            table.ensure(64)
        nothing = add_nothing(machine.address)
        assert nothing == 0

    def __len__(self) -> int:
        return self._states.used

    def __getitem__(self, state: int) -> ItemSet:
        known = self._known.get(state)
        if known is None:
            known = self._known[state] = self._items_of(self._states.data["content"].item(state))
        return known

    def numbers(self, number: int) -> list[int]:
        """The numbers of a content."""
        first, count = self._contents.data["first"].item(number), self._contents.data["count"].item(number)
        numbers: list[int] = self._numbers.data[first : first + count].tolist()
        return numbers

    def _items_of(self, number: int) -> ItemSet:
        """A content as a local state."""
        beside: dict[int, list[tuple[int, int]]] = {}
        for each in self.numbers(self._contents.data["rest"].item(number)):
            pair = (each >> 32 & pd.NUMBER_BITS, each & at.MASK32)
            beside.setdefault(each >> pd.KIND_SHIFT, []).append(pair)
        return ItemSet(
            tuple([(item >> 32, item & at.MASK32) for item in self.numbers(number)]),
            tuple(beside.get(pd.DOCUMENT, ())),
            tuple(beside.get(pd.TOKENS, ())),
            tuple([label for label, _ in beside.get(pd.LABEL, ())]),
            pd.COMPLETE in beside,
        )
