"""The syntax tree of a Python `re` pattern: what an ordered search would try, which a Language no longer tells.

Leaves are Languages: a text, or one character of a set. `width` is that of CPython's parser, which asks it of
lookbehinds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..cached import cached_property
from ..watch import paced
from .assertions import Piece
from .nodes import Language

Width = tuple[int, float]
"""The least and the largest number of characters that are read (math.inf: no bound)."""


@dataclass(frozen=True, eq=False)
class Sequence:
    """The parts, one after the other."""

    parts: tuple[Tree, ...]

    @cached_property
    def width(self) -> Width:
        """Characters read."""
        widths = list(map(width, self.parts))
        return sum([low for low, _ in widths]), sum([high for _, high in widths])


@dataclass(frozen=True, eq=False)
class Choice:
    """Any of the parts; the first that leads to a match is taken."""

    parts: tuple[Tree, ...]

    @cached_property
    def width(self) -> Width:
        """Characters read."""
        widths = list(map(width, self.parts))
        return min([low for low, _ in widths]), max([high for _, high in widths])


@dataclass(frozen=True, eq=False)
class Loop:
    """`low` to `high` times the body (high None: no bound), as often as possible or as seldom as possible."""

    body: Tree
    low: int
    high: int | None
    is_lazy: bool

    @cached_property
    def width(self) -> Width:
        """Characters read."""
        low, high = width(self.body)
        if self.high is None:
            return low * self.low, math.inf if high else 0
        return low * self.low, high * self.high if self.high else 0


@dataclass(frozen=True, eq=False)
class Atomic:
    """What the body matches first, and nothing else; so are possessive quantifiers. position: in the pattern."""

    body: Tree
    position: int

    @property
    def width(self) -> Width:
        """Characters read."""
        return width(self.body)


@dataclass(frozen=True, eq=False)
class Look:
    """A lookahead or lookbehind. position: in the pattern."""

    body: Tree
    is_behind: bool
    is_negative: bool
    position: int

    @property
    def width(self) -> Width:
        """Characters read: none."""
        return 0, 0


@dataclass(frozen=True, eq=False)
class Place:
    r"""One of `^ $ \A \Z \b \B`. overhang: how many characters after it it depends on. position: in the pattern."""

    piece: Piece
    overhang: int
    position: int

    @property
    def width(self) -> Width:
        """Characters read: none."""
        return 0, 0


Tree = Language | Sequence | Choice | Loop | Atomic | Look | Place


def width(tree: Tree) -> Width:
    """How many characters the tree reads, at least and at most."""
    if isinstance(tree, Language):
        return tree.min_length, math.inf if tree.max_length is None else tree.max_length
    return tree.width


def overhang(tree: Tree) -> float:
    """On how many characters after those that it reads the tree may depend; an upper bound."""
    if isinstance(tree, Language):
        return 0
    if isinstance(tree, Sequence):
        farthest: float = 0
        for part in tree.parts:
            farthest = max(overhang(part), farthest - width(part)[0], 0)
        return farthest
    if isinstance(tree, Choice):
        return max(map(overhang, tree.parts))
    if isinstance(tree, Place):
        return tree.overhang
    if isinstance(tree, Look):
        return overhang(tree.body) + (0 if tree.is_behind else width(tree.body)[1])
    return overhang(tree.body)


def variable_lookbehind(tree: Tree) -> Look | None:
    """The first lookbehind of texts of different lengths, if there is one; Python takes none."""
    if isinstance(tree, Look) and tree.is_behind:
        low, high = width(tree.body)
        if low != high:
            return tree
    for part in paced(_children(tree)):
        found = variable_lookbehind(part)
        if found is not None:
            return found
    return None


def has_order(tree: Tree) -> bool:
    """True if something in it is lazy, or looks beyond what it reads: then its texts do not say all."""
    if isinstance(tree, Atomic | Look | Place) or (isinstance(tree, Loop) and tree.is_lazy):
        return True
    return any(map(has_order, _children(tree)))


def _children(tree: Tree) -> tuple[Tree, ...]:
    if isinstance(tree, Sequence | Choice):
        return tree.parts
    if isinstance(tree, Loop | Atomic | Look):
        return (tree.body,)
    return ()
