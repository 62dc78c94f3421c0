"""Where quotes stand in a source text, against every factor of it tried in plain Python."""

from __future__ import annotations

import random

import pytest

from guided.grammars.errors import GrammarInputError
from guided.grammars.quotes import QuoteOptions, find_quotes


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
    assert find_quotes(source, quote) == places


def test_any_boundary_is_between_graphemes() -> None:
    options = QuoteOptions(boundaries="any")
    assert find_quotes("Smith", "mit", options) == [(1, 4)]
    assert find_quotes("e\u0301a", "e", options) == []
    assert find_quotes("a  b", "a ", options) == [(0, 3)]


def test_exact_whitespace_and_folded_case() -> None:
    assert find_quotes("a  b", "a b", QuoteOptions(whitespace="exact")) == []
    assert find_quotes("a  b", "a  b", QuoteOptions(whitespace="exact")) == [(0, 4)]
    assert find_quotes("STRASSE İZMİR Ä", "ä", QuoteOptions(case="fold")) == [(14, 15)]
    assert find_quotes("Straße", "strasse", QuoteOptions(case="fold")) == []


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(GrammarInputError, match="'words' or 'any', not 'lines'"):
        QuoteOptions(boundaries="lines")  # type: ignore[arg-type]


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
        assert find_quotes(source, quote) == places
    for quote in ("a", "b", "ab", "a b", "b a", "a ", " b", "aa", "bb a"):
        assert find_quotes(source, quote) == expected.get(quote, [])
