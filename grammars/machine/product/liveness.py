"""`Liveness`: whether some text completes both a configuration of a grammar and the regular side at q."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import partial

from ...solver import Evaluation, Solver
from ..rules.automaton import PushdownAutomaton
from ..rules.branches import Branch
from ..rules.layout import END_EDGE, FIRST_LABEL
from ..rules.states import LocalItems
from . import layout as ix
from .goals import Goal
from .machines import Workspace
from .relations import Relations
from .summaries import Summaries


class Liveness:
    """The answers for one automaton of rules, where they are exact.

    Inside documents, captures are passed without their texts: `of_branch` says how sure an answer is.
    """

    def __init__(self, automaton: PushdownAutomaton, workspace: Workspace, max_pairs: int) -> None:
        self._automaton = automaton
        self._states = automaton.states
        self._workspace = workspace
        self._dfa = workspace.dfa
        self._max_pairs = max_pairs
        self._summaries = Summaries(automaton, workspace, max_pairs)
        self.relations = Relations(automaton, workspace.dfa, self._summaries)
        self._goals: dict[int, Goal] = {}  # stack with the document's root frame on top -> the `Goal` of that document
        self._known: dict[tuple[int, int, int], bool] = {}
        self._solver: Solver[tuple[int, int, int], bool] = Solver(self._evaluate, False, operator.gt)

    @property
    def num_bytes(self) -> int:
        """Memory of the answers for documents, in bytes."""
        return sum([goal.num_bytes for goal in self._goals.values()])

    def of_branch(self, branch: Branch, q: int) -> int:
        """Return CLEAN, CAPTURING, DOUBTFUL or LOST for a branch of a configuration."""
        if branch.is_in_rules:
            return ix.CLEAN if self.of_state(branch.local_state, branch.stack, q) else ix.LOST
        return self.goal(branch).known(*branch, q)

    def of_walk(self, branch: Branch, pairs: list[tuple[int, int, int, int]]) -> list[int]:
        """Like `of_branch`, for all pairs that a walk from a branch has just found. pairs: as in `Workspace.pairs`.

        PERF: nearly all pairs are in the branch's document, if it is in one, or in rules.
        """
        found = [0] * len(pairs) if branch.is_in_rules else self.goal(branch).of_walk()
        return [known or self.of_branch(Branch(*pair[:2]), pair[2]) for known, pair in zip(found, pairs, strict=True)]

    def goal(self, branch: Branch) -> Goal:
        """Return the goal of a branch's document."""
        root = self._automaton.root_of(branch.stack)
        goal = self._goals.get(root)
        if goal is None:
            state, stack = self._automaton.after_document(root)
            goal = self._goals[root] = Goal(
                self._workspace, self._summaries, partial(self.of_state, state, stack), self._max_pairs
            )
        return goal

    def of_state(self, state: int, stack: int, q: int) -> bool:
        """Return True if some text completes both sides from a local state."""
        key = (state, stack, q)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._find_out(state, stack, q)
        return known

    def _find_out(self, state: int, stack: int, q: int) -> bool:
        content = self._states.item_set(state)
        if content.is_complete and self._dfa.accepts(q):
            return True
        ends = self._ends(content, q)
        return any(self._solver((node, stack, end)) for node, states in ends for end in self._dfa.members(states))

    def _ends(self, content: LocalItems, q: int) -> Iterator[tuple[int, int]]:
        """Yield the GSS nodes after the items of a local state, each with the set of q at the item's end."""
        for lexeme, gss_node in sorted(content.items, key=lambda item: self._must_go_on(item[1])):
            yield gss_node, self.relations.terminal_ends(lexeme, q)
        for token_set, gss_node in content.tokens:
            yield gss_node, self.relations.token_ends(self._states.token_ids(token_set), q)
        for document, gss_node in content.documents:
            yield gss_node, self.relations.document_ends(self._states.document(document), q)

    def _must_go_on(self, gss_node: int) -> bool:
        """Return True if the text can't end with a GSS node. Nodes where it can are tried first."""
        return all(position != END_EDGE for position, _ in self._states.gss_edges(gss_node))

    def _evaluate(self, unknown: tuple[int, int, int]) -> Evaluation[tuple[int, int, int], bool]:
        """Decide whether some text completes both sides from a GSS node over a stack, at a q."""
        gss_node, stack, q = unknown
        for position, then in self._states.gss_edges(gss_node):
            if position == END_EDGE:
                if self._dfa.accepts(q):
                    return True
            elif position >= 0:
                for end in self._dfa.members(self.relations.rest_ends(position, q)):
                    if (yield then, stack, end):
                        return True
            else:
                kept, below = self._automaton.kept_below(stack)
                if (yield kept[FIRST_LABEL - position], below, q):
                    return True
        return False
