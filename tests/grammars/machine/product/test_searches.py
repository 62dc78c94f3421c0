"""Whether a document can be completed beside a regular side: short searches, long ones and summaries agree."""

from __future__ import annotations

from typing import Any

import pytest

from guided.grammars import all_of, compile_grammar
from guided.grammars.errors import LimitExceededError
from guided.grammars.limits import Limits
from guided.grammars.machine.product import automaton, goals
from guided.grammars.machine.product.goals import Goal
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.watch import checkpoint
from tests.cases.combination_cases import CASES, CombinationCase
from tests.checkpoints import Counted
from tests.grammars.machine.product.test_oracle import TOKENS
from tests.grammars.vocabularies import mask_of

KEYS = {"type": "object", "anyOf": [{}, {"required": ["a"]}], "minProperties": 2, "maxProperties": 3}
"""Whether such an object can be completed depends on its keys, so many tokens of keys are tried out."""
SCHEMAS = [case for case in CASES if case.name.startswith(("schema", "number"))][:5]


@pytest.mark.parametrize("case", SCHEMAS, ids=[case.name for case in SCHEMAS])
def test_summed_up_containers_say_what_searches_say(case: CombinationCase, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that may visit one pair only leave the answer to summaries, also where the root is a container."""
    usual = compile_grammar(TOKENS, **case.arguments, cache=None)
    monkeypatch.setattr(goals, "_DEEP_BUDGET", 1)
    monkeypatch.setattr(goals, "_BROAD_BUDGET", 1)
    summed = compile_grammar(TOKENS, **case.arguments, cache=None)
    matchers = [grammar.matcher() for grammar in (usual, summed)]
    for byte in case.allowed[0].encode():
        assert mask_of(matchers[0], TOKENS) == mask_of(matchers[1], TOKENS)
        assert all(matcher.accept_token(byte) for matcher in matchers)
    assert matchers[1].is_accepting()


def test_what_may_follow_a_document_that_has_no_bound() -> None:
    """After the array comes `b`, which the regular side only takes if the array is short."""
    grammar = r'start: "1" | "a" %json {"type": "array", "items": {}} "b"'
    compiled = compile_grammar(
        TOKENS, **all_of({"ebnf": grammar, "dialect": "lark"}, {"regex": "a.{0,6}b"}), cache=None
    )
    matcher = compiled.matcher()
    assert all(matcher.accept_token(byte) for byte in b"a[[],1")
    assert not matcher.accept_token(ord(","))
    assert all(matcher.accept_token(byte) for byte in b"]b")
    assert matcher.is_accepting()


def tried_out(**options: Any) -> CompiledGrammar:
    """An object of which tokens are tried out, beside a regular side."""
    beside = all_of({"json_schema": KEYS}, {"regex": r'(?:[^"]*"[^"]*")*[^"]*'})
    return compile_grammar(TOKENS, **beside, cache=None, **options)


def test_one_search_for_all_tokens_that_lead_to_the_same_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each token of a key made a search of its own: 10 ms a token, a minute for a mask of a large vocabulary."""
    matcher, pairs = tried_out().matcher(), list[tuple[int, ...]]()
    assert all(matcher.accept_token(byte) for byte in b'{"')
    search = Goal._search_texts

    def noted(goal: Goal, *pair: int) -> Any:
        pairs.append(pair)
        return search(goal, *pair)

    monkeypatch.setattr(Goal, "_search_texts", noted)
    assert len(mask_of(matcher, TOKENS)) > 100
    assert len(pairs) == len(set(pairs)) < 20


def test_texts_that_a_goal_keeps_are_counted_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 1,000 pairs could keep 30 texts of 10 kB, which no limit counted."""
    keep, masks = Goal._keep, []
    for most in (goals._MAX_KEPT_BYTES, 100):
        kept: dict[Goal, None] = {}

        def noted(goal: Goal, *args: Any, kept: dict[Goal, None] = kept) -> None:
            keep(goal, *args)
            kept[goal] = None
            texts = [text for _, found in goal._texts.values() for text in found]
            assert goal.num_bytes == goal._search.num_bytes + sum(64 + len(text) for text in texts)

        monkeypatch.setattr(goals, "_MAX_KEPT_BYTES", most)
        monkeypatch.setattr(Goal, "_keep", noted)
        matcher = tried_out().matcher()
        assert all(matcher.accept_token(byte) for byte in b'{"')
        masks.append(mask_of(matcher, TOKENS))
        assert kept
    assert masks[0] == masks[1]
    assert all(len(goal._texts) == 1 for goal in kept)  # one pair's texts take more than 100 bytes


def test_searches_look_at_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """With few entries at once they go on where they were, and come to more checkpoints."""
    masks, counts = [], []
    for entries in (goals._ENTRIES_AT_ONCE, 3):
        monkeypatch.setattr(goals, "_ENTRIES_AT_ONCE", entries)
        matcher = tried_out().matcher()
        assert all(matcher.accept_token(byte) for byte in b'{"')
        with Counted() as counted:
            masks.append(mask_of(matcher, TOKENS))
        counts.append(counted.count)
    assert masks[0] == masks[1]
    assert counts[1] > counts[0] + 100


def test_tokens_that_are_tried_out_have_the_time_of_a_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    """They had `max_text_seconds`, thirty seconds, for each mask."""

    def endless(*_: Any) -> bool:
        while True:
            checkpoint()

    matcher = tried_out(limits=Limits(max_mask_seconds=0.5)).matcher()
    assert all(matcher.accept_token(byte) for byte in b'{"')
    monkeypatch.setattr(automaton, "can_be_written", endless)
    with pytest.raises(LimitExceededError, match="max_mask_seconds"):
        mask_of(matcher, TOKENS)
