"""`Dfa`: the byte automaton of the regular side, with states numbered from 0 as they are met."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..automaton.vocabulary_tables import VocabularyTables
from ..errors import LimitExceededError
from ..regex.algebra import Language
from . import layout as ix
from .structs import Product

Run = tuple[int, int, int]
"""First byte, last byte + 1, the state that they lead to."""


class Dfa:
    """States from which a text of the language can be completed, and their rows in the tables of a product.

    accepting: a set of states as the bits of an int: those in which the text may end.
    """

    def __init__(
        self, language: Language, vocabulary_tables: VocabularyTables, product: Product, max_states: int
    ) -> None:
        self._lazy_dfas = vocabulary_tables.lazy_dfas
        self._max_states = max_states
        self._rows, self._loops = product.rows, product.loops
        self._rows.ensure(64)
        self._rows.data[:] = ix.UNBUILT
        self._loops.ensure(64)
        self._numbers: dict[int, int] = {}
        self._lexeme_of: list[int] = []
        self._runs: dict[int, tuple[Run, ...]] = {}
        self.accepting = 0
        self.start = self._number(self._lazy_dfas.state((language,), "text"))

    @property
    def num_states(self) -> int:
        """How many states were met."""
        return len(self._lexeme_of)

    def number_of(self, lexeme: int) -> int:
        """The state that stands for one of the vocabulary tables' states."""
        return self._number(lexeme)

    def lexeme_of(self, q: int) -> int:
        """The vocabulary tables' state that a state stands for."""
        return self._lexeme_of[q]

    def accepts(self, q: int) -> bool:
        """True when the text may end in a state."""
        return bool(self.accepting >> q & 1)

    def build_row(self, q: int) -> None:
        """Make the row of a state."""
        lexeme = self._lexeme_of[q]
        row = self._lazy_dfas.text_row(lexeme)
        starts = np.array([0, *(np.flatnonzero(row[1:] != row[:-1]) + 1).tolist()])
        numbers = [self._number(target) if target >= 0 else ix.DEAD for target in row[starts].tolist()]
        self._rows.data[q] = np.repeat(numbers, np.diff(starts, append=256))
        if self._lazy_dfas.is_between(lexeme):
            self._loops.data[q] = self._lazy_dfas.loops(lexeme)

    def runs(self, q: int) -> tuple[Run, ...]:
        """The bytes that lead on from a state, ascending."""
        found = self._runs.get(q)
        if found is None:
            row = self.row(q)
            starts = [0, *(np.flatnonzero(row[1:] != row[:-1]) + 1).tolist(), 256]
            targets = row[starts[:-1]].tolist()
            runs = zip(starts[:-1], starts[1:], targets, strict=True)
            found = self._runs[q] = tuple([run for run in runs if run[2] != ix.DEAD])
        return found

    def step(self, q: int, text: bytes) -> int | None:
        """The state after some bytes; None when no text goes on so."""
        for byte in text:
            following = int(self.row(q)[byte])
            if following < 0:
                return None
            q = following
        return q

    def reached(self, q: int, most: int) -> set[int] | None:
        """The states that a state leads to, itself included; None if they are more than `most`."""
        found, waiting = {q}, [q]
        while waiting:
            for _, _, target in self.runs(waiting.pop()):
                if target not in found:
                    found.add(target)
                    waiting.append(target)
            if len(found) > most:
                return None
        return found

    def row(self, q: int) -> NDArray[np.int32]:
        """For each byte the state that it leads to, or DEAD; valid until another row is made."""
        row: NDArray[np.int32] = self._rows.data[q]
        if row[0] == ix.UNBUILT:
            self.build_row(q)
            row = self._rows.data[q]
        return row

    def loops(self, q: int) -> int:
        """The byte classes that leave a state as it is."""
        self.row(q)
        return int(self._loops.data[q])

    def _number(self, lexeme: int) -> int:
        q = self._numbers.get(lexeme)
        if q is None:
            q = self._numbers[lexeme] = len(self._lexeme_of)
            if q >= self._max_states:
                raise LimitExceededError("max_automaton_states", self._max_states, "states", "of the regular side")
            self._lexeme_of.append(lexeme)
            if q >= len(self._rows.data):
                self._rows.ensure(2 * len(self._rows.data))
                self._rows.data[q:] = ix.UNBUILT
                self._loops.ensure(len(self._rows.data))
            if self._lazy_dfas.may_end(lexeme):
                self.accepting |= 1 << q
        return q


def members(states: int) -> Iterator[int]:
    """The states of a set that is given as the bits of an int."""
    while states:
        lowest = states & -states
        yield lowest.bit_length() - 1
        states ^= lowest
