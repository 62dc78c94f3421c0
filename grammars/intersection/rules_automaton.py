"""`RulesAutomaton`: the grammar's side of an intersection, as the parts of this package ask it."""

from __future__ import annotations

from ..automaton.automaton import Config
from ..pushdown.automaton import PushdownAutomaton, worlds_of
from ..pushdown.documents import EmbeddedAutomaton
from ..pushdown.worlds import GENERAL, World


class RulesAutomaton(PushdownAutomaton):
    """An automaton of rules that tells its worlds."""

    def top_frame(self, stack: int) -> tuple[int, int]:
        """The frame on top of a stack that is not empty, and the stack without it."""
        return self._stack.top(stack)

    def worlds_at(self, place: Config) -> tuple[World, ...]:
        """The worlds of a place; where there is one local state, that."""
        return worlds_of(place) or (World(GENERAL, place.code, place.stack),)

    def worlds_after(self, state: int, stack: int) -> tuple[World, ...]:
        """The worlds that begin at a local state."""
        return self._worlds.begun(state, stack)

    def document_of(self, world: World) -> EmbeddedAutomaton:
        """The machine of a world's document."""
        return self._worlds.machine(world.document)

    def tokens_by_id(self, world: World) -> set[int]:
        """The tokens that may come in a world by their ids."""
        if world.document != GENERAL:
            return set()
        sets = [self.states.token_sets[number] for number, _ in self.states.content[world.code].tokens]
        return set[int]().union(*sets)
