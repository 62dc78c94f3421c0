"""`DocumentClosing`: the ends of the documents of one schema."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..automaton.document_automaton import DocumentAutomaton
from ..automaton.tables import Tail
from ..bitset import Bitmask
from ..intersection import layout as ix
from ..limits import Limits
from ..watch import checkpoint
from .base import Closing, bit, clear_all_but
from .ceilings import FAR, DocumentCeiling
from .documents import MARGIN, DocumentRopes, Trust
from .levels import Levels, levels_of
from .ropes import Item, Rope, flatten
from .walk import Reached

_MANY_TOKENS = 16  # tokens whose completions depend on the text before that are tried out at one place
_MANY_LEVELS = 64  # places whose levels are kept


class DocumentClosing(Closing[int]):
    """See `Closing`. Tokens are grouped by the state that they lead to."""

    def __init__(self, automaton: DocumentAutomaton, limits: Limits) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self._ropes = DocumentRopes(automaton, self.tools.speller, self.tools.lexeme_ends)
        self._ceiling = DocumentCeiling(automaton, self._ropes, self.tools.lexeme_ends)
        self._limits = limits
        self._most = FAR
        self._highest: dict[int, int | None] = {}
        self._levels: dict[int, tuple[Levels, list[tuple[Reached, int]]]] = {}

    def is_complete(self, place: int) -> bool:
        """See `Closing.is_complete`."""
        return self._automaton.is_complete_at(place)

    def rope(self, place: int, tail: Tail) -> tuple[Rope | None, bool]:
        """See `Closing.rope`."""
        rope, trust = self._ropes.rope(*self._automaton.states[place], tail)
        return rope, trust is Trust.SURE and not self._automaton.has_guards

    def guess(self, place: int, tail: Tail) -> int | None:
        """See `Closing.guess`."""
        rope = self._guessed(place, tail)
        return None if rope is None else self.count(rope)

    def _guessed_items(self, place: int, tail: Tail) -> list[Item] | None:
        rope = self._guessed(place, tail)
        return None if rope is None else flatten(rope)

    def _guessed(self, place: int, tail: Tail) -> Rope | None:
        """The shortest way to the end; where the text before leaves none, one that it may rule out."""
        rope, _ = self._ropes.rope(*self._automaton.states[place], tail)
        return rope or self._ropes.rope(*self._automaton.states[place], None)[0]

    @property
    def knows_all(self) -> bool:
        """See `Closing.knows_all`."""
        return not self._ceiling.is_new

    def is_far(self, place: int, budget: int) -> bool:
        """See `Closing.is_far`."""
        if not self._ceiling.is_new:
            return self._most <= budget
        with self.running.lock:
            self._most = self._ceiling.find()
            return self._most <= budget

    def restrict(self, row: Bitmask, place: int, tail: Tail, budget: int) -> bool:
        """See `Closing.restrict`."""
        with self.running.lock:
            highest = self._highest.get(place)
            if highest is not None and highest <= budget:
                return False
            levels, uncertain = self._levels_at(place)
            self._highest[place] = levels.highest
            if levels.highest is not None and levels.highest <= budget:
                return False
            proven = levels.within(budget)
            kept = np.zeros_like(row) if proven is None else proven.copy()
            for token_id in self._proven(row, uncertain, place, tail, budget):
                kept[token_id >> 5] |= bit(token_id)
            for token_id in self.lexicon.vocabulary.eos_token_ids:
                kept[token_id >> 5] |= bit(token_id)
            return clear_all_but(row, kept)

    def nearest(self, place: int, tail: Tail) -> tuple[int, int] | None:
        """See `Closing.nearest`."""
        return self._levels_at(place)[0].nearest()

    def _levels_at(self, place: int) -> tuple[Levels, list[tuple[Reached, int]]]:
        """What `_find_levels` finds, of some places kept."""
        if place not in self._levels:
            if len(self._levels) >= _MANY_LEVELS:
                self._levels.clear()
            self._levels[place] = self._find_levels(place)
        return self._levels[place]

    def _find_levels(self, place: int) -> tuple[Levels, list[tuple[Reached, int]]]:
        """The levels of a place, and the states whose need depends on the text before."""
        automaton = self._automaton
        reached = self.tools.walk(self._limits).reached(automaton, ix.OF_DOCUMENTS, *automaton.states[place])
        needs: list[int | None] = []
        uncertain = []
        for number, (code, stack, capture) in enumerate(reached.states):
            checkpoint()
            rope, trust = self._ropes.rope(code, stack, None)
            need = None if rope is None else self.count(rope)
            if capture:
                trust = max(trust, self._ropes.trust_after_capture(stack, capture))
            if trust is not Trust.SURE or automaton.has_guards:
                uncertain.append((reached, number))
                need = None if need is None or trust is Trust.ONE_TEXT else 2 * need + MARGIN
            needs.append(need)
        return levels_of(self.lexicon, [(reached, needs)]), uncertain

    def _proven(
        self, row: Bitmask, uncertain: Iterable[tuple[Reached, int]], place: int, tail: Tail, budget: int
    ) -> list[int]:
        """Of the tokens that lead to uncertain states some whose need is within a budget."""
        asked = self._tokens_of(row, uncertain)
        return [token_id for token_id in asked if self.fits(place, token_id, tail, budget)]

    def _tokens_of(self, row: Bitmask, uncertain: Iterable[tuple[Reached, int]]) -> list[int]:
        found: list[int] = []
        for reached, number in uncertain:
            for node in reached.nodes[reached.states_of == number].tolist():
                for token_id in self.lexicon.tokens_at(node & (ix.SUBTREE - 1), bool(node & ix.SUBTREE)):
                    if row[token_id >> 5] & bit(token_id):
                        found.append(token_id)
                        if len(found) == _MANY_TOKENS:
                            return found
        return found
