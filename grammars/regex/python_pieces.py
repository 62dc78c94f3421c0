r"""Turn trees of Python patterns into pieces of assertions.py.

`re` tries matches in an order; a Language has no order. Both find the same full matches, so lazy and greedy loops are
the same. Atomic groups are the exception, because they keep the first match. The translation takes atomic groups that
it can describe without an order: the first of several alternatives that begins here; as many rounds of a loop as there
are; a group whose matches here all have one length. Other atomic groups are refused.
"""

from __future__ import annotations

from ..errors import LimitExceededError
from ..watch import checkpoint, paced
from . import assertions
from .assertions import Ahead, Piece
from .constructors import concat, intersect, repeat
from .depth import depth
from .ecma_classes import PatternError
from .emptiness import is_empty
from .nodes import ANY_CHAR, ANYTHING, EMPTY_TEXT, Language
from .python_tree import Alternation, Anchor, Atomic, Concatenation, Look, Repetition, Tree, overhang, width

_MAX_DEPTH = 400
"""Frames at one place, see depth.py."""

_PREFIX_BUDGET = 500
"""States to visit in the search for a match of an atomic group that begins another match."""

_MAX_FAILED_SEARCHES = 10
"""After this many such searches without an answer, no further one is made."""


def to_piece(tree: Tree) -> Piece:
    """Return the piece that matches what the tree matches. Raises PatternError."""
    piece = _Translation().piece(tree)
    _check_depth(piece, tree)
    return piece


def _check_depth(piece: Piece, tree: Tree) -> None:
    """Raise when the piece of the tree has more assertions at one place than Python's stack allows."""
    if depth(piece).most > _MAX_DEPTH:
        raise PatternError(_DEPTH, _first_assertion(tree) or 0)


class _Translation:
    def __init__(self) -> None:
        self.failures_left = _MAX_FAILED_SEARCHES
        self.pieces: dict[Tree, Piece] = {}
        self.prefix_free: dict[Language, bool] = {}

    def piece(self, tree: Tree) -> Piece:
        """Return the piece of the tree."""
        if isinstance(tree, Language):
            return tree
        piece = self.pieces.get(tree)
        if piece is None:
            piece = self.pieces[tree] = self.new_piece(tree)
        return piece

    def new_piece(self, tree: Concatenation | Alternation | Repetition | Atomic | Look | Anchor) -> Piece:
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
        if isinstance(tree, Atomic):
            piece = self.first_match(tree.body)
            if piece is None:
                raise PatternError(_ATOMIC, tree.position)
            return piece
        if not tree.is_behind:
            return Ahead(self.piece(tree.body), tree.is_negative)
        return self.behind(tree)

    def behind(self, look: Look) -> Piece:
        """Make a lookbehind. Assertions at its end become assertions about this place."""
        branches = look.body.parts if isinstance(look.body, Alternation) else (look.body,)
        pieces = [self.behind_one(branch, look) for branch in branches]
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

    def first_match(self, tree: Tree) -> Piece | None:
        """Return the piece for the first match that an ordered search finds; None when that needs an order."""
        piece = self.piece(tree)
        if self.has_one_match(tree, piece):
            return piece
        if isinstance(tree, Alternation):
            return self.first_branch(tree.parts)
        if isinstance(tree, Concatenation):
            return self.first_of_sequence(tree.parts)
        if isinstance(tree, Repetition):
            return self.first_of_loop(tree)
        return None

    def has_one_match(self, tree: Tree, piece: Piece) -> bool:
        """True if all matches that begin at one place surely have the same length."""
        low, high = width(tree)
        return low == high or isinstance(tree, Atomic) or (isinstance(piece, Language) and self.is_prefix_free(piece))

    def is_prefix_free(self, language: Language) -> bool:
        """True if surely no text of the Language begins with another one."""
        known = self.prefix_free.get(language)
        if known is None and self.failures_left:
            try:
                known = is_empty(intersect(language, concat(language, ANY_CHAR, ANYTHING)), _PREFIX_BUDGET)
            except LimitExceededError:
                self.failures_left -= 1  # unknown; the caller refuses what depends on the answer
        return self.prefix_free.setdefault(language, bool(known))

    def first_branch(self, branches: tuple[Tree, ...]) -> Piece | None:
        """Return the piece for the first branch that matches here; None when that needs an order."""
        chosen: list[Piece] = []
        earlier: list[Piece] = []
        for branch in branches:
            piece = self.first_match(branch)
            if piece is None:
                return None
            chosen.append(assertions.sequence([*earlier, piece]))
            earlier.append(Ahead(self.piece(branch), True))
        return assertions.choice(chosen)

    def first_of_sequence(self, parts: tuple[Tree, ...]) -> Piece | None:
        """Return the piece for the first match of each part in turn; None when a later part could send the search
        back.
        """
        pieces: list[Piece] = []
        for index, part in enumerate(parts):
            piece = self.first_match(part)
            if piece is None:
                return None
            if not self.has_one_match(part, self.piece(part)):
                rest = self.piece(Concatenation(parts[index + 1 :]))
                if not (isinstance(rest, Language) and rest.nullable):
                    return None
            pieces.append(piece)
        return assertions.sequence(pieces)

    def first_of_loop(self, loop: Repetition) -> Piece | None:
        """Return as many rounds as there are, for a lazy loop as few as possible; None when that needs an order."""
        if (loop.low, loop.high) == (0, 1):
            branches = (EMPTY_TEXT, loop.body) if loop.is_lazy else (loop.body, EMPTY_TEXT)
            return self.first_branch(branches)
        body = self.piece(loop.body)
        if width(loop.body)[0] == 0 or not self.has_one_match(loop.body, body):
            return None
        if loop.is_lazy:
            return _loop(body, loop.low, loop.low, loop)
        ended = assertions.sequence([_loop(body, loop.low, None, loop), Ahead(body, True)])
        if loop.high is None:
            return ended
        full = _loop(body, loop.high, loop.high, loop)
        if loop.low == loop.high:
            return full
        fewer = _loop(body, loop.low, loop.high - 1, loop)
        return assertions.choice([full, assertions.sequence([fewer, Ahead(body, True)])])


def _loop(body: Piece, low: int, high: int | None, tree: Repetition) -> Piece:
    """Return rounds of a body.

    body: the piece of `tree.body`.
    """
    if isinstance(body, Language):
        return repeat(body, low, high)
    if width(tree.body)[1] == 0:
        return body if low else EMPTY_TEXT
    return assertions.loop(body, low, high)


def _first_assertion(tree: Tree) -> int | None:
    """Return the position of the first assertion or atomic group in the tree."""
    stack = [tree]
    while stack:
        tree = stack.pop()
        if isinstance(tree, Look | Anchor | Atomic):
            return tree.position
        if isinstance(tree, Concatenation | Alternation):
            stack.extend(reversed(tree.parts))
        elif isinstance(tree, Repetition):
            stack.append(tree.body)
    return None


_DEPTH = (
    "too many assertions between which nothing has to be read, or one in a group that may be empty and has to be "
    "repeated too often, can't be enforced"
)
_ATOMIC = (
    "an atomic group or possessive quantifier whose match depends on the order of its alternatives can't be enforced; "
    "use a plain group or quantifier, or write what may not follow as a lookahead (?!...)"
)
