"""`LevelCompletion`: completions that look at all tokens of a configuration at once, by the states they lead to."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from ..automaton.running import RunningAutomaton
from ..automaton.tails import Tail
from ..bitset import Bitmask, allowed_token_ids, bit
from .base import Completion, clear_all_but
from .documents import MARGIN, Trust
from .levels import MANY_ROWS, Levels, levels_of
from .ropes import Rope
from .walk import Reached

Distance = tuple[int | None, bool]
"""How many tokens a state needs, None where that is not known; and whether it needs that many whatever the text before
is."""

Group = tuple[Reached, list[Distance]]
"""What a walk reached, with the distance of each state."""


class LevelCompletion(Completion):
    """See `Completion`. many_tokens: that lead to states of uncertain distance are tried out at one configuration."""

    many_tokens: ClassVar[int]

    def __init__(self, automaton: RunningAutomaton[Any]) -> None:
        super().__init__(automaton)
        self._levels: dict[int, tuple[Levels, Bitmask | None]] = {}
        self._num_rows = 0  # of all kept levels

    @abstractmethod
    def _find_groups(self, config: int) -> Iterable[Group]:
        """Where all tokens lead from a configuration."""

    def _distance_along(self, rope: Rope | None, trust: Trust, has_guards: bool) -> Distance:
        """The distance of a state of a document from which a rope is the way to the end, for the texts that `trust`
        says."""
        distance = None if rope is None else self.count(rope)
        if trust is Trust.SURE and not has_guards:
            return distance, True
        return (None if distance is None or trust is Trust.ONE_TEXT else 2 * distance + MARGIN), False

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
            if uncertain is not None:
                self._keep_uncertain(kept, row & uncertain & ~kept, config, tail, budget)
            for token_id in self._end_token_ids:
                kept[token_id >> 5] |= bit(token_id)
            return clear_all_but(row, kept)

    def _keep_uncertain(self, kept: Bitmask, uncertain: Bitmask, config: int, tail: Tail, budget: int) -> None:
        """Keep those of the allowed tokens with uncertain distances that fit, of the first `many_tokens`."""
        token_ids = allowed_token_ids(uncertain, self.vocabulary_tables.vocabulary.size)
        for token_id in token_ids[: self.many_tokens].tolist():
            if self.fits(config, token_id, tail, budget):
                kept[token_id >> 5] |= bit(token_id)

    def restrict_exactly(self, row: Bitmask, config: int, budget: int) -> bool | None:
        """See `Completion.restrict_exactly`."""
        found = self._levels.get(config)
        if found is None:
            return None
        levels, _ = found
        if levels.highest is not None and levels.highest <= budget:
            return False
        proven = levels.within(budget)
        if proven is None:
            return None
        kept = row & proven
        for token_id in self._end_token_ids:
            kept[token_id >> 5] |= row[token_id >> 5] & bit(token_id)
        if not kept.any():
            return None
        if kept.tobytes() == row.tobytes():
            return False
        row[:] = kept
        return True

    def _levels_at(self, config: int) -> tuple[Levels, Bitmask | None]:
        """The levels of a configuration, and the tokens that lead to states of uncertain distance, None where there are
        none; kept for some configurations."""
        found = self._levels.get(config)
        if found is None:
            if self._num_rows >= MANY_ROWS:
                self._levels.clear()
                self._num_rows = 0
            found = self._levels[config] = self._find_levels(config)
            self._num_rows += len(found[0].rows)
            self._note(config, found[0], is_exact=found[1] is None)
        return found

    def _find_levels(self, config: int) -> tuple[Levels, Bitmask | None]:
        """As `_levels_at`."""
        groups = list(self._find_groups(config))
        levels = levels_of(
            self.vocabulary_tables, [(reached, [distance for distance, _ in found]) for reached, found in groups]
        )
        uncertain = [
            (reached, [None if is_certain else 0 for _, is_certain in found])
            for reached, found in groups
            if not all(is_certain for _, is_certain in found)
        ]
        return levels, levels_of(self.vocabulary_tables, uncertain).within(0) if uncertain else None
