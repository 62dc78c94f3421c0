"""Every kind of grammar says where it is wrong: regexes and EBNF by line, column and caret, JSON by a pointer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import (
    GrammarError,
    InvalidGrammarError,
    InvalidRegexError,
    InvalidSchemaError,
    InvalidStructuralTagError,
    UnsupportedSchemaError,
)
from tests.grammars.vocabularies import byte_vocabulary

VOCABULARY = byte_vocabulary()


def _error(**grammar: Any) -> GrammarError:
    with pytest.raises(GrammarError) as caught:
        compile_grammar(VOCABULARY, cache=None, **grammar)
    return caught.value


@pytest.mark.parametrize(
    ("pattern", "line", "column", "message"),
    [
        ("(a", 1, 1, "missing ), unterminated subpattern (at offset 0)\n  (a\n  ^"),
        (r"(a)\1", 1, 4, "a backreference can't be enforced by an automaton (at offset 3)\n  (a)\\1\n     ^"),
        ("a{3,2}", 1, 3, "min repeat greater than max repeat (at offset 2)\n  a{3,2}\n    ^"),
        ("a{" + "9" * 20 + "}", 1, 2, "the repetition number is too large"),
        ("[z-a]", 1, 2, "bad character range z-a"),
        (r"\p{Foo}", 1, 1, "an unknown Unicode property 'Foo'"),
        ("(?x) a\n\t# c\n\t(b", 3, 2, "unterminated subpattern (line 3, column 2)\n   (b\n   ^"),
        ("x" * 500 + "(" + "y" * 500, 1, 501, "(at offset 500)\n  " + "x" * 60 + "(" + "y" * 59 + "\n  " + " " * 60),
    ],
)
def test_regex(pattern: str, line: int, column: int, message: str) -> None:
    error = _error(regex=pattern)
    assert isinstance(error, InvalidRegexError)
    assert (error.line, error.column) == (line, column)
    assert message in str(error)


@pytest.mark.parametrize(
    ("dialect", "grammar", "line", "column"),
    [
        ("gbnf", 'root ::= "a" | b\nb ::= "y" b', 2, 1),
        ("xgrammar", 'root ::= "a" | b\nb ::= "y" b', 2, 1),
        ("w3c", "A ::= 'a' | B\nB ::= 'y' C\nC ::= B", 3, 1),
        ("lark", 'start: "a" | b\n\nb: "y" b', 3, 1),
        ("lark", "start: start", 1, 1),
    ],
)
def test_rules_that_never_end(dialect: str, grammar: str, line: int, column: int) -> None:
    error = _error(ebnf=grammar, dialect=dialect)
    assert isinstance(error, InvalidGrammarError)
    assert (error.line, error.column) == (line, column)
    assert "never ends: each of its texts would hold another one of its texts; give it an alternative" in error.reason
    assert str(error).endswith(f"\n  {grammar.splitlines()[line - 1]}\n  ^")


def test_rules_that_never_end_in_a_structural_tag() -> None:
    error = _error(structural_tag={"format": {"type": "grammar", "grammar": 'root ::= "a" | b\nb ::= "y" b'}})
    assert isinstance(error, InvalidStructuralTagError)
    assert error.pointer == "/format/grammar"
    assert "rule 'b' never ends" in str(error)
    assert "(line 2, column 1)" in str(error)


SCHEMAS = [
    ('{"type": "objct"}', InvalidSchemaError, "/type"),
    ('{"properties": {"a": {"$ref": "#/x"}}}', InvalidSchemaError, "/properties/a/$ref"),
    ('{"type": "null", "type": "null"}', InvalidSchemaError, ""),
    (r'{"properties": {"a": {"pattern": "(a)\\1"}}}', UnsupportedSchemaError, "/properties/a"),
]


@pytest.mark.parametrize(("schema", "kind", "pointer"), SCHEMAS)
def test_schemas_in_ebnf(schema: str, kind: type[GrammarError], pointer: str) -> None:
    error = _error(ebnf=f'start: "a" | b\nb: "x" %json {schema}', dialect="lark")
    assert type(error) is kind
    assert isinstance(error, InvalidSchemaError | UnsupportedSchemaError)
    assert (error.pointer, error.place) == (pointer, "in line 2, column 8")
    assert "of the schema in line 2, column 8: " in str(error)


@pytest.mark.parametrize(("schema", "kind", "pointer"), [case for case in SCHEMAS if case[2]])
@pytest.mark.parametrize("is_old", [False, True])
def test_schemas_in_structural_tags(schema: str, kind: type[GrammarError], pointer: str, is_old: bool) -> None:
    value, tag = json.loads(schema), dict[str, Any]()
    if is_old:
        tag = {"structures": [{"begin": "<a", "schema": value, "end": ">"}], "triggers": ["<a"]}
        place = "/structures/0/schema"
    else:
        tag = {"format": {"type": "sequence", "elements": [{"type": "json_schema", "json_schema": value}]}}
        place = "/format/elements/0/json_schema"
    error = _error(structural_tag=tag)
    if kind is InvalidSchemaError:
        assert isinstance(error, InvalidStructuralTagError)
    else:
        assert isinstance(error, UnsupportedSchemaError)
    assert error.pointer == place + pointer


@pytest.mark.parametrize(
    ("tag", "pointer", "reason"),
    [
        ("{", "", "not JSON: Expecting property name enclosed in double quotes (line 1, column 2)"),
        ("[]", "", "a structural tag is a JSON object"),
        ({}, "", "the field 'format' is missing"),
        ({"format": {"type": "foo"}}, "/format/type", "unknown format 'foo'; known are any_text"),
        ({"format": {"type": "const_string", "value": 3}}, "/format/value", "expected a string, not a number"),
        ({"format": {"type": "regex", "pattern": "(a"}}, "/format/pattern", "unterminated subpattern (at offset 0)"),
        ({"format": {"type": "grammar", "grammar": 'root ::= "a'}}, "/format/grammar", "(line 1, column 10)"),
        ({"format": {"type": "json_schema", "json_schema": "{"}}, "/format/json_schema", "not JSON: "),
    ],
)
def test_structural_tags(tag: Any, pointer: str, reason: str) -> None:
    error = _error(structural_tag=tag)
    assert isinstance(error, InvalidStructuralTagError)
    assert error.pointer == pointer
    assert reason in error.reason
