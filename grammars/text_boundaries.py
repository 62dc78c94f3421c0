"""Where words and graphemes of a text begin and end (Unicode Standard Annex 29), for a whole text at once.

What a character is, its Word_Break class and the rest, `regex` says, once for each different character. The rules that
join characters to words run over arrays. `regex` has these rules, too, but it is far slower and differs from the annex
beside regional indicators, and where a text or a line begins with a combining mark.
"""

from __future__ import annotations

import numpy as np
import regex
from numpy.typing import NDArray

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
    boundaries = np.ones(len(points) + 1, np.bool_)
    if not len(points):
        return ~boundaries
    traits = _traits_of(points)
    classes = traits & _CLASS_BITS
    before, after = classes[:-1], classes[1:]
    is_line_end = _is_one_of("CR", "LF", "Newline")[classes]
    is_added = _is_one_of("Extend", "Format", "ZWJ")[classes]
    is_added[0] = False
    is_added[1:] &= ~is_line_end[:-1]  # WB4
    is_whole = ~is_added
    bases = np.flatnonzero(is_whole)
    boundaries[bases] = ~_joined(classes[bases])
    boundaries[:-1] &= is_whole
    inner = boundaries[1:-1]
    inner &= ~((before == _CLASS_OF["WSegSpace"]) & (after == _CLASS_OF["WSegSpace"]))  # WB3d
    inner &= ~((before == _CLASS_OF["CR"]) & (after == _CLASS_OF["LF"]))  # WB3
    inner &= ~((before == _CLASS_OF["ZWJ"]) & (traits[1:] & _PICTOGRAPHIC).astype(np.bool_))  # WB3c
    boundaries[0] = boundaries[-1] = True
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


def _joined(classes: NDArray[np.uint8]) -> Flags:
    """Which characters belong to the word before them, by WB5 to WB16; classes: without what WB4 adds to others."""
    joined = np.zeros(len(classes), np.bool_)
    joined[1:] = _PAIRS[classes[:-1].astype(np.uint16) * np.uint16(len(_CLASSES)) + classes[1:]]
    for middle, sides in _AROUND:
        at = np.flatnonzero(middle[classes[1:-1]]) + 1
        at = at[sides[classes[at - 1]] & sides[classes[at + 1]]]
        joined[at] = joined[at + 1] = True
    flags = np.flatnonzero(classes == _CLASS_OF["Regional_Indicator"])  # WB15, WB16: in pairs
    run_starts = np.flatnonzero(np.diff(flags, prepend=-2) != 1)
    places = np.arange(len(flags)) - np.repeat(run_starts, np.diff(run_starts, append=len(flags)))
    joined[flags[places % 2 == 1]] = True
    return joined


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
).ravel()
_AROUND = (
    (_is_one_of("MidLetter", "MidNumLet", "Single_Quote"), _LETTER),  # WB6, WB7
    (_is_one_of("Double_Quote"), _HEBREW),  # WB7b, WB7c
    (_is_one_of("MidNum", "MidNumLet", "Single_Quote"), _NUMBER),  # WB11, WB12
)
