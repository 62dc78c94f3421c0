"""What is special about the outlines-core backend: its index, and its errors."""

from __future__ import annotations

import itertools
import re
import threading
from functools import partial

import pytest

from guided.grammars import compile as door
from guided.grammars.backends import outlines_core as backend
from guided.grammars.errors import GrammarError, UnsupportedGrammarError
from tests.grammars.vocabularies import BYTES, accepted_ids, byte_vocabulary, mask_of, matches, vocabulary_of

VOCABULARY = byte_vocabulary()
compile_grammar = partial(door.compile_grammar, backend="outlines_core")


@pytest.mark.parametrize("pattern", ["a|ab", "(?:a|ab)(?:c|bcd)?", "a*?b??", "(?:|a)b?", "a{0,2}?a", "", "(a?|b)*"])
def test_alternatives_in_any_order_match_in_full(pattern: str) -> None:
    """outlines-core by itself matches leftmost-first and would drop `ab` from `a|ab`."""
    matcher = compile_grammar(VOCABULARY, regex=pattern).matcher()
    for text in itertools.chain.from_iterable(map("".join, itertools.product("abcd", repeat=n)) for n in range(5)):
        assert matches(matcher, text) == bool(re.fullmatch(pattern, text)), text


@pytest.mark.parametrize("pattern", [".", r"\d+", r"\W", "[é-日]", "[^a]", "\U0001f600|\x00", r"\x00?"])
def test_unicode(pattern: str) -> None:
    matcher = compile_grammar(VOCABULARY, regex=pattern).matcher()
    for text in ("a", "\n", "\x00", "0", "٣", "é", "日", "\u2028", "😀", "\U0010ffff", "\ue000", "éé", ""):
        assert matches(matcher, text) == bool(re.fullmatch(pattern, text)), text
    for broken in (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc3"):
        assert not matches(matcher, broken)


def test_equal_tokens_are_all_allowed() -> None:
    vocabulary = vocabulary_of(*BYTES, b"ab", b"ab", b"a")
    matcher = compile_grammar(vocabulary, regex="ab").matcher()
    assert mask_of(matcher, vocabulary) == accepted_ids(matcher, vocabulary) == [97, 256, 257, 258]
    assert matcher.find_jump_forward_bytes() == b"ab"


def test_vocabularies_that_lack_bytes_are_refused() -> None:
    with pytest.raises(UnsupportedGrammarError, match="every byte of UTF-8"):
        compile_grammar(vocabulary_of(b"ab", b"c"), regex="abc")


def test_a_pattern_without_texts() -> None:
    with pytest.raises(GrammarError, match="incompatible with the regex"):
        compile_grammar(VOCABULARY, regex=r"a[^\s\S]")


def test_index_errors_become_grammar_errors() -> None:
    table = backend._token_table(VOCABULARY)
    with pytest.raises(GrammarError, match="outlines-core can't build this grammar"):
        backend._build_index("(", table)


def test_matchers_of_one_grammar_in_threads() -> None:
    grammar = compile_grammar(VOCABULARY, regex=r"(?:[a-z]+ \d{2}\n)*")
    expected = mask_of(grammar.matcher(), VOCABULARY)
    failures: list[str] = []

    def work() -> None:
        for _ in range(20):
            matcher = grammar.matcher()
            if mask_of(matcher, VOCABULARY) != expected or not matches(matcher, "ab 12\nc 34\n"):
                failures.append("wrong")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
