"""Matchers at their edges: ids that are no tokens, bitmasks that can't be written, in every kind of matcher."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from guided.grammars.backends.registry import backend_names
from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar, fill_bitmasks
from guided.grammars.errors import InvalidInputError
from guided.grammars.protocol import Matcher
from tests.backends_table import is_installed
from tests.grammars.vocabularies import accept_bytes, byte_vocabulary, mask_of

VOCABULARY = byte_vocabulary()
SIZE = VOCABULARY.size

GRAMMARS: dict[str, dict[str, Any]] = {
    "json_schema": {"json_schema": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}},
    "unique": {"json_schema": {"type": "array", "items": {"type": "array"}, "uniqueItems": True}},
    "regex": {"regex": "(abc|abd)*x{2,5}"},
    "choice": {"choice": ["abc", "abd", "x"]},
    "ebnf": {"ebnf": 'root ::= "(" root ")" | "abc"', "dialect": "gbnf"},
    "all_of": {"all_of": [{"ebnf": 'root ::= "[" root "]" | [0-9, ]*'}, {"regex": r"[\[\]1, ]+"}]},
}
PREFIXES = {"json_schema": b'{"a"', "unique": b"[[1],", "regex": b"ab", "choice": b"ab", "ebnf": b"(a", "all_of": b"[1"}


def all_matchers() -> list[Any]:
    found = [pytest.param("native", kind, id=f"native-{kind}") for kind in GRAMMARS]
    others = [name for name in backend_names() if name != "native"]
    return found + [pytest.param(name, kind, id=f"{name}-{kind}") for name in others for kind in ("regex",)]


by_matcher = pytest.mark.parametrize(("backend", "kind"), all_matchers())


def make(backend: str, kind: str) -> Matcher:
    if not is_installed(backend):
        pytest.skip(f"{backend} is not installed; pip install 'guided[backends]'")
    return compile_grammar(VOCABULARY, backend=backend, cache=None, **GRAMMARS[kind]).matcher()


@by_matcher
def test_ids_outside_of_the_vocabulary_are_never_accepted(backend: str, kind: str) -> None:
    """Also after all bytes were tried out, which stand for themselves as ids from the vocabulary's size on."""
    matcher = make(backend, kind)
    outside = [-1, -2, -SIZE, -(1 << 40), *range(SIZE, SIZE + 300), 1 << 31, 1 << 40, (1 << 40) + 97, 1 << 63, 1 << 70]
    for step in range(3):
        before = set(mask_of(matcher, VOCABULARY))
        matcher.find_jump_forward_bytes()
        matcher.find_jump_forward_tokens()
        if backend == "native":
            matcher.find_shortest_completion()
            matcher.restrict_to_budget(allocate_bitmask(1, SIZE), 0, 1)
        assert not [token_id for token_id in outside if matcher.accept_token(token_id)]
        assert not matcher.accept_token(np.int64(SIZE + 97))  # type: ignore[arg-type]
        assert set(mask_of(matcher, VOCABULARY)) == before
        if step == 0:
            assert accept_bytes(matcher, PREFIXES[kind])
    matcher.rollback(len(PREFIXES[kind]))


def wrong_bitmasks() -> list[Any]:
    right = allocate_bitmask(2, SIZE)
    read_only = right.copy()
    read_only.flags.writeable = False
    unaligned = np.zeros(right.nbytes + 1, dtype=np.uint8)[1:].view(np.int32).reshape(right.shape)
    return [
        pytest.param(read_only, "read-only", id="read-only"),
        pytest.param(np.frombuffer(bytes(right.nbytes), dtype=np.int32).reshape(2, -1), "read-only", id="of bytes"),
        pytest.param(unaligned, "multiples of 4", id="not aligned"),
        pytest.param(right.astype(np.uint32), "dtype uint32", id="unsigned"),
        pytest.param(right.astype(np.int64), "dtype int64", id="too wide"),
        pytest.param(right.astype(">i4"), "dtype >i4", id="bytes swapped"),
        pytest.param(right.astype(np.bool_), "dtype bool", id="booleans"),
        pytest.param(allocate_bitmask(2, SIZE + 32), r"shape \(2, ", id="of another vocabulary"),
        pytest.param(right[0], "shape", id="one row"),
        pytest.param(right[None], "shape", id="three dimensions"),
        pytest.param(np.zeros((), dtype=np.int32), "shape", id="a number"),
        pytest.param(right.tolist(), "is a list", id="a list"),
        pytest.param(None, "is a NoneType", id="nothing"),
    ]


@by_matcher
@pytest.mark.parametrize(("bitmask", "message"), wrong_bitmasks())
def test_wrong_bitmasks(backend: str, kind: str, bitmask: Any, message: str) -> None:
    matcher = make(backend, kind)
    with pytest.raises(InvalidInputError, match=message):
        matcher.fill_bitmask(bitmask, 0)
    with pytest.raises(InvalidInputError, match=message):
        fill_bitmasks([matcher], bitmask)
    with pytest.raises(InvalidInputError):
        fill_bitmasks([matcher, matcher.fork()], bitmask)


@by_matcher
@pytest.mark.parametrize("row", [-1, 2, 1 << 40, 0.5, "0", None, True])
def test_wrong_rows(backend: str, kind: str, row: Any) -> None:
    matcher, bitmask = make(backend, kind), allocate_bitmask(2, SIZE)
    with pytest.raises(InvalidInputError, match="row"):
        matcher.fill_bitmask(bitmask, row)
    assert not bitmask.any()


@by_matcher
def test_rows_of_other_types(backend: str, kind: str) -> None:
    matcher, bitmask = make(backend, kind), allocate_bitmask(2, SIZE)
    matcher.fill_bitmask(bitmask, np.int32(1))  # type: ignore[arg-type]
    assert bitmask[1].any()
    assert not bitmask[0].any()


@pytest.mark.parametrize("kind", GRAMMARS)
def test_bitmasks_whose_rows_lie_apart(kind: str) -> None:
    matcher = make("native", kind)
    right, wide = allocate_bitmask(2, SIZE), allocate_bitmask(4, 2 * SIZE)
    fill_bitmasks([matcher, matcher], right)
    for apart in (wide[:2, : right.shape[1]], wide[::2, 1 : 1 + right.shape[1]], np.asfortranarray(right * 0)):
        fill_bitmasks([matcher, matcher.fork()], apart)
        assert (apart == right).all()
        apart[:] = 0
        matcher.fill_bitmask(apart, 1)
        assert (apart[1] == right[1]).all()
        assert not apart[0].any()


def test_matchers_of_two_vocabularies_in_one_batch() -> None:
    other = byte_vocabulary(size=SIZE + 64)
    matchers = [compile_grammar(one, json_schema=True, cache=None).matcher() for one in (VOCABULARY, other)]
    for first, second, size in ((0, 1, SIZE), (1, 0, SIZE + 64), (0, 1, SIZE + 64)):
        with pytest.raises(InvalidInputError, match="expected what allocate_bitmask"):
            fill_bitmasks([matchers[first], matchers[second]], allocate_bitmask(2, size))


@by_matcher
@pytest.mark.parametrize("wrong", [None, "97", 97.0, [97]])
def test_what_is_no_integer_is_an_error(backend: str, kind: str, wrong: Any) -> None:
    """None was taken for a token that ends the text, at a place where no token was met yet."""
    matcher = make(backend, kind)
    for _ in range(2):
        with pytest.raises(InvalidInputError, match="a token id is an int, not "):
            matcher.accept_token(wrong)
        assert not matcher.is_terminated()
        assert accept_bytes(matcher, PREFIXES[kind])
        matcher.reset()


@by_matcher
def test_grammars_are_pickled_and_copies_of_matchers_are_forks(backend: str, kind: str) -> None:
    if not is_installed(backend):
        pytest.skip(f"{backend} is not installed; pip install 'guided[backends]'")
    grammar = compile_grammar(VOCABULARY, backend=backend, cache=None, **GRAMMARS[kind])
    loaded = pickle.loads(pickle.dumps(grammar))
    assert (loaded.spec, loaded.vocabulary, type(loaded)) == (grammar.spec, VOCABULARY, type(grammar))
    assert copy.deepcopy(grammar) is copy.copy(grammar) is grammar
    matcher = grammar.matcher()
    accept_bytes(matcher, PREFIXES[kind][:-1])
    for twin in (copy.copy(matcher), copy.deepcopy([matcher])[0]):
        assert mask_of(twin, VOCABULARY) == mask_of(matcher, VOCABULARY)
        assert accept_bytes(twin, PREFIXES[kind][-1:])
        twin.rollback(len(PREFIXES[kind]))
    assert accept_bytes(matcher, PREFIXES[kind][-1:])
    with pytest.raises(InvalidInputError, match="a matcher can't be pickled; pickle its grammar"):
        pickle.dumps(matcher)


def test_a_vocabulary_is_pickled_without_what_was_found_from_it() -> None:
    vocabulary = byte_vocabulary()
    size = len(pickle.dumps(vocabulary))
    assert vocabulary.sorted_tokens
    assert vocabulary.fingerprint
    assert len(pickle.dumps(vocabulary)) == size
    assert pickle.loads(pickle.dumps(vocabulary)) == vocabulary
