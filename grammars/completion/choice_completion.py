"""`ChoiceCompletion`: what is left of the strings of a choice."""

from __future__ import annotations

import numpy as np

from ..automaton import layout as at
from ..automaton.tails import Tail
from ..bitset import Bitmask
from ..pushdown.choices import ChoiceAutomaton
from .base import Completion
from .ropes import EMPTY, Rope, best

_MANY_WORDS = 256  # of one configuration, the shortest ones in bytes, are spelled


class ChoiceCompletion(Completion):
    """See `Completion`. Every token of a mask is tried out."""

    def __init__(self, automaton: ChoiceAutomaton) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self._most = automaton.max_length

    def rope(self, config: int, tail: Tail) -> tuple[Rope | None, bool]:
        """See `Completion.rope`."""
        if self._automaton.is_complete_at(config):
            return EMPTY, True
        words, depth = self._automaton.states_at[config]
        low, high = words >> 32, words & at.MASK32
        lengths = self._automaton.word_lengths(low, high)
        shortest = np.argsort(lengths, kind="stable")[:_MANY_WORDS] + low
        left = [self._automaton.word(int(index))[depth:] for index in shortest]
        return best([self.speller.rope(word) for word in left]), True

    def is_far(self, config: int, budget: int) -> bool:
        """See `Completion.is_far`. No string takes more tokens than it has bytes."""
        return self._most <= budget

    def restrict(self, row: Bitmask, config: int, tail: Tail, budget: int) -> bool:
        """See `Completion.restrict`."""
        self.exact.add(config)
        return self.try_out(row, config, tail, budget)
