"""Whether a document can be completed beside a regular side: short searches, long ones and summaries agree."""

from __future__ import annotations

import pytest

from guided.grammars import all_of, compile_grammar
from guided.grammars.machine.product import goals
from tests.cases.combination_cases import CASES, CombinationCase
from tests.grammars.machine.product.test_oracle import TOKENS
from tests.grammars.vocabularies import mask_of

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
