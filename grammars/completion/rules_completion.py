"""`RulesCompletion`: the ends of the texts of a general grammar."""

from __future__ import annotations

from collections.abc import Iterator

from ..automaton import layout as at
from ..automaton.tails import Tail
from ..pushdown.automaton import PushdownAutomaton
from ..pushdown.branches import GENERAL, Branch
from .base import Completion
from .distance_bounds import RulesDistanceBound
from .levels import Group
from .ropes import Rope, Trust
from .rules import RuleRopes
from .walk import of_tokens, walks_from


class RulesCompletion(Completion):
    """See `Completion`. States that tokens lead to are those of branches."""

    def __init__(self, automaton: PushdownAutomaton) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self.ropes = RuleRopes(automaton, self.tools)
        self._bound: RulesDistanceBound = RulesDistanceBound(automaton, self.ropes, self.tools)

    def rope(self, config: int, tail: Tail | None) -> tuple[Rope | None, Trust]:
        """See `Completion.rope`."""
        return self.ropes.of_branches(self._automaton.branches_at(config), tail)

    def is_far(self, config: int, budget: int) -> bool:
        """See `Completion.is_far`."""
        if not super().is_far(config, budget):
            return False
        state = self._automaton.states_at[config]
        if isinstance(state, int) and state & at.MASK32 == 0:
            return True
        branches = self._automaton.branches_at(config)
        return all(self._bound.most + self._bound.below(_stack_of(branch)) <= budget for branch in branches)

    def _find_groups(self, config: int) -> Iterator[Group]:
        branches, walk = self._automaton.branches_at(config), self.tools.walk(self.running.limits)
        for branch in branches:
            if branch.document == GENERAL:
                yield from self._by_id(branch)
        for branch, reached in walks_from(self._automaton.branches, branches, walk):
            yield reached, [self.ropes.after_walk(branch, *state) for state in reached.states]

    def _by_id(self, branch: Branch) -> Iterator[Group]:
        """Tokens that count by their ids."""
        states = self._automaton.states
        for number, gss_node in states.item_set(branch.code).tokens:
            entry = states.after(gss_node)
            following = self._automaton.branches.begun(*self._automaton.follow_entry(entry, branch.stack))
            yield of_tokens(sorted(states.token_sets[number])), [self.ropes.of_branches(following, None)]


def _stack_of(branch: Branch) -> int:
    """The stack of rules under a branch."""
    return branch.stack if branch.document == GENERAL else branch.next_stack
