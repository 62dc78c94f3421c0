"""Formats `grammar` and `regex` whose texts stand in a JSON string, or must not hold a mark."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guided.compile import compile_grammar
from guided.grammars.errors import InvalidStructuralTagError, UnsupportedSchemaError
from guided.grammars.vocabulary import Vocabulary

BYTES = Vocabulary([*[bytes([byte]) for byte in range(256)], None], [256], {"<eos>": 256})
NESTED = 'root ::= "a" root "\\n" | "\\"" [^x]'
LINES = 'start: line+\nline: "+" /.*/ "\\n"'
END = "\n</p>"


def fits(content: dict[str, Any], text: str) -> bool:
    matcher = compile_grammar(BYTES, structural_tag={"type": "structural_tag", "format": content}).matcher()
    return all(matcher.accept_token(byte) for byte in text.encode()) and matcher.is_accepting()


@pytest.mark.parametrize(
    ("text", "is_text"), [('aa"\\\n\n', True), ('a"\x07\n', True), ('a"x\n', False), ('a"b', False)]
)
def test_rules_in_a_json_string(text: str, is_text: bool) -> None:
    grammar = {"type": "grammar", "grammar": NESTED}
    assert fits(grammar, text) == is_text
    assert fits({**grammar, "in_json_string": True}, json.dumps(text)[1:-1]) == is_text
    assert not fits({**grammar, "in_json_string": True}, text)


def test_a_regex_in_a_json_string() -> None:
    assert fits({"type": "regex", "pattern": '"+\\n', "in_json_string": True}, '\\"\\"\\n')


@pytest.mark.parametrize("part", ["%json {}", "<eos>"])
def test_what_has_no_spelling_there(part: str) -> None:
    grammar = {"type": "grammar", "dialect": "lark", "grammar": f"start: {part}"}
    with pytest.raises(UnsupportedSchemaError, match="can't stand in a JSON string"):
        fits({**grammar, "in_json_string": True}, "")


def test_excluded_strings() -> None:
    """No terminal holds one; a grammar whose terminals may spell one together is refused."""
    lines = {"type": "grammar", "dialect": "lark", "grammar": LINES, "excludes": [END, "!!"]}
    assert fits(lines, "+a\n+</p>\n")
    assert not fits(lines, "+a!!\n")
    assert fits({"type": "regex", "pattern": "a*", "excludes": ["aa"]}, "a")
    assert not fits({"type": "regex", "pattern": "a*", "excludes": ["aa"]}, "aa")


@pytest.mark.parametrize(
    "grammar",
    [
        'start: line+\nline: "+"? /.*/ "\\n"',
        'start: "\\n<" start | "/p>"',
        'start: ("\\n" | "<" | "/" | "p" | ">")~1..8',
        'start: %json {"type": "string"}',
    ],
)
def test_excluded_strings_of_several_terminals(grammar: str) -> None:
    with pytest.raises(UnsupportedSchemaError, match="one after the other, may spell"):
        fits({"type": "grammar", "dialect": "lark", "grammar": grammar, "excludes": [END]}, "")


@pytest.mark.parametrize("grammar", ['start: "\\n" /<*/ ("/q>" | "x")', 'start: /a*/ a\na: "</" a "p>" | ""', LINES])
def test_strings_that_no_text_holds(grammar: str) -> None:
    assert not fits({"type": "grammar", "dialect": "lark", "grammar": grammar, "excludes": [END]}, END)


def test_an_unknown_dialect() -> None:
    with pytest.raises(InvalidStructuralTagError, match="expected one of gbnf, xgrammar, w3c, lark"):
        fits({"type": "grammar", "grammar": "start: a", "dialect": "abnf"}, "")
