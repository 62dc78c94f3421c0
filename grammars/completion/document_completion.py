"""`DocumentCompletion`: the ends of the documents of one schema."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..automaton.document_automaton import DocumentAutomaton
from ..automaton.tails import Tail
from ..bitset import Bitmask, bit
from ..product import layout as ix
from ..watch import checkpoint
from .base import Completion, clear_all_but
from .document_distance_bounds import FAR, DocumentDistanceBound
from .documents import MARGIN, DocumentRopes, Trust
from .levels import MANY_ROWS, Levels, levels_of
from .ropes import Item, Rope, flatten
from .walk import Reached

_MANY_TOKENS = 4  # tokens whose completions depend on the text before that are tried out at one configuration


class DocumentCompletion(Completion):
    """See `Completion`. Tokens are grouped by the state that they lead to."""

    def __init__(self, automaton: DocumentAutomaton) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self._ropes = DocumentRopes(automaton, self.tools.speller, self.tools.lexeme_ends)
        self._distance_bound = DocumentDistanceBound(automaton, self._ropes, self.tools.lexeme_ends)
        self._most = FAR
        self._levels: dict[int, tuple[Levels, list[tuple[Reached, int]]]] = {}
        self._num_rows = 0  # of all kept levels

    def rope(self, config: int, tail: Tail) -> tuple[Rope | None, bool]:
        """See `Completion.rope`."""
        rope, trust = self._ropes.rope(*self._automaton.states_at[config], tail)
        return rope, trust is Trust.SURE and not self._automaton.has_guards

    def guess(self, config: int, tail: Tail) -> int | None:
        """See `Completion.guess`."""
        rope = self._guessed(config, tail)
        return None if rope is None else self.count(rope)

    def _guessed_items(self, config: int, tail: Tail) -> list[Item] | None:
        rope = self._guessed(config, tail)
        return None if rope is None else flatten(rope)

    def _guessed(self, config: int, tail: Tail) -> Rope | None:
        """The shortest way to the end; where the text before leaves none, one that it may rule out."""
        rope, _ = self._ropes.rope(*self._automaton.states_at[config], tail)
        return rope or self._ropes.rope(*self._automaton.states_at[config], None)[0]

    @property
    def knows_all(self) -> bool:
        """See `Completion.knows_all`."""
        return not self._distance_bound.is_new

    def is_far(self, config: int, budget: int) -> bool:
        """See `Completion.is_far`."""
        if not self._distance_bound.is_new:
            return self._most <= budget
        with self.running.lock:
            self._most = self._distance_bound.find()
            return self._most <= budget

    def restrict(self, row: Bitmask, config: int, tail: Tail, budget: int) -> bool:
        """See `Completion.restrict`."""
        with self.running.lock:
            levels, uncertain = self._levels_at(config)
            if levels.highest is not None and levels.highest <= budget:
                return False
            proven = levels.within(budget)
            kept = np.zeros_like(row) if proven is None else proven.copy()
            for token_id in self._proven(row, uncertain, config, tail, budget):
                kept[token_id >> 5] |= bit(token_id)
            for token_id in self.vocabulary_tables.vocabulary.eos_token_ids:
                kept[token_id >> 5] |= bit(token_id)
            return clear_all_but(row, kept)

    def nearest(self, config: int, tail: Tail) -> tuple[int, int] | None:
        """See `Completion.nearest`."""
        return self._levels_at(config)[0].nearest()

    def _levels_at(self, config: int) -> tuple[Levels, list[tuple[Reached, int]]]:
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

    def _find_levels(self, config: int) -> tuple[Levels, list[tuple[Reached, int]]]:
        """The levels of a configuration, and the states whose distance depends on the text before."""
        automaton = self._automaton
        reached = self.tools.walk(self.running.limits).reached(automaton, *automaton.states_at[config])
        distances: list[int | None] = []
        uncertain = []
        for number, (code, stack, capture) in enumerate(reached.states):
            checkpoint()
            rope, trust = self._ropes.rope(code, stack, None)
            distance = None if rope is None else self.count(rope)
            if capture:
                trust = max(trust, self._ropes.trust_after_capture(stack, capture))
            if trust is not Trust.SURE or automaton.has_guards:
                uncertain.append((reached, number))
                distance = None if distance is None or trust is Trust.ONE_TEXT else 2 * distance + MARGIN
            distances.append(distance)
        return levels_of(self.vocabulary_tables, [(reached, distances)]), uncertain

    def _proven(
        self, row: Bitmask, uncertain: Iterable[tuple[Reached, int]], config: int, tail: Tail, budget: int
    ) -> list[int]:
        """Tokens that lead to uncertain states and after which the budget suffices. At most _MANY_TOKENS are tried."""
        asked = self._tokens_of(row, uncertain)
        return [token_id for token_id in asked if self.fits(config, token_id, tail, budget)]

    def _tokens_of(self, row: Bitmask, uncertain: Iterable[tuple[Reached, int]]) -> list[int]:
        found: list[int] = []
        for reached, number in uncertain:
            for node in reached.nodes[reached.states_of == number].tolist():
                for token_id in self.vocabulary_tables.tokens_at(node & (ix.SUBTREE - 1), bool(node & ix.SUBTREE)):
                    if row[token_id >> 5] & bit(token_id):
                        found.append(token_id)
                        if len(found) == _MANY_TOKENS:
                            return found
        return found
