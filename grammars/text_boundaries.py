"""Boundaries of words and graphemes (Unicode Standard Annex 29), found for a whole text at once.

The library `regex` tells the properties of each different character once, such as its Word_Break class. A kernel
(`word_breaks`) applies the rules that join characters to words, and collapses whitespace in the same pass. `regex` has
these rules, too, but is far slower, and differs from the annex next to regional indicators, and if a text or line
begins with a combining mark.
"""

from __future__ import annotations

import numpy as np
import regex
from numpy.typing import NDArray

from . import word_breaks as kernels
from .word_breaks import read_words

CodePoints = NDArray[np.uint32]
Flags = NDArray[np.bool_]
Marks = NDArray[np.uint8]

_CLASSES = (
    *("Other", "CR", "LF", "Newline", "Extend", "Format", "ZWJ", "WSegSpace", "ALetter", "Hebrew_Letter", "Numeric"),
    *("Katakana", "ExtendNumLet", "Regional_Indicator", "Single_Quote", "Double_Quote", "MidNumLet", "MidLetter"),
    "MidNum",
)
_CLASS_OF = {name: number for number, name in enumerate(_CLASSES)}

_WORD_CLASS = regex.compile("|".join([rf"(\p{{Word_Break={name}}})" for name in _CLASSES]))
_TRAITS = (
    (kernels.PICTOGRAPHIC, regex.compile(r"\p{Extended_Pictographic}")),
    (kernels.WHITESPACE, regex.compile(r"\p{White_Space}")),
    (kernels.JOINS, regex.compile(r"[^\p{GCB=Other}\p{GCB=Control}\p{GCB=CR}\p{GCB=LF}]")),
)
_GRAPHEME = regex.compile(r"\X")

# code point -> its class and trait bits; UNKNOWN until some text contains the character
_traits = np.full(0x110000, kernels.UNKNOWN, np.uint8)


def code_points(text: str) -> CodePoints:
    """Return a text's code points, (n,). Raises UnicodeEncodeError for a lone surrogate."""
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)


def distinct(points: CodePoints) -> CodePoints:
    """Return the different code points, sorted."""
    is_there = np.zeros(int(points.max(initial=0)) + 1, np.bool_)
    is_there[points] = True
    return np.flatnonzero(is_there[: len(is_there) if len(points) else 0]).astype(np.uint32)


def whitespace(points: CodePoints) -> Flags:
    """Return a flag for each character: it has the property White_Space, (n,)."""
    return (_traits_of(points) & kernels.WHITESPACE).astype(np.bool_)


def words_of(points: CodePoints, *, collapses: bool) -> tuple[CodePoints, Marks]:
    """Return the text's characters, and the marks of all places, uint8 (n + 1,): before each character and at the end.

    points: code points, (n,).
    collapses: True replaces each run of whitespace by one blank.

    Marks are BOUNDARY, STARTS and ENDS of `word_breaks`. The empty text has none.
    """
    kept, marks = np.empty(len(points), np.uint32), np.empty(len(points) + 1, np.uint8)
    if not len(points):
        marks[:] = 0
        return kept, marks
    count, unknown = read_words(points, _traits, _RULES, collapses, kept, marks)
    if unknown >= 0:
        _traits_of(points)
        # the kernel needs the traits of a blank, which replaces other whitespace
        _traits_of(np.array([unknown], np.uint32))
        count, unknown = read_words(points, _traits, _RULES, collapses, kept, marks)
        assert unknown < 0, "the traits of all characters are known"
    return kept[:count], marks[: count + 1]


def grapheme_boundaries(points: CodePoints) -> Flags:
    """Return the places where a grapheme may begin or end, (n + 1,); entry i is the place before character i."""
    if (_traits_of(points) & kernels.JOINS).any():
        boundaries = np.zeros(len(points) + 1, np.bool_)
        text = points.tobytes().decode("utf-32-le")
        boundaries[[0, *[grapheme.end() for grapheme in _GRAPHEME.finditer(text)]]] = True
        return boundaries
    boundaries = np.ones(len(points) + 1, np.bool_)
    boundaries[1:-1] &= ~((points[:-1] == ord("\r")) & (points[1:] == ord("\n")))
    return boundaries


def _traits_of(points: CodePoints) -> NDArray[np.uint8]:
    found = _traits[points]
    if (found == kernels.UNKNOWN).any():
        for point in distinct(points[found == kernels.UNKNOWN]).tolist():
            _traits[point] = _trait(chr(point))
        found = _traits[points]
    return found


def _trait(character: str) -> int:
    match = _WORD_CLASS.match(character)
    assert match is not None, "each character has a Word_Break class"
    return sum([bit for bit, pattern in _TRAITS if pattern.match(character)], match.lastindex - 1)


def _is_one_of(*names: str) -> Flags:
    """Return one flag for each class: it is one of `names`."""
    flags = np.zeros(len(_CLASSES), np.bool_)
    flags[[_CLASS_OF[name] for name in names]] = True
    return flags


_LETTER = _is_one_of("ALetter", "Hebrew_Letter")
_NUMBER = _is_one_of("Numeric")
_KATAKANA = _is_one_of("Katakana")
_HEBREW = _is_one_of("Hebrew_Letter")
_CONNECTOR = _is_one_of("ExtendNumLet")
_SPACE = _is_one_of("WSegSpace")
_PAIRS = (
    np.outer(_LETTER | _NUMBER, _LETTER | _NUMBER)  # WB5, WB8, WB9, WB10
    | np.outer(_HEBREW, _is_one_of("Single_Quote"))  # WB7a
    | np.outer(_KATAKANA, _KATAKANA)  # WB13
    | np.outer(_LETTER | _NUMBER | _KATAKANA | _CONNECTOR, _CONNECTOR)  # WB13a
    | np.outer(_CONNECTOR, _LETTER | _NUMBER | _KATAKANA)  # WB13b
)
_AROUND = (
    (_LETTER, _is_one_of("MidLetter", "MidNumLet", "Single_Quote")),  # WB6, WB7
    (_HEBREW, _is_one_of("Double_Quote")),  # WB7b, WB7c
    (_NUMBER, _is_one_of("MidNum", "MidNumLet", "Single_Quote")),  # WB11, WB12
)
_KINDS = (
    (kernels.LINE_END, _is_one_of("CR", "LF", "Newline")),
    (kernels.ADDED, _is_one_of("Extend", "Format", "ZWJ")),
    (kernels.REGIONAL, _is_one_of("Regional_Indicator")),
    (kernels.JOINER, _is_one_of("ZWJ")),
    (kernels.RETURN, _is_one_of("CR")),
    (kernels.NEWLINE, _is_one_of("LF")),
)


def _rules() -> NDArray[np.uint8]:
    """Return the table of rules in the form that `read_words` takes."""
    count, size = len(_CLASSES), kernels.CLASS_BITS + 1
    joined, inner, neighbours = np.zeros((3, size, size, size), np.bool_)
    kinds = np.zeros(size, np.uint8)
    for side, middle in _AROUND:
        inner[:count, :count, :count] |= side[:, None, None] & middle[:, None] & side
    joined[:, :count, :count] = _PAIRS
    neighbours[:, :count, :count] = np.outer(_SPACE, _SPACE)  # WB3d
    for kind, members in _KINDS:
        kinds[:count] |= members.astype(np.uint8) * np.uint8(kind)
    parts = ((kernels.JOINED, joined | inner), (kernels.INNER, inner), (kernels.NEIGHBOURS, neighbours))
    rules = np.where(kinds, np.uint8(kernels.RARE), np.uint8(0)) + np.zeros(joined.shape, np.uint8)
    for bit, found in parts:
        rules |= found.astype(np.uint8) * np.uint8(bit)
    return np.concatenate([rules.ravel(), kinds])


_RULES = _rules()
