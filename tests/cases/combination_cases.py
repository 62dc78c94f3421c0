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
LIST = {"type": "array", "items": {"$ref": "#"}}
BRACKETS = 'root ::= "(" root ")" root | [a-z]*'
CALLS = {"structures": [{"begin": "<f>", "schema": PERSON, "end": "</f>"}], "triggers": ["<f"]}
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
        "schema and regex",
        all_of({"json_schema": PERSON}, {"regex": r'\{"name": "[A-Z][a-z]+", .*\}'}),
        ('{"name": "Ada", "age": 36}', '{"name": "Ada", "age": 3, "note": "x"}'),
        ('{"name": "ada", "age": 36}', '{"name":"Ada", "age": 36}', '{"name": "Ada"}', '{"name": "Ada", "age": 36.5}'),
    ),
    CombinationCase(
        "schema and banned substrings",
        all_of({"json_schema": PERSON}, banned_substrings=["TODO", "http://", "note"]),
        ('{"name": "TOD", "age": 36}', '{"name":"http:/","age":1}'),
        ('{"name": "TODO", "age": 36}', '{"name": "x", "age": 1, "note": ""}', '{"name": "my notes", "age": 1}'),
    ),
    CombinationCase(
        "schema, two regexes and banned substrings",
        all_of({"json_schema": PERSON}, {"regex": ".{0,30}"}, {"regex": r"(?s).*7.*"}, banned_substrings=["77", "x"]),
        ('{"name": "A7", "age": 36}', '{"name":"","age":707}'),
        (
            '{"name": "A", "age": 36}',
            '{"name": "", "age": 77}',
            '{"name": "7x", "age": 1}',
            '{"name": "7777777", "age": 7}',
        ),
    ),
    CombinationCase(
        "escapes are as written",
        all_of({"json_schema": {"type": "string"}}, banned_substrings=['"x"', '\\"y\\"', "\n", "\\t", "é"]),
        (r'"\"x\""', r'"\n"', '"y"', '"e\u0301"'),
        (r'"\"y\""', r'"\t"', '"x"', '"é"'),
    ),
    CombinationCase(
        "schema and choice",
        all_of({"json_schema": {"type": "integer", "multipleOf": 3}}, {"choice": ["1", "3", "-9", "12", "x"]}),
        ("3", "-9", "12"),
        ("1", "x", "6"),
    ),
    CombinationCase(
        "number and regex",
        all_of({"json_schema": {"type": "number"}}, {"regex": r"-?\d(\.\d\d)?"}),
        ("3", "-1.25", "0.00"),
        ("1.2", "10", "1e3"),
    ),
    CombinationCase(
        "open object and regex",
        all_of(
            {"json_schema": {"additionalProperties": {"type": "integer"}, "type": "object"}},
            {"regex": r'\{("[ab]":\d,?)*\}'},
        ),
        ("{}", '{"a":1}', '{"b":1,"a":2}'),
        ('{"a":1,"a":2}', '{"a":1,}', '{"c":1}', '{"a":1,"b":2,"a":3}'),
    ),
    CombinationCase(
        "unique items and regex",
        all_of({"json_schema": {"type": "array", "uniqueItems": True}}, {"regex": r'\[[ab",]*\]'}),
        ("[]", '["a"]', '["b","a","ab"]'),
        ('["a","a"]', "[1]", "[ ]"),
    ),
    CombinationCase(
        "recursive schema and banned substrings",
        all_of({"json_schema": LIST, "whitespace": "compact"}, banned_substrings=["[]]", "[[["]),
        ("[]",),
        ("[[]]", "[[],[]]"),
    ),
    CombinationCase(
        "nested arrays and banned substrings",
        all_of({"json_schema": {"type": "array", "items": {"type": "array"}}}, banned_substrings=["[["]),
        ("[]", "[ [], []]", "[ [1, [2]]]"),
        ("[[]]", "[ [[2]]]"),
    ),
    CombinationCase(
        "any JSON and a bounded length",
        all_of({"json_schema": True}, {"regex": "(?s).{0,12}"}),
        ("[[[[[[]]]]]]", "null", '"1234567890"', '{"a": [1,2]}'),
        ('"12345678901"', "[[[[[[[]]]]]]]"),
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
        "lark with a schema inside and regex",
        all_of({"ebnf": SETTING, "dialect": "lark"}, {"regex": r"set [a-c]+ to \[.{0,12}\]"}, banned_substrings=["1"]),
        ('set a to ["on"]', "set cab to []"),
        ("set a to [1]", "set d to []", 'set a to ["on", "on","on"]'),
    ),
    CombinationCase(
        "structural tag and banned substrings",
        all_of({"structural_tag": CALLS}, banned_substrings=["secret", "  "]),
        ("hello", 'I call <f>{"name":"x","age":1}</f> now.', "secre t"),
        ("a secret", '<f>{"name":"secret","age":1}</f>', "a  b", '<f>{"name":"  ","age":1}</f>'),
    ),
    CombinationCase(
        "structural tag whose region is banned",
        all_of({"structural_tag": CALLS}, banned_substrings=["age"]),
        ("hello", "<", "<g>"),
        ("<f", "<f>", "age"),
    ),
    CombinationCase(
        "structural tag and regex",
        all_of({"structural_tag": CALLS}, {"regex": r"(?s)[a-z ]*(<f>.*</f>)?[.]"}),
        ("so.", '<f>{"name":"","age":1}</f>.'),
        ("so", "So.", '<f>{"name":"","age":1}</f>'),
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
