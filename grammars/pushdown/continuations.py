"""`Continuations`: what comes after the text being read, interned as numbers; the columns that the kernels fill.

A continuation is a set of ways to go on. A way is a position of the network, to be read to the end of its rule, with
the continuation after that; or END (the whole text is complete); or a label: what the frame on top of the stack keeps
under that number. Each position occurs once in a set: what comes after it is united, which is the same language.
"""

from __future__ import annotations

import numpy as np

from ..automaton import layout as at
from ..automaton.memory import Block, Column
from ..automaton.pair_table import PairTable
from . import layout as pd
from .numbers import refill_continuations
from .ways import single

Ways = tuple[tuple[int, int], ...]
"""Pairs (position, continuation after its rule), ascending; END and labels are negative, with a 0 without meaning."""


class Continuations:
    """All continuations of one grammar, by their numbers; 0 is {END}."""

    def __init__(self, block: Block) -> None:
        self._address, self._fields = block.address, block.fields
        self._unions = PairTable(block, pd.P_UNION_KEYS, pd.P_UNION_VALUES, pd.P_UNION_MASK)
        self._continuations = Column(block, pd.P_CONTINUATIONS, np.int32, 256 * pd.CONTINUATION_FIELDS)
        self._ways = Column(block, pd.P_WAYS, np.int64, 512)
        self._table = Column(block, pd.P_CONTINUATION_TABLE, np.int32, 1024)
        self._fields[pd.P_CONTINUATION_MASK] = 1023
        end = single(self._address, pd.END_WAY, 0)
        assert end == pd.END

    def __len__(self) -> int:
        return self._continuations.used // pd.CONTINUATION_FIELDS

    def ways(self, continuation: int) -> Ways:
        """The ways to go on."""
        start = continuation * pd.CONTINUATION_FIELDS
        first, count = self._continuations.data[start : start + 2].tolist()
        numbers = self._ways.data[first : first + count].tolist()
        return tuple([(number >> 32, number & at.MASK32) for number in numbers])

    def make_room(self, num_ways: int) -> None:
        """Let there be another continuation with so many ways."""
        self._ways.ensure(self._ways.used + num_ways)
        self._continuations.ensure(self._continuations.used + pd.CONTINUATION_FIELDS)
        if 2 * len(self) >= len(self._table.data):
            self._table.ensure(4 * len(self._table.data))
            self._table.data[:] = 0
            self._fields[pd.P_CONTINUATION_MASK] = len(self._table.data) - 1
            refill_continuations(self._address)

    def make_room_for_unions(self) -> None:
        """Let there be more unions."""
        self._unions.grow()
