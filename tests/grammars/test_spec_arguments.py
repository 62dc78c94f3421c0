"""`GrammarSpec.arguments`: a grammar's own source, for whoever compiles it elsewhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guided.grammars import Vocabulary, compile_grammar
from guided.grammars.cache import GrammarCache

TAG = {"type": "structural_tag", "format": {"type": "const_string", "value": "x"}}
SCHEMA = {"$ref": "urn:b", "maximum": 1.0, "minimum": -123456789012345678901234567890, "multipleOf": 0.1}


@pytest.mark.parametrize(
    "arguments",
    [
        {"json_schema": SCHEMA, "resources": {"urn:b": {"type": "number"}, "http://x/y": True}},
        {"json_schema": '{"type": "string"}', "whitespace": "compact", "property_order": "any", "values": "canonical"},
        {"regex": "a+\\d"},
        {"choice": ["b", "a", "é"]},
        {"ebnf": 'root ::= "a"'},
        {"ebnf": 'root ::= "a"', "dialect": "gbnf", "values": "canonical"},
        {"structural_tag": TAG, "values": "canonical"},
        {"all_of": [{"ebnf": 'root ::= "a"'}, {"regex": "[^x]*"}, {"banned_substrings": ["TO", "DO"]}]},
        {"all_of": [{"json_schema": True, "whitespace": " "}, {"banned_substrings": ["TO", "DO"]}]},
        {
            "all_of": [{"all_of": [{"json_schema": {"type": "number"}}]}, {"banned_substrings": ["1"]}],
            "values": "canonical",
        },
        {"all_of": [{"structural_tag": TAG}, {"banned_substrings": ["1"]}], "values": "canonical"},
    ],
)
def test_arguments_come_to_the_same_grammar(arguments: dict[str, Any]) -> None:
    vocabulary = Vocabulary([bytes([byte]) for byte in range(256)] + [None], [256])
    cache = GrammarCache()
    grammar = compile_grammar(vocabulary, **arguments, cache=cache)
    sent = json.loads(json.dumps(grammar.spec.arguments))
    assert compile_grammar(vocabulary, **sent, cache=cache) is grammar
