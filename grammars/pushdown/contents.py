"""`Contents`: what local states are made of, interned in columns that the kernels read and add to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..automaton import layout as at
from ..automaton.memory import Block, Column
from . import layout as pd
from .numbers import intern, refill_contents

Moved = tuple[tuple[int, int], ...]
"""Pairs (state of a terminal, or number, and continuation), ascending."""


class Threads(NamedTuple):
    """A local state. threads: (state of a terminal, continuation); documents: (number, continuation) of JSON documents
    that may begin; tokens: the same of sets of tokens. labels: the frame's continuations that go on here. All ascend.

    is_complete: the text may end here.
    """

    threads: Moved
    documents: Moved
    tokens: Moved
    labels: tuple[int, ...]
    is_complete: bool


class Contents:
    """Those of one grammar by their numbers; also what frames keep. Number 0 is that of nothing."""

    def __init__(self, block: Block) -> None:
        self._address, self._fields = block.address, block.fields
        self._contents = Column(block, pd.P_CONTENTS, np.int64, 256 * pd.CONTENT_FIELDS)
        self._table = Column(block, pd.P_CONTENT_TABLE, np.int32, 1024)
        self._fields[pd.P_CONTENT_MASK] = 1023
        self._numbers = Column(block, pd.P_THREADS, np.int64, 1024)
        self._work = [Column(block, field, np.int64, 64) for field in (pd.P_MOVED, pd.P_KEPT, pd.P_MERGED)]
        nothing = intern(self._address, 0, 0, 0, 1)
        assert nothing == 0

    def __len__(self) -> int:
        return self._contents.used // pd.CONTENT_FIELDS

    def __getitem__(self, number: int) -> Threads:
        rest = int(self._contents.data[number * pd.CONTENT_FIELDS + pd.C_REST])
        beside: dict[int, list[tuple[int, int]]] = {}
        for each in self.numbers(rest):
            pair = (each >> 32 & pd.NUMBER_BITS, each & at.MASK32)
            beside.setdefault(each >> pd.KIND_SHIFT, []).append(pair)
        return Threads(
            tuple([(thread >> 32, thread & at.MASK32) for thread in self.numbers(number)]),
            tuple(beside.get(pd.DOCUMENT, ())),
            tuple(beside.get(pd.TOKENS, ())),
            tuple([label for label, _ in beside.get(pd.LABEL, ())]),
            pd.COMPLETE in beside,
        )

    def numbers(self, number: int) -> list[int]:
        """The numbers of a content."""
        first, count = self._contents.data[number * pd.CONTENT_FIELDS :][: pd.C_COUNT + 1].tolist()
        numbers: list[int] = self._numbers.data[first : first + count].tolist()
        return numbers

    def make_room(self, num_numbers: int) -> None:
        """Let another content with so many numbers have room, and numbers to work on."""
        for column in self._work:
            column.ensure(num_numbers)
        self._numbers.ensure(self._numbers.used + num_numbers)
        self._contents.ensure(self._contents.used + pd.CONTENT_FIELDS)
        if 2 * len(self) >= len(self._table.data):
            self._table.ensure(4 * len(self._table.data))
            self._table.data[:] = 0
            self._fields[pd.P_CONTENT_MASK] = len(self._table.data) - 1
            refill_contents(self._address)


class StateContents:
    """What each local state is."""

    def __init__(self, block: Block, table: Column, contents: Contents) -> None:
        self._fields, self._table, self._contents = block.fields, table, contents
        self._known: dict[int, Threads] = {}

    def __len__(self) -> int:
        return int(self._fields[pd.P_NUM_STATES])

    def __getitem__(self, state: int) -> Threads:
        known = self._known.get(state)
        if known is None:
            number = int(self._table.data[state * pd.STATE_FIELDS + pd.G_CONTENT])
            known = self._known[state] = self._contents[number]
        return known
