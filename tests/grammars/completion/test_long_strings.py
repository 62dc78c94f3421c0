"""Ends of strings that need many characters: found in time, and as short as can be."""

from __future__ import annotations

import time

import pytest

from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.compile import compile_grammar
from guided.grammars.completion.base import Completer
from guided.grammars.machine.tails import Tail
from guided.grammars.vocabulary import Vocabulary

RUNS = Vocabulary(
    [bytes([byte]) for byte in range(256)] + [b"a" * size for size in range(2, 65)] + [b"\xc3\xa9x", None], [320]
)


def test_a_minimum_length_is_no_long_search() -> None:
    runs = 30
    matcher = compile_grammar(RUNS, json_schema={"type": "string", "minLength": 64 * runs}).matcher()
    row = allocate_bitmask(1, RUNS.size)
    start = time.thread_time()
    for tokens_left, only in ((runs + 2, b'"'), (runs + 1, b"a" * 64), (runs, b"a" * 64)):
        matcher.fill_bitmask(row)
        matcher.restrict_to_budget(row, 0, tokens_left)
        allowed = allowed_token_ids(row[0], RUNS.size).tolist()
        assert [RUNS.join([token_id]) for token_id in allowed] == [only]
        assert matcher.accept_token(allowed[0])
    assert time.thread_time() - start < 2


def test_the_way_to_a_far_end_is_tried_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    token_ids = Completer.token_ids

    def counted(self: Completer, config: int, tail: Tail) -> list[int] | None:
        tried.append(config)
        return token_ids(self, config, tail)

    monkeypatch.setattr(Completer, "token_ids", counted)
    grammar = compile_grammar(RUNS, json_schema={"type": "string", "minLength": 64 * 30}, cache=None)
    row = allocate_bitmask(1, RUNS.size)
    for tokens_left in (30, 32):  # the first is too few for a text of that length, which is known without a search
        tried.clear()
        matcher = grammar.matcher()
        matcher.accept_token(ord('"'))
        matcher.fill_bitmask(row)
        assert matcher.restrict_to_budget(row, 0, tokens_left) == (tokens_left == 32)
        assert len(tried) <= 4
