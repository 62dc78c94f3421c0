"""`RulesAutomaton`: the grammar's side of an intersection, as the parts of this package ask it."""

from __future__ import annotations

from ..pushdown.automaton import PushdownAutomaton
from ..pushdown.worlds import GENERAL, World


class RulesAutomaton(PushdownAutomaton):
    """An automaton of rules that tells its worlds."""

    def tokens_by_id(self, world: World) -> set[int]:
        """The tokens that may come in a world by their ids."""
        if world.document != GENERAL:
            return set()
        sets = [self.states.token_sets[number] for number, _ in self.states.content[world.code].tokens]
        return set[int]().union(*sets)
