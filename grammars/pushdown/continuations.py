"""`Continuations`: what comes after the text being read, interned as numbers; the tables that the kernels fill.

A continuation is a set of ways to go on. A way is a position of the network, to be read to the end of its rule, with
the continuation after that; or END (the whole text is complete); or a label: what the frame on top of the stack keeps
under that number. Each position occurs once in a set: what comes after it is united, which is the same language.
"""

from __future__ import annotations

import numpy as np

from ..automaton import layout as at
from . import layout as pd
from .numbers import index_continuations
from .structs import RuleMachine
from .ways import add_end

Ways = tuple[tuple[int, int], ...]
"""Pairs (position, continuation after its rule), ascending; END and labels are negative, with a 0 without meaning."""


class Continuations:
    """All continuations of one grammar, by their numbers; 0 is {END}."""

    def __init__(self, machine: RuleMachine) -> None:
        self._machine, self._continuations, self._ways = machine, machine.continuations, machine.ways
        self._continuations.ensure(256)
        self._ways.ensure(512)
        machine.continuation_index.ensure(1024)
        end = add_end(machine.address)
        assert end == pd.END

    def __len__(self) -> int:
        return self._continuations.used

    def ways(self, continuation: int) -> Ways:
        """The ways to go on."""
        data = self._continuations.data
        first, count = data["first"].item(continuation), data["count"].item(continuation)
        numbers = self._ways.data[first : first + count].tolist()
        return tuple([(number >> 32, number & at.MASK32) for number in numbers])

    def make_room(self, num_ways: int) -> None:
        """Let there be another continuation with so many ways."""
        self._ways.ensure(self._ways.used + num_ways)
        self._continuations.ensure(self._continuations.used + 1)
        index = self._machine.continuation_index
        if 2 * len(self) >= index.capacity:
            index.replace(np.zeros(4 * index.capacity, dtype=np.int32))
            index_continuations(self._machine.address)

    def make_room_for_unions(self) -> None:
        """Let there be more unions."""
        self._machine.unions.grow()
