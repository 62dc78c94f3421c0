"""What is special about the outlines-core backend: its index, vocabularies that lack bytes, and its limits."""

from __future__ import annotations

import gc
import itertools
import re
import threading
import weakref
from functools import partial

import pytest

from guided.grammars import compile as door
from guided.grammars.backends import outlines_core as backend
from guided.grammars.errors import GrammarError, UnsatisfiableError
from guided.grammars.vocabulary import Vocabulary
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


def test_duplicate_tokens_are_all_allowed() -> None:
    vocabulary = Vocabulary([b"a", b"b", b"a", None, b"ab", b"ab", None], [3, 6])
    matcher = compile_grammar(vocabulary, regex="ab").matcher()
    assert mask_of(matcher, vocabulary) == [0, 2, 4, 5]
    assert matcher.accept_token(2)
    assert mask_of(matcher, vocabulary) == [1]
    assert matcher.accept_token(1)
    assert mask_of(matcher, vocabulary) == [3, 6]


def test_dead_ends_are_pruned() -> None:
    """Only `ab` and `c` are tokens: `a` alone and `xc` can't be spelled, so nothing that leads there is allowed."""
    vocabulary = vocabulary_of(b"ab", b"c", b"x", b"abx")
    matcher = compile_grammar(vocabulary, regex="abc|ax|xd|abxd").matcher()
    assert mask_of(matcher, vocabulary) == accepted_ids(matcher, vocabulary) == [0]
    assert matcher.find_jump_forward_tokens() == [0, 1, 4]
    assert matcher.accept_token(0)
    assert mask_of(matcher, vocabulary) == [1]


def test_forced_bytes_hold_where_tokens_are_missing() -> None:
    """The bytes are forced by the grammar; that no token is `a` or `b` alone does not change them."""
    vocabulary = vocabulary_of(b"ab", b"abc", b"c", b"d")
    matcher = compile_grammar(vocabulary, regex="abcd?").matcher()
    assert matcher.find_jump_forward_bytes() == b"abc"
    assert matcher.accept_token(1)
    assert matcher.find_jump_forward_bytes() == b""


def test_pruning_keeps_loops_that_come_to_an_end() -> None:
    vocabulary = vocabulary_of(b"a", b"bb", b"c")
    matcher = compile_grammar(vocabulary, regex="(?:a|b)*c|(?:a|d)*e").matcher()
    for token_id in (0, 1, 0, 2):
        assert mask_of(matcher, vocabulary) == accepted_ids(matcher, vocabulary) == [0, 1, 2]
        assert matcher.accept_token(token_id)
    assert mask_of(matcher, vocabulary) == [3]


def test_text_that_no_tokens_spell() -> None:
    with pytest.raises(UnsatisfiableError, match="can't spell"):
        compile_grammar(vocabulary_of(b"a", b"bc"), regex="a*b")
    with pytest.raises(GrammarError, match="incompatible with the regex"):
        compile_grammar(vocabulary_of(b"a"), regex=r"a[^\s\S]")


def test_bytes_that_utf8_never_uses_may_be_missing() -> None:
    used = [byte for byte in BYTES if byte not in (b"\xc0", b"\xc1") and byte < b"\xf5"]
    vocabulary = vocabulary_of(*used)
    assert backend._token_table(vocabulary).spells_all
    assert not backend._token_table(vocabulary_of(*used[:-1])).spells_all
    matcher = compile_grammar(vocabulary, regex=".*").matcher()
    assert len(mask_of(matcher, vocabulary)) == 128 - 1 + (0xF4 - 0xC2 + 1) + 1


def test_index_errors_become_grammar_errors() -> None:
    table = backend._token_table(VOCABULARY)
    with pytest.raises(GrammarError, match="outlines-core can't build this grammar"):
        backend._build_index("(", table)


def test_token_table_lives_as_long_as_its_vocabulary() -> None:
    vocabulary = vocabulary_of(b"a", b"q")
    table = weakref.ref(backend._token_table(vocabulary))
    assert backend._token_table(vocabulary_of(b"a", b"q")) is table()  # an equal vocabulary
    del vocabulary
    gc.collect()
    assert table() is None


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
