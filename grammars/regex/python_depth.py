"""How deep assertions.py recurses at one place of a text: the frames of all that can be passed there without reading.

An estimate from above; patterns that need too many are refused, so that none can exhaust Python's stack.
"""

from __future__ import annotations

from typing import NamedTuple

from .nodes import Language
from .python_tree import Atomic, Choice, Look, Loop, Place, Sequence, Tree, width

MAX_DEPTH = 400
"""Frames at one place; Python has 1,000 by default, and callers need some."""

_PLACE, _LOOK, _CHOICE, _ROUND = 10, 3, 3, 6


class Depth(NamedTuple):
    """Frames of a piece.

    lead: at the place where it begins. trail: at its end. most: anywhere in it. through: if it is passed without
    reading, None if it always reads. is_plain: it has no assertion, so it is one Language.
    """

    lead: int
    trail: int
    most: int
    through: int | None
    is_plain: bool = False


def depth(tree: Tree) -> Depth:
    """The frames of a tree."""
    found = _depth(tree)
    return _plain(tree) if found.is_plain else found


def _depth(tree: Tree) -> Depth:
    if isinstance(tree, Language):
        return _plain(tree)
    if isinstance(tree, Place):
        return Depth(_PLACE, _PLACE, _PLACE, _PLACE)
    if isinstance(tree, Look):
        inner = depth(tree.body)
        return Depth(_LOOK + inner.lead, _LOOK, _LOOK + max(inner.lead, inner.most), _LOOK)
    if isinstance(tree, Loop):
        return _of_loop(tree)
    if isinstance(tree, Atomic):
        inner = depth(tree.body)
        if inner.is_plain and tree.width[0] == tree.width[1]:
            return inner
        parts = tree.body.parts if isinstance(tree.body, Choice) else ()
        return _deeper(inner, _LOOK * (len(parts) + 1))
    inner_depths = [depth(part) for part in tree.parts]
    if isinstance(tree, Sequence):
        joined = Depth(2, 2, 2, 2, True)
        for part in inner_depths:
            joined = _then(joined, part)
        return joined
    passed = [part.through for part in inner_depths if part.through is not None]
    return Depth(
        max([part.lead for part in inner_depths]) + _CHOICE,
        max([part.trail for part in inner_depths]) + _CHOICE,
        max([part.most for part in inner_depths]) + _CHOICE,
        max(passed) + _CHOICE if passed else None,
        all(part.is_plain for part in inner_depths),
    )


def _plain(tree: Tree) -> Depth:
    return Depth(2, 2, 2, None if width(tree)[0] else 2, True)


def _then(first: Depth, second: Depth) -> Depth:
    return Depth(
        first.lead if first.through is None else max(first.lead, first.through + second.lead),
        second.trail if second.through is None else max(second.trail, first.trail + second.through),
        max(first.most, second.most, first.trail + second.lead),
        None if first.through is None or second.through is None else first.through + second.through,
        first.is_plain and second.is_plain,
    )


def _of_loop(loop: Loop) -> Depth:
    inner = depth(loop.body)
    if inner.is_plain or width(loop.body)[1] == 0:
        return inner
    if inner.through is None:
        lead, trail = inner.lead + _ROUND, inner.trail + _ROUND
        return Depth(lead, trail, max(inner.most + _ROUND, lead + trail), None if loop.low else _ROUND)
    rounds = (inner.through + _ROUND) * (loop.low + 2)
    return Depth(rounds + inner.lead, rounds + inner.trail, rounds + inner.most, rounds)


def _deeper(inner: Depth, frames: int) -> Depth:
    through = None if inner.through is None else inner.through + frames
    return Depth(inner.lead + frames, inner.trail + frames, inner.most + frames, through)
