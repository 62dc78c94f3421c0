"""`TokenWalk`: to which state of a machine each token leads, all tokens of one state at once.

The walk is that of products (`product/steps.py`), beside a regular side that allows every text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..automaton.vocabulary_tables import VocabularyTables
from ..limits import Limits
from ..product.machines import RunMachine, Served, Workspace
from ..product.steps import begin_walk, walk
from ..pushdown.branches import Branch, Branches
from ..regex import algebra as lang


class Reached(NamedTuple):
    """states: the different (code, stack, capture) that tokens lead to; capture: 0 where no text was passed that may
    decide what follows. nodes: nodes of the vocabulary's trie, with ix.SUBTREE where all tokens below count, else those
    that end there; or -1 - token id. states_of: for each node the number of its state. forks: (node, state) where
    documents may begin beside something else. regular: for each state that of the regular side.
    """

    states: list[tuple[int, int, int]]
    nodes: NDArray[np.int32]
    states_of: NDArray[np.int32]
    forks: list[tuple[int, int]]
    regular: list[int]


def of_tokens(token_ids: Sequence[int], states_of: Sequence[int] | None = None) -> Reached:
    """Tokens without a walk, with the numbers of the states that they lead to; without these all lead to one."""
    nodes, numbers = -1 - np.array(token_ids, dtype=np.int32), np.zeros(len(token_ids), dtype=np.int32)
    if states_of is not None:
        numbers[:] = states_of
    return Reached([], nodes, numbers, [], [])


class TokenWalk:
    """Walks of the tables of one vocabulary' vocabulary. Called under the lock of the vocabulary tables.

    language: of the regular side beside the machine; None: every text.
    """

    def __init__(
        self, vocabulary_tables: VocabularyTables, limits: Limits, language: lang.Language | None = None
    ) -> None:
        self._workspace = Workspace(language, vocabulary_tables, limits)

    def bound(self, limits: Limits) -> None:
        """Let these limits hold for the walks from now on."""
        self._workspace.limits = limits

    def reached(self, automaton: Served, code: int, stack: int, node: int = 0, q: int | None = None) -> Reached:
        """Where the tokens under a node of the trie lead from a state there.

        q: the state of the regular side there; None: its first one.
        """
        workspace, product = self._workspace, self._workspace.product
        machine = RunMachine(automaton, workspace)
        begin_walk(product.address, node, code, stack, workspace.dfa.start if q is None else q)
        machine.requests.run(lambda: walk(machine.address, product.address))
        return self._collect()

    def _collect(self) -> Reached:
        """What the walk found."""
        pairs = self._workspace.pairs().tolist()
        states = [(code, stack, capture) for code, stack, _, capture in pairs]
        tokens = self._workspace.tokens()
        nodes, states_of = tokens["node"].copy(), tokens["pair"].copy()
        return Reached(states, nodes, states_of, self._workspace.forks().tolist(), [q for _, _, q, _ in pairs])


def walks_from(
    branches: Branches, starts: Iterable[Branch], walk: TokenWalk, q: int | None = None
) -> Iterator[Reached]:
    """Where all tokens lead from some branches: what walks reached from each, also from those that begin inside of
    tokens. q: as in `TokenWalk.reached`."""
    waiting = [(0, branch, q) for branch in starts]
    seen = set(waiting)
    for node, branch, q in waiting:
        reached = walk.reached(branches.automaton, *branch, node, q)
        yield reached
        for below, number in reached.forks:
            for begun in branches.beside(Branch(*reached.states[number][:2])):
                item = (below, begun, reached.regular[number])
                if item not in seen:
                    seen.add(item)
                    waiting.append(item)
