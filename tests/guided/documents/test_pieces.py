"""Texts in pieces: sentences by TR29's rules, pieces that hold the whole text, overlap, and are never too long."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from guided.documents.pieces import Cut, Cutter, Piece
from guided.documents.sentences import sentence_ends
from guided.grammars.errors import InvalidInputError

CLASSES = ("CR", "LF", "Extend", "Sep", "Format", "Sp", "Lower", "Upper", "OLetter", "Numeric", "ATerm", "SContinue")
CLASSES += ("STerm", "Close")
PATTERNS = {name: regex.compile(rf"\p{{SB={name}}}") for name in CLASSES}
CHARACTERS = "\r\n\u0085\u2028\u0301\u00ad\u200d \u00a0aßBЖ日א3٤.\u2024,;:!?。)\"“'(-+€\U0001f600"  # of every class


def class_of(char: str) -> str:
    return next((name for name, pattern in PATTERNS.items() if pattern.match(char)), "Any")


def expected_ends(text: str) -> list[int]:
    """The rules of section 5.1, one after the other, at each place."""
    return [place for place in range(1, len(text) + 1) if is_boundary(text, place)]


def is_boundary(text: str, place: int) -> bool:
    classes = [class_of(char) for char in text]
    before, after = classes[:place], classes[place:]
    separators = {"Sep", "CR", "LF"}
    if not after:
        return True  # SB2
    if before[-1] == "CR" and after[0] == "LF":
        return False  # SB3
    if before[-1] in separators:
        return True  # SB4
    if after[0] in ("Extend", "Format"):
        return False  # SB5
    left = " ".join(_without_rest(before))
    following = _without_rest(after)
    term = r"(ATerm|STerm)"
    if re.search(r"\bATerm$", left) and following[0] == "Numeric":
        return False  # SB6
    if re.search(r"\b(Upper|Lower) ATerm$", left) and following[0] == "Upper":
        return False  # SB7
    if re.search(r"\bATerm( Close)*( Sp)*$", left):
        stops = {"OLetter", "Upper", "Lower", *separators, "STerm", "ATerm"}
        if next((one for one in following if one in stops), "") == "Lower":
            return False  # SB8
    if re.search(rf"\b{term}( Close)*( Sp)*$", left) and following[0] in ("SContinue", "STerm", "ATerm"):
        return False  # SB8a
    if re.search(rf"\b{term}( Close)*$", left) and following[0] in {"Close", "Sp", *separators}:
        return False  # SB9
    if re.search(rf"\b{term}( Close)*( Sp)*$", left) and following[0] in {"Sp", *separators}:
        return False  # SB10
    return bool(re.search(rf"\b{term}( Close)*( Sp)*( Sep| CR| LF)?$", left))  # SB11, SB998


def _without_rest(classes: list[str]) -> list[str]:
    """SB5: Extend and Format belong to what stands before them, unless that is a separator (or nothing)."""
    kept: list[str] = []
    for one in classes:
        if one not in ("Extend", "Format") or not kept or kept[-1] in ("Sep", "CR", "LF"):
            kept.append(one)
    return kept


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=CHARACTERS, max_size=12))
def test_sentences_are_those_of_the_annex(text: str) -> None:
    assert list(sentence_ends(text)) == expected_ends(text)


def test_sentences_of_a_letter() -> None:
    text = 'He paid 3.50 to U.S.A. and left. "Why?" she said.\n\nMr. Holm...  went (home.) Then'
    ends = [0, *sentence_ends(text)]
    assert [text[start:end] for start, end in pairwise(ends)] == [
        "He paid 3.50 to U.S.A. and left. ",
        '"Why?" ',
        "she said.\n",
        "\n",
        "Mr. ",
        "Holm...  went (home.) ",
        "Then",
    ]


TEXTS = st.lists(
    st.sampled_from(
        ["Ada went home. ", "Bo? ", "A b c d e f g h i j.\n", "\n", "x" * 30, " ", "Zürich 日本。", "\n\n"]
    ),
    max_size=40,
).map("".join)


def count(text: str) -> int:
    return (len(text) + 2) // 3


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.integers(1, 30), st.integers(0, 12))
def test_pieces_hold_the_whole_text_and_are_not_too_long(text: str, max_tokens: int, overlap: int) -> None:
    overlap = min(overlap, max_tokens - 1)
    pieces = list(Cutter(max_tokens, overlap, count).pieces(text))
    assert all(text[one.start : one.end] == one.text for one in pieces)
    covered = 0
    for piece in pieces:
        assert piece.start <= covered < piece.end, "nothing is left out, and each has something new"
        assert count(text[piece.start : covered]) <= overlap + 1
        covered = piece.end
    assert covered == len(text)
    assert all(count(one.text) <= max_tokens for one in pieces)  # sentences are each rounded up


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.integers(8, 40))
def test_halves_are_shorter_and_hold_the_piece(text: str, max_tokens: int) -> None:
    piece = Piece(7, text)
    halves = Cutter(max_tokens, max_tokens // 8, count).halves(piece)
    if len(text) < 40:
        assert halves == [piece]
        return
    assert halves[0].start == 7
    assert halves[-1].end == piece.end
    assert all(after.start <= before.end for before, after in pairwise(halves))
    assert all(len(one.text) < len(text) for one in halves)


@settings(max_examples=100, deadline=None)
@given(TEXTS.filter(lambda text: len(text) >= 40), st.integers(0, 40))
def test_halves_are_two_and_even(text: str, overlap: int) -> None:
    halves = Cutter(50, overlap, len).halves(Piece(7, text))
    assert len(halves) == 2
    assert max(len(one.text) for one in halves) <= len(text) * 3 / 4 + 1
    assert 0 <= halves[0].end - halves[1].start <= min(overlap, len(text) / 8)


def test_pieces_end_at_paragraphs() -> None:
    paragraphs = ["One is here. Two is too.\n\n", "Three. Four is a long one indeed.\n\n", "Five. Six.\n\n", "Seven."]
    pieces = [one.text for one in Cutter(25, 0, count).pieces("".join(paragraphs))]
    assert pieces == [paragraphs[0] + paragraphs[1], paragraphs[2] + paragraphs[3]]


def test_pieces_come_as_they_are_asked_for() -> None:
    num_counted = 0

    def counting(text: str) -> int:
        nonlocal num_counted
        num_counted += 1
        return count(text)

    pieces = Cutter(100, 10, counting).pieces("A sentence here. " * 100_000)
    next(pieces)
    assert num_counted < 50


@pytest.mark.parametrize(
    "given_cut", [{"max_tokens": 0}, {"overlap_tokens": -1}, {"max_tokens": True}, {"max_tokens": 1.5}]
)
def test_sizes_that_are_none(given_cut: dict[str, int]) -> None:
    with pytest.raises(InvalidInputError, match=next(iter(given_cut))):
        Cut(**given_cut)
    with pytest.raises(InvalidInputError, match="overlap_tokens must be less than max_tokens"):
        Cut(max_tokens=10, overlap_tokens=10)


@pytest.mark.parametrize("text", ["a" * 300_000, "abc " * 75_000, "日" * 299_000 + " b" * 500, " " * 300_000])
@pytest.mark.parametrize("num_chars", [1, 4])
def test_long_sentences_are_counted_in_windows(text: str, num_chars: int) -> None:
    """num_chars: of a token. Each character is counted a few times, however long the sentence is."""
    counted: list[int] = []

    def counting(part: str) -> int:
        counted.append(len(part))
        return -(-len(part) // num_chars)

    pieces = list(Cutter(2000, 250, counting).pieces(text))
    assert sum(counted) < 12 * len(text)
    assert max(counted) <= 2000 * 16
    assert pieces[-1].end == len(text)
    assert all(counting(one.text) > 1500 for one in pieces[:-1])
    assert all(one.start < before.end < one.end for before, one in pairwise(pieces))


def test_words_of_long_sentences_stay_whole() -> None:
    text = "some words of several lengths " * 400
    for piece in list(Cutter(50, 10, count).pieces(text))[:-1]:
        assert piece.text.endswith(" ")
