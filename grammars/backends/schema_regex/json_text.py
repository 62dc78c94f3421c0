"""How JSON spells values, as regexes: strings, literals of any value, and what stands between values.

Strings are canonical: each character as itself, or as its shortest escape where JSON asks for one, which is what
`json.dumps(..., ensure_ascii=False)` writes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ...errors import GrammarInputError, InvalidRegexError
from ...regex import charset as cs
from ..regex.anchors import full_match
from ..regex.parser import parse
from ..regex.syntax import (
    EMPTY,
    EPSILON,
    Anchor,
    Chars,
    Node,
    Repeat,
    Sequence,
    Text,
    Union,
    chars,
    optional,
    repeat,
    sequence,
    text,
    union,
)

_MUST_ESCAPE = cs.union(((0, 0x1F),), cs.from_chars('"\\'))
_WHITESPACE = cs.from_chars(" \t\n\r")

ANY_CHAR: Node = full_match("", parse(r'[^"\\\x00-\x1f]|\\(?:["\\bfnrt]|u00(?:0[0-7bef]|1[0-9a-f]))'))
"""One character of a JSON string: itself, or its shortest escape where JSON asks for one."""


@dataclass(frozen=True)
class Punctuation:
    """What stands between values. inside: whitespace just after an opening and just before a closing bracket."""

    comma: Node
    colon: Node
    inside: Node


def punctuation(whitespace: str) -> Punctuation:
    """The tokens between values for a `whitespace` option: "compact", "flexible", "spaced", or a regex of one place.

    Raises GrammarInputError when it is none of them, or a regex that matches more than JSON whitespace.
    """
    if whitespace == "spaced":
        return Punctuation(text(", "), text(": "), EPSILON)
    space = _space(whitespace)
    return Punctuation(sequence(space, text(","), space), sequence(space, text(":"), space), space)


def _space(whitespace: str) -> Node:
    if whitespace == "compact":
        return EPSILON
    if whitespace == "flexible":
        return repeat(chars(cs.from_chars(" \n\t")), 0, 2)
    expected = 'expected "compact", "flexible", "spaced" or a regex of JSON whitespace characters'
    try:
        space = full_match(whitespace, parse(whitespace))
    except InvalidRegexError as error:
        raise GrammarInputError(
            f"whitespace: {error.reason} at offset {error.position} of {whitespace!r}; {expected}"
        ) from None
    if space is EMPTY or cs.difference(_alphabet(space), _WHITESPACE):
        raise GrammarInputError(f"whitespace={whitespace!r} matches more than JSON allows between tokens; {expected}")
    return space


def _alphabet(node: Node) -> cs.CharSet:
    """Every character that occurs in a text of the node."""
    match node:
        case Text(value):
            return cs.from_chars(value)
        case Chars(charset):
            return charset
        case Sequence(parts) | Union(parts):
            return cs.union(*(_alphabet(part) for part in parts))
        case Repeat(inner):
            return _alphabet(inner)
        case Anchor():
            raise AssertionError("anchors are removed before")


def quoted(inner: Node) -> Node:
    """A JSON string with these (already escaped) contents."""
    return sequence(text('"'), inner, text('"'))


def escaped(node: Node) -> Node:
    """A regex over the characters of string values, as a regex over their spelling inside JSON quotes."""
    match node:
        case Text(value):
            return text(_spell(value))
        case Chars(charset):
            return _escaped_chars(charset)
        case Sequence(parts):
            return sequence(*(escaped(part) for part in parts))
        case Union(parts):
            return union(escaped(part) for part in parts)
        case Repeat(inner, low, high):
            return repeat(escaped(inner), low, high)
        case Anchor():
            raise AssertionError("anchors are removed before")


def _escaped_chars(charset: cs.CharSet) -> Node:
    if charset == cs.ALL:
        return ANY_CHAR
    special = cs.intersection(charset, _MUST_ESCAPE)
    spelled = (text(_spell(chr(code))) for low, high in special for code in range(low, high + 1))
    return union([chars(cs.difference(charset, _MUST_ESCAPE)), *spelled])


def _spell(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)[1:-1]


def literal(value: Any, marks: Punctuation) -> Node:
    """Exactly this JSON value, keys in their order."""
    if isinstance(value, dict):
        members = [
            sequence(text(json.dumps(key, ensure_ascii=False)), marks.colon, literal(value[key], marks))
            for key in value
        ]
        return bracketed("{", members, "}", marks)
    if isinstance(value, list):
        return bracketed("[", [literal(item, marks) for item in value], "]", marks)
    return text(json.dumps(value, ensure_ascii=False))


def bracketed(opening: str, items: list[Node], completion: str, marks: Punctuation) -> Node:
    """The items in brackets, with commas between them."""
    return enclosed(
        opening, sequence(*(_after_comma(item, i, marks) for i, item in enumerate(items))), completion, marks
    )


def _after_comma(item: Node, index: int, marks: Punctuation) -> Node:
    return sequence(marks.comma, item) if index else item


def enclosed(opening: str, content: Node, completion: str, marks: Punctuation) -> Node:
    """Content in brackets. Where it is nothing there is one place for whitespace, else two."""
    if content is EMPTY:
        return EMPTY
    if content is EPSILON:
        return sequence(text(opening), marks.inside, text(completion))
    if isinstance(content, Repeat) and (content.low, content.high) == (0, 1):
        content = optional(sequence(content.node, marks.inside))
        return sequence(text(opening), marks.inside, content, text(completion))
    return sequence(text(opening), marks.inside, content, marks.inside, text(completion))
