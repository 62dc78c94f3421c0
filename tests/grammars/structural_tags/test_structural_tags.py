"""Structural tags against tables of texts, their errors, special tokens, and what the free regions mean."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guided.grammars.errors import InvalidStructuralTagError, LimitExceededError, UnsupportedSchemaError
from guided.grammars.limits import Limits
from guided.grammars.regex import algebra as lang
from guided.grammars.regex.free_text import free_text, free_text_before
from guided.grammars.rules.expressions import RuleGraph
from guided.grammars.structural_tags import read_structural_tag
from guided.grammars.vocabulary import Vocabulary
from tests.cases.grammar_cases import ANY, F1, PERSON, STRUCTURAL_TAG_CASES, GrammarCase, const, tag, triggered
from tests.grammars.structural_tags.recogniser import Recogniser

CALL, CALL_END, END = 257, 258, 259
SPECIAL = {"<|call|>": CALL, "<|call_end|>": CALL_END, "<|end|>": END}
VOCABULARY = Vocabulary([*[bytes([byte]) for byte in range(256)], b"ab", None, None, None, None], [END], SPECIAL)


def read(format: dict[str, Any], vocabulary: Vocabulary = VOCABULARY) -> RuleGraph:
    return read_structural_tag({"type": "structural_tag", "format": format}, vocabulary, Limits())


@pytest.mark.parametrize("case", [c for c in STRUCTURAL_TAG_CASES if "token" not in c.name], ids=lambda case: case.name)
def test_texts(case: GrammarCase) -> None:
    for source in (case.source, json.dumps(case.source)):
        recogniser = Recogniser(read_structural_tag(source, VOCABULARY, Limits()))
        for text in case.valid:
            assert recogniser.matches(text), f"{text!r} can't be written"
        for text in case.invalid:
            assert not recogniser.matches(text), f"{text!r} can be written"


def test_tokens() -> None:
    recogniser = Recogniser(read({"type": "any_tokens", "exclude_tokens": ["ab", 3], "max_tokens": 2}))
    assert recogniser.matches()
    assert recogniser.matches(97, CALL)
    assert not recogniser.matches(97, 97, 97)
    assert not recogniser.matches(3)
    assert not recogniser.matches(256)
    assert not recogniser.matches(END)
    assert not recogniser.matches(260), "padding"
    one = Recogniser(read({"type": "exclude_token"}))
    assert one.matches(CALL)
    assert one.matches(256)
    assert not one.matches()


@pytest.mark.parametrize("stops", [False, True])
def test_a_tag_that_ends_in_the_end_of_the_text_comes_last(stops: bool) -> None:
    """As SGLang writes gpt-oss's messages."""
    said = tag("<s>", ANY, ["</s>", "<|end|>"])
    tags = [tag("<c>", const("x"), "<|end|>"), said, tag("<t>", ANY, ["<|end|>"]), tag("<o>", const("y"), "</o>")]
    options = {"separator": ",", "at_least_one": True, "stop_after_first": stops}
    recogniser = Recogniser(read({"type": "tags_with_separator", "tags": tags, **options}))
    for text in ("<c>x", "<s>a</s>", "<s>a", "<t>a,<c>", "<o>y</o>"):
        assert recogniser.matches(text), text
    for text in ("<s>a</s>,<c>x", "<o>y</o>,<o>y</o>,<s>b"):
        assert recogniser.matches(text) is not stops, text
    for text in ("", "<c>x,<o>y</o>", "<c>x,<c>x", "<o>y", "<o>y</o>,", "<s>a</s>b"):
        assert not recogniser.matches(text), text


def test_tokens_with_the_same_text_are_all_meant() -> None:
    vocabulary = Vocabulary([b"a", b"b", b"a", None], [3])
    recogniser = Recogniser(read({"type": "token", "token": "a"}, vocabulary))
    assert recogniser.matches(0)
    assert recogniser.matches(2)
    assert not recogniser.matches(1)


def test_token_tags() -> None:
    begin, end = {"type": "token", "token": "<|call|>"}, {"type": "token", "token": CALL_END}
    recogniser = Recogniser(read(tag(begin, {"type": "any_tokens"}, end)))
    assert recogniser.matches(CALL, 97, CALL_END)
    assert not recogniser.matches(CALL, CALL_END, CALL_END)
    several = {"type": "token_triggered_tags", "trigger_tokens": ["<|call|>"], "tags": [tag(begin, const("x"), end)]}
    assert Recogniser(read(several)).matches(97, CALL, "x", CALL_END, 98)
    assert not Recogniser(read(several)).matches(97, CALL, "y", CALL_END)
    assert not Recogniser(read({**several, "stop_after_first": True})).matches(97, CALL, "x", CALL_END, 98)
    assert not Recogniser(read({**several, "at_least_one": True})).matches(97, CALL, "x", CALL_END)
    assert Recogniser(read({**several, "at_least_one": True})).matches(CALL, "x", CALL_END, 97)
    assert not Recogniser(read({**several, "exclude_tokens": ["a"]})).matches(97)
    dispatch = {"type": "token_dispatch", "rules": [["<|call|>", const("x")], [CALL_END, const("y")]], "loop": True}
    assert Recogniser(read(dispatch)).matches(97, CALL, "x", CALL_END, "y")
    assert not Recogniser(read(dispatch)).matches(CALL, "y")


def test_a_special_token_in_a_string_is_that_token() -> None:
    recogniser = Recogniser(read(tag("<|call|>f:", ANY, "<|call_end|>")))
    assert recogniser.matches(CALL, "f:abc", CALL_END)
    assert not recogniser.matches("<|call|>f:abc<|call_end|>")
    assert not recogniser.matches(CALL, "f:<|call_end|>", CALL_END)
    assert Recogniser(read(const("a<|call|>b"))).matches("a", CALL, "b")
    free = Recogniser(read(triggered(["<|call|>"], tag("<|call|>f", const("x"), ["<|call_end|>", "."]))))
    assert free.matches("a", CALL, "fx", CALL_END, "b", CALL, "fx.")
    assert not free.matches("a", CALL, CALL)
    assert not free.matches("<|call|>"), "free text does not spell the name"
    assert free.matches("<|call|")
    late = Recogniser(read(triggered(["\n<|call|>"], tag("\n<|call|>", const("x"), ""))))
    assert late.matches("a\n\n", CALL, "x\n")
    assert not late.matches("a", CALL, "x")


def test_without_special_tokens_a_name_is_text() -> None:
    plain = Vocabulary([*[bytes([byte]) for byte in range(256)], None], [256], {"<|end|>": 256})
    assert Recogniser(read(const("<|call|>"), plain)).matches("<|call|>")


def test_a_grammar_keeps_its_rules_apart() -> None:
    grammar = {"type": "grammar", "grammar": 'root ::= "a" x\nx ::= "b" | "c" root'}
    other = {"type": "grammar", "grammar": 'root ::= x "."\nx ::= "d"'}
    recogniser = Recogniser(read({"type": "sequence", "elements": [grammar, other]}))
    assert recogniser.matches("acabd.")
    assert not recogniser.matches("abb.")


FORMAT = "/format"
INVALID: list[tuple[Any, str, str]] = [
    ("{", "", "not JSON"),
    ('{"a":1,"a":2}', "", "twice"),
    (True, "", "expected an object"),
    ({"type": "json_schema"}, "/type", "expected 'structural_tag'"),
    ({"type": "structural_tag"}, "", "'format' is missing"),
    ({}, "", "'format' is missing"),
    ({"format": ANY, "foo": 1}, "", "unknown field 'foo'"),
    ({"format": []}, FORMAT, "expected an object, not an array"),
    ({"format": {"value": "a"}}, FORMAT, "needs a 'type'"),
    ({"format": {"type": "nope"}}, "/format/type", "unknown format 'nope'"),
    ({"format": {"type": "const_string"}}, FORMAT, "'value' is missing"),
    ({"format": {"type": "const_string", "value": 1}}, "/format/value", "expected a string, not a number"),
    ({"format": {"type": "const_string", "value": "\ud800"}}, "/format/value", "surrogate"),
    ({"format": {**ANY, "excludes": [""]}}, "/format/excludes/0", "not empty"),
    ({"format": {**ANY, "max_chars": -1}}, "/format/max_chars", "at least 0"),
    ({"format": {**ANY, "max_chars": True}}, "/format/max_chars", "an integer, not a boolean"),
    ({"format": {"type": "sequence", "elements": []}}, "/format/elements", "at least one"),
    ({"format": {"type": "sequence", "elements": [ANY, 3]}}, "/format/elements/1", "expected an object"),
    ({"format": {"type": "repeat", "min": 3, "max": 2, "content": ANY}}, FORMAT, "min 3 is more than max 2"),
    ({"format": {"type": "regex", "pattern": "a("}}, "/format/pattern", "offset 1"),
    ({"format": {"type": "grammar", "grammar": "root ::= foo"}}, "/format/grammar", "foo"),
    ({"format": {"type": "json_schema", "json_schema": 3}}, "/format/json_schema", "a schema is"),
    ({"format": {"type": "json_schema", "json_schema": True, "any_order": 1}}, "/format/any_order", "true or false"),
    (
        {"format": {"type": "json_schema", "json_schema": True, "max_whitespace_cnt": 64}},
        "/format/max_whitespace_cnt",
        "at most 63",
    ),
    ({"format": tag("<a>", ANY, [])}, "/format/end", "at least one"),
    ({"format": tag("<a>", ANY, "")}, "/format/content", "empty end"),
    ({"format": tag(3, ANY, "x")}, "/format/begin", "a string or a format"),
    ({"format": tag("<|end|>", ANY, "x")}, "/format/begin", "ends the whole text"),
    ({"format": {"type": "token", "token": "nope"}}, "/format/token", "no token 'nope'"),
    ({"format": {"type": "token", "token": 999}}, "/format/token", "outside the vocabulary"),
    ({"format": {"type": "token", "token": 260}}, "/format/token", "padding"),
    ({"format": {"type": "token", "token": END}}, "/format/token", "ends the whole text"),
    ({"format": triggered([], F1)}, "/format/triggers", "at least one"),
    ({"format": triggered([""], F1)}, "/format/triggers/0", "not empty"),
    ({"format": triggered(["<f"])}, "/format/tags", "at least one"),
    ({"format": triggered(["<g"], F1)}, "/format/tags/0/begin", "none of the triggers '<g'"),
    ({"format": triggered(["<f", "<g"], F1)}, "/format/triggers/1", "no tag begins with the trigger '<g'"),
    ({"format": triggered(["<f"], ANY)}, "/format/tags/0/type", "expected 'tag'"),
    ({"format": triggered(["<f"], F1, excludes=["f"])}, "/format/excludes/0", "holds the excluded"),
    ({"format": triggered(["<|ca"], tag("<|call|>", ANY, "x"))}, "/format/tags/0/begin", "inside the name"),
    (
        {"format": triggered(["x"], tag({"type": "token", "token": 1}, ANY, "x"))},
        "/format/tags/0/begin",
        "token_triggered_tags takes tokens",
    ),
    ({"format": {"type": "dispatch", "rules": [["a"]]}}, "/format/rules/0", "1 items"),
    (
        {"format": {"type": "token_dispatch", "rules": [["a", ANY]], "exclude_tokens": ["a"]}},
        "/format/exclude_tokens/0",
        "opens a part",
    ),
    ({"structures": [], "triggers": ["a"]}, "/structures", "at least one"),
    ({"structures": [{"begin": "a", "end": ""}], "triggers": ["a"]}, "/structures/0", "'schema' is missing"),
    ({"structures": [{"begin": "a", "schema": "{", "end": ""}], "triggers": ["a"]}, "/structures/0/schema", "not JSON"),
]


@pytest.mark.parametrize(("value", "pointer", "reason"), INVALID, ids=[f"{p} {r}" for _, p, r in INVALID])
def test_errors_say_where(value: Any, pointer: str, reason: str) -> None:
    with pytest.raises(InvalidStructuralTagError, match=reason) as raised:
        read_structural_tag(value, VOCABULARY, Limits())
    assert raised.value.pointer == pointer
    assert repr(pointer) in str(raised.value) or not pointer


@pytest.mark.parametrize(
    ("format", "keyword"),
    [
        ({**ANY, "max_tokens": 3}, "max_tokens"),
        ({"type": "json_schema", "json_schema": PERSON, "style": "yaml"}, "style"),
        ({"type": "json_schema", "json_schema": PERSON, "excludes": ["a"]}, "excludes"),
    ],
)
def test_what_is_not_enforced_is_refused(format: dict[str, Any], keyword: str) -> None:
    with pytest.raises(UnsupportedSchemaError) as raised:
        read({"type": "optional", "content": format})
    assert (raised.value.pointer, raised.value.keyword) == ("/format/content", keyword)


def test_limits() -> None:
    deep: dict[str, Any] = ANY
    for _ in range(600):
        deep = {"type": "optional", "content": deep}
    with pytest.raises(LimitExceededError, match="max_schema_depth"):
        read(deep)
    with pytest.raises(LimitExceededError, match=r"max_repeat = 20000 times exceeded \(at '/format/max'"):
        read({"type": "repeat", "min": 1, "max": 10**9, "content": const("a")})
    with pytest.raises(LimitExceededError, match="max_repeat"):
        read({"type": "any_tokens", "max_tokens": 10**9})
    with pytest.raises(LimitExceededError, match="max_schema_bytes"):
        read_structural_tag({"format": const("a" * 100)}, VOCABULARY, Limits(max_schema_bytes=50))


@pytest.mark.parametrize("mark", ["", "a", "ab", "aba", "ba"])
@pytest.mark.parametrize("stops", [("ab",), ("aba", "b"), ("aab", "ba"), ("abab",)])
def test_free_text_is_what_its_definition_says(mark: str, stops: tuple[str, ...]) -> None:
    """Tried out on all texts of two letters: no stop in the text, none that begins in it and ends in the mark."""
    texts = [format(number, f"0{length}b") for length in range(1, 8) for number in range(2**length)]
    texts = ["", *[text.replace("0", "a").replace("1", "b") for text in texts]]
    before = free_text_before(mark, stops)
    for text in texts:
        assert lang.matches(free_text(stops), text) == (not any(stop in text for stop in stops))
        first = min((text.find(stop) for stop in stops if stop in text), default=len(text))
        num_free = len(text) - len(mark)
        is_free = not any(stop in text[: max(num_free, 0)] for stop in stops)
        assert lang.matches(before, text) == (text.endswith(mark) and is_free and first >= num_free), text
