"""`ChoiceCompletion`: what is left of the strings of a choice."""

from __future__ import annotations

import numpy as np

from ..automaton import layout as at
from ..automaton.automaton import Config
from ..automaton.tables import Tail
from ..bitset import Bitmask
from ..pushdown.choices import ChoiceAutomaton
from .base import Completion
from .ropes import EMPTY, Rope, best

_MANY_WORDS = 256  # of one configuration, the shortest ones in bytes, are spelled


class ChoiceCompletion(Completion[Config]):
    """See `Completion`. Every token of a mask is tried out."""

    def __init__(self, automaton: ChoiceAutomaton) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self._most = automaton.max_length

    def is_complete(self, config: Config) -> bool:
        """See `Completion.is_complete`."""
        return config.is_complete

    def rope(self, config: Config, tail: Tail) -> tuple[Rope | None, bool]:
        """See `Completion.rope`."""
        if config.is_complete:
            return EMPTY, True
        low, high = config.code >> 32, config.code & at.MASK32
        lengths = self._automaton.word_lengths(low, high)
        shortest = np.argsort(lengths, kind="stable")[:_MANY_WORDS] + low
        words = [self._automaton.word(int(index))[config.stack :] for index in shortest]
        return best([self.speller.rope(word) for word in words]), True

    def is_far(self, config: Config, budget: int) -> bool:
        """See `Completion.is_far`. No string takes more tokens than it has bytes."""
        return self._most <= budget

    def restrict(self, row: Bitmask, config: Config, tail: Tail, budget: int) -> bool:
        """See `Completion.restrict`."""
        return self.try_out(row, config, tail, budget)
