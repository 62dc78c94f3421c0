"""Where a text stands in its grammar: ends, drafts taken back, and what happens after a fault."""

from __future__ import annotations

from typing import Any

import pytest

from guided.errors import TokenRefusedError
from guided.grammar_state.forced_bytes import UNKNOWN
from guided.grammar_state.speller import TokenSpeller
from guided.grammars import Vocabulary, allocate_bitmask, allowed_token_ids, compile_grammar
from guided.grammars.errors import LimitExceededError
from guided.integrations.common.ends import Ends
from guided.integrations.common.text_state import TextState, reason_of

EOS, OTHER_EOS = 256, 257
VOCABULARY = Vocabulary([bytes([byte]) for byte in range(256)] + [None, None], [EOS, OTHER_EOS])
A, B, X = b"abx"


@pytest.fixture
def state() -> TextState:
    return TextState(compile_grammar(VOCABULARY, regex="a{1,9}b?"))


def allowed(state: TextState, position: int = 0, tokens_left: int | None = None) -> list[int]:
    rows = allocate_bitmask(2, VOCABULARY.size)
    state.fill(rows, 1, position, tokens_left)
    assert not rows[0].any()
    return allowed_token_ids(rows[1], VOCABULARY.size).tolist()


def test_tokens_are_taken_refused_and_taken_back(state: TextState) -> None:
    state.take(A)
    assert allowed(state) == [A, B, EOS, OTHER_EOS]
    with pytest.raises(TokenRefusedError, match=rf"refused token {X} \(b'x'\) after 1 of its tokens"):
        state.take(X)
    for unknown in (-1, VOCABULARY.size):
        with pytest.raises(TokenRefusedError, match=f"refused token {unknown} after"):
            state.take(unknown)
    assert isinstance(TokenRefusedError(""), ValueError), "what SGLang waits for"
    state.take(B)
    assert allowed(state) == [EOS, OTHER_EOS]
    state.take(OTHER_EOS)
    assert state.is_ended
    state.take(X)  # as SGLang's own grammars: nothing after the end counts
    assert state.num_taken == 3
    state.rollback(2)
    assert not state.is_ended
    assert allowed(state) == [A, B, EOS, OTHER_EOS]


def test_a_stop_token_of_the_user_ends_the_text_and_is_taken_back(state: TextState) -> None:
    state.ends = Ends(VOCABULARY, {X})
    assert allowed(state) == [A]
    state.take(A)
    assert allowed(state) == [A, B, X, EOS, OTHER_EOS]
    state.take(X)
    assert state.is_ended
    state.rollback(1)
    assert not state.is_ended
    state.take(B)
    assert state.num_taken == 2


def test_the_end_waits_for_min_tokens_and_the_budget_for_the_end(state: TextState) -> None:
    state.ends = Ends(VOCABULARY, (), min_tokens=5)
    state.take(A)
    assert allowed(state, position=4) == [A, B]
    assert allowed(state, position=5) == [A, B, EOS, OTHER_EOS]
    closing = TextState(compile_grammar(VOCABULARY, regex="a{4}b{0,9}"), closes=True)
    for tokens_left in (6, 5, 4, 3):
        assert allowed(closing, tokens_left=tokens_left) == [A]
        closing.take(A)
    assert allowed(closing, tokens_left=2) == [B, EOS, OTHER_EOS]
    closing.take(B)
    assert allowed(closing, tokens_left=1) == [EOS, OTHER_EOS]


def test_copies_go_their_own_ways(state: TextState) -> None:
    state.take(A)
    other = state.fork()
    other.take(B)
    assert allowed(other) == [EOS, OTHER_EOS]
    assert allowed(state) == [A, B, EOS, OTHER_EOS]
    other.rollback(2)
    assert allowed(other) == [A]


class ByteTokenizer:
    """Of a tokenizer of `transformers`, with a token for each byte."""

    def encode(self, text: str, add_special_tokens: bool) -> list[int]:
        return list(text.encode())


def test_after_a_limit_at_forced_bytes_no_spelling_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise LimitExceededError("max_mask_seconds", 5, "s")

    state = TextState(compile_grammar(VOCABULARY, regex="ax[12]"), TokenSpeller(ByteTokenizer(), VOCABULARY))
    for token_id in (A, X):
        assert state.forced_token(None) == token_id
        state.take(token_id)
    monkeypatch.setattr(state.matcher, "find_jump_forward_bytes", fail)
    state.take(ord("1"))
    assert state.speller is None
    assert all(place is UNKNOWN for place in state._places)
    state.rollback(2)
    assert allowed(state) == [X]


@pytest.mark.parametrize("error", [LimitExceededError("max_mask_seconds", 5, "s", "long"), ZeroDivisionError("a bug")])
def test_after_a_fault_everything_may_come_until_the_request_ends(
    state: TextState, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: Any) -> None:
        raise error

    state.take(A)
    monkeypatch.setattr(state.matcher, "fill_bitmask", fail)
    assert len(allowed(state)) == (VOCABULARY.size + 31) // 32 * 32 or len(allowed(state)) == VOCABULARY.size
    assert state.error is error
    for draft in (X, EOS):
        state.take(draft)
    assert not state.is_ended
    state.rollback(3)
    assert state.num_taken == 0


def test_a_fault_of_ours_is_logged_once_and_a_limit_never(
    state: TextState, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for error, num_logged in ((LimitExceededError("max_mask_seconds", 5, "s"), 0), (ZeroDivisionError("a bug"), 1)):
        state.error = None

        def fail(*_: Any, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(state.matcher, "fill_bitmask", fail)
        allowed(state)
        for _ in range(3):
            assert str(error) in reason_of(state.error or Exception())
        assert len(caplog.records) == num_logged


def test_tokens_after_a_fault_can_be_taken_back(state: TextState, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    state.take(A)
    before = state.num_taken
    monkeypatch.setattr(state.matcher, "accept_token", fail)
    state.take(A)
    assert state.error is not None
    state.rollback(state.num_taken - before)
    assert before == state.num_taken == 1
