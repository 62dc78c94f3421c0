"""What every registered backend must do; and the native one with a table of schemas, which for others is in
backends/test_table.py."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NoReturn

import jsonschema
import pytest

from guided.grammars.backends.registry import backend_names
from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar, fill_bitmasks
from guided.grammars.errors import InvalidInputError, UnsatisfiableError
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary
from tests.backends_table import is_installed
from tests.cases.json_schema_cases import CASES, UNSATISFIABLE, Case, Schema
from tests.fuzz.oracles import found_by_ecma
from tests.grammars.vocabularies import (
    accept_bytes,
    accepted_ids,
    byte_vocabulary,
    mask_of,
    matches,
    random_walk,
)

VOCABULARY = byte_vocabulary(num_eos=2)
REGEXES = ("a|ab|abc", "(?:ab)*", "", "é+日?", "[^a-y]{2}", "x{2,3}y?", "(?:12|1)(?:23|3)?")

by_backend = pytest.mark.parametrize("backend", backend_names())
by_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def compiled(schema: Schema, **options: Any) -> CompiledGrammar:
    return compile_grammar(VOCABULARY, json_schema=schema, **options)


def of_regex(backend: str, regex: str, vocabulary: Vocabulary = VOCABULARY) -> CompiledGrammar:
    """The grammar of a regex; skips the test where the backend's library is not installed."""
    if not is_installed(backend):
        pytest.skip(f"{backend} is not installed; pip install 'guided-generation[backends]'")
    return compile_grammar(vocabulary, regex=regex, backend=backend)


@cache
def compiled_case(case: Case, whitespace: str = "flexible") -> CompiledGrammar:
    """A grammar has no state of its own, so one serves all tests."""
    return compiled(case.schema, whitespace=whitespace)


def is_valid(schema: Schema, text: str) -> bool:
    """What the `jsonschema` library says, with formats and patterns of ECMA-262; text that is not JSON is not valid."""
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except ValueError:
        return False
    standard = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    validator_class = jsonschema.validators.extend(standard, {"pattern": _pattern})
    return bool(validator_class(schema, format_checker=validator_class.FORMAT_CHECKER).is_valid(document))


def _pattern(_: Any, pattern: str, instance: Any, __: Schema) -> Iterator[jsonschema.ValidationError]:
    if isinstance(instance, str) and not found_by_ecma(pattern, instance):
        yield jsonschema.ValidationError(f"{pattern} is not found in it")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


@by_case
def test_documents(case: Case) -> None:
    matcher = compiled_case(case).matcher()
    for text in case.valid:
        assert is_valid(case.schema, text), f"the table is wrong about {text}"
        assert matches(matcher, text), f"{text} can't be generated"
    for text in case.invalid:
        assert not is_valid(case.schema, text), f"the table is wrong about {text}"
        assert not matches(matcher, text), f"{text} can be generated"
    for text in case.unwritten:
        assert is_valid(case.schema, text), f"the table is wrong about {text}"


@by_case
def test_compact_and_spaced_documents(case: Case) -> None:
    compact = compiled_case(case, "compact").matcher()
    spaced = compiled_case(case, "spaced").matcher()
    for text in case.valid:
        assert matches(spaced, text)
        squeezed = json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
        if text.startswith(("{", "[")):
            assert matches(compact, squeezed)
        if squeezed != text and text.startswith(("{", "[")):
            assert not matches(compact, text)
            assert not matches(spaced, squeezed)


@by_case
def test_random_walks_end_in_valid_documents(case: Case) -> None:
    grammar = compiled_case(case)
    for seed in range(4):
        text = random_walk(grammar.matcher(), VOCABULARY, seed)
        if text is not None:
            assert is_valid(case.schema, text.decode()), text


@by_case
def test_mask_is_what_is_accepted(case: Case) -> None:
    """At the start, inside and at the end of a valid document; reading the mask does not change the matcher."""
    matcher = compiled_case(case).matcher()
    data = case.valid[0].encode()
    for position in sorted({0, 1, len(data) // 2, len(data) - 1, len(data)}):
        matcher.reset()
        assert accept_bytes(matcher, data[:position])
        assert mask_of(matcher, VOCABULARY) == accepted_ids(matcher, VOCABULARY)
        assert mask_of(matcher, VOCABULARY) == accepted_ids(matcher, VOCABULARY)


@by_case
def test_end_tokens_exactly_when_complete(case: Case) -> None:
    matcher = compiled_case(case).matcher()
    for byte in case.valid[0].encode():
        ends = VOCABULARY.eos_token_ids & set(mask_of(matcher, VOCABULARY))
        assert ends == (VOCABULARY.eos_token_ids if matcher.is_accepting() else set())
        assert matcher.accept_token(byte)
    assert matcher.is_accepting()
    for end in VOCABULARY.eos_token_ids:
        finished = matcher.fork()
        assert finished.accept_token(end)
        assert finished.is_terminated()
        assert not finished.is_accepting()
        assert not mask_of(finished, VOCABULARY)
        assert not accepted_ids(finished, VOCABULARY)
    assert not matcher.is_terminated()


@by_case
def test_jump_forward_is_forced(case: Case) -> None:
    """Every valid document goes on with the bytes, which are accepted; after them there is a choice or the end."""
    for whitespace in ("compact", "spaced", "flexible"):
        matcher = compiled_case(case, whitespace).matcher()
        forced = matcher.find_jump_forward_bytes()
        assert [matcher.find_jump_forward_bytes(most) for most in (0, 1, 3)] == [b"", forced[:1], forced[:3]]
        assert mask_of(matcher, VOCABULARY) == mask_of(matcher.fork(), VOCABULARY)
        assert accept_bytes(matcher, forced)
        following = {(VOCABULARY.tokens[i] or b"")[:1] for i in mask_of(matcher, VOCABULARY)} - {b""}
        assert matcher.is_accepting() or len(following) > 1
        assert matcher.find_jump_forward_bytes() == b""


@pytest.mark.parametrize(("name", "schema"), UNSATISFIABLE, ids=[name for name, _ in UNSATISFIABLE])
def test_unsatisfiable_schema_is_an_error(name: str, schema: Schema) -> None:
    with pytest.raises(UnsatisfiableError):
        compiled(schema)


@by_backend
@pytest.mark.parametrize("regex", REGEXES)
def test_regex_masks_and_walks(backend: str, regex: str) -> None:
    grammar = of_regex(backend, regex)
    for seed in range(5):
        matcher = grammar.matcher()
        text = random_walk(matcher, VOCABULARY, seed)
        assert text is None or re.fullmatch(regex, text.decode()), text
    matcher = grammar.matcher()
    while not matcher.is_terminated():
        assert mask_of(matcher, VOCABULARY) == accepted_ids(matcher, VOCABULARY)
        assert matcher.accept_token(max(mask_of(matcher, VOCABULARY)))


def test_rollback_restores_mask_and_state() -> None:
    case = next(case for case in CASES if case.name == "object")
    matcher = compiled_case(case).matcher()
    token_ids = [*case.valid[0].encode(), min(VOCABULARY.eos_token_ids)]
    masks = []
    for token_id in token_ids:
        masks.append(mask_of(matcher, VOCABULARY))
        assert matcher.accept_token(token_id)
    for count in (1, 2, 5):
        matcher.rollback(count)
        assert not matcher.is_terminated()
        assert mask_of(matcher, VOCABULARY) == masks[len(masks) - count]
        assert all(matcher.accept_token(token_id) for token_id in token_ids[len(token_ids) - count :])
    matcher.rollback(0)
    assert matcher.is_terminated()
    matcher.rollback(len(token_ids))
    assert mask_of(matcher, VOCABULARY) == masks[0]
    with pytest.raises(InvalidInputError, match="can't take back 1"):
        matcher.rollback(1)
    with pytest.raises(InvalidInputError):
        matcher.rollback(-1)


@by_backend
def test_fork_and_reset(backend: str) -> None:
    matcher = of_regex(backend, "ab|cd").matcher()
    assert matcher.accept_token(ord("a"))
    twin = matcher.fork()
    assert twin.accept_token(ord("b"))
    assert not matcher.is_accepting()
    with pytest.raises(InvalidInputError, match="can't take back 2"):
        matcher.rollback(2)
    twin.rollback(2)
    assert twin.accept_token(ord("c"))
    assert matcher.accept_token(ord("b"))
    matcher.reset()
    assert accept_bytes(matcher, b"cd")
    with pytest.raises(InvalidInputError):
        matcher.rollback(3)


@by_backend
def test_refused_token_changes_nothing(backend: str) -> None:
    matcher = of_regex(backend, "ab").matcher()
    before = mask_of(matcher, VOCABULARY)
    special = VOCABULARY.size - 3
    for token_id in (ord("b"), special, min(VOCABULARY.eos_token_ids), VOCABULARY.size, -1, 10**12):
        assert not matcher.accept_token(token_id)
        assert mask_of(matcher, VOCABULARY) == before
    with pytest.raises(InvalidInputError):
        matcher.rollback(1)


@by_backend
@pytest.mark.parametrize("extra", [0, 1, 31, 40])
def test_widths_and_padding(backend: str, extra: int) -> None:
    """Whatever the width, ids past the tokenizer and bits past the vocabulary stay 0."""
    smallest = byte_vocabulary()
    vocabulary = byte_vocabulary(size=-(-smallest.size // 32) * 32 + extra)
    matcher = of_regex(backend, r"(?:.|\n)*", vocabulary).matcher()
    bitmask = allocate_bitmask(2, vocabulary.size)
    bitmask[:] = -1
    matcher.fill_bitmask(bitmask, 1)
    assert (bitmask[0] == -1).all()
    allowed = mask_of(matcher, vocabulary)
    assert max(allowed) == max(vocabulary.eos_token_ids)
    assert int(bitmask[1].view("u4")[-1]) >> (vocabulary.size - 1) % 32 <= 1
    assert sum(int(word).bit_count() for word in bitmask[1].view("u4")) == len(allowed)


@by_backend
def test_fill_bitmasks(backend: str) -> None:
    matchers = [of_regex(backend, regex).matcher() for regex in ("a", "b|c", "d?")]
    bitmask = allocate_bitmask(4, VOCABULARY.size)
    bitmask[3] = 7
    fill_bitmasks(matchers, bitmask)
    for row, matcher in enumerate(matchers):
        alone = allocate_bitmask(1, VOCABULARY.size)
        matcher.fill_bitmask(alone)
        assert (bitmask[row] == alone[0]).all()
    assert (bitmask[3] == 7).all()
    with pytest.raises(InvalidInputError, match="3 matchers"):
        fill_bitmasks(matchers, bitmask[:2])


@by_backend
def test_jump_forward_tokens(backend: str) -> None:
    vocabulary = byte_vocabulary()
    (end,) = vocabulary.eos_token_ids
    matcher = of_regex(backend, "x(?:yz|yw)?q", vocabulary).matcher()
    assert matcher.find_jump_forward_tokens() == [ord("x")]
    assert accept_bytes(matcher, b"xy")
    assert matcher.find_jump_forward_tokens() == []
    assert matcher.accept_token(ord("z"))
    assert matcher.find_jump_forward_tokens() == [ord("q"), end]
    assert matcher.find_jump_forward_bytes() == b"q"
    assert mask_of(matcher, vocabulary) == [ord("q")]


@by_backend
def test_jump_forward_stops_where_the_text_may_end(backend: str) -> None:
    matcher = of_regex(backend, "ab(?:cd)?").matcher()
    assert matcher.find_jump_forward_bytes() == b"ab"
    assert accept_bytes(matcher, b"abc")
    assert matcher.find_jump_forward_bytes() == b"d"


def test_every_keyword_is_reported() -> None:
    """Each keyword of the schemas that were looked at has an entry, with a pointer to its schema."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "title": "t",
        "properties": {"a/b": {"type": "string", "maxLength": 3, "minimum": 1}, "c": {"enum": [1], "x-y": 0}},
        "required": ["a/b"],
        "additionalProperties": False,
    }
    entries = {(entry.pointer, entry.keyword): entry.enforcement for entry in compiled(schema).report}
    assert set(entries) == {
        *(("", keyword) for keyword in ("type", "title", "properties", "required", "additionalProperties")),
        *(("/properties/a~1b", keyword) for keyword in ("type", "maxLength", "minimum")),
        *(("/properties/c", keyword) for keyword in ("enum", "x-y")),
    }
    assert entries["", "title"] == entries["/properties/c", "x-y"] == "annotation"
    assert "no effect" in entries["/properties/a~1b", "minimum"]
