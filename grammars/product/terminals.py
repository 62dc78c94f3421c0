"""`Terminals`: the byte automata of a grammar's languages, as runs of bytes; made when first met."""

from __future__ import annotations

import numpy as np

from ..automaton import layout as at
from ..automaton.lazy_dfas import LazyDfas
from ..regex.algebra import Language

MAY_END, MUST_END = 1, 2

Run = tuple[int, int, int]
"""First byte, last byte + 1, the state that they lead to."""


class Terminals:
    """What local states ask about the states of terminals.

    known_runs: `runs` by state, as far as they were asked for. ends: for these and all that they lead to, 0 where the
    text can't end, MAY_END where it can, MUST_END where it can't go on.
    """

    def __init__(self, lexemes: LazyDfas) -> None:
        self._lazy_dfas = lexemes
        self.known_runs: dict[int, tuple[Run, ...]] = {}
        self.ends: dict[int, int] = {}

    def first(self, language: Language) -> int:
        """The state before a text of a language."""
        return self._lazy_dfas.state((language,), "text")

    def runs(self, state: int) -> tuple[Run, ...]:
        """The bytes that lead on from a state; ascending."""
        found = self.known_runs.get(state)
        if found is None:
            row = self._lazy_dfas.text_row(state)
            starts = [0, *(np.flatnonzero(row[1:] != row[:-1]) + 1).tolist(), 256]
            targets = row[starts[:-1]].tolist()
            runs = zip(starts[:-1], starts[1:], targets, strict=True)
            found = self.known_runs[state] = tuple([run for run in runs if run[2] != at.DEAD])
            for target in targets:
                if target >= 0 and target not in self.ends:
                    may_end, must_end = self._lazy_dfas.may_end(target), self._lazy_dfas.must_end(target)
                    self.ends[target] = MUST_END if must_end else MAY_END if may_end else 0
        return found

    def is_between(self, state: int) -> bool:
        """True between characters."""
        return self._lazy_dfas.is_between(state)

    def loops(self, state: int) -> int:
        """The byte classes that leave a state between characters as it is."""
        self._lazy_dfas.text_row(state)
        return self._lazy_dfas.loops(state)
