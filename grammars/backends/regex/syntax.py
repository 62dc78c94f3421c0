"""The tree of a regular expression and the constructors that keep it small.

Build trees with `text`, `chars`, `sequence`, `union`, `repeat` and `optional`, not with the classes: the constructors
remove what matches nothing, so that a tree is either `EMPTY` or has no dead branch. Nodes are immutable and shared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from ...regex import charset as cs


@dataclass(frozen=True, eq=False)
class Text:
    """Exactly these characters (at least one)."""

    text: str


@dataclass(frozen=True, eq=False)
class Chars:
    """One character of a set. With the empty set: no text at all (only `EMPTY`)."""

    charset: cs.CharSet


@dataclass(frozen=True, eq=False)
class Sequence:
    """The parts, one after the other. With no parts: the empty text (only `EPSILON`)."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Union:
    """Any one of at least two parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Repeat:
    """`low` to `high` times the node, without bound where high is None."""

    node: Node
    low: int
    high: int | None


@dataclass(frozen=True, eq=False)
class Anchor:
    """`^`, `$`, `\\A` or `\\Z` as parsed; `anchors.py` removes them.

    edge: "start" or "end". position: offset in the pattern.
    """

    edge: str
    position: int


Node = Text | Chars | Sequence | Union | Repeat | Anchor

MAX_SPLICED = 64
"""Parts of a sequence or union that go into the one around it; one with more stays whole, as a node of its own."""
MAX_JOINED = 256
"""Characters of a text that is joined with its neighbours.

Both bounds keep shared nodes shared: without them a tree of n nodes, each twice the one before, takes 2**n memory.
"""

EMPTY = Chars(cs.NONE)
EPSILON = Sequence(())


def text(value: str) -> Node:
    """Exactly `value`, which holds no surrogates."""
    return Text(value) if value else EPSILON


def chars(charset: cs.CharSet) -> Node:
    """One character of the set."""
    if not charset:
        return EMPTY
    if cs.is_single(charset):
        return Text(chr(charset[0][0]))
    return Chars(charset)


def sequence(*parts: Node) -> Node:
    """The parts, one after the other; neighbouring short texts are joined."""
    pieces = [piece for part in parts for piece in _spliced(part, Sequence)]
    if any(piece is EMPTY for piece in pieces):
        return EMPTY
    flat: list[Node] = []
    for is_text, run in groupby(pieces, _is_short_text):
        group = list(run)
        flat.extend([Text("".join(piece.text for piece in group if isinstance(piece, Text)))] if is_text else group)
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat)) if flat else EPSILON


def union(parts: Iterable[Node]) -> Node:
    """Any one of the parts; `EMPTY` when there are none."""
    flat: list[Node] = []
    for part in parts:
        flat.extend(_spliced(part, Union) if part is not EMPTY else ())
    return EMPTY if not flat else flat[0] if len(flat) == 1 else Union(tuple(flat))


def _spliced(part: Node, kind: type[Sequence] | type[Union]) -> tuple[Node, ...]:
    return part.parts if isinstance(part, kind) and len(part.parts) <= MAX_SPLICED else (part,)


def _is_short_text(node: Node) -> bool:
    return isinstance(node, Text) and len(node.text) <= MAX_JOINED


def repeat(node: Node, low: int, high: int | None) -> Node:
    """`low` to `high` times the node (None: without bound); `EMPTY` when high < low."""
    if high is not None and high < low:
        return EMPTY
    if node is EMPTY:
        return EMPTY if low > 0 else EPSILON
    if node is EPSILON or high == 0:
        return EPSILON
    return node if (low, high) == (1, 1) else Repeat(node, low, high)


def optional(node: Node) -> Node:
    """The node or nothing."""
    return repeat(node, 0, 1)
