"""Any sequence of accept, rollback, fork, reset and fill_bitmask leaves each matcher as if its tokens were all it saw.

The oracle replays a matcher's tokens in a new matcher of another grammar object, compiled apart.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import InvalidInputError
from guided.grammars.protocol import CompiledGrammar, Matcher
from tests.grammars.vocabularies import byte_vocabulary, mask_of

VOCABULARY = byte_vocabulary(num_eos=2)
SCHEMAS: tuple[dict[str, Any], ...] = (
    {"type": "array", "items": {"enum": ["a", "ab", 1, 12, True, ["a"], ["ab"]]}, "uniqueItems": True},
    {"type": "object", "additionalProperties": {"type": ["integer", "null"]}, "propertyNames": {"maxLength": 3}},
    {
        "oneOf": [
            {"properties": {"a": {"const": "abc"}, "b": {"type": "integer"}}, "required": ["a", "b"]},
            {"properties": {"a": {"maxLength": 2}, "ab": {"multipleOf": 3}}, "required": ["a"]},
        ],
        "type": "object",
        "unevaluatedProperties": False,
    },
    {"type": "array", "contains": {"type": "string"}, "maxContains": 1, "maxItems": 3},
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["accept", "accept", "accept", "accept", "try", "rollback", "fork", "reset", "fill"]),
        st.integers(0, 10_000),
    ),
    max_size=25,
)


@cache
def grammar(index: int, copy: int) -> CompiledGrammar:
    del copy
    return compile_grammar(VOCABULARY, json_schema=SCHEMAS[index], cache=None)


def replayed(index: int, token_ids: tuple[int, ...]) -> Matcher:
    """A new matcher that has seen just these tokens."""
    matcher = grammar(index, 1).matcher()
    for token_id in token_ids:
        assert matcher.accept_token(token_id)
    return matcher


@cache
def expected(index: int, token_ids: tuple[int, ...]) -> tuple[list[int], bool, bool, bytes]:
    return _seen(replayed(index, token_ids))


def _seen(matcher: Matcher) -> tuple[list[int], bool, bool, bytes]:
    """All that can be seen of a matcher."""
    mask = mask_of(matcher, VOCABULARY)
    return mask, matcher.is_accepting(), matcher.is_terminated(), matcher.find_jump_forward_bytes()


class Group:
    """Matchers of one grammar, forked from each other, each with the tokens that it has seen."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.members: list[tuple[Matcher, list[int]]] = [(grammar(index, 0).matcher(), [])]
        self.present = 0

    def do(self, step: str, number: int) -> None:
        matcher, token_ids = self.members[self.present]
        if step == "accept":
            allowed = expected(self.index, tuple(token_ids))[0]
            if allowed:
                self._accept(allowed[number % len(allowed)], True)
        elif step == "try":
            token_id = number % (VOCABULARY.size + 2) - 1
            self._accept(token_id, token_id in expected(self.index, tuple(token_ids))[0])
        elif step == "rollback":
            count = number % (len(token_ids) + 2)
            if count > len(token_ids):
                with pytest.raises(InvalidInputError):
                    matcher.rollback(count)
                return
            matcher.rollback(count)
            del token_ids[len(token_ids) - count :]
        elif step == "fork":
            self.members = [*self.members[-3:], (matcher.fork(), token_ids.copy())]
            self.present = number % len(self.members)
        elif step == "reset":
            matcher.reset()
            token_ids.clear()
        else:
            assert mask_of(matcher, VOCABULARY) == mask_of(matcher, VOCABULARY)

    def _accept(self, token_id: int, is_allowed: bool) -> None:
        matcher, token_ids = self.members[self.present]
        assert matcher.accept_token(token_id) == is_allowed
        if is_allowed:
            token_ids.append(token_id)

    def check(self) -> None:
        for matcher, token_ids in self.members:
            assert _seen(matcher) == expected(self.index, tuple(token_ids)), VOCABULARY.join(token_ids)


@settings(max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, len(SCHEMAS) - 1), STEPS)
def test_a_matcher_is_what_it_has_seen(index: int, steps: list[tuple[str, int]]) -> None:
    group = Group(index)
    for step, number in steps:
        group.do(step, number)
    group.check()


@settings(max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, len(SCHEMAS) - 1), st.lists(st.integers(0, 10_000), max_size=20))
def test_what_is_forced_is_accepted_and_alone(index: int, choices: list[int]) -> None:
    matcher = grammar(index, 0).matcher()
    for choice in choices:
        forced = matcher.find_jump_forward_bytes()
        scout = matcher.fork()
        for byte in forced:
            first_bytes = {(VOCABULARY.tokens[token_id] or b"")[:1] for token_id in mask_of(scout, VOCABULARY)}
            assert first_bytes == {bytes([byte])}
            assert scout.accept_token(byte)
        only = matcher.find_jump_forward_tokens()
        scout = matcher.fork()
        for token_id in only:
            assert mask_of(scout, VOCABULARY) == [token_id]
            assert scout.accept_token(token_id)
        allowed = mask_of(matcher, VOCABULARY)
        if not allowed:
            return
        assert matcher.accept_token(allowed[choice % len(allowed)])
