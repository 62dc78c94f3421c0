"""Turn trees of patterns into pieces of assertions.py.

A search tries matches in an order; a Language has no order. The full matches are the same, so a lazy loop is read like
a greedy one.
"""

from __future__ import annotations

from ..watch import checkpoint, paced
from . import assertions
from .assertions import Ahead, Piece
from .constructors import repeat
from .depth import MAX_DEPTH, Depth, depth
from .nodes import EMPTY_TEXT, Language
from .pattern_parser import PatternError
from .syntax_tree import Alternation, Anchor, Concatenation, Look, Repetition, Tree, children, overhang, width

_LOOP_DEPTH = (
    "an assertion in a group that may be empty and is repeated too often can't be enforced; "
    "let the group read something, or repeat it less often"
)
_DEPTH = (
    "too many assertions between which nothing has to be read, or one in a group that may be empty and has to be "
    "repeated too often, can't be enforced"
)


def to_piece(tree: Tree) -> Piece:
    """Return the piece that matches what the tree matches. Raises PatternError."""
    if isinstance(tree, Language):
        return tree
    translation = _Translation()
    for part in reversed(_inner_trees_last(tree)):
        piece = translation.piece(part)
    translation.check_depth(piece, tree)
    return piece


def _inner_trees_last(tree: Tree) -> list[Tree]:
    """Return the tree and its parts, without leaves; each part comes after the trees that it is in."""
    trees = [tree]
    for each in paced(trees):
        trees.extend([part for part in children(each) if not isinstance(part, Language)])
    return trees


class _Translation:
    """Makes the pieces of trees. Callers ask for inner trees first, so that deep trees need no deep stack."""

    def __init__(self) -> None:
        self.pieces: dict[Tree, Piece] = {}
        self.depths: dict[Piece, Depth] = {}

    def check_depth(self, piece: Piece, tree: Tree, reason: str = _DEPTH) -> None:
        """Raise when the piece of the tree has more assertions at one place than Python's stack allows."""
        if depth(piece, self.depths).most > MAX_DEPTH:
            raise PatternError(reason, _first_assertion(tree) or 0)

    def piece(self, tree: Tree) -> Piece:
        """Return the piece of the tree."""
        if isinstance(tree, Language):
            return tree
        piece = self.pieces.get(tree)
        if piece is None:
            piece = self.pieces[tree] = self.new_piece(tree)
            depth(piece, self.depths)
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
            return self.loop(self.piece(tree.body), tree)
        if not tree.is_behind:
            return Ahead(self.piece(tree.body), tree.is_negative)
        return self.behind(tree)

    def loop(self, body: Piece, tree: Repetition) -> Piece:
        """Make rounds of a body.

        body: the piece of `tree.body`.
        """
        if isinstance(body, Language):
            return repeat(body, tree.low, tree.high)
        if width(tree.body)[1] == 0:
            return body if tree.low else EMPTY_TEXT
        looped = assertions.loop(body, tree.low, tree.high)
        if body.maybe_empty:
            self.check_depth(looped, tree.body, _LOOP_DEPTH)
        return looped

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
            self.check_depth(piece, core)
            before = [assertions.behind(piece, look.is_negative)]
        if look.is_negative:
            return assertions.choice([*before, *[Ahead(piece, True) for piece in here]])
        return assertions.sequence([*before, *here])


def _ends_in_assertion(tree: Tree) -> bool:
    return isinstance(tree.parts[-1] if isinstance(tree, Concatenation) else tree, Look | Anchor)


def _first_assertion(tree: Tree) -> int | None:
    """Return the position of the first assertion in the tree."""
    stack = [tree]
    while stack:
        tree = stack.pop()
        if isinstance(tree, Look | Anchor):
            return tree.position
        stack.extend(reversed(children(tree)))
    return None
