"""`RulesCompletion`: the ends of the texts of a general grammar."""

from __future__ import annotations

from collections.abc import Iterator

from ..automaton.tails import Tail
from ..product.machines import Reached
from ..pushdown.automaton import PushdownAutomaton
from ..pushdown.branches import Branch
from .base import Completion
from .distance_bounds import RulesDistanceBound
from .levels import Group, of_tokens
from .ropes import Rope, Trust
from .rules import RuleRopes


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
        branches = self._automaton.branches_at(config)
        return all(self._bound.most + self._bound.below(branch.stack) <= budget for branch in branches)

    def _after_walk(self, code: int, stack: int, q: int, capture: int) -> tuple[Rope | None, Trust]:
        return self.ropes.after_walk(code, stack, capture)

    def _reached(self, config: int) -> Iterator[Reached]:
        branches, walks = self._automaton.branches, self._walks
        for _, reached in walks.from_branches(branches, self._automaton.branches_at(config), walks.dfa.start):
            yield reached

    def _find_groups(self, config: int) -> Iterator[Group]:
        for branch in self._automaton.branches_at(config):
            if branch.is_in_rules:
                yield from self._by_id(branch)
        yield from super()._find_groups(config)

    def _by_id(self, branch: Branch) -> Iterator[Group]:
        """Tokens that count by their ids."""
        states = self._automaton.states
        for number, gss_node in states.item_set(branch.local_state).tokens:
            entry = states.after(gss_node)
            following = self._automaton.branches.at(*self._automaton.follow_entry(entry, branch.stack))
            yield of_tokens(sorted(states.token_ids(number))), [self.ropes.of_branches(following, None)]
