"""`ByteClassRows`: the rows of byte classes that one grammar has asked for."""

from __future__ import annotations

from ..automaton.byte_class_rows import ByteClassRow
from ..automaton.vocabulary_tables import VocabularyTables
from .structs import RuleMachine


class ByteClassRows:
    """In tables that the kernels read."""

    def __init__(self, vocabulary_tables: VocabularyTables, machine: RuleMachine) -> None:
        self._vocabulary_tables = vocabulary_tables
        self._rows, self._row_of = machine.byte_class_rows, machine.byte_class_row_of
        self._rows.ensure(16)
        self._numbers: dict[tuple[int, int], int] = {}
        self._kept: list[ByteClassRow] = []

    def add(self, state: int, byte_classes: int, node: int) -> None:
        """Find the row for a local state that some byte classes leave as it is."""
        number = self._numbers.get((byte_classes, node))
        if number is None:
            made = self._vocabulary_tables.byte_class_row(byte_classes, node)
            self._kept.append(made)
            number = self._numbers[byte_classes, node] = self._rows.reserve(1)
            arrays = self._rows[number]
            arrays.row, arrays.nodes, arrays.starts, arrays.firsts = made.row, made.nodes, made.starts, made.firsts
        self._row_of.insert(state, node + 1, number)
