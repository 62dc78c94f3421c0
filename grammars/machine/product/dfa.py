"""`ProductDfa`: the byte automaton of the regular side: text states of the vocabulary tables, and sets of them.

A state is a number of `LazyDfas`. A set of states is an int with one bit for each state. The first state that enters a
set gets bit 0, the next one bit 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ...errors import LimitExceededError
from ...regex.algebra import Language
from .. import layout as at
from ..lexemes.lazy_dfas import LazyDfas

Run = tuple[int, int, int]
"""First byte, last byte + 1, and the state that they lead to."""


class ProductDfa:
    """The states of the regular side that lead to some text of the language.

    language: the language; None for every text, also texts that are not UTF-8.
    max_states: maximum number of rows made, and of states in sets.
    start: state of the empty text.
    accepting: the set of accepting states, among the states that are in any set.
    """

    def __init__(self, language: Language | None, lazy_dfas: LazyDfas, max_states: int) -> None:
        self._lazy_dfas, self._rows = lazy_dfas, lazy_dfas.dfa.rows
        self._max_states = max_states
        self._num_rows = 0  # number of rows made
        self._runs: dict[int, tuple[Run, ...]] = {}
        self._bits: dict[int, int] = {}  # state -> the set with only this state
        self._states: list[int] = []  # bit -> state
        self.accepting = 0
        self.start = lazy_dfas.of_all_bytes if language is None else lazy_dfas.state((language,), "text")

    def accepts(self, q: int) -> bool:
        """Return True if the text may end in a state."""
        return self._lazy_dfas.may_end(q)

    def build_row(self, q: int) -> None:
        """Make the row of a state. Raises LimitExceededError."""
        self._num_rows += 1
        self._check(self._num_rows)
        self._lazy_dfas.build_row(q)

    def row(self, q: int) -> NDArray[np.int32]:
        """Return the next state by each byte, or DEAD. Valid until another row is made."""
        if self._rows.data.item(q, 0) == at.UNBUILT:
            self.build_row(q)
        row: NDArray[np.int32] = self._rows.data[q]
        return row

    def runs(self, q: int) -> tuple[Run, ...]:
        """Return the runs of bytes that lead on from a state, ascending."""
        found = self._runs.get(q)
        if found is None:
            row = self.row(q)
            starts = [0, *(np.flatnonzero(row[1:] != row[:-1]) + 1).tolist(), 256]
            targets = row[starts[:-1]].tolist()
            runs = zip(starts[:-1], starts[1:], targets, strict=True)
            found = self._runs[q] = tuple([run for run in runs if run[2] != at.DEAD])
        return found

    def step(self, q: int, text: bytes) -> int | None:
        """Return the state after some bytes; None if no text goes on like this."""
        for byte in text:
            following = int(self.row(q)[byte])
            if following < 0:
                return None
            q = following
        return q

    def bit(self, q: int) -> int:
        """Return the set of one state. Raises LimitExceededError."""
        found = self._bits.get(q)
        if found is None:
            found = self._bits[q] = 1 << len(self._states)
            self._states.append(q)
            self._check(len(self._states))
            if self.accepts(q):
                self.accepting |= found
        return found

    def set_of(self, states: Iterable[int | None]) -> int:
        """Return the set of some states; None among them is ignored."""
        found = 0
        for q in states:
            found |= 0 if q is None else self.bit(q)
        return found

    def members(self, states: int) -> Iterator[int]:
        """Yield the states of a set, those where the text may end first: searches for an end try these first."""
        for part in (states & self.accepting, states & ~self.accepting):
            while part:
                lowest = part & -part
                yield self._states[lowest.bit_length() - 1]
                part ^= lowest

    def _check(self, count: int) -> None:
        if count > self._max_states:
            raise LimitExceededError("max_automaton_states", self._max_states, "states", "of the regular side")
