"""Budgets of grammars beside a regular side."""

from __future__ import annotations

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar
from tests.fuzz.walks import VOCABULARY


def test_what_may_follow_depends_on_the_text_before() -> None:
    """A guess of the distance, too, reads the item that is being written: the next one must be another one."""
    schema = {"type": "array", "items": {"enum": ["green", 250, "red"]}, "minItems": 3, "uniqueItems": True}
    parts = [{"json_schema": schema}, {"regex": "[ -~]{0,60}"}]
    matcher = compile_grammar(VOCABULARY, all_of=parts, cache=None).matcher()
    bitmask = allocate_bitmask(1, VOCABULARY.size)
    for byte in b'["green",250,"red"]':
        for budget in (20, 200):
            matcher.fill_bitmask(bitmask)
            matcher.restrict_to_budget(bitmask, 0, budget)
            assert bitmask[0, byte >> 5] >> (byte & 31) & 1
        assert matcher.accept_token(byte)
    assert matcher.is_accepting()
