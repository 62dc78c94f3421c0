"""The matcher's other methods, errors, batches, threads, and the DeepSeek vocabulary."""

from __future__ import annotations

import random
import threading
from typing import Any

import numpy as np
import pytest

from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import InvalidInputError, LimitExceededError
from guided.grammars.limits import Limits
from guided.grammars.native.text_matcher import TextMatcher
from guided.grammars.regex import algebra as lang
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.machine.documents import AnyJson, Array, Object, Root, Value, boolean, enum, numbers, string
from tests.grammars.machine.machine import Machine
from tests.grammars.vocabularies import accept_bytes, byte_vocabulary, mask_of, vocabulary_of

VOCABULARY = byte_vocabulary(num_eos=2, size=345)
PERSON = Object([("name", string(), True), ("old", boolean(), True)])


def _matcher(value: Value, vocabulary: Vocabulary = VOCABULARY, whitespace: str = "compact") -> TextMatcher:
    return Machine(Root(value), vocabulary, whitespace, Limits()).matcher()


def test_end_rollback_fork_and_reset() -> None:
    matcher = _matcher(PERSON)
    start = mask_of(matcher, VOCABULARY)
    text = b'{"name":"x","old":true'
    assert accept_bytes(matcher, text)
    before = mask_of(matcher, VOCABULARY)
    fork = matcher.fork()
    ends = sorted(VOCABULARY.eos_token_ids)
    assert not matcher.accept_token(ends[0])
    assert not matcher.is_accepting()
    assert matcher.accept_token(ord("}"))
    assert matcher.is_accepting()
    assert mask_of(matcher, VOCABULARY) == ends
    assert matcher.accept_token(ends[1])
    assert matcher.is_terminated()
    assert not matcher.is_accepting()
    assert mask_of(matcher, VOCABULARY) == []
    assert not matcher.accept_token(ends[1])
    matcher.rollback(2)
    assert mask_of(matcher, VOCABULARY) == before == mask_of(fork, VOCABULARY)
    assert not fork.is_terminated()
    matcher.rollback(0)
    matcher.rollback(len(text))
    assert mask_of(matcher, VOCABULARY) == start
    with pytest.raises(InvalidInputError, match="take back"):
        matcher.rollback(1)
    fork.reset()
    assert mask_of(fork, VOCABULARY) == start


def test_number_at_the_root_may_end_and_go_on() -> None:
    matcher = _matcher(numbers())
    assert accept_bytes(matcher, b"12")
    assert matcher.is_accepting()
    allowed = mask_of(matcher, VOCABULARY)
    assert set(VOCABULARY.eos_token_ids) < set(allowed)
    assert ord("3") in allowed
    assert ord(" ") not in allowed


@pytest.mark.parametrize("token_id", [-1, 345, 10_000, 344])
def test_refuses_what_is_no_token(token_id: int) -> None:
    matcher = _matcher(PERSON)
    assert not matcher.accept_token(token_id)
    assert matcher.accept_token(ord("{"))


def test_refuses_wrong_bitmasks() -> None:
    matcher = _matcher(PERSON)
    good = allocate_bitmask(2, VOCABULARY.size)
    wrong: list[Any] = [good.astype(np.int64), good[:, :-1], good[0], good.tolist()]
    for bitmask in wrong:
        with pytest.raises(InvalidInputError, match="bitmask"):
            matcher.fill_bitmask(bitmask)
    for row in (2, -1):
        with pytest.raises(InvalidInputError, match="row"):
            matcher.fill_bitmask(good, row)


def test_fills_only_its_row_also_of_strided_bitmasks() -> None:
    matcher = _matcher(PERSON)
    plain = allocate_bitmask(1, VOCABULARY.size)
    matcher.fill_bitmask(plain)
    wide = np.full((3, 2 * plain.shape[1]), -7, dtype=np.int32)
    matcher.fill_bitmask(wide[:, ::2], np.int64(1))  # type: ignore[arg-type]
    assert (wide[1, ::2] == plain[0]).all()
    assert (wide[1, 1::2] == -7).all()
    assert (wide[[0, 2]] == -7).all()


def test_jump_forward() -> None:
    matcher = _matcher(PERSON)
    assert matcher.find_jump_forward_bytes() == b'{"name":"'
    assert accept_bytes(matcher, b'{"name":"')
    assert matcher.find_jump_forward_bytes() == b""
    assert accept_bytes(matcher, b'x"')
    assert matcher.find_jump_forward_bytes() == b',"old":'
    assert accept_bytes(matcher, b',"old":t')
    assert matcher.find_jump_forward_bytes() == b"rue}"


def test_jump_forward_in_captured_items() -> None:
    matcher = _matcher(Array(enum("a", "b"), low=2, unique=True))
    assert matcher.find_jump_forward_bytes() == b'["'
    assert accept_bytes(matcher, b'["b"')
    assert matcher.find_jump_forward_bytes() == b',"a"]'


def test_jump_forward_tokens() -> None:
    vocabulary = vocabulary_of(b'{"', b"name", b'":"', b"x", b'"}')
    matcher = _matcher(Object([("name", string(lang.text("x")), True)]), vocabulary)
    assert matcher.find_jump_forward_tokens() == [0, 1, 2, 3, 4, 5]
    assert not matcher.is_terminated()


def test_batches_equal_single_rows() -> None:
    machine = Machine(Root(AnyJson()), VOCABULARY, "flexible", Limits())
    items = {"type": "array", "items": {"enum": ["a", "b"]}}
    unique = compile_grammar(VOCABULARY, json_schema={"type": "array", "items": items, "uniqueItems": True})
    rng = random.Random(1)
    text = b'[["a"],["b", "a"],[]]'
    matchers = [rng.choice([machine, unique]).matcher() for _ in range(150)]
    for matcher in matchers:
        assert accept_bytes(matcher, text[: rng.randrange(len(text) + 1)])
    bitmask = allocate_bitmask(152, VOCABULARY.size)
    bitmask[150:] = 5
    TextMatcher.fill_batch(matchers, bitmask)
    assert (bitmask[150:] == 5).all()
    for row, matcher in enumerate(matchers):
        assert [int(i) for i in allowed_token_ids(bitmask[row], VOCABULARY.size)] == mask_of(matcher, VOCABULARY)
    TextMatcher.fill_batch([], bitmask)
    with pytest.raises(InvalidInputError, match="row"):
        TextMatcher.fill_batch(matchers, bitmask[:100])


def test_threads_share_a_machine() -> None:
    texts = [f'{{"k{i}":[{i},"v{i}"],"x":{{"y{i}":null}}}}'.encode() for i in range(40)]
    machine = Machine(Root(AnyJson()), VOCABULARY, "flexible", Limits())
    expected = [_masks(Machine(Root(AnyJson()), VOCABULARY, "flexible", Limits()), text) for text in texts]
    found: dict[int, list[list[int]]] = {}

    def work(part: int) -> None:
        for index in range(part, len(texts), 4):
            found[index] = _masks(machine, texts[index])

    threads = [threading.Thread(target=work, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[index] for index in range(len(texts))] == expected


def _masks(machine: Machine, text: bytes) -> list[list[int]]:
    matcher = machine.matcher()
    masks = []
    for byte in text:
        masks.append(mask_of(matcher, VOCABULARY))
        assert matcher.accept_token(byte)
    return masks


def test_many_keys_stacks_and_states() -> None:
    """Tables grow: 600 declared keys, 300 levels, 300 open keys."""
    value = Object([(f"key{i}é", numbers(), i % 50 == 49) for i in range(600)])
    matcher = _matcher(value)
    assert accept_bytes(matcher, ("{" + ",".join(f'"key{i}é":{i}' for i in range(600)) + "}").encode())
    assert matcher.is_accepting()
    matcher = _matcher(AnyJson())
    assert accept_bytes(matcher, b"[" * 300 + b"]" * 300)
    assert matcher.is_accepting()
    matcher = _matcher(AnyJson())
    assert accept_bytes(matcher, ("{" + ",".join(f'"k{i}":{i}' for i in range(300))).encode())
    assert not accept_bytes(matcher.fork(), b',"k17"')
    assert accept_bytes(matcher, b',"k300":1}')


def test_automaton_limit() -> None:
    a, b = lang.text("a"), lang.text("b")
    either = lang.union(a, b)
    many = lang.concat(lang.repeat(either, 0), a, lang.repeat(either, 12, 12))
    vocabulary = Vocabulary([bytes(token) for token in _words(b"ab", 9)] + [b'"', None], [1023])
    machine = Machine(Root(string(many)), vocabulary, "compact", Limits(max_automaton_states=100))
    matcher = machine.matcher()
    assert matcher.accept_token(1022)
    with pytest.raises(LimitExceededError, match="max_automaton_states"):
        mask_of(matcher, vocabulary)
    matcher = machine.matcher()
    assert matcher.accept_token(1022)
    assert matcher.accept_token(0)
    assert Machine(Root(PERSON), VOCABULARY, "compact", Limits()).matcher().accept_token(ord("{"))


def _words(letters: bytes, length: int) -> list[bytes]:
    words, last = [], [b""]
    for _ in range(length):
        last = [word + bytes([letter]) for word in last for letter in letters]
        words += last
    return words


def test_memory_is_counted() -> None:
    machine = Machine(Root(AnyJson()), VOCABULARY, "flexible", Limits())
    before = machine.num_bytes
    matcher = machine.matcher()
    for i in range(500):
        assert accept_bytes(matcher, f'{"," if i else "{"}"k{i}":0'.encode())
    assert machine.num_bytes > before


@pytest.mark.parametrize(
    "text", ['{"name": "na', '{"name":"a","tags":["x","', '{"name":"a","tags":[],"n', '{"name":"a","o":{"a":1']
)
def test_masks_of_a_real_vocabulary(deepseek: Any, deepseek_vocabulary: Vocabulary, text: str) -> None:
    """Every token of a 129,280-token vocabulary, tried out."""
    vocabulary = deepseek_vocabulary
    tags = Array(string(lang.repeat(lang.ANY_CHAR, 1, 20)), unique=True)
    value = Object(
        [("name", string(lang.difference(lang.ANYTHING, lang.words(["name"]))), True), ("tags", tags, False)], AnyJson()
    )
    matcher = Machine(Root(value), vocabulary, "flexible", Limits()).matcher()
    for token_id in deepseek.encode(text, add_special_tokens=False):
        assert matcher.accept_token(token_id)
    allowed = set(mask_of(matcher, vocabulary))
    for token_id in range(vocabulary.size):
        is_allowed = matcher.accept_token(token_id)
        assert is_allowed == (token_id in allowed), vocabulary.tokens[token_id]
        if is_allowed:
            matcher.rollback(1)
