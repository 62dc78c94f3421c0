"""A tree as an expression of GBNF, the notation that llama.cpp and xgrammar share.

Only quoted strings, classes of explicit ranges, groups, `|` and `{m,n}` are written.
"""

from __future__ import annotations

from ...errors import LimitExceededError
from ...limits import Limits
from ...regex.charset import CharSet
from .syntax import Anchor, Chars, Node, Repeat, Sequence, Text, Union

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _<>=/:;,.!?@#%&+*(){}|~'`$")


def to_gbnf(node: Node, limits: Limits) -> str:
    """The expression of a tree that is not `EMPTY` and has no anchors.

    Raises LimitExceededError past `limits.max_regex_bytes`.
    """
    expression = "".join(_print(node))
    if len(expression) > limits.max_regex_bytes:
        raise LimitExceededError("max_regex_bytes", limits.max_regex_bytes, "bytes", "the regex as a grammar")
    return expression


def quote(string: str) -> str:
    """A string in quotes."""
    return f'"{"".join(map(_escape, string))}"'


def _print(node: Node) -> list[str]:
    match node:
        case Text(string):
            return [quote(string)]
        case Chars(charset):
            return [_class(charset)]
        case Sequence(parts):
            return [" ".join(piece for part in parts for piece in _print(part))] if parts else ['""']
        case Union(parts):
            return ["(", " | ".join(" ".join(_print(part)) for part in parts), ")"]
        case Repeat(inner, low, high):
            return ["(", *_print(inner), f"){{{low},{'' if high is None else high}}}"]
        case Anchor():
            raise AssertionError("anchors are removed before a tree is printed")


def _class(charset: CharSet) -> str:
    ends = [(_escape(chr(low)), _escape(chr(high))) for low, high in charset]
    return f"[{''.join(low if low == high else f'{low}-{high}' for low, high in ends)}]"


def _escape(char: str) -> str:
    if char in _PLAIN:
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
