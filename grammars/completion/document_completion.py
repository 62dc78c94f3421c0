"""`DocumentCompletion`: the ends of the documents of one schema."""

from __future__ import annotations

from typing import ClassVar

from ..automaton.document_automaton import DocumentAutomaton
from ..automaton.tails import Tail
from ..watch import checkpoint
from .document_distance_bounds import FAR, DocumentDistanceBound
from .documents import DocumentRopes, Trust
from .level_completion import Distance, Group, LevelCompletion
from .ropes import Item, Rope, flatten


class DocumentCompletion(LevelCompletion):
    """See `Completion`."""

    many_tokens: ClassVar[int] = 4

    def __init__(self, automaton: DocumentAutomaton) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self._ropes = DocumentRopes(automaton, self.tools.speller, self.tools.lexeme_ends)
        self._distance_bound = DocumentDistanceBound(automaton, self._ropes, self.tools.lexeme_ends)
        self._most = FAR

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

    def _find_groups(self, config: int) -> list[Group]:
        automaton = self._automaton
        reached = self.tools.walk(self.running.limits).reached(automaton, *automaton.states_at[config])
        distances: list[Distance] = []
        for code, stack, capture in reached.states:
            checkpoint()
            rope, trust = self._ropes.rope(code, stack, None)
            if capture:
                trust = max(trust, self._ropes.trust_after_capture(stack, capture))
            distances.append(self._distance_along(rope, trust, automaton.has_guards))
        return [(reached, distances)]
