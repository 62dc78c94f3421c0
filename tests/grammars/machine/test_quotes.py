"""Quotes as places in a source text: beside the Languages that they stand for, and what is made for them."""

from __future__ import annotations

import gc
import itertools
import json
import random
import time
import tracemalloc
from typing import Any

import numpy as np
import pytest

from guided.grammars import compile_grammar
from guided.grammars.errors import LimitExceededError, UnsatisfiableError
from guided.grammars.machine.layout import MAX_STATES
from guided.grammars.machine.lexemes import positions as positions_module
from guided.grammars.machine.lexemes.lazy_dfas import LazyDfas
from guided.grammars.machine.quotes import ahead
from guided.grammars.machine.quotes import lexemes as lexemes_module
from guided.grammars.machine.sources.spelled import SpelledText
from guided.grammars.machine.vocabulary_tables import vocabulary_tables_of
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.quote_tree import QuoteTree
from guided.grammars.quotes import QuoteOptions, SourceText
from tests.fuzz import quotes as fuzz
from tests.grammars.vocabularies import accept_bytes, mask_of

VOCABULARY = fuzz.VOCABULARY
QUOTE: dict[str, Any] = {"type": "string", "x-quote": "text"}
PLAIN: list[dict[str, Any]] = [
    QUOTE,
    {"type": "string", "x-quote": {"source": "text", "boundaries": "any", "whitespace": "exact"}},
    {**QUOTE, "minLength": 3, "maxLength": 6},
    {**QUOTE, "minLength": 4},
    *[{**QUOTE, "pattern": pattern} for pattern in fuzz.PATTERNS],
    {**QUOTE, "pattern": "^.*[A-Z].{1,3}$", "maxLength": 5},
    {**QUOTE, "enum": ["A", "aB", "Ab", "S\u017f", "\u212aS", "b"]},
    {"allOf": [QUOTE, {"pattern": "[A-Z]"}]},
    {"type": "array", "items": {**QUOTE, "pattern": "^[^a]+$"}, "uniqueItems": True, "maxItems": 3},
    {"type": "object", "propertyNames": {**QUOTE, "pattern": "[A-Z]"}, "additionalProperties": {"type": "null"}},
    {**QUOTE, "pattern": "^[a-b ]*$", "maxLength": 5},
    {"type": "array", "items": QUOTE, "maxItems": 3},
    {"type": "array", "items": {**QUOTE, "maxLength": 3}, "uniqueItems": True, "maxItems": 3},
    {"type": "object", "propertyNames": {"x-quote": "text"}, "additionalProperties": {"type": "null"}},
    {"type": "object", "properties": {"a": {"anyOf": [QUOTE, {"type": "null"}]}}, "additionalProperties": False},
]


@pytest.fixture
def shared_states(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The languages of quotes of which states are made in the tables that all grammars of the vocabulary share."""
    found: list[Any] = []
    shared, state = vocabulary_tables_of(VOCABULARY.of_whole_texts).lazy_dfas, LazyDfas.state

    def noted(dfas: LazyDfas, languages: Any, kind: Any) -> int:
        if dfas is shared:
            found.extend([language for language in languages if language.is_transient])
        return state(dfas, languages, kind)

    monkeypatch.setattr(LazyDfas, "state", noted)
    return found


def grammar_of(schema: Any, text: str) -> CompiledGrammar:
    return compile_grammar(VOCABULARY, json_schema=schema, sources={"text": text}, whitespace="compact")


@pytest.mark.parametrize("schema", PLAIN)
def test_masks_are_those_of_the_languages(schema: Any) -> None:
    rng = random.Random(str(schema))
    num_texts = 0
    while num_texts < 8:
        text = fuzz.make_text(rng)
        try:
            by_places, by_states = grammar_of(schema, text), grammar_of(schema, text)
        except UnsatisfiableError:
            continue
        let_states_read(by_states)
        walk_together(by_places, by_states, rng)
        num_texts += 1


def let_states_read(grammar: Any) -> None:
    """Let a grammar that has read nothing yet read quotes by states of DFAs, which are its own."""
    grammar._schema.quoting.is_plain = False
    grammar._renew()
    grammar._automaton.quotes = grammar._automaton._strings._quotes = None


def walk_together(first: CompiledGrammar, second: CompiledGrammar, rng: random.Random) -> None:
    """Random walks through the masks of both."""
    for _ in range(3):
        one, other = first.matcher(), second.matcher()
        for _ in range(30):
            allowed = mask_of(other, VOCABULARY)
            assert mask_of(one, VOCABULARY) == allowed
            token_id = rng.choice(allowed)
            assert one.accept_token(token_id)
            assert other.accept_token(token_id)
            if one.is_terminated():
                break
        else:
            ends = [matcher.find_shortest_completion(thorough=True) for matcher in (one, other)]
            texts = [b"".join(VOCABULARY.tokens[token] or b"" for token in tokens) for tokens in ends]
            assert len(texts[0]) == len(texts[1])  # of two that are as short either may be found, with its tokens


@pytest.mark.parametrize("schema", PLAIN)
def test_tables_that_all_share_know_nothing_of_plain_quotes(schema: Any, shared_states: list[Any]) -> None:
    matcher = grammar_of(schema, "a Bb a.b, aB and so on b 7").matcher()
    rng = random.Random(2)
    for _ in range(40):
        token_id = rng.choice(mask_of(matcher, VOCABULARY))
        assert matcher.accept_token(token_id)
        if matcher.is_terminated():
            matcher.reset()
    matcher.find_shortest_completion(thorough=True)
    assert shared_states == []


@pytest.mark.parametrize(
    "form",
    [
        {"json_schema": {"anyOf": [QUOTE, {"type": "string", "x-quote": "other"}]}},
        {"json_schema": {"allOf": [QUOTE, {"type": "string", "x-quote": "other"}]}},
        {"json_schema": {"oneOf": [QUOTE, {"type": "string", "pattern": "^[a-d ]*$"}]}},
        {"json_schema": {"anyOf": [QUOTE, {"type": "string", "x-quote": {"source": "text", "boundaries": "any"}}]}},
        {
            "structural_tag": {
                "format": {"type": "tag", "begin": "<", "content": {"type": "quote", "source": "text"}, "end": ">"}
            }
        },
    ],
)
def test_combinations_of_quotes_are_read_by_kernels(form: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {"text": "a bb ä-b, ab and so on b", "other": "so on, ab bb"}
    grammar = compile_grammar(VOCABULARY, sources=sources, cache=None, **form)
    monkeypatch.setattr(QuoteTree, "transitions", lambda tree, state: pytest.fail("a state was made by Python"))
    rng = random.Random(3)
    for _ in range(10):
        matcher = grammar.matcher()
        for _ in range(20):
            token_id = rng.choice(mask_of(matcher, VOCABULARY))
            assert matcher.accept_token(token_id)
            if matcher.is_terminated():
                break


@pytest.mark.parametrize("seed", range(16))
def test_tables_that_all_share_know_nothing_of_any_quotes(seed: int, shared_states: list[Any]) -> None:
    rng = random.Random(seed)
    fuzz.find(fuzz.make(rng), rng)
    assert shared_states == []


def test_the_end_of_a_quote_and_what_is_forced_behind() -> None:
    properties = {"a": QUOTE, "bcd": {"const": "xyz"}}
    schema = {"type": "object", "properties": properties, "required": ["a", "bcd"], "additionalProperties": False}
    grammar = grammar_of(schema, "An apple a day")
    matcher = grammar.matcher()
    assert accept_bytes(matcher, b'{"a":"app')
    for before, most, expected in (
        (b"le", 100, b'","bcd":"xyz"}'),
        (b"le", 6, b'","bcd'),
        (b"le a", 1, b'"'),
        (b"l", 100, b""),  # within a word
        (b"q", 100, b""),
    ):
        assert matcher.find_quote_end(before, most) == expected
    assert accept_bytes(matcher, b'le","bcd":"xyz"}')
    assert matcher.find_quote_end(b"", 9) == b""


def test_how_the_text_goes_on() -> None:
    grammar = grammar_of({"type": "array", "items": QUOTE}, 'An "apple" a day, an apple a night')
    matcher = grammar.matcher()
    assert matcher.find_quote_continuation(9) == b""
    assert accept_bytes(matcher, b'["')
    assert matcher.find_quote_continuation(9) == b""
    assert accept_bytes(matcher, b"appl")
    assert matcher.find_quote_continuation(9) == rb"e\" a day,"[:9]
    assert accept_bytes(matcher, b"e a ")
    assert matcher.find_quote_continuation(9) == b"night"
    fork = matcher.fork()
    assert accept_bytes(fork, matcher.find_quote_continuation(100) + b'"]')
    assert fork.is_accepting()
    assert accept_bytes(matcher, b"night")
    assert matcher.find_quote_continuation(9) == b""


def test_spelled_text_counts_characters_and_bytes() -> None:
    source = SourceText('ä "b"\n\x01日', QuoteOptions(boundaries="any", whitespace="exact"))
    spelled = SpelledText(source)
    assert spelled.text.tobytes() == 'ä \\"b\\"\\n\\u0001日'.encode()
    assert spelled.starts.tolist() == [0, 2, 3, 5, 6, 8, 10, 16]
    assert spelled.ends.nonzero()[0].tolist() == [0, 2, 3, 5, 6, 8, 10, 16, 19]
    counts = spelled.characters.tolist()
    assert [counts[place] for place in (0, 1, 2, 3, 5, 6, 8, 10, 16, 19)] == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert spelled.widest_gap == 6


@pytest.mark.parametrize("seed", range(8))
def test_spelled_text_is_what_json_writes(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(30):
        options = QuoteOptions(rng.choice(["words", "any"]), rng.choice(["collapse", "exact"]))
        source = SourceText(fuzz.make_text(rng), options)
        spelled, text = SpelledText(source), source.text[: source.last_end]
        assert spelled.text.tobytes() == json.dumps(text, ensure_ascii=False)[1:-1].encode()
        lengths = [len(json.dumps(char, ensure_ascii=False).encode()) - 2 for char in text]
        places = [sum(lengths[:index]) for index in range(len(text) + 1)]
        starts = [places[index] for index in np.flatnonzero(source.starts[: len(text)])]
        ends = [places[index] for index in np.flatnonzero(source.ends[: len(text) + 1])]
        assert spelled.starts.tolist() == starts
        assert source.num_starts == len(starts)
        if text:
            assert spelled.ends.nonzero()[0].tolist() == ends
            assert [spelled.characters[place] for place in places] == list(range(len(text) + 1))
        if starts:
            after = [starts[0], *[end for end in ends if end > starts[0]]]
            assert spelled.widest_gap == max(np.diff(after))


def test_memory_is_counted_and_what_can_be_found_again_is_not_kept() -> None:
    text = " ".join(f"word{number} ä" for number in range(3000))
    source = SourceText(text)
    grammar = compile_grammar(VOCABULARY, json_schema=QUOTE, sources={"text": source})
    mask_of(grammar.matcher(), VOCABULARY)  # where no string has begun yet
    before = grammar.num_bytes
    assert accept_bytes(matcher := grammar.matcher(), b'"word1')
    assert mask_of(matcher, VOCABULARY)
    assert "points" not in source.__dict__
    assert before < grammar.num_bytes < 20 * len(text)
    assert source.text == text
    assert source.points.tolist() == [ord(char) for char in text]


def test_memory_that_many_tokens_take() -> None:
    """At most 40 bytes for each byte of a text that twenty documents have quoted."""
    rng = random.Random(3)
    words = ["".join(rng.choices("abcdefghij", k=rng.randint(2, 9))) for _ in range(900)]
    text = " ".join(rng.choices(words, k=5000))
    gc.collect()
    tracemalloc.start()
    grammar = grammar_of({"type": "array", "items": QUOTE}, text)
    for _ in range(20):
        place = text.index(" ", rng.randrange(len(text) - 200)) + 1
        assert accept_bytes(grammar.matcher(), b'["' + text[place : place + 50].encode())
    gc.collect()
    traced, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grammar.num_bytes < 40 * len(text)
    assert traced < 1.25 * grammar.num_bytes


def test_places_of_the_longest_texts_have_keys_of_their_own() -> None:
    most = 2**63 - 1
    places = (0, 8, 2**24, 2**24 + 8, 2**31 - 8)
    parts = itertools.product((0, 1, ahead.MAX_LEXEMES - 1), (0, 1, MAX_STATES - 1), places)
    keys = [ahead._key_of_life(*part) for part in parts]
    assert len(set(keys)) == len(keys)
    assert 0 < min(keys) <= max(keys) <= most


def test_more_quotes_than_keys_tell_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexemes_module, "MAX_LEXEMES", 2)
    strings = [{**QUOTE, "pattern": f"^{letter}"} for letter in "abc"]
    grammar = grammar_of({"type": "array", "prefixItems": strings}, "a b c")
    with pytest.raises(LimitExceededError, match="quoted_strings = 2"):
        accept_bytes(grammar.matcher(), b'["a","b","c"')


def test_a_source_whose_places_are_no_int32_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guided.grammars.machine.sources.spelled.MAX_BYTES", 10)
    with pytest.raises(LimitExceededError, match="source_bytes = 10 bytes exceeded"):
        SpelledText(SourceText("words of a text"))


def test_repetitive_texts() -> None:
    text = "ab " * 3000
    grammar = grammar_of(QUOTE, text)
    matcher = grammar.matcher()
    assert accept_bytes(matcher, b'"' + b"ab " * 2000 + b'ab"')
    assert matcher.is_accepting()


@pytest.mark.parametrize("schema", [one for one in PLAIN if "pattern" in json.dumps(one)])
def test_walks_that_look_at_the_watch_often_come_to_the_same(schema: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(str(schema))
    text = " ".join("".join(rng.choices("abA1.", k=rng.randint(1, 4))) for _ in range(60)) + " 2026-05-03"
    usual = grammar_of(schema, text)
    monkeypatch.setattr(lexemes_module, "_WORK", 7)
    walk_together(grammar_of(schema, text), usual, rng)


@pytest.mark.parametrize("bounds", [{"maxLength": 400}, {"minLength": 300}])
def test_long_walks_end_though_they_are_begun_anew(bounds: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(4)
    text = " ".join("".join(rng.choices("abcdefgh", k=rng.randint(2, 8))) for _ in range(800)) + " 9"
    monkeypatch.setattr(lexemes_module, "_WORK", 1000)
    grammar = grammar_of({**QUOTE, **bounds, "pattern": "[0-9]|[a-z]$"}, text)
    assert mask_of(grammar.matcher(), VOCABULARY)


def test_a_text_has_not_many_more_states_than_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where all of it stands there twice, and an end lies far ahead."""
    made: list[LazyDfas] = []
    place_state = LazyDfas._place_state

    def noted(dfas: LazyDfas, tree: QuoteTree) -> int:
        made.append(dfas)
        return place_state(dfas, tree)

    monkeypatch.setattr(LazyDfas, "_place_state", noted)
    rng = random.Random(4)
    half = " ".join("".join(rng.choices("abcdefgh", k=rng.randint(2, 8))) for _ in range(400))
    text = f"{half} 9 {half}"
    grammar = grammar_of({"oneOf": [{**QUOTE, "pattern": "9$"}, {"const": "none"}]}, text)
    assert accept_bytes(grammar.matcher(), b'"')
    mask_of(matcher := grammar.matcher(), VOCABULARY)
    assert accept_bytes(matcher, b'"' + half[:4].encode())
    mask_of(matcher, VOCABULARY)
    assert 1000 < made[0].num_states < 2 * len(text)
    assert grammar.num_bytes > made[0].num_bytes


def test_a_search_that_was_broken_off_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = {"oneOf": [{**QUOTE, "pattern": "9$", "minLength": 20}, {"const": "none"}]}
    text = "ab cd " * 900 + "9"
    grammar = grammar_of(schema, text)
    with monkeypatch.context() as broken:
        broken.setattr(positions_module, "first_product_state", lambda *_: (_ for _ in ()).throw(TimeoutError))
        with pytest.raises(TimeoutError):
            mask_of(grammar.matcher(), VOCABULARY)
    assert mask_of(grammar.matcher(), VOCABULARY) == mask_of(grammar_of(schema, text).matcher(), VOCABULARY)


def test_the_nearest_end_among_many_starts() -> None:
    """Sorted by what follows, the first start has its end 30,000 bytes away, each next one has it one byte nearer."""
    schema = {"type": "string", "x-quote": {"source": "text", "boundaries": "any"}, "pattern": "Z$"}
    matcher = grammar_of(schema, "a" * 30_000 + "Z").matcher()
    assert accept_bytes(matcher, b'"a')
    start = time.process_time()
    assert VOCABULARY.join(matcher.find_shortest_completion()) == b'Z"'
    assert time.process_time() - start < 1  # 3 s if each start looks for its own end


def test_an_end_far_away() -> None:
    text = "Q" + "x" * 2000 + "Z"
    matcher = grammar_of({**QUOTE, "pattern": "^Q.*Z$"}, f"{text} xZ x").matcher()
    assert accept_bytes(matcher, b'"Q')
    assert VOCABULARY.join(matcher.find_shortest_completion()) == text[1:].encode() + b'"'
