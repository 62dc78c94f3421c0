"""`KindRows`: the rows of kinds of bytes that one grammar has asked for."""

from __future__ import annotations

from ..automaton.kind_rows import KindRow
from ..automaton.lexicon import Lexicon
from .structs import RuleMachine


class KindRows:
    """In tables that the kernels read."""

    def __init__(self, lexicon: Lexicon, machine: RuleMachine) -> None:
        self._lexicon = lexicon
        self._rows, self._row_of = machine.kind_rows, machine.kind_row_of
        self._rows.ensure(16)
        self._numbers: dict[tuple[int, int], int] = {}
        self._kept: list[KindRow] = []

    def add(self, state: int, kinds: int, node: int) -> None:
        """Find the row for a local state that some kinds of bytes leave as it is."""
        number = self._numbers.get((kinds, node))
        if number is None:
            made = self._lexicon.kind_row(kinds, node)
            self._kept.append(made)
            number = self._numbers[kinds, node] = self._rows.reserve(1)
            arrays = self._rows[number]
            arrays.row, arrays.nodes, arrays.starts, arrays.firsts = made.row, made.nodes, made.starts, made.firsts
        self._row_of.insert(state, node + 1, number)
