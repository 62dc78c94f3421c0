"""`RulesAutomaton`: the grammar's side of a product, as the parts of this package ask it."""

from __future__ import annotations

from ..pushdown.automaton import PushdownAutomaton
from ..pushdown.branches import GENERAL, Branch


class RulesAutomaton(PushdownAutomaton):
    """An automaton of rules that tells its branches."""

    def tokens_by_id(self, branch: Branch) -> set[int]:
        """The tokens that may come in a branch by their ids."""
        if branch.document != GENERAL:
            return set()
        sets = [self.states.token_sets[number] for number, _ in self.states.content[branch.code].tokens]
        return set[int]().union(*sets)
