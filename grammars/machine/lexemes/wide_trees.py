"""`WideTree`: the UTF-8 of classes of characters from U+0080 on, as a tree of bytes.

A DFA state tells some classes of characters apart. If these have many ranges, as Unicode's letters do, the nodes inside
their characters take hundreds of rows, and a vocabulary meets only a few. The tree is therefore made once for the
classes, and a row for one of its nodes when a text gets there (`LazyDfas`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from ...regex.charset import CharSet
from ...regex.utf8 import leads

_MAX_TREES = 128
Run = tuple[int, int, "int | CharacterNode"]
"""First and last byte (or block of 64 characters), and the class or node that they lead to."""


class CharacterNode:
    """A node inside a character.

    runs: ascending bytes with the class or node that they lead to.
    classes: all classes that the character can still have.
    """

    __slots__ = ("classes", "runs")
    classes: tuple[int, ...]

    def __init__(self, runs: tuple[Run, ...]) -> None:
        self.runs = runs
        found: set[int] = set()
        for _, _, target in runs:
            found.update(target.classes if isinstance(target, CharacterNode) else (target,))
        self.classes = tuple(sorted(found))


class WideTree:
    """The tree of some disjoint sets; a class is the index of its set.

    ascii: runs of the characters below 0x80.
    leads: runs of the first bytes of all other characters.
    """

    __slots__ = ("_nodes", "ascii", "leads")

    def __init__(self, sets: Sequence[CharSet]) -> None:
        self._nodes: dict[tuple[Run, ...], CharacterNode] = {}
        runs: list[Run] = sorted([(low, high, index) for index, charset in enumerate(sets) for low, high in charset])
        self.ascii = [(low, min(high, 0x7F), index) for low, high, index in runs if low < 0x80]
        self.leads: list[Run] = list(leads(runs, self._node))
        self._nodes.clear()

    def _node(self, content: list[Run]) -> CharacterNode:
        runs = tuple([(0x80 + low, 0x80 + high, target) for low, high, target in content])
        node = self._nodes.get(runs)
        if node is None:
            node = self._nodes[runs] = CharacterNode(runs)
        return node


class WideTrees:
    """The trees used last. The most recent one is found without a lookup."""

    def __init__(self) -> None:
        self._trees: OrderedDict[tuple[CharSet, ...], WideTree] = OrderedDict()
        self._last: tuple[tuple[CharSet, ...], WideTree] | None = None

    def tree(self, sets: tuple[CharSet, ...]) -> WideTree:
        """Return the tree of some disjoint sets of characters."""
        if self._last is not None and self._last[0] is sets:
            return self._last[1]
        tree = self._trees.get(sets)
        if tree is None:
            tree = self._trees[sets] = WideTree(sets)
            if len(self._trees) > _MAX_TREES:
                self._trees.popitem(last=False)
        self._last = sets, tree
        return tree
