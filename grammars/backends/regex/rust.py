"""A tree as a pattern for Rust's `regex-automata`, which outlines-core uses.

Only constructs whose meaning no flag or Unicode table changes are written: literal characters, explicit ranges,
`(?:...)`, `|` and `{m,n}`.
"""

from __future__ import annotations

from ...errors import LimitExceededError, UnsupportedGrammarError
from ...limits import Limits
from ...regex.charset import CharSet
from .syntax import Anchor, Chars, Node, Repeat, Sequence, Text, Union

MAX_DEPTH = 240
"""Nodes nested in each other. Rust's parser takes 250 and then fails without a usable message."""

_SPECIAL = set("\\.+*?()|[]{}^$#&-~ \t\n\r\v\f")


def to_rust(node: Node, limits: Limits) -> str:
    """The pattern of a tree that is not `EMPTY`.

    Raises LimitExceededError past `limits.max_regex_bytes`, UnsupportedGrammarError past MAX_DEPTH.
    """
    return _Printer(limits.max_regex_bytes).print(node)


class _Printer:
    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.num_bytes = 0
        self.pieces: list[str] = []

    def print(self, node: Node) -> str:
        self.walk(node, 0)
        return "".join(self.pieces)

    def add(self, piece: str) -> None:
        self.num_bytes += len(piece) if piece.isascii() else len(piece.encode())
        if self.num_bytes > self.max_bytes:
            raise LimitExceededError("max_regex_bytes", self.max_bytes, "bytes", "the regex built from the grammar")
        self.pieces.append(piece)

    def walk(self, node: Node, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise UnsupportedGrammarError(
                f"the grammar nests deeper than outlines-core's regex parser takes ({MAX_DEPTH} levels)"
            )
        match node:
            case Text(text):
                self.add("".join(_escape(char) for char in text))
            case Chars(charset):
                self.add(_class(charset))
            case Sequence(parts):
                for part in parts:  # a sequence in a sequence is written without a group, so it nests nothing
                    self.walk(part, depth if isinstance(part, Sequence) else depth + 1)
            case Union(parts):
                for i, part in enumerate(parts):
                    self.add("|" if i else "(?:")
                    self.walk(part, depth + 3)
                self.add(")")
            case Repeat(inner, low, high):
                self.add("(?:")
                self.walk(inner, depth + 2)
                self.add(f"){{{low},{'' if high is None else high}}}")
            case Anchor():
                raise AssertionError("anchors are removed before a tree is printed")


def _escape(char: str) -> str:
    return char if char.isprintable() and char not in _SPECIAL else f"\\x{{{ord(char):X}}}"


def _class(charset: CharSet) -> str:
    ends = ((_escape(chr(low)), _escape(chr(high))) for low, high in charset)
    return f"[{''.join(low if low == high else f'{low}-{high}' for low, high in ends)}]"
