"""Thinking between marks of several tokens: found in any spelling, counted, and ended."""

from __future__ import annotations

import pytest

from guided.grammars.vocabulary import Vocabulary
from guided.processors import ProcessorParamsError, resolve_processors
from guided.processors.thinking_marks import MarkedThinking, spelled

MARKS = ("<|open|>think<|sep|>", "<|close|>think<|sep|>")
NAMES = ["<|open|>", "<|close|>", "<|sep|>"]
TEXTS = [*[bytes([byte]) for byte in range(256)], b"think", b"thi"]
VOCABULARY = Vocabulary([*TEXTS, None, None, None], [], {name: len(TEXTS) + place for place, name in enumerate(NAMES)})
OPEN, CLOSE, SEP = range(len(TEXTS), len(TEXTS) + 3)
THINK, THI = 256, 257


def state(prompt: list[int], budget: int = 3) -> MarkedThinking:
    end = spelled(VOCABULARY, MARKS[1])
    assert end == (CLOSE, THINK, SEP)
    return MarkedThinking(VOCABULARY, MARKS, end, prompt, budget)


def test_a_block_is_found_in_any_spelling_and_ended() -> None:
    for begin in ([OPEN, THINK, SEP], [OPEN, THI, ord("n"), ord("k"), SEP], list(MARKS[0].encode())):
        thinking = state([1, 2])
        for token_id in begin:
            assert not thinking.is_open
            thinking.accept_token(token_id)
        for token_id in b"abc":
            assert thinking.is_open
            assert thinking.closing_token_ids() == ()
            thinking.accept_token(token_id)
        forced = []
        while thinking.is_open:
            (token_id,) = thinking.closing_token_ids()
            forced.append(token_id)
            thinking.accept_token(token_id)
        assert forced == [CLOSE, THINK, SEP]
        for token_id in begin:  # a second block has no budget left
            thinking.accept_token(token_id)
        assert thinking.closing_token_ids() == (CLOSE,)


def test_the_model_own_end_counts_for_nothing() -> None:
    for end in ([CLOSE, THINK, SEP], list(MARKS[1].encode())):
        for budget, is_spent in ((2, True), (3, False)):
            thinking = state([OPEN, THINK, SEP], budget)
            for token_id in [*b"ab", *end, OPEN, THINK, SEP]:
                thinking.accept_token(token_id)
            assert bool(thinking.closing_token_ids()) == is_spent


@pytest.mark.parametrize(
    ("prompt", "is_open"),
    [
        ([OPEN, THINK, SEP], True),
        ([OPEN, THINK, SEP, *[97] * 700], True),
        ([OPEN, THINK, SEP, 97, CLOSE, THINK, SEP, 97], False),
        ([97] * 600, False),
        ([], False),
    ],
)
def test_the_prompt_may_have_opened_a_block(prompt: list[int], is_open: bool) -> None:
    assert state(prompt).is_open == is_open


def test_a_mark_may_begin_in_the_prompt() -> None:
    begin, end = [OPEN, THINK, SEP], [CLOSE, THINK, SEP]
    for prompt in ([], [97] * 700, [*begin, 97, *end]):
        for place in range(1, 3):
            thinking = state([*prompt, *begin[:place]], 0)
            for token_id in begin[place:]:
                assert not thinking.is_open
                thinking.accept_token(token_id)
            assert thinking.is_open
            assert thinking.closing_token_ids() == (CLOSE,)
            thinking = state([*prompt, *begin, *end[:place]])
            for token_id in end[place:]:
                assert thinking.is_open
                thinking.accept_token(token_id)
            assert not thinking.is_open


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"begin_mark": "<|open|>"}, "both begin_mark and end_mark"),
        ({"begin_mark": "a", "end_mark": "b", "family": "qwen3"}, "exclude a family"),
        ({"begin_mark": "a", "end_mark": "b", "end_token_id": 1}, "exclude a family"),
        ({"begin_mark": "a", "end_mark": "ü"}, "no tokens of the model write end_mark 'ü'"),
    ],
)
def test_what_is_refused(params: dict[str, object], message: str) -> None:
    letters = Vocabulary([b"a", b"b"], [])
    with pytest.raises(ProcessorParamsError, match=message):
        resolve_processors([("thinking_budget", {"budget": 1, **params})], vocabulary=letters)
