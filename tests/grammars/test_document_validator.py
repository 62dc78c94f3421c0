"""`validator_of`: what `jsonschema` says, with patterns found in linear time."""

from __future__ import annotations

import json
import re
from types import FunctionType
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guided.grammars.document_validator import validator_of
from guided.grammars.errors import InvalidRegexError
from tests.examples import examples

SLOW, TEXT = "^(a+)+$", "a" * 40 + "!"  # `re` takes hours
PATTERNS = ["^a", "b$", r"\d", r"^\w+$", "a.b", "x|^$", "[ab]{2}", "(?=a)b|c", r"\s"]
DRAFTS = [
    *("http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#"),
    *("http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema"),
    "https://json-schema.org/draft/2020-12/schema",
]
patterns = st.sampled_from(PATTERNS)
parts = st.recursive(
    st.one_of(st.sampled_from([{"type": "integer"}, {"type": "string"}, {}]), st.builds(dict, pattern=patterns)),
    lambda inner: st.fixed_dictionaries(
        {"type": st.just("object")},
        optional={
            "properties": st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
            "patternProperties": st.dictionaries(patterns, inner, max_size=2),
            "additionalProperties": st.one_of(st.just(False), inner),
            "unevaluatedProperties": st.one_of(st.just(False), inner),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "if": inner,
            "then": inner,
        },
    ),
    max_leaves=8,
)
names = st.text("ab1 -", max_size=4)
documents = st.recursive(
    st.one_of(st.integers(0, 3), names), lambda inner: st.dictionaries(names, inner, max_size=3), max_leaves=6
)


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize(
    "schema",
    [
        {"propertyNames": {"pattern": SLOW}, "additionalProperties": {"pattern": SLOW}},
        {"patternProperties": {SLOW: {"type": "integer"}}},
        {"patternProperties": {SLOW: {"type": "integer"}}, "additionalProperties": False},
        {"allOf": [{"patternProperties": {SLOW: {}}}], "unevaluatedProperties": False},
    ],
)
def test_patterns_take_no_exponential_time(schema: dict[str, Any], draft: str) -> None:
    """Also behind a reference to the root and in a part that names a draft: the library goes on with its own class."""
    document = {TEXT: TEXT}
    list(validator_of({**schema, "$schema": draft}).iter_errors(document))
    around = {"$schema": draft, "properties": {"inside": {"$ref": "#"}}, **schema}
    list(validator_of(around).iter_errors({"inside": document}))
    other = {"$schema": DRAFTS[1], "$id": "https://example.com/other", **schema}
    list(validator_of({"$schema": draft, "properties": {"inside": other}}).iter_errors({"inside": document}))


@pytest.mark.parametrize("draft", DRAFTS)
def test_no_keyword_can_reach_re(draft: str) -> None:
    seen: set[Any] = set()
    waiting = list(validator_of({"$schema": draft}).VALIDATORS.values())
    while waiting:
        function = waiting.pop()
        if isinstance(function, FunctionType) and function not in seen and "jsonschema" in function.__module__:
            seen.add(function)
            used = [function.__globals__[name] for name in function.__code__.co_names if name in function.__globals__]
            assert re not in used, function
            waiting += used
    assert len(seen) > 15


@settings(max_examples=examples(150), deadline=None)
@given(st.sampled_from(DRAFTS), parts, documents)
def test_says_what_the_library_says(draft: str, schema: dict[str, Any], document: Any) -> None:
    schema = {**schema, "$schema": draft}
    plain = jsonschema.validators.validator_for(schema)(schema)
    told = [(error.message, list(error.absolute_path)) for error in plain.iter_errors(document)]
    assert [(error.message, list(error.absolute_path)) for error in validator_of(schema).iter_errors(document)] == told


def test_patterns_are_read_as_ecma_has_them() -> None:
    for pattern, text, is_found in ((r"^\d$", "٣", False), (r"^\W$", "é", True), ("^a$", "a\n", False)):
        assert validator_of({"pattern": pattern}).is_valid(text) == is_found


def test_more_keywords_hold_behind_references() -> None:
    def check(validator: Any, rule: Any, instance: Any, schema: Any) -> Any:
        if instance == rule:
            yield jsonschema.ValidationError("it is not")

    schema = {"$schema": DRAFTS[-1], "x-not": 1, "properties": {"a": {"$ref": "#"}}}
    errors = [error.absolute_path for error in validator_of(schema, {"x-not": check}).iter_errors({"a": {"a": 1}})]
    assert [list(path) for path in errors] == [["a", "a"]]


def test_what_no_automaton_can_follow_is_an_error() -> None:
    with pytest.raises(InvalidRegexError):
        list(validator_of({"pattern": r"(a)\1"}).iter_errors("aa"))


@pytest.mark.parametrize(
    ("value", "step", "is_one"),
    [(19.99, 0.01, True), (0.3, 0.1, True), (0.35, 0.1, False), (1e22, 7, False), (7, 0.5, True), ("x", 2, True)],
)
def test_multiples_are_those_of_decimal_numbers(value: Any, step: float, is_one: bool) -> None:
    for draft in ("http://json-schema.org/draft-04/schema#", "https://json-schema.org/draft/2020-12/schema"):
        assert validator_of({"$schema": draft, "multipleOf": step}).is_valid(value) == is_one


@pytest.mark.parametrize("text", ["1e400", "-1e400", "NaN"])
def test_numbers_that_no_float_holds_are_multiples_of_nothing(text: str) -> None:
    assert not validator_of({"multipleOf": 2}).is_valid(json.loads(text))
