"""Where words and graphemes of a text begin and end (Unicode Standard Annex 29), for a whole text at once.

What a character is, its Word_Break class and the rest, `regex` says, once for each different character. The rules that
join characters to words are a kernel (`word_breaks`). `regex` has these rules, too, but it is far slower and differs
from the annex beside regional indicators, and where a text or a line begins with a combining mark.
"""

from __future__ import annotations

import numpy as np
import regex
from numpy.typing import NDArray

from .word_breaks import mark_word_breaks

CodePoints = NDArray[np.uint32]
Flags = NDArray[np.bool_]

_CLASSES = (
    *("Other", "CR", "LF", "Newline", "Extend", "Format", "ZWJ", "WSegSpace", "ALetter", "Hebrew_Letter", "Numeric"),
    *("Katakana", "ExtendNumLet", "Regional_Indicator", "Single_Quote", "Double_Quote", "MidNumLet", "MidLetter"),
    "MidNum",
)
_CLASS_OF = {name: number for number, name in enumerate(_CLASSES)}
_CLASS_BITS = 0x1F
_PICTOGRAPHIC, _WHITESPACE, _JOINS = 0x20, 0x40, 0x80
_UNKNOWN = 0xFF

_WORD_CLASS = regex.compile("|".join([rf"(\p{{Word_Break={name}}})" for name in _CLASSES]))
_TRAITS = (
    (_PICTOGRAPHIC, regex.compile(r"\p{Extended_Pictographic}")),
    (_WHITESPACE, regex.compile(r"\p{White_Space}")),
    (_JOINS, regex.compile(r"[^\p{GCB=Other}\p{GCB=Control}\p{GCB=CR}\p{GCB=LF}]")),
)
_GRAPHEME = regex.compile(r"\X")

_traits = np.full(0x110000, _UNKNOWN, np.uint8)  # a character's class and bits, once some text has had it


def code_points(text: str) -> CodePoints:
    """The characters of a text as numbers, (n,). Raises UnicodeEncodeError for a lone surrogate."""
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)


def distinct(points: CodePoints) -> CodePoints:
    """The different ones, in order."""
    is_there = np.zeros(int(points.max(initial=0)) + 1, np.bool_)
    is_there[points] = True
    return np.flatnonzero(is_there[: len(is_there) if len(points) else 0]).astype(np.uint32)


def whitespace(points: CodePoints) -> Flags:
    """Which characters are whitespace (White_Space), (n,)."""
    return (_traits_of(points) & _WHITESPACE).astype(np.bool_)


def word_boundaries(points: CodePoints) -> Flags:
    """Where a word may begin or end, (n + 1,): [i] is the place before character i. None in the empty text."""
    boundaries = np.zeros(len(points) + 1, np.bool_)
    if len(points):
        mark_word_breaks(_traits_of(points), _RULES, boundaries)
    return boundaries


def grapheme_boundaries(points: CodePoints) -> Flags:
    """Where a grapheme may begin or end, (n + 1,), as `word_boundaries`."""
    if (_traits_of(points) & _JOINS).any():
        boundaries = np.zeros(len(points) + 1, np.bool_)
        text = points.tobytes().decode("utf-32-le")
        boundaries[[0, *[grapheme.end() for grapheme in _GRAPHEME.finditer(text)]]] = True
        return boundaries
    boundaries = np.ones(len(points) + 1, np.bool_)
    boundaries[1:-1] &= ~((points[:-1] == ord("\r")) & (points[1:] == ord("\n")))
    return boundaries


def _traits_of(points: CodePoints) -> NDArray[np.uint8]:
    found = _traits[points]
    if (found == _UNKNOWN).any():
        for point in distinct(points[found == _UNKNOWN]).tolist():
            _traits[point] = _trait(chr(point))
        found = _traits[points]
    return found


def _trait(character: str) -> int:
    match = _WORD_CLASS.match(character)
    assert match is not None, "each character has a Word_Break class"
    return sum([bit for bit, pattern in _TRAITS if pattern.match(character)], match.lastindex - 1)


def _is_one_of(*names: str) -> Flags:
    """For each class whether it is one of these."""
    flags = np.zeros(len(_CLASSES), np.bool_)
    flags[[_CLASS_OF[name] for name in names]] = True
    return flags


_LETTER = _is_one_of("ALetter", "Hebrew_Letter")
_NUMBER = _is_one_of("Numeric")
_KATAKANA = _is_one_of("Katakana")
_HEBREW = _is_one_of("Hebrew_Letter")
_CONNECTOR = _is_one_of("ExtendNumLet")
_PAIRS = (
    np.outer(_LETTER | _NUMBER, _LETTER | _NUMBER)  # WB5, WB8, WB9, WB10
    | np.outer(_HEBREW, _is_one_of("Single_Quote"))  # WB7a
    | np.outer(_KATAKANA, _KATAKANA)  # WB13
    | np.outer(_LETTER | _NUMBER | _KATAKANA | _CONNECTOR, _CONNECTOR)  # WB13a
    | np.outer(_CONNECTOR, _LETTER | _NUMBER | _KATAKANA)  # WB13b
)
_AROUND = (
    (_is_one_of("MidLetter", "MidNumLet", "Single_Quote"), _LETTER),  # WB6, WB7
    (_is_one_of("Double_Quote"), _HEBREW),  # WB7b, WB7c
    (_is_one_of("MidNum", "MidNumLet", "Single_Quote"), _NUMBER),  # WB11, WB12
)
_KINDS = (
    (1, _is_one_of("CR", "LF", "Newline")),
    (2, _is_one_of("Extend", "Format", "ZWJ")),
    (4, _is_one_of("Regional_Indicator")),
    (8, _is_one_of("ZWJ")),
    (16, _is_one_of("WSegSpace")),
    (32, _is_one_of("CR")),
    (64, _is_one_of("LF")),
)


def _rules() -> NDArray[np.uint8]:
    """As `mark_word_breaks` takes them."""
    rules = np.zeros((35, 32), np.uint8)
    count = len(_CLASSES)
    rules[:count, :count] = _PAIRS
    for bit, (middle, sides) in enumerate(_AROUND):
        rules[32, :count] |= middle.astype(np.uint8) << np.uint8(bit)
        rules[33, :count] |= sides.astype(np.uint8) << np.uint8(bit)
    for kind, members in _KINDS:
        rules[34, :count] |= members.astype(np.uint8) * np.uint8(kind)
    return rules.ravel()


_RULES = _rules()
