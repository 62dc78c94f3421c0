"""The syntax tree of a pattern. A tree keeps the order of a search for matches; a Language does not.

Leaves are Languages: a text, or one character of a set. `width` gives the same numbers as CPython's parser, which
checks lookbehinds of `re` with them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..cached import cached_property
from ..watch import paced
from .assertions import Piece
from .nodes import Language

Width = tuple[int, float]
"""The least and the largest number of characters that are read (math.inf: no bound).

The least number is at most _MAX_WIDTH, and a largest number above _MAX_WIDTH counts as no bound.
"""

_MAX_WIDTH = 2**64


@dataclass(frozen=True, eq=False)
class Concatenation:
    """A concatenation: matches the parts one after the other."""

    parts: tuple[Tree, ...]

    @cached_property
    def width(self) -> Width:
        """Least and largest number of characters read."""
        widths = list(map(width, self.parts))
        return sum([low for low, _ in widths]), sum([high for _, high in widths])


@dataclass(frozen=True, eq=False)
class Alternation:
    """An alternation. The search takes the first part that leads to a match."""

    parts: tuple[Tree, ...]

    @cached_property
    def width(self) -> Width:
        """Least and largest number of characters read."""
        widths = list(map(width, self.parts))
        return min([low for low, _ in widths]), max([high for _, high in widths])


@dataclass(frozen=True, eq=False)
class Repetition:
    """A repetition: matches the body `low` to `high` times (high None: no bound), many times first or, if lazy, few."""

    body: Tree
    low: int
    high: int | None
    is_lazy: bool

    @cached_property
    def width(self) -> Width:
        """Least and largest number of characters read."""
        low, high = width(self.body)
        if self.high is None or high == math.inf:
            return low * self.low, math.inf if high and self.high != 0 else 0
        return low * self.low, high * self.high


@dataclass(frozen=True, eq=False)
class Look:
    """A lookahead or lookbehind.

    position: where the group begins in the pattern.
    """

    body: Tree
    is_behind: bool
    is_negative: bool
    position: int

    @property
    def width(self) -> Width:
        """(0, 0): reads no characters."""
        return 0, 0


@dataclass(frozen=True, eq=False)
class Anchor:
    r"""An anchor: `^ $ \A \Z \b \B`.

    overhang: the number of characters after the place that the assertion depends on.
    position: where the assertion stands in the pattern.
    """

    piece: Piece
    overhang: int
    position: int

    @property
    def width(self) -> Width:
        """(0, 0): reads no characters."""
        return 0, 0


Tree = Language | Concatenation | Alternation | Repetition | Look | Anchor


def width(tree: Tree) -> Width:
    """Return the least and the largest number of characters that the tree reads."""
    if isinstance(tree, Language):
        low, high = tree.min_length, math.inf if tree.max_length is None else tree.max_length
    else:
        low, high = tree.width
    return min(low, _MAX_WIDTH), high if high <= _MAX_WIDTH else math.inf


def overhang(tree: Tree) -> float:
    """Return an upper bound of the number of characters behind the match that the tree may depend on."""
    if isinstance(tree, Language):
        return 0
    if isinstance(tree, Concatenation):
        farthest: float = 0
        for part in tree.parts:
            farthest = max(overhang(part), farthest - width(part)[0], 0)
        return farthest
    if isinstance(tree, Alternation):
        return max(map(overhang, tree.parts))
    if isinstance(tree, Anchor):
        return tree.overhang
    if isinstance(tree, Look):
        return overhang(tree.body) + (0 if tree.is_behind else width(tree.body)[1])
    if tree.high == 0 or (tree.low == 0 and width(tree.body)[1] == 0):
        return 0  # pieces.py makes nothing of it
    return overhang(tree.body)


def variable_lookbehind(tree: Tree) -> Look | None:
    """Return the first lookbehind of texts of different lengths, which Python refuses; None when there is none."""
    if isinstance(tree, Look) and tree.is_behind:
        low, high = width(tree.body)
        if low != high:
            return tree
    for part in paced(children(tree)):
        found = variable_lookbehind(part)
        if found is not None:
            return found
    return None


def has_order(tree: Tree) -> bool:
    """True if a part of the tree is lazy, or looks beyond its match. Then the tree's texts do not describe it."""
    if isinstance(tree, Look | Anchor) or (isinstance(tree, Repetition) and tree.is_lazy):
        return True
    return any(map(has_order, children(tree)))


def children(tree: Tree) -> tuple[Tree, ...]:
    """Return the trees directly inside the tree."""
    if isinstance(tree, Concatenation | Alternation):
        return tree.parts
    if isinstance(tree, Repetition | Look):
        return (tree.body,)
    return ()
