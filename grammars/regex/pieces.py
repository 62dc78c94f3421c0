"""Turn trees of patterns into pieces of assertions.py.

A search tries matches in an order; a Language has no order. Both find the same full matches, so lazy and greedy loops
are the same.
"""

from __future__ import annotations

from ..watch import checkpoint, paced
from . import assertions
from .assertions import Ahead, Piece
from .constructors import repeat
from .depth import MAX_DEPTH, depth
from .nodes import EMPTY_TEXT, Language
from .pattern_parser import PatternError
from .syntax_tree import Alternation, Anchor, Concatenation, Look, Repetition, Tree, overhang, width


def to_piece(tree: Tree) -> Piece:
    """Return the piece that matches what the tree matches. Raises PatternError."""
    if isinstance(tree, Language):
        return tree
    piece = _Translation().piece(tree)
    _check_depth(piece, tree)
    return piece


def _check_depth(piece: Piece, tree: Tree) -> None:
    """Raise when the piece of the tree has more assertions at one place than Python's stack allows."""
    if depth(piece).most > MAX_DEPTH:
        raise PatternError(_DEPTH, _first_assertion(tree) or 0)


class _Translation:
    def __init__(self) -> None:
        self.pieces: dict[Tree, Piece] = {}

    def piece(self, tree: Tree) -> Piece:
        """Return the piece of the tree."""
        if isinstance(tree, Language):
            return tree
        piece = self.pieces.get(tree)
        if piece is None:
            piece = self.pieces[tree] = self.new_piece(tree)
        return piece

    def new_piece(self, tree: Concatenation | Alternation | Repetition | Look | Anchor) -> Piece:
        """Make the piece of a tree that has none yet."""
        checkpoint()
        if isinstance(tree, Concatenation):
            return assertions.sequence([self.piece(part) for part in paced(tree.parts)])
        if isinstance(tree, Alternation):
            return assertions.choice([self.piece(part) for part in tree.parts])
        if isinstance(tree, Anchor):
            return tree.piece
        if isinstance(tree, Repetition):
            return _loop(self.piece(tree.body), tree.low, tree.high, tree)
        if not tree.is_behind:
            return Ahead(self.piece(tree.body), tree.is_negative)
        return self.behind(tree)

    def behind(self, look: Look) -> Piece:
        """Make a lookbehind. Assertions at its end become assertions about this place."""
        branches = look.body.parts if isinstance(look.body, Alternation) else (look.body,)
        open_ended = [branch for branch in branches if _ends_in_assertion(branch)]
        closed = tuple([branch for branch in branches if not _ends_in_assertion(branch)])
        if closed:
            open_ended.append(closed[0] if len(closed) == 1 else Alternation(closed))
        pieces = [self.behind_one(branch, look) for branch in open_ended]
        return assertions.sequence(pieces) if look.is_negative else assertions.choice(pieces)

    def behind_one(self, tree: Tree, look: Look) -> Piece:
        """Make a lookbehind with one alternative."""
        parts = list(tree.parts) if isinstance(tree, Concatenation) else [tree]
        here: list[Piece] = []
        while parts and isinstance(parts[-1], Look | Anchor):
            here.append(self.piece(parts.pop()))
        core = Concatenation(tuple(parts))
        if overhang(core) > 0:
            reason = "an assertion inside a lookbehind that looks past its end can't be enforced"
            raise PatternError(f"{reason}; put it behind the lookbehind", look.position)
        before: list[Piece] = []
        if parts:
            piece = self.piece(core)
            _check_depth(piece, core)
            before = [assertions.behind(piece, look.is_negative)]
        if look.is_negative:
            return assertions.choice([*before, *[Ahead(piece, True) for piece in here]])
        return assertions.sequence([*before, *here])


def _ends_in_assertion(tree: Tree) -> bool:
    return isinstance(tree.parts[-1] if isinstance(tree, Concatenation) else tree, Look | Anchor)


def _loop(body: Piece, low: int, high: int | None, tree: Repetition) -> Piece:
    """Return rounds of a body.

    body: the piece of `tree.body`.
    """
    if isinstance(body, Language):
        return repeat(body, low, high)
    if width(tree.body)[1] == 0:
        return body if low else EMPTY_TEXT
    looped = assertions.loop(body, low, high)
    if body.maybe_empty and depth(looped).most > MAX_DEPTH:
        raise PatternError(_LOOP_DEPTH, _first_assertion(tree.body) or 0)
    return looped


def _first_assertion(tree: Tree) -> int | None:
    """Return the position of the first assertion in the tree."""
    stack = [tree]
    while stack:
        tree = stack.pop()
        if isinstance(tree, Look | Anchor):
            return tree.position
        if isinstance(tree, Concatenation | Alternation):
            stack.extend(reversed(tree.parts))
        elif isinstance(tree, Repetition):
            stack.append(tree.body)
    return None


_LOOP_DEPTH = (
    "an assertion in a group that may be empty and is repeated too often can't be enforced; "
    "let the group read something, or repeat it less often"
)
_DEPTH = (
    "too many assertions between which nothing has to be read, or one in a group that may be empty and has to be "
    "repeated too often, can't be enforced"
)
