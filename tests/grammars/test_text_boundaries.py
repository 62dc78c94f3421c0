"""Boundaries of words and graphemes found over arrays, against the annex's rules tried place by place, and `regex`."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
import regex

from guided.grammars.text_boundaries import code_points, grapheme_boundaries, whitespace, words_of
from guided.grammars.word_breaks import BOUNDARY

_WORD_BOUNDARY, _GRAPHEME = regex.compile(r"(?w)\b"), regex.compile(r"\X")
_CLASSES = (
    *("CR", "LF", "Newline", "Extend", "Format", "ZWJ", "WSegSpace", "ALetter", "Hebrew_Letter", "Numeric"),
    *("Katakana", "ExtendNumLet", "Regional_Indicator", "Single_Quote", "Double_Quote", "MidNumLet", "MidLetter"),
    *("MidNum", "Other"),
)
_PICTOGRAPHS = ["\N{CIRCLED LATIN CAPITAL LETTER M}", "\N{WOMAN}", "\N{PERSONAL COMPUTER}"]


@cache
def _every_character() -> str:
    return "".join([chr(point) for point in range(0x110000) if not 0xD800 <= point <= 0xDFFF])


@cache
def _members() -> list[list[str]]:
    """The characters of each class."""
    return [regex.findall(rf"\p{{Word_Break={name}}}", _every_character()) for name in _CLASSES]


@cache
def _class_of() -> dict[str, str]:
    return {point: name for name, members in zip(_CLASSES, _members(), strict=True) for point in members}


@cache
def _samples() -> list[str]:
    return [*[character for some in _members() for character in some[:3]], *_PICTOGRAPHS]


_LINE_ENDS, _ADDED = {"CR", "LF", "Newline"}, {"Extend", "Format", "ZWJ"}
_MID_LETTERS = {"MidLetter", "MidNumLet", "Single_Quote"}
_MID_NUMBERS = {"MidNum", "MidNumLet", "Single_Quote"}
_SHORT = {"ALetter": "A", "Hebrew_Letter": "H", "Numeric": "N", "Katakana": "K", "ExtendNumLet": "_"}


def _words(text: str) -> list[int]:
    """The places that the rules of Annex 29 give, WB1 to WB999, each place on its own."""
    return [place for place in range(len(text) + 1) if text and _is_boundary(text, place)]


def _is_boundary(text: str, place: int) -> bool:
    if place in (0, len(text)):
        return True
    before, after = _class_of()[text[place - 1]], _class_of()[text[place]]
    if (before, after) == ("CR", "LF"):
        return False
    if before in _LINE_ENDS or after in _LINE_ENDS:
        return True
    if before == "ZWJ" and regex.match(r"\p{Extended_Pictographic}", text[place]):
        return False
    if (before, after) == ("WSegSpace", "WSegSpace"):
        return False
    if after in _ADDED:
        return False
    left, right = _bases(text[:place]), _bases(text[place:])
    one, two = left[-1], left[-2] if len(left) > 1 else ""
    three, four = right[0], right[1] if len(right) > 1 else ""
    first, second, third, fourth = (_SHORT.get(name, " ") for name in (one, two, three, four))
    if first in "AHN" and third in "AHN":
        return False
    if first in "AH" and three in _MID_LETTERS and fourth in "AH":
        return False
    if second in "AH" and one in _MID_LETTERS and third in "AH":
        return False
    if first == "H" and (three == "Single_Quote" or (three == "Double_Quote" and fourth == "H")):
        return False
    if (second, one, third) == ("H", "Double_Quote", "H"):
        return False
    if (second == "N" and one in _MID_NUMBERS and third == "N") or (
        first == "N" and three in _MID_NUMBERS and fourth == "N"
    ):
        return False
    if (first == third == "K") or (first in "AHNK_" and third == "_") or (first == "_" and third in "AHNK"):
        return False
    if one == three == "Regional_Indicator":
        run = len(left) - next((index + 1 for index in range(len(left) - 1, -1, -1) if left[index] != one), 0)
        return run % 2 == 0
    return True


def _bases(text: str) -> list[str]:
    """The classes without characters that WB4 adds to others."""
    classes = [_class_of()[character] for character in text]
    return [
        name
        for index, name in enumerate(classes)
        if index == 0 or name not in _ADDED or classes[index - 1] in _LINE_ENDS
    ]


def _found(text: str) -> list[int]:
    return np.flatnonzero(words_of(code_points(text), collapses=False)[1] & BOUNDARY).tolist()


@pytest.mark.parametrize("first", range(len(_CLASSES)))
def test_three_characters_of_all_classes(first: int) -> None:
    for second in _samples():
        for third in [*[some[0] for some in _members()], *_PICTOGRAPHS]:
            text = _members()[first][0] + second + third
            assert _found(text) == _words(text), ascii(text)


@pytest.mark.parametrize("seed", range(8))
def test_random_texts_of_all_classes(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(200):
        text = "".join(draw.choices(_samples(), k=draw.randint(0, 14)))
        assert _found(text) == _words(text), ascii(text)
        ends = [0, *[grapheme.end() for grapheme in _GRAPHEME.finditer(text)]]
        assert np.flatnonzero(grapheme_boundaries(code_points(text))).tolist() == ends, ascii(text)


@pytest.mark.parametrize(
    "text", ["", "a", "ab", "a\r\nb", "cost 3.5 in U.S. money", "don't l'\u00e9t\u00e9", "\r\n\r\n"]
)
def test_plain_texts(text: str) -> None:
    assert _found(text) == _words(text) == [boundary.start() for boundary in _WORD_BOUNDARY.finditer(text)]
    ends = [0, *[grapheme.end() for grapheme in _GRAPHEME.finditer(text)]]
    assert np.flatnonzero(grapheme_boundaries(code_points(text))).tolist() == ends


def test_whitespace_is_that_of_unicode() -> None:
    text = _every_character()[:0x10000] + _every_character()[0x10000::31]
    found = np.flatnonzero(whitespace(code_points(text)))
    wanted = [match.start() for match in regex.finditer(r"\p{White_Space}", text)]
    assert found.tolist() == wanted
