"""`Insides`: the tokens inside of a string or a name, by the state of the regular side that they lead to.

Where some kinds of bytes leave the machine as it is, as in a string, only the regular side moves. What it does with
tokens of such bytes depends on nothing else, and is kept. A regular side that only counts characters, as for a
bounded length, has a new state at each of them; for these the tokens are kept by their number of characters.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..automaton.lexicon import Lexicon
from ..automaton.memory import address
from ..automaton.trie import KINDS
from . import layout as ix
from .inside_walks import begin_inside, fill_rows, walk_inside
from .machines import Registers

LARGE = 2048  # tokens under a node at which insides are used. PERF: a guess
_MAX_BYTES = 8_000_000  # of those of one grammar
_MAX_COUNTED = 24  # of those that count, for one vocabulary; 1 MB each
_MOST = 255  # characters of a token that are counted


@dataclass(frozen=True)
class Inside:
    """states: int32 (n,), the q that tokens of the kinds of bytes lead to, or numbers of characters.

    rows: int32 (n, W), the tokens for each. exits: int32 (., 2), nodes at which another byte comes, with the q (or
    number) before it.
    """

    states: NDArray[np.int32]
    rows: NDArray[np.int32]
    exits: NDArray[np.int32]

    @property
    def num_bytes(self) -> int:
        """Memory of it."""
        return self.rows.nbytes + self.exits.nbytes


_counted: weakref.WeakKeyDictionary[Lexicon, dict[tuple[int, int], Inside]] = weakref.WeakKeyDictionary()


class Insides:
    """Those of one intersection. Called under the lexicon's lock."""

    def __init__(self, lexicon: Lexicon, registers: Registers) -> None:
        self._lexicon, self._registers, self._dfa = lexicon, registers, registers.dfa
        registers.block.fields[ix.X_LARGE] = LARGE
        self._kept: dict[tuple[int, int, int], Inside] = {}
        self._next: dict[tuple[int, int], int | None] = {}
        self._ascii: dict[int, NDArray[np.int64]] = {}
        self.num_bytes = 0

    def find(self, kinds: int, q: int, node: int) -> Inside | None:
        """The inside under a node of the trie, for kinds of bytes as bits; None where that would not help."""
        known = self._kept.get((kinds, q, node))
        if known is not None:
            return known
        if int(self._dfa.loops(q)) & kinds & _ASCII:
            if self.num_bytes > _MAX_BYTES:
                return None
            found = self._kept[kinds, q, node] = _walked(self._lexicon, self._registers, kinds, q, node)
            self.num_bytes += found.num_bytes
            return found
        return self._by_count(kinds, q, node)

    def _by_count(self, kinds: int, q: int, node: int) -> Inside | None:
        """From what is kept by numbers of characters, if nothing else counts for the regular side."""
        states = [q]
        while len(states) <= _MOST:
            following = self._next_of(kinds, states[-1])
            if following is None:
                return None
            if following < 0:
                break
            states.append(following)
        made = _counted.setdefault(self._lexicon, {})
        counted = made.get((kinds, node))
        if counted is None:
            if len(made) >= _MAX_COUNTED:
                made.clear()
            counted = made[kinds, node] = _walked(self._lexicon, None, kinds, 0, node)
        is_left = counted.states < len(states)
        if len(states) > _MOST and not is_left.all():
            return None
        by_count = np.array(states, dtype=np.int32)
        exits = counted.exits[counted.exits[:, 1] < len(states)]
        exits[:, 1] = by_count[exits[:, 1]]
        return Inside(by_count[counted.states[is_left]], counted.rows[: np.count_nonzero(is_left)], exits)

    def _next_of(self, kinds: int, q: int) -> int | None:
        """The q after any ASCII byte of some kinds, DEAD for none; None where that depends on the byte."""
        if (kinds, q) not in self._next:
            bytes_ = self._ascii.get(kinds)
            if bytes_ is None:
                bytes_ = self._ascii[kinds] = np.flatnonzero(KINDS[:128] & ~kinds == 0)
            targets = self._dfa.row(q)[bytes_]
            is_same = len(targets) > 0 and bool((targets == targets[0]).all())
            self._next[kinds, q] = int(targets[0]) if is_same else None
        return self._next[kinds, q]


_ASCII = int(np.bitwise_or.reduce(KINDS[:128]))


def _walked(lexicon: Lexicon, registers: Registers | None, kinds: int, q: int, node: int) -> Inside:
    """An inside from a walk. registers: None to count characters."""
    num_nodes = len(lexicon.trie.byte)
    lists = [np.empty((num_nodes + 1, 2), dtype=np.int32) for _ in range(3)]
    fields = np.zeros(ix.NUM_INSIDE_FIELDS, dtype=np.int64)
    fields[[ix.I_QUEUE, ix.I_OUT, ix.I_EXITS]] = [address(each) for each in lists]
    x = 0 if registers is None else registers.block.address
    begin_inside(address(fields), node, q)
    while walk_inside(x, lexicon.block.address, address(fields), address(KINDS), kinds) < 0:
        assert registers is not None
        with registers.watch():
            registers.dfa.build_row(int(registers.block.fields[ix.X_NEED_A]))
    out, exits = lists[1][: fields[ix.I_NUM_OUT]], lists[2][: fields[ix.I_NUM_EXITS]].copy()
    states, numbers = np.unique(out[:, 1], return_inverse=True)
    rows = np.zeros((len(states), lexicon.num_words), dtype=np.int32)
    which = numbers.astype(np.int32)
    fill_rows(lexicon.block.address, address(out), len(out), address(which), address(rows))
    return Inside(states.astype(np.int32), rows, exits)
