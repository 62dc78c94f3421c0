"""Time limits and cancelling; errors in the middle of a document leave matcher and grammar as they were."""

from __future__ import annotations

import gc
import json
import threading
import time
import tracemalloc
from typing import Any

import pytest

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.cache import GrammarCache
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import CompileCancelledError, LimitExceededError
from guided.grammars.limits import Limits
from guided.grammars.machine import running
from guided.grammars.machine.frames import Frame
from guided.grammars.machine.running import MAX_OTHERS
from guided.grammars.protocol import Matcher
from guided.grammars.regex import algebra as lang
from guided.grammars.watch import Watch, checkpoint
from tests.grammars.machine.documents import Array, ArrayFrame, Root, numbers, string
from tests.grammars.machine.machine import Machine
from tests.grammars.vocabularies import BYTES, accept_bytes, byte_vocabulary, mask_of, vocabulary_of

VOCABULARY = byte_vocabulary()


def slow_schema(tag: str, num_keys: int = 600) -> dict[str, Any]:
    """Takes about a ms a key to compile: for each, two languages that turn out to have no text in common.

    tag: makes its languages others than those of other tests, which may be known already.
    """
    properties = {}
    for key in [f"{tag}{i}" for i in range(num_keys)]:
        patterns = [f"^({key}|b)*{last}.{{11}}$" for last in (key, "b")]
        both = {"type": "string", "allOf": [{"pattern": pattern} for pattern in patterns]}
        properties[key] = {"anyOf": [both, {"const": "c"}]}
    return {"type": "object", "properties": properties, "required": list(properties)}


def test_no_time_at_all() -> None:
    with pytest.raises(LimitExceededError, match="max_compile_seconds = 0 seconds exceeded"):
        compile_grammar(VOCABULARY, json_schema={"title": "no time"}, limits=Limits(max_compile_seconds=0))


def test_time_for_compiling() -> None:
    cache = GrammarCache()
    start = time.monotonic()
    with pytest.raises(LimitExceededError) as caught:
        compile_grammar(VOCABULARY, json_schema=slow_schema("x"), limits=Limits(max_compile_seconds=0.2), cache=cache)
    assert (caught.value.limit, caught.value.maximum, caught.value.unit) == ("max_compile_seconds", 0.2, "seconds")
    assert time.monotonic() - start < 30
    assert len(cache) == 0
    assert compile_grammar(VOCABULARY, json_schema={"type": "string"}, cache=cache)


def test_cancelled_before() -> None:
    cancel, cache = threading.Event(), GrammarCache()
    cancel.set()
    with pytest.raises(CompileCancelledError, match="cancelled"):
        compile_grammar(VOCABULARY, json_schema=True, cancel=cancel, cache=cache)
    assert len(cache) == 0
    cancel.clear()
    assert compile_grammar(VOCABULARY, json_schema=True, cancel=cancel, cache=cache)
    assert len(cache) == 1


def test_cancelled_from_another_thread() -> None:
    cancel, errors = threading.Event(), []

    def work() -> None:
        try:
            compile_grammar(VOCABULARY, json_schema=slow_schema("y"), cancel=cancel)
        except CompileCancelledError as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.2)
    assert compile_grammar(VOCABULARY, json_schema={"title": "meanwhile"})
    cancel.set()
    thread.join(20)
    assert not thread.is_alive()
    assert len(errors) == 1


def test_a_watch_counts_for_its_thread_and_the_innermost_one() -> None:
    checkpoint()
    spent = Watch("max_mask_seconds", 0)
    with Watch("max_compile_seconds", 100):
        checkpoint()
        with spent:
            with pytest.raises(LimitExceededError, match="max_mask_seconds"):
                checkpoint()
            thread = threading.Thread(target=checkpoint)
            thread.start()
            thread.join()
        checkpoint()
    checkpoint()


# --- in the middle of a document

TOO_MANY_STATES = {"type": "string", "pattern": "^(a|b)*a(a|b){12}(é|日)$"}
TOO_MANY_PLANS = {
    "type": "object",
    "properties": {
        "s": {"type": "string"},
        "x": {
            "type": "object",
            "allOf": [
                {"oneOf": [{"required": [f"k{i}"]}, {"properties": {f"k{i}": False}, "required": [f"k{i + 1}"]}]}
                for i in range(7)
            ],
        },
    },
}


def errors_of(matcher: Matcher, times: int = 3) -> list[str]:
    found = []
    for _ in range(times):
        with pytest.raises(LimitExceededError) as caught:
            mask_of(matcher, VOCABULARY)
        found.append(str(caught.value))
    return found


def test_too_many_plans_in_a_mask() -> None:
    limits, options = Limits(max_plans=3), {"whitespace": "compact"}
    grammar = compile_grammar(VOCABULARY, json_schema=TOO_MANY_PLANS, limits=limits, cache=None, **options)
    matcher = grammar.matcher()
    assert accept_bytes(matcher, b"{")
    first = errors_of(matcher, 1)
    gc.collect()
    size = grammar.num_bytes
    assert set(first + errors_of(matcher)) == set(first)
    assert "max_plans = 3 " in first[0]
    assert grammar.num_bytes == size
    for byte in b'"}':
        with pytest.raises(LimitExceededError, match="max_plans"):
            matcher.accept_token(byte)
    with pytest.raises(LimitExceededError, match="max_plans"):
        matcher.find_jump_forward_bytes()
    assert not matcher.is_accepting()
    assert errors_of(matcher.fork(), 1) == first
    matcher.rollback(1)
    assert accept_bytes(matcher, b"{")
    assert errors_of(matcher, 1) == first
    enough = compile_grammar(VOCABULARY, json_schema=TOO_MANY_PLANS, cache=None).matcher()
    assert accept_bytes(enough, b'{"x":{"k0":1,"k2":1,"k4":1,"k6":1},"s":"')


def test_too_many_states_in_a_mask() -> None:
    """A vocabulary of long words, so that a mask looks far ahead."""
    words = [f"{number:09b}".translate({48: "a", 49: "b"}).encode() for number in range(512)]
    vocabulary = vocabulary_of(*BYTES, *words)
    limits = Limits(max_automaton_states=200)
    grammar = compile_grammar(vocabulary, json_schema=TOO_MANY_STATES, limits=limits, cache=None)
    matcher = grammar.matcher()
    assert matcher.accept_token(ord('"'))
    vocabulary_tables = matcher._automaton.vocabulary_tables  # type: ignore[attr-defined]
    messages, sizes = [], []
    for _ in range(4):
        with pytest.raises(LimitExceededError) as caught:
            mask_of(matcher, vocabulary)
        messages.append(str(caught.value))
        sizes.append(
            (
                grammar.num_bytes,
                vocabulary_tables.num_bytes,
                vocabulary_tables.lazy_dfas.num_states,
                len(vocabulary_tables._kept),
            )
        )
    assert len(set(messages)) == len(set(sizes)) == 1
    assert "max_automaton_states = 200 states" in messages[0]
    assert not matcher.is_accepting()
    matcher.rollback(1)
    assert ord('"') in mask_of(matcher, vocabulary)
    other = compile_grammar(vocabulary, json_schema={"enum": ["a", 1]}, limits=limits, cache=None).matcher()
    assert set(mask_of(other, vocabulary)) == {ord('"'), ord("1")}


class _Failing(ArrayFrame):
    """An array that raises for one item, and is as slow as it is told to be."""

    error: BaseException | None = None

    def on_capture(self, cls: int, text: bytes) -> Frame:
        if text == b"[1]" and self.error is not None:
            raise self.error
        return super().on_capture(cls, text)


class _FailingArray(Array):
    def frame_at(self, count: int, used: frozenset[bytes]) -> ArrayFrame:
        key = (count, used)
        if key not in self.frames:
            self.frames[key] = _Failing(self, count, used)
        return self.frames[key]


@pytest.mark.parametrize("error", [LimitExceededError("max_plans", 1, "choices"), RecursionError(), KeyError("a bug")])
def test_an_error_between_two_captures_leaves_no_trace(error: BaseException) -> None:
    """`1]` ends a number and its array: the error comes when the number is known already."""
    inner = Array(numbers(lang.words(["1", "2", "3"])), unique=True)
    outer = _FailingArray(inner, unique=True)
    machine = Machine(Root(outer), VOCABULARY, "compact", Limits())
    matcher, other = machine.matcher(), machine.matcher()
    assert accept_bytes(matcher, b"[[1")
    assert accept_bytes(other, b"[[2")
    _Failing.error = error
    expected = type(error) if isinstance(error, KeyError) else LimitExceededError
    for _ in range(2):
        with pytest.raises(expected):
            matcher.accept_token(ord("]"))
    assert accept_bytes(other.fork(), b",1],[3]]")
    assert not accept_bytes(other.fork(), b",2")
    _Failing.error = None
    assert accept_bytes(matcher, b"],[2]]")
    assert matcher.is_accepting()


class _Slow(Root):
    """A document whose value can't be told before `is_slow` is False."""

    is_slow = True

    def value_spec(self) -> Any:
        while self.is_slow:
            checkpoint()
        return super().value_spec()


def test_time_for_a_mask() -> None:
    root = _Slow(string())
    matcher = Machine(root, VOCABULARY, "compact", Limits(max_mask_seconds=0.02)).matcher()
    for _ in range(2):
        with pytest.raises(LimitExceededError, match=r"max_mask_seconds = 0\.02 seconds exceeded"):
            mask_of(matcher, VOCABULARY)
        with pytest.raises(LimitExceededError, match="max_mask_seconds"):
            matcher.accept_token(ord('"'))
        with pytest.raises(LimitExceededError, match="max_mask_seconds"):
            matcher.find_jump_forward_bytes()
    root.is_slow = False
    assert ord('"') in mask_of(matcher, VOCABULARY)


def test_vocabulary_tables_full_of_states_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """States are kept for all grammars of a vocabulary; where no more fit, new grammars start with a new table."""
    monkeypatch.setattr("guided.grammars.machine.lexemes.lazy_dfas.MAX_STATES", 2_000)
    vocabulary = byte_vocabulary(num_eos=4)
    for seed in range(30):
        schema = {"type": "string", "pattern": f"^(a|b)*a.{{6}}{seed}$"}
        matcher = compile_grammar(vocabulary, json_schema=schema, cache=None).matcher()
        assert accept_bytes(matcher, f'"abbabab{seed}"'.encode())
        for _ in range(3):
            mask_of(matcher, vocabulary)
            matcher.rollback(2)


def test_frames_of_documents_count_as_memory() -> None:
    """Each item makes a frame that knows all items before it: most of what such a grammar holds."""
    schema = {"type": "array", "uniqueItems": True, "items": {"type": "integer"}}
    text = ("[" + ",".join(map(str, range(100)))).encode()
    rules = 'start: "x" %json ' + json.dumps(schema)
    for options, prefix in (({"json_schema": schema}, b""), ({"ebnf": rules, "dialect": "lark"}, b"x")):
        grammar = compile_grammar(VOCABULARY, cache=None, limits=Limits(max_grammar_bytes=1_000_000), **options)
        before = grammar.num_bytes
        assert accept_bytes(grammar.matcher(), prefix + text)
        assert grammar.num_bytes - before > 1_000_000
        assert accept_bytes(grammar.matcher(), prefix + b"[1,2")  # on new frames, as the old ones are too many
        assert grammar.num_bytes - before < 200_000


def test_a_kept_matcher_gets_fresh_frames_when_it_is_reset() -> None:
    schema = {"type": "array", "uniqueItems": True, "items": {"type": "integer"}}
    text = ("[" + ",".join(map(str, range(40)))).encode()
    grammar = compile_grammar(VOCABULARY, cache=None, limits=Limits(max_grammar_bytes=100_000), json_schema=schema)
    before, matcher = grammar.num_bytes, grammar.matcher()
    assert accept_bytes(matcher, text)
    assert grammar.num_bytes - before > 100_000
    fork = matcher.fork()
    matcher.reset()
    assert grammar.num_bytes - before < 50_000
    assert accept_bytes(fork, b",40")  # a text that has begun goes on where it was
    assert accept_bytes(matcher, text)


def test_long_keys_and_rows_near_a_budget_count_as_memory() -> None:
    grammar = compile_grammar(VOCABULARY, json_schema={"type": "object"}, cache=None)
    bitmask = allocate_bitmask(1, VOCABULARY.size)
    assert accept_bytes(grammar.matcher(), b'{"a":1}')
    gc.collect()
    tracemalloc.start()
    before = grammar.num_bytes
    for number in range(30):
        assert accept_bytes(grammar.matcher(), f'{{"{"key" * 100}{number}":1'.encode())
    gc.collect()
    traced, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    grown = grammar.num_bytes
    assert traced < 1.25 * (grown - before) < 3 * traced
    matcher = grammar.matcher()
    matcher.fill_bitmask(bitmask)
    assert matcher.restrict_to_budget(bitmask, 0, 2)
    assert grammar.num_bytes > grown + 4 * bitmask.size


@pytest.mark.parametrize("most", [MAX_OTHERS, 1000])
def test_what_follows_tokens_is_counted_and_bounded(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MAX_OTHERS", most)
    letters = [bytes([code]) for code in range(0x23, 0x5B)]
    vocabulary = vocabulary_of(b'"', *letters, *(first + second for first in letters for second in letters))
    matcher = compile_grammar(vocabulary, json_schema={"type": "string"}, cache=None).matcher()
    assert matcher.accept_token(0)
    automaton = matcher.history[0]
    before = automaton.num_bytes
    gc.collect()
    tracemalloc.start()
    for _ in range(2):
        for token_id in range(1, vocabulary.size - 1):
            assert matcher.accept_token(token_id)
            matcher.rollback(1)
    traced, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(automaton.others) <= most
    assert traced < 1.5 * (automaton.num_bytes - before) < 1.5 * 110 * min(most, vocabulary.size)


def test_a_cache_knows_how_its_grammars_have_grown() -> None:
    cache = GrammarCache(max_bytes=1_500_000)
    schema = {"type": "array", "uniqueItems": True, "items": {"type": "integer"}}
    grown = compile_grammar(VOCABULARY, json_schema=schema, cache=cache)
    assert accept_bytes(grown.matcher(), ("[" + ",".join(map(str, range(150)))).encode())
    compile_grammar(VOCABULARY, json_schema={"type": "array"}, cache=cache)
    assert len(cache) == 1
    assert cache.num_bytes < 100_000
