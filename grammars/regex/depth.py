"""Estimate how deep assertions.py recurses at one place of a text: the frames of all pieces that can pass unread.

The estimate is an upper bound. Patterns that need too many frames are refused, so that none exhausts Python's stack.
"""

from __future__ import annotations

from typing import NamedTuple

from .assertions import Ahead, AssertionConcat, AssertionRepeat, AssertionUnion, Piece
from .nodes import Language

MAX_DEPTH = 600
"""Frames at one place; Python has 1,000 by default, and callers need some."""

_STEP, _CHOICE, _ROUND = 2, 3, 3
"""Frames to take apart one piece, a choice, a round of a loop."""


class Depth(NamedTuple):
    """Numbers of frames on Python's stack for one piece.

    lead: at the place where the piece begins.
    trail: at the piece's end, after something in it was read.
    most: at the worst place in the piece.
    through: when the piece is passed without reading a character; None if it always reads one.
    """

    lead: int
    trail: int
    most: int
    through: int | None


_NOTHING = Depth(0, 0, 0, 0)


def depth(piece: Piece, known: dict[Piece, Depth]) -> Depth:
    """Return the `Depth` of a piece.

    known: piece -> its depth, for earlier pieces, because pieces share parts.
    """
    found = known.get(piece)
    if found is None:
        found = known[piece] = _find_depth(piece, known)
    return found


def _find_depth(piece: Piece, known: dict[Piece, Depth]) -> Depth:
    if isinstance(piece, Language):
        return Depth(_STEP, _STEP, _STEP, _STEP if piece.nullable else None)
    if isinstance(piece, AssertionConcat):
        joined = _NOTHING
        for part in piece.parts:
            joined = _then(joined, depth(part, known))
        return _deeper(joined, _STEP)
    if isinstance(piece, AssertionUnion):
        return _of_choice([depth(part, known) for part in piece.parts])
    if isinstance(piece, AssertionRepeat):
        return _of_loop(piece.low, depth(piece.node, known))
    if isinstance(piece, Ahead):
        inner = depth(piece.inner, known)
        return Depth(_STEP + inner.lead, _STEP, _STEP + max(inner.lead, inner.most), _STEP)
    return Depth(_STEP, _STEP, _STEP, _STEP)


def _then(first: Depth, second: Depth) -> Depth:
    return Depth(
        first.lead if first.through is None else max(first.lead, first.through + second.lead),
        second.trail if second.through is None else max(second.trail, first.trail + second.through),
        max(first.most, second.most, first.trail + second.lead),
        None if first.through is None or second.through is None else first.through + second.through,
    )


def _of_choice(options: list[Depth]) -> Depth:
    passed = [option.through for option in options if option.through is not None]
    lead, trail, most = (max(column) for column in zip(*[option[:3] for option in options], strict=True))
    return _deeper(Depth(lead, trail, most, max(passed, default=None)), _CHOICE)


def _of_loop(low: int, inner: Depth) -> Depth:
    """Return the frames of a loop. All needed rounds may read nothing; one more round that reads nothing ends the
    loop.
    """
    if inner.through is None:
        through = None if low else _ROUND
        lead, left = inner.lead + _ROUND, _ROUND
    else:
        through = left = (inner.through + _ROUND) * low + _ROUND
        lead = through + max(inner.lead, inner.through + _ROUND)
    return Depth(lead, inner.trail + left, max(inner.most, inner.trail + lead), through)


def _deeper(inner: Depth, frames: int) -> Depth:
    through = None if inner.through is None else inner.through + frames
    return Depth(inner.lead + frames, inner.trail, inner.most + frames, through)
