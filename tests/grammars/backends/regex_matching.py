"""A slow, obvious matcher of regex trees, as an oracle for everything that is built from them."""

from __future__ import annotations

from guided.grammars.backends.regex.syntax import Chars, Node, Repeat, Sequence, Text, Union


def fits(node: Node, text: str) -> bool:
    """True when the whole text matches the tree."""
    return len(text) in _ends(node, text, 0)


def _ends(node: Node, text: str, start: int) -> set[int]:
    """Where a match of the node that begins at `start` can end."""
    match node:
        case Text(value):
            return {start + len(value)} if text.startswith(value, start) else set()
        case Chars(charset):
            is_member = start < len(text) and any(low <= ord(text[start]) <= high for low, high in charset)
            return {start + 1} if is_member else set()
        case Sequence(parts):
            ends = {start}
            for part in parts:
                ends = _after(part, text, ends)
            return ends
        case Union(parts):
            return set().union(*(_ends(part, text, start) for part in parts))
        case Repeat(inner, low, high):
            return _repeated(inner, text, start, low, high)
    raise TypeError(node)


def _after(node: Node, text: str, starts: set[int]) -> set[int]:
    return set().union(*(_ends(node, text, start) for start in starts))


def _repeated(node: Node, text: str, start: int, low: int, high: int | None) -> set[int]:
    ends = {start}
    for _ in range(low):
        ends = _after(node, text, ends)
    found = set(ends)
    for _ in range(len(text) + 1 if high is None else high - low):
        ends = _after(node, text, ends) - found
        found |= ends
        if not ends:
            break
    return found
