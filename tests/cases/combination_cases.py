"""Combinations of grammars, with texts that they allow and refuse."""

from __future__ import annotations

from typing import Any, NamedTuple

from guided.grammars import all_of

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "note": {"type": "string"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
BRACKETS = 'root ::= "(" root ")" root | [a-z]*'
CALLS = {"structures": [{"begin": "<f>", "schema": PERSON, "end": "</f>"}], "triggers": ["<f"]}
NESTED = 'root ::= "(" root ")" | [0-9]'
NUMBERS = {
    "format": {
        "type": "triggered_tags",
        "triggers": ["<f"],
        "tags": [{"type": "tag", "begin": "<f>", "content": {"type": "grammar", "grammar": NESTED}, "end": "</f>"}],
    }
}
FORMULA = r"""
start: sum
sum: sum ("+" | "-") atom | atom
atom: NUMBER | "(" sum ")"
NUMBER: /[0-9]+/
"""
SETTING = """
start: "set " KEY " to " %json {"type": "array", "items": {"enum": ["on", "off", 1]}}
KEY: /[a-z]+/
"""


class CombinationCase(NamedTuple):
    """arguments: of `compile_grammar`."""

    name: str
    arguments: dict[str, Any]
    allowed: tuple[str, ...]
    refused: tuple[str, ...]


CASES = (
    CombinationCase(
        "schema and banned substrings",
        all_of({"json_schema": PERSON}, banned_substrings=["TODO", "http://", "note", '"x"', "36"]),
        ('{"name": "TOD", "age": 36}', '{"name":"http:/","age":1}', r'{"name": "\"x", "age": 1}'),
        (
            '{"name": "TODO", "age": 36}',
            '{"name": "x", "age": 1, "note": ""}',
            '{"name": "my notes", "age": 1}',
            r'{"name": "\"x\"", "age": 1}',
            '{"name": "36", "age": 1}',
        ),
    ),
    CombinationCase(
        "banned substrings are compared decoded",
        all_of({"json_schema": {"type": "string"}}, banned_substrings=['"y"', "\n", "\\t", "é"]),
        (r'"\t"', '"y"', r'"\"y"', '"e\u0301"'),
        (r'"\"y\""', r'"\n"', r'"\\t"', '"é"'),
    ),
    CombinationCase(
        "open object and banned substrings",
        all_of({"json_schema": {"additionalProperties": {"type": ["integer", "array"]}}}, banned_substrings=["ab"]),
        ("{}", '{"a":1}', '{"b":[{"ba": ["a", "b"]}],"a":2}', '"a b"'),
        ('{"ab":1}', '{"a":[{"xabx": 1}]}', '{"a":["ab"]}', '"ab"'),
    ),
    CombinationCase(
        "values of an enum and banned substrings",
        all_of({"json_schema": {"enum": ["red", "dark red", 7, ["red"], {"k": "blue"}]}}, banned_substrings=["re"]),
        ("7", '{"k": "blue"}'),
        ('"red"', '"dark red"', '["red"]'),
    ),
    CombinationCase(
        "recursive schema and banned substrings",
        all_of(
            {"json_schema": {"type": ["array", "string"], "items": {"$ref": "#"}}, "whitespace": "compact"},
            banned_substrings=["aa", "]]"],
        ),
        ("[[]]", '[["a"],[["a"]]]', '"]"'),
        ('[["aa"]]', '"]]"'),
    ),
    CombinationCase(
        "unique items and banned substrings",
        all_of({"json_schema": {"type": "array", "uniqueItems": True}}, banned_substrings=["b"]),
        ("[]", '["a"]', '["a",[],["a"]]'),
        ('["a","a"]', '["b"]', '[["b"]]'),
    ),
    CombinationCase(
        "ebnf and regex",
        all_of({"ebnf": BRACKETS, "dialect": "gbnf"}, {"regex": ".{6}"}),
        ("((()))", "(ab)()", "abcdef", "((a)b)"),
        ("(())", "((((", "(((a)))", "abcde)"),
    ),
    CombinationCase(
        "left recursion and banned substrings",
        all_of({"ebnf": FORMULA, "dialect": "lark"}, banned_substrings=["--", "(0", "))"]),
        ("1-2", "(1)+0", "(1+(2)-3)"),
        ("(0)", "(1+(2))", "((1))"),
    ),
    CombinationCase(
        "lark with a schema inside and banned substrings",
        all_of({"ebnf": SETTING, "dialect": "lark"}, banned_substrings=["of", "cab", "1"]),
        ('set a to ["on"]', "set ca to []", "set a to [1]"),
        ('set a to ["off"]', "set cab to []", "set of to []"),
    ),
    CombinationCase(
        "structural tag and banned substrings",
        all_of({"structural_tag": CALLS}, banned_substrings=["secret", "  "]),
        ("hello", 'I call <f>{"name":"x","age":1}</f> now.', "secre t", '<f>{  "name":"","age":1}</f>'),
        ("a secret", '<f>{"name":"secret","age":1}</f>', "a  b", '<f>{"name":"  ","age":1}</f>'),
    ),
    CombinationCase(
        "structural tag whose region is banned",
        all_of({"structural_tag": CALLS}, banned_substrings=["age"]),
        ("hello", "<", "<g>"),
        ("<f", "<f>", "age"),
    ),
    CombinationCase(
        "structural tag without documents, regex and banned substrings",
        all_of({"structural_tag": NUMBERS}, {"regex": r"(?s)[a-z ]*(<f>.*</f>)?[.]"}, banned_substrings=["so", "(("]),
        ("s o.", "<f>(1)</f>.", "ab <f>1</f>."),
        ("s o", "so.", "S o.", "<f>(1)</f>", "<f>((1))</f>.", "<f>(1</f>."),
    ),
    CombinationCase(
        "regex and regex",
        all_of({"regex": r"\w+ \w+"}, {"regex": ".*a.*"}, {"regex": r"(?!no)\S.{3,8}"}),
        ("ab cd", "xx yya"),
        ("bb cd", "no ca", "a b", "aaaaa bbbbbb"),
    ),
    CombinationCase(
        "choice and regex",
        all_of({"choice": ["red", "green", "blue", "dark red"]}, {"regex": ".*e.*d.*|.*ee.*"}),
        ("red", "green", "dark red"),
        ("blue", "re"),
    ),
    CombinationCase(
        "banned substrings alone",
        all_of(banned_substrings=["ab", "ba", "c"]),
        ("", "a", "bbb", "a b"),
        ("ab", "bab", "c"),
    ),
    CombinationCase(
        "a combination in a combination",
        all_of(all_of({"regex": "[a-z]*"}, banned_substrings=["x"]), {"ebnf": BRACKETS}, banned_substrings=["y"]),
        ("abc", ""),
        ("ax", "ay", "(a)"),
    ),
)
