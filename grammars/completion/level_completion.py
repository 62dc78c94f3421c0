"""`LevelCompletion`: completions that look at all tokens of a configuration at once, by the states they lead to."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from ..automaton.running import RunningAutomaton
from ..automaton.tails import Tail
from ..bitset import Bitmask, bit
from ..product import layout as ix
from .base import Completion, clear_all_but
from .levels import MANY_ROWS, Levels
from .walk import Reached

Uncertain = list[tuple[Reached, int]]
"""States, by their numbers in what a walk reached, whose distance depends on the text before."""


class LevelCompletion(Completion):
    """See `Completion`. many_tokens: that lead to uncertain states are tried out at one configuration, the first."""

    many_tokens: ClassVar[int]

    def __init__(self, automaton: RunningAutomaton[Any]) -> None:
        super().__init__(automaton)
        self._levels: dict[int, tuple[Levels, Uncertain]] = {}
        self._num_rows = 0  # of all kept levels

    @abstractmethod
    def _find_levels(self, config: int) -> tuple[Levels, Uncertain]:
        """The levels of a configuration, and the states that its tokens lead to whose distance is uncertain."""

    def nearest(self, config: int, tail: Tail) -> tuple[int, int] | None:
        """See `Completion.nearest`."""
        return self._levels_at(config)[0].nearest()

    def restrict(self, row: Bitmask, config: int, tail: Tail, budget: int) -> bool:
        """See `Completion.restrict`."""
        with self.running.lock:
            levels, uncertain = self._levels_at(config)
            if levels.highest is not None and levels.highest <= budget:
                return False
            proven = levels.within(budget)
            kept = np.zeros_like(row) if proven is None else proven.copy()
            for token_id in self._tokens_to(uncertain, row & ~kept):
                if self.fits(config, token_id, tail, budget):
                    kept[token_id >> 5] |= bit(token_id)
            for token_id in self.vocabulary_tables.vocabulary.eos_token_ids:
                kept[token_id >> 5] |= bit(token_id)
            return clear_all_but(row, kept)

    def _levels_at(self, config: int) -> tuple[Levels, Uncertain]:
        """What `_find_levels` finds; kept for some configurations."""
        found = self._levels.get(config)
        if found is None:
            if self._num_rows >= MANY_ROWS:
                self._levels.clear()
                self._num_rows = 0
            found = self._levels[config] = self._find_levels(config)
            self._num_rows += len(found[0].rows)
            self._note(config, found[0], is_exact=not found[1])
        return found

    def _tokens_to(self, uncertain: Uncertain, row: Bitmask) -> list[int]:
        """The first `many_tokens` tokens of a row that lead to some states."""
        found: list[int] = []
        for reached, number in uncertain:
            for node in reached.nodes[reached.states_of == number].tolist():
                for token_id in self.vocabulary_tables.tokens_at(node & (ix.SUBTREE - 1), bool(node & ix.SUBTREE)):
                    if row[token_id >> 5] & bit(token_id):
                        found.append(token_id)
                        if len(found) == self.many_tokens:
                            return found
        return found
