"""`Continuations`: what comes after the text being read, interned as numbers; the tables that the kernels fill.

A continuation is a set of ways to go on. A way is a position of the network, to be read to the end of its rule, with
the continuation after that; or END (the whole text is complete); or a label: what the frame on top of the stack keeps
under that number. Each position occurs once in a set: what comes after it is united, which is the same language.
"""

from __future__ import annotations

from ..automaton import layout as at
from . import layout as pd
from .structs import RuleMachine
from .ways import add_end

Ways = tuple[tuple[int, int], ...]
"""Pairs (position, continuation after its rule), ascending; END and labels are negative, with a 0 without meaning."""


class Continuations:
    """All continuations of one grammar, by their numbers; 0 is {END}."""

    def __init__(self, machine: RuleMachine) -> None:
        self._continuations, self._ways = machine.continuations, machine.ways
        self._continuations.ensure(256)
        self._ways.ensure(512)
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
