"""Places as numbers: masks that deeper stacks share, steps that were met before, tokens that are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.native.text_matcher import TextMatcher
from tests.grammars.machine.rules.brute_force import LETTERS, compiled, mask_of, tried_mask
from tests.grammars.machine.rules.test_general_grammars import ARITHMETIC


def _matcher() -> TextMatcher:
    matcher = compiled(ARITHMETIC, LETTERS).matcher()
    assert isinstance(matcher, TextMatcher)
    return matcher


def _opening(matcher: TextMatcher) -> int:
    """The token that opens a parenthesis."""
    return LETTERS.tokens.index(b"(")


def _steps(matcher: TextMatcher) -> tuple[Any, ...]:
    """What is known of them."""
    automaton = matcher._automaton
    return automaton.tokens.copy(), automaton.following.copy(), automaton.others.copy()


def test_deeper_stacks_share_masks() -> None:
    matcher, bitmask = _matcher(), allocate_bitmask(1, LETTERS.size)
    opening = _opening(matcher)
    for depth in range(40):
        matcher.fill_bitmask(bitmask)
        if depth in (1, 7, 39):
            assert mask_of(matcher, LETTERS) == tried_mask(matcher, LETTERS)
        assert matcher.accept_token(opening)
    automaton = matcher._automaton
    assert len({automaton.masks[config] for config in matcher._history}) <= 3
    assert len(automaton._known_masks) < 15 < len(automaton.masks)


def test_steps_that_were_met() -> None:
    matcher = _matcher()
    opening = _opening(matcher)
    for _ in range(3):
        assert matcher.accept_token(opening)
    configs, steps = [*matcher._history, matcher._config], _steps(matcher)
    matcher.reset()
    for _ in range(3):
        assert matcher.accept_token(np.int64(opening))  # type: ignore[arg-type]
    assert [*matcher._history, matcher._config] == configs
    assert _steps(matcher) == steps


@pytest.mark.parametrize("token_id", [-1, LETTERS.size, 1 << 32, (1 << 32) - 1, 1 << 70])
def test_numbers_that_are_no_tokens(token_id: int) -> None:
    matcher = _matcher()
    assert matcher.accept_token(_opening(matcher))
    matcher.reset()
    assert not matcher.accept_token(token_id)
    assert matcher._config == matcher._automaton.start
