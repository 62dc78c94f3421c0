"""`Insides`: the tokens that stay inside a string or name, grouped by the state of the regular side after them.

While the machine loops on some byte classes, as in a string, only the regular side moves. The steps by tokens of such
bytes then depend on the regular side alone, so an `Inside` keeps them. A regular side that only counts characters, as
for a bounded length, has a new state after each. For such a side the tokens are kept by their number of characters.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...memory.layout import dtype_of
from ...memory.structs import address_of
from ...regex import algebra as lang
from .. import layout as at
from ..lexemes.trie_kernels import BYTE_CLASSES
from ..vocabulary_tables import VocabularyTables
from .dfa import ProductDfa
from .machines import Workspace
from .steps import allow
from .structs import NodeState

LARGE = 2048  # minimum number of tokens below a node for the use of an `Inside`. PERF: a guess
_MAX_BYTES = 8_000_000  # maximum memory in bytes of every `Inside` of one grammar
_MAX_COUNTED = 24  # maximum number kept by `_counted` for one vocabulary; 1 MB each
_MOST = 255  # maximum number of characters to count
_LETTER = ord("a")
_IN_STRING = at.STRING << at.TAG_SHIFT


@dataclass(frozen=True)
class Inside:
    """Tokens of certain byte classes, by the state that they lead to.

    states: int32 (n,), the q that tokens lead to, or numbers of characters.
    rows: int32 (n, W), the tokens for each.
    exits: rows of `NodeState`: nodes where a byte of another class comes, with the q (or number) before that byte.
    """

    states: NDArray[np.int32]
    rows: NDArray[np.int32]
    exits: NDArray[np.void]

    @property
    def num_bytes(self) -> int:
        """Memory of the arrays, in bytes."""
        return self.rows.nbytes + self.exits.nbytes


_counted: weakref.WeakKeyDictionary[VocabularyTables, dict[tuple[int, int], Inside]] = weakref.WeakKeyDictionary()


class Insides:
    """Every `Inside` of one product. The caller holds the automaton's lock."""

    def __init__(self, workspace: Workspace) -> None:
        self._automaton, self._dfa = workspace.automaton, workspace.dfa
        self._vocabulary_tables = workspace.automaton.vocabulary_tables
        self._workspace = Workspace(workspace.automaton, workspace.dfa, is_inside=True)
        workspace.product.large = LARGE
        self._kept: dict[tuple[int, int, int], Inside] = {}
        self._next: dict[tuple[int, int], int | None] = {}
        self._ascii: dict[int, NDArray[np.int64]] = {}
        self.num_bytes = 0

    def find(self, byte_classes: int, q: int, node: int) -> Inside | None:
        """Return the `Inside` for the tokens below a node of the trie; None if it would not help.

        byte_classes: byte classes, as bits.
        """
        known = self._kept.get((byte_classes, q, node))
        if known is not None:
            return known
        if int(self._dfa.loops(q)) & byte_classes & _ASCII:
            if self.num_bytes > _MAX_BYTES:
                return None
            found = self._kept[byte_classes, q, node] = self._walked(self._workspace, byte_classes, q, node)
            self.num_bytes += found.num_bytes
            return found
        return self._by_count(byte_classes, q, node)

    def _by_count(self, byte_classes: int, q: int, node: int) -> Inside | None:
        """Return an `Inside` made from the tokens by number of characters, if the regular side only counts characters;
        else None.
        """
        states = [q]
        while len(states) <= _MOST:
            following = self._next_of(byte_classes, states[-1])
            if following is None:
                return None
            if following < 0:
                break
            states.append(following)
        made = _counted.setdefault(self._vocabulary_tables, {})
        counted = made.get((byte_classes, node))
        if counted is None:
            if len(made) >= _MAX_COUNTED:
                made.clear()
            counted = made[byte_classes, node] = self._counted(byte_classes, node)
        is_left = counted.states < len(states)
        if len(states) > _MOST and not is_left.all():
            return None
        by_count = np.array(states, dtype=np.int32)
        exits = counted.exits[counted.exits["q"] < len(states)]
        exits["q"] = by_count[exits["q"]]
        return Inside(by_count[counted.states[is_left]], counted.rows[: np.count_nonzero(is_left)], exits)

    def _next_of(self, byte_classes: int, q: int) -> int | None:
        """Return the q after any ASCII byte of some classes (DEAD for none); None if it depends on the byte."""
        if (byte_classes, q) not in self._next:
            bytes_ = self._ascii.get(byte_classes)
            if bytes_ is None:
                bytes_ = self._ascii[byte_classes] = np.flatnonzero(BYTE_CLASSES[:128] & ~byte_classes == 0)
            targets = self._dfa.row(q)[bytes_]
            is_same = len(targets) > 0 and bool((targets == targets[0]).all())
            self._next[byte_classes, q] = int(targets[0]) if is_same else None
        return self._next[byte_classes, q]

    def _counted(self, byte_classes: int, node: int) -> Inside:
        """Return an `Inside` with numbers of characters instead of q."""
        vocabulary_tables = self._vocabulary_tables
        most = int(vocabulary_tables.trie.most_chars.max())
        dfa = ProductDfa(lang.repeat(lang.ANY_CHAR, 0, most), vocabulary_tables.lazy_dfas, most + 1)
        states = [dfa.start]
        while (following := int(dfa.row(states[-1])[_LETTER])) >= 0:
            states.append(following)
        found = self._walked(Workspace(self._automaton, dfa, is_inside=True), byte_classes, dfa.start, node)
        numbers = np.zeros(max(states) + 1, dtype=np.int32)
        numbers[states] = np.arange(len(states))
        order, exits = np.argsort(numbers[found.states]), found.exits.copy()
        exits["q"] = numbers[exits["q"]]
        return Inside(numbers[found.states][order], found.rows[order], exits)

    def _walked(self, workspace: Workspace, byte_classes: int, q: int, node: int) -> Inside:
        """Walk the trie from a node beside state `q`, over tokens of some byte classes; returns the `Inside` found."""
        tables = self._vocabulary_tables
        reached = workspace.reached(node, (_IN_STRING, 0, q), classes=byte_classes)
        states = np.array([state for _, _, state, _ in reached.pairs], dtype=np.int32)
        counts = np.bincount(reached.pairs_of, minlength=len(states))
        used = np.flatnonzero(counts)
        order = np.argsort(
            reached.pairs_of.astype(np.min_scalar_type(len(states))), kind="stable"
        )  # small numbers: radix sort
        rows = np.zeros((len(used), tables.num_words), dtype=np.int32)
        nodes, ends = reached.nodes[order], np.cumsum(counts)
        for number, row in zip(used.tolist(), rows, strict=True):
            allow(tables.tables.address, address_of(row), nodes[ends[number] - counts[number] : ends[number]])
        exits = np.zeros(len(reached.forks), dtype_of(NodeState))
        exits["node"], exits["q"] = reached.forks["node"], states[reached.forks["pair"]]
        return Inside(states[used], rows, exits)


_ASCII = int(np.bitwise_or.reduce(BYTE_CLASSES[:128]))
