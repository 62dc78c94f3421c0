"""`RulesCompletion`: the ends of the texts of a general grammar."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from ..automaton import layout as at
from ..automaton.tails import Tail
from ..pushdown.automaton import PushdownAutomaton
from ..pushdown.branches import GENERAL, Branch
from .document_distance_bounds import FAR
from .documents import MARGIN, Trust
from .level_completion import LevelCompletion, Uncertain
from .levels import Levels, levels_of
from .ropes import Rope
from .rules import RuleRopes
from .rules_distance_bounds import RulesDistanceBound
from .walk import Reached


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

    def _find_levels(self, config: int) -> tuple[Levels, Uncertain]:
        groups: list[tuple[Reached, list[int | None]]] = []
        uncertain: Uncertain = []
        waiting = [(0, branch) for branch in self._automaton.branches_at(config)]
        seen, walk = set(waiting), self.tools.walk(self.running.limits)
        for node, branch in waiting:
            if branch.document == GENERAL and node == 0:
                groups += self._by_id(branch)
            reached = walk.reached(self._automaton.running(branch), branch.code, branch.stack, node)
            distances = [self._distance_of(branch, state) for state in reached.states]
            groups.append((reached, [distance for distance, _ in distances]))
            uncertain += [(reached, number) for number, (_, is_certain) in enumerate(distances) if not is_certain]
            for below, number in reached.events:
                for begun in self._automaton.begun_inside(branch, *reached.states[number][:2]):
                    if (below, begun) not in seen:
                        seen.add((below, begun))
                        waiting.append((below, begun))
        return levels_of(self.vocabulary_tables, groups), uncertain

    def _distance_of(self, branch: Branch, state: tuple[int, int, int]) -> tuple[int | None, bool]:
        """The distance of a state that a walk from a branch reached, and whether that is the last word on it."""
        code, stack, capture = state
        rope, trust = self.ropes.of_branch(branch._replace(code=code, stack=stack), None)
        distance = None if rope is None else self.count(rope)
        if branch.document == GENERAL:
            return distance, True
        if capture:
            trust = max(trust, self.ropes.of_document(branch).trust_after_capture(stack, capture))
        if trust is Trust.SURE and not self._automaton.document_of(branch).has_guards:
            return distance, True
        return (None if distance is None or trust is Trust.ONE_TEXT else 2 * distance + MARGIN), False

    def _by_id(self, branch: Branch) -> Iterator[tuple[Reached, list[int | None]]]:
        """Tokens that count by their ids, as groups."""
        states = self._automaton.states
        for number, gss_node in states.content[branch.code].tokens:
            entry = states.after(gss_node)
            following = self._automaton.branches_after(*self._automaton.follow_entry(entry, branch.stack))
            found = [self.ropes.of_branch(other, None) for other in following]
            distances = [self.count(rope) for rope, trust in found if rope is not None and trust is not Trust.ONE_TEXT]
            known = [distance for distance in distances if distance is not None]
            token_ids = np.array(sorted(states.token_sets[number]), dtype=np.int32)
            reached = Reached([(0, 0, 0)], -1 - token_ids, np.zeros(len(token_ids), dtype=np.int32), [], [0])
            yield reached, [min(known) if known else None]


def _stack_of(branch: Branch) -> int:
    """The stack of rules under a branch."""
    return branch.stack if branch.document == GENERAL else branch.next_stack
