"""Where quotes stand in a source text, against every factor of it tried in plain Python."""

from __future__ import annotations

import random
import re
import time

import pytest

from guided.grammars.errors import GrammarInputError
from guided.grammars.quotes import QuoteOptions, SourceText
from guided.grammars.text_boundaries import code_points, words_of
from guided.grammars.word_breaks import BOUNDARY


@pytest.mark.parametrize(
    ("source", "quote", "places"),
    [
        ("Smith, of Smith", "Smith", [(0, 5), (10, 15)]),
        ("Smith, of Smith", "Smith,", [(0, 6)]),
        ("Smith, of Smith", "Smit", []),
        ("cost 3.5 in U.S. money", "3", []),
        ("cost 3.5 in U.S. money", "3.5", [(5, 8)]),
        ("cost 3.5 in U.S. money", "U", []),
        ("cost 3.5 in U.S. money", "U.S.", [(12, 16)]),
        ("Anna \r\n\t Berg", "Anna Berg", [(0, 13)]),
        ("Anna Berg", "Anna ", []),
        ("Anna", "", []),
        ("", "Anna", []),
        ("Tromsø", "Tromsö", []),
        ("a a a", "a a", [(0, 3), (2, 5)]),
    ],
)
def test_a_quote_is_of_whole_words(source: str, quote: str, places: list[tuple[int, int]]) -> None:
    assert SourceText(source).places(quote) == places


def test_any_boundary_is_between_graphemes() -> None:
    options = QuoteOptions(boundaries="any")
    assert SourceText("Smith", options).places("mit") == [(1, 4)]
    assert SourceText("e\u0301a", options).places("e") == []
    assert SourceText("a  b", options).places("a ") == [(0, 3)]


def test_exact_whitespace_and_exact_case() -> None:
    assert SourceText("a  b", QuoteOptions(whitespace="exact")).places("a b") == []
    assert SourceText("a  b", QuoteOptions(whitespace="exact")).places("a  b") == [(0, 4)]
    assert SourceText("Ada and ada").places("ada") == [(8, 11)]


@pytest.mark.parametrize("seed", range(20))
def test_what_is_kept_of_runs_of_whitespace(seed: int) -> None:
    draw = random.Random(seed)
    letters = "ab \n\t\r\u00a0\u2028\u3000.e\u0301\u200d"
    for _ in range(50):
        text = "".join(draw.choices(letters, k=draw.randint(0, 12)))
        source = SourceText(text)
        assert source.text == re.sub(r"\s+", " ", text)
        boundaries = words_of(code_points(source.text), collapses=False)[1] & BOUNDARY
        spaces = [char == " " for char in source.text]
        assert source.starts.tolist() == [
            bool(one) and not space for one, space in zip(boundaries, [*spaces, False], strict=True)
        ]
        assert source.ends.tolist() == [
            bool(one) and not space for one, space in zip(boundaries, [False, *spaces], strict=True)
        ]
        kept = [
            place
            for place, char in enumerate(text)
            if not char.isspace() or place == 0 or not text[place - 1].isspace()
        ]
        assert source.offsets.tolist() == [*kept, len(text)]


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(GrammarInputError, match="'words' or 'any', not 'lines'"):
        QuoteOptions(boundaries="lines")  # type: ignore[arg-type]


def test_a_lone_surrogate_is_refused_with_its_place() -> None:
    with pytest.raises(GrammarInputError, match="character 2 of the source is a lone surrogate"):
        SourceText("ab\ud800")
    assert SourceText("ab").places("\ud800") == []


def test_control_characters_emoji_and_right_to_left() -> None:
    assert SourceText("a\0b").places("b") == [(2, 3)]
    family = "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER}"
    assert SourceText(f"x {family} y").places(family) == [(2, 5)]
    assert SourceText(f"x {family} y").places("\N{WOMAN}") == []
    assert SourceText("שלום עולם").places("עולם") == [(5, 9)]


@pytest.mark.parametrize("seed", range(40))
def test_each_factor_of_single_letters_is_found_where_it_stands(seed: int) -> None:
    """Letters and spaces alone have boundaries that one can tell without tables: where a letter meets a space."""
    draw = random.Random(seed)
    source = "".join(draw.choice("ab \n") for _ in range(draw.randint(0, 14)))
    expected: dict[str, list[tuple[int, int]]] = {}
    for start in range(len(source)):
        for end in range(start + 1, len(source) + 1):
            factor = source[start:end]
            cut = (start and not source[start - 1].isspace()) or (end < len(source) and not source[end].isspace())
            if factor.strip() == factor and not cut:
                expected.setdefault(" ".join(factor.split()), []).append((start, end))
    for quote, places in expected.items():
        assert SourceText(source).places(quote) == places
    for quote in ("a", "b", "ab", "a b", "b a", "a ", " b", "aa", "bb a"):
        assert SourceText(source).places(quote) == expected.get(quote, [])


@pytest.mark.parametrize("seed", range(20))
def test_all_places_of_what_repeats_itself(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(100):
        unit = "".join(draw.choice("ab") for _ in range(draw.randint(1, 4)))
        parts = [draw.choice([unit * draw.randint(1, 90), unit[:1], "a"]) for _ in range(draw.randint(1, 6))]
        source, quote = "".join(parts), (unit * draw.randint(1, 6))[draw.randint(0, 1) :] + unit[: draw.randint(0, 2)]
        expected = [(i, i + len(quote)) for i in range(len(source)) if quote and source.startswith(quote, i)]
        assert SourceText(source, QuoteOptions(boundaries="any")).places(quote) == expected


@pytest.mark.parametrize(("unit", "places"), [("-", 180_001), ("ab", 90_001), ("a ", 90_001)])
def test_places_that_overlap_take_the_time_of_the_text(unit: str, places: int) -> None:
    """Each place compared on its own took 50 s."""
    source = SourceText((unit * 200_000)[:200_000], QuoteOptions(boundaries="any"))
    begin = time.thread_time()
    found = source.places((unit * 20_000)[:20_000])
    assert time.thread_time() - begin < 3
    assert len(found) == places
