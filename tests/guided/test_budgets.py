"""No text is cut by a budget that its grammar can be completed in; more of it in `tests.fuzz.budgets`."""

from __future__ import annotations

import random
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import InvalidInputError
from guided.grammars.native.text_matcher import TextMatcher
from tests.fuzz.budgets import draw, look, tokenizer
from tests.fuzz.command import fuzz

NO_ITEMS: dict[str, Any] = {"type": "array", "maxItems": 0}
CASES: dict[str, dict[str, Any]] = {
    "a key in more tokens than it needs": {
        "json_schema": {
            "type": "object",
            "properties": {"filename": NO_ITEMS},
            "required": ["filename"],
            "additionalProperties": False,
        },
    },
    "a tag that ends in the middle of a token": {
        "structural_tag": {
            "type": "structural_tag",
            "format": {
                "type": "tag",
                "begin": "filename(",
                "content": {"type": "json_schema", "json_schema": {"type": "number"}},
                "end": "</call>",
            },
        }
    },
    "a choice": {"choice": ["filename", "filenames of quantity", "first filename"]},
    "a regex": {"regex": "first filename(s of a, b)?"},
    "exactly so many characters behind anything": {"regex": ".*TODO.{12}"},
}


@pytest.mark.parametrize("is_spelled", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_budgets_from_the_shortest_text_on(name: str, is_spelled: bool) -> None:
    grammar = compile_grammar(tokenizer()[1], cache=None, **CASES[name])
    for budget in range(grammar.min_tokens, grammar.min_tokens + 6):
        for seed in range(4):
            _, fault = draw(grammar, budget, random.Random(seed), is_spelled=is_spelled)
            assert fault == ""


def test_less_than_the_shortest_text_is_spelled_as_far_as_it_gets() -> None:
    """Nothing can save such a text, so it stays as the tokenizer spells it."""
    grammar = compile_grammar(tokenizer()[1], cache=None, **CASES["a key in more tokens than it needs"])
    text, fault = draw(grammar, grammar.min_tokens - 2, random.Random(1), is_spelled=True)
    assert (fault, text[:4]) == ("cut", b'{"fi')


def test_random_cases() -> None:
    assert fuzz(look, seed=1, seconds=6, cases=12) == []


def test_what_fits_a_budget() -> None:
    _, vocabulary = tokenizer()
    grammar = compile_grammar(vocabulary, cache=None, json_schema=NO_ITEMS)
    matcher = grammar.matcher()
    shortest = matcher.find_shortest_completion()
    assert matcher.fits_budget(shortest, len(shortest))
    assert matcher.fits_budget([], len(shortest))
    assert not matcher.fits_budget([], len(shortest) - 1)
    assert not matcher.fits_budget(shortest, len(shortest) - 1)
    assert not matcher.fits_budget([*shortest, *shortest], 100)
    assert matcher.find_shortest_completion() == shortest


def test_an_interrupted_look_at_a_budget_leaves_no_token_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    matcher = compile_grammar(tokenizer()[1], cache=None, json_schema=NO_ITEMS).matcher()
    shortest, accept = matcher.find_shortest_completion(), TextMatcher.accept_token

    def accept_and_interrupt(self: TextMatcher, token_id: int) -> bool:
        accept(self, token_id)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(TextMatcher, "accept_token", accept_and_interrupt)
        with pytest.raises(KeyboardInterrupt):
            matcher.fits_budget(shortest, len(shortest))
    with pytest.raises(InvalidInputError):
        matcher.rollback(1)
    assert all(matcher.accept_token(token_id) for token_id in shortest)
    assert matcher.is_accepting()


@pytest.mark.parametrize("extra", [0, 1, 2])
def test_the_end_is_not_forced_after_another_spelling_of_the_last_text(extra: int) -> None:
    """Near the end of a budget another token may come than the spelling's; the end is further away then."""
    grammar = compile_grammar(tokenizer()[1], cache=None, choice=["filenamered"])
    for seed in range(20):
        assert draw(grammar, grammar.min_tokens + extra, random.Random(seed), is_spelled=True) == (b"filenamered", "")
