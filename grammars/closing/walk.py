"""`TokenWalk`: to which state of a machine each token leads, all tokens of one state at once.

The walk is that of intersections (`intersection/steps.py`), beside a regular side that allows every text.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..automaton.lexicon import Lexicon
from ..intersection import layout as ix
from ..intersection.machines import Registers, RunMachine, Served
from ..intersection.steps import begin_walk, walk
from ..limits import Limits
from ..regex import algebra as lang


class Reached(NamedTuple):
    """states: the different (code, stack, capture) that tokens lead to; capture: 0 where no text was passed that may
    decide what follows. nodes: nodes of the vocabulary's trie, with ix.SUBTREE where all tokens below count, else those
    that end there; or -1 - token id. states_of: for each node the number of its state. events: (node, state) where a
    document ends inside of tokens, or may begin. regular: for each state that of the regular side.
    """

    states: list[tuple[int, int, int]]
    nodes: NDArray[np.int32]
    states_of: NDArray[np.int32]
    events: list[tuple[int, int]]
    regular: list[int]


class TokenWalk:
    """Walks of one lexicon's vocabulary. Called under the lexicon's lock.

    language: of the regular side beside the machine; None: every text.
    """

    def __init__(self, lexicon: Lexicon, limits: Limits, language: lang.Language | None = None) -> None:
        self._registers = Registers(language or lang.ANYTHING, lexicon, limits)
        self.dfa = self._registers.dfa
        for column in self._registers.block.columns if language is None else ():
            if column.field == ix.X_ROWS:
                column.data[:256] = 0  # one state, which every byte leads back to, in the middle of characters, too
            elif column.field == ix.X_LOOPS:
                column.data[0] = -1

    def bound(self, limits: Limits) -> None:
        """Let these limits hold for the walks from now on."""
        self._registers.limits = limits

    def reached(self, automaton: Served, kind: int, code: int, stack: int, node: int = 0, q: int = 0) -> Reached:
        """Where the tokens under a node of the trie lead from a state there. kind: OF_RULES or OF_DOCUMENTS."""
        registers = self._registers
        machine = RunMachine(automaton, registers)
        begin_walk(registers.block.address, node, code, stack, q)
        watch = None
        while walk(kind, automaton.block.address, registers.block.address) < 0:
            need = int(registers.block.fields[ix.X_NEED])
            if need == ix.NEED_ROOM:
                registers.make_room()
            else:
                watch = watch or registers.watch()
                machine.serve(need, watch)
        return self._collect()

    def _collect(self) -> Reached:
        """What the walk found."""
        pairs = self._registers.pairs()[:, :4].tolist()
        states = [(code, stack, capture) for code, stack, _, capture in pairs]
        tokens = self._registers.tokens()
        events = [(node, state) for node, state in self._registers.events().tolist()]
        return Reached(states, tokens[:, 0].copy(), tokens[:, 1].copy(), events, [q for _, _, q, _ in pairs])
