"""What anchors mean, and their removal from a tree, under full match and under search.

`^` and `\\A` are the start of the text, `$` and `\\Z` its end. `$` does not also stand before a last newline: JSON
Schema's patterns follow ECMA-262, and under full match Python means the end as well. An anchor is taken where it can
only stand at the very start or end; anywhere else the pattern is refused.
"""

from __future__ import annotations

from ...errors import InvalidRegexError
from ...regex import charset as cs
from .syntax import EPSILON, Anchor, Chars, Node, Repeat, Sequence, Text, Union, repeat, sequence, union

_ANYTHING = Repeat(Chars(cs.ALL), 0, None)


def full_match(pattern: str, node: Node) -> Node:
    """The texts that match from their start to their end; `node` without its anchors."""
    return _remove(pattern, node, at_start=True, at_end=True)


def search(pattern: str, node: Node) -> Node:
    """The texts that match anywhere inside; `node` without its anchors."""
    branches = node.parts if isinstance(node, Union) else (node,)
    return union(_search_branch(pattern, branch) for branch in branches)


def _search_branch(pattern: str, branch: Node) -> Node:
    parts = branch.parts if isinstance(branch, Sequence) else (branch,)
    if len(parts) == 1 and isinstance(parts[0], Union):
        return search(pattern, parts[0])
    is_start = bool(parts) and isinstance(parts[0], Anchor) and parts[0].edge == "start"
    is_end = bool(parts) and isinstance(parts[-1], Anchor) and parts[-1].edge == "end"
    inner = _remove(pattern, branch, at_start=is_start, at_end=is_end)
    return sequence(EPSILON if is_start else _ANYTHING, inner, EPSILON if is_end else _ANYTHING)


def _remove(pattern: str, node: Node, at_start: bool, at_end: bool) -> Node:
    """The tree without anchors. at_start, at_end: nothing of the text can lie before, after the node."""
    match node:
        case Anchor(edge, position):
            if not (at_start if edge == "start" else at_end):
                raise InvalidRegexError(pattern, f"an anchor here can't be enforced; only at the very {edge}", position)
            return EPSILON
        case Sequence(parts):
            num_before = _num_anchors(parts)
            num_after = _num_anchors(parts[::-1])
            last = len(parts) - 1
            return sequence(
                *(
                    _remove(pattern, part, at_start and i <= num_before, at_end and last - i <= num_after)
                    for i, part in enumerate(parts)
                )
            )
        case Union(parts):
            return union(_remove(pattern, part, at_start, at_end) for part in parts)
        case Repeat(inner, low, high):
            is_once = high == 1
            return repeat(_remove(pattern, inner, at_start and is_once, at_end and is_once), low, high)
        case Text() | Chars():
            return node


def _num_anchors(parts: tuple[Node, ...]) -> int:
    """How many parts at the front are anchors."""
    for i, part in enumerate(parts):
        if not isinstance(part, Anchor):
            return i
    return len(parts)
