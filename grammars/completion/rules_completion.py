"""`RulesCompletion`: the ends of the texts of a general grammar."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ..automaton import layout as at
from ..automaton.tails import Tail
from ..pushdown.automaton import PushdownAutomaton
from ..pushdown.branches import GENERAL, Branch
from .document_distance_bounds import FAR
from .documents import Trust
from .level_completion import Distance, Group, LevelCompletion
from .ropes import Rope
from .rules import RuleRopes
from .rules_distance_bounds import RulesDistanceBound
from .walk import of_tokens, walks_from


class RulesCompletion(LevelCompletion):
    """See `Completion`. States that tokens lead to are those of branches."""

    many_tokens: ClassVar[int] = 16

    def __init__(self, automaton: PushdownAutomaton) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self.ropes = RuleRopes(automaton, self.tools)
        self._distance_bound = RulesDistanceBound(automaton, self.ropes, self.tools)
        self._most = FAR

    def rope(self, config: int, tail: Tail) -> tuple[Rope | None, bool]:
        """See `Completion.rope`."""
        rope, is_sure = self.ropes.of_branches(self._automaton.branches_at(config), tail)
        return rope, is_sure and not self._automaton.has_guards

    @property
    def knows_all(self) -> bool:
        """See `Completion.knows_all`."""
        return not self._distance_bound.is_new

    def is_far(self, config: int, budget: int) -> bool:
        """See `Completion.is_far`."""
        if self._distance_bound.is_new:
            with self.running.lock:
                self._most = self._distance_bound.find()
        if self._most > budget:
            return False
        state = self._automaton.states_at[config]
        if isinstance(state, int) and state & at.MASK32 == 0:
            return True
        branches = self._automaton.branches_at(config)
        return all(self._most + self._distance_bound.below(_stack_of(branch)) <= budget for branch in branches)

    def _find_groups(self, config: int) -> Iterator[Group]:
        branches, walk = self._automaton.branches_at(config), self.tools.walk(self.running.limits)
        for branch in branches:
            if branch.document == GENERAL:
                yield from self._by_id(branch)
        for branch, reached in walks_from(self._automaton.branches, branches, walk):
            yield reached, [self._distance_of(branch, state) for state in reached.states]

    def _distance_of(self, branch: Branch, state: tuple[int, int, int]) -> Distance:
        """The distance of a state that a walk from a branch reached."""
        code, stack, capture = state
        rope, trust = self.ropes.of_branch(branch._replace(code=code, stack=stack), None)
        if branch.document == GENERAL:
            return (None if rope is None else self.count(rope)), True
        if capture:
            trust = max(trust, self.ropes.of_document(branch).trust_after_capture(stack, capture))
        return self._distance_along(rope, trust, self._automaton.branches.machine(branch.document).has_guards)

    def _by_id(self, branch: Branch) -> Iterator[Group]:
        """Tokens that count by their ids."""
        states = self._automaton.states
        for number, gss_node in states.item_set(branch.code).tokens:
            entry = states.after(gss_node)
            following = self._automaton.branches.begun(*self._automaton.follow_entry(entry, branch.stack))
            found = [self.ropes.of_branch(other, None) for other in following]
            distances = [self.count(rope) for rope, trust in found if rope is not None and trust is not Trust.ONE_TEXT]
            known = [distance for distance in distances if distance is not None]
            yield of_tokens(states.token_sets[number]), [(min(known, default=None), True)]


def _stack_of(branch: Branch) -> int:
    """The stack of rules under a branch."""
    return branch.stack if branch.document == GENERAL else branch.next_stack
