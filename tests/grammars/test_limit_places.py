"""Limits that are met inside of structural tags and rules say where: the schema and the value, or where in the text."""

from __future__ import annotations

import json
import re
from itertools import count
from typing import Any

import pytest

from guided.grammars.allowance import Allowance
from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar
from guided.grammars.completion.ropes import MAX_BYTES, Rope, flatten
from guided.grammars.errors import LimitExceededError
from guided.grammars.limits import Limits
from guided.grammars.machine.rules.tables import RuleTables
from guided.grammars.native.text_matcher import TextMatcher
from tests.grammars.vocabularies import BYTES, WORDS, vocabulary_of

VOCABULARY = vocabulary_of(*BYTES, *WORDS, b'":{"')
NUMBERS = count(16)
LETTERS = b"abbaababbabaabbbabaaabbabaababba" * 20
DEEP = {
    "$ref": "#/$defs/d0",
    "$defs": {**{f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(600)}, "d600": True},
}


def field() -> dict[str, Any]:
    """A field of strings with many states, none of which another test has met."""
    hard = {"type": "string", "pattern": f"^(a|b)*a(a|b){{{next(NUMBERS)}}}$"}
    return {"type": "object", "properties": {"item": {"type": "array", "items": hard}}, "required": ["item"]}


def tag_of(schema: Any, begin: str = "<call>") -> dict[str, Any]:
    content = {"type": "json_schema", "json_schema": schema}
    return {"format": {"type": "tag", "begin": begin, "content": content, "end": "</call>"}}


def written(text: bytes, *, ids: tuple[int, ...] = (), **grammar: Any) -> str:
    """The error for the limit that is met while a text is written. ids: of its first tokens."""
    matcher = compile_grammar(VOCABULARY, cache=None, limits=Limits(max_automaton_states=100), **grammar).matcher()
    bitmask = allocate_bitmask(1, VOCABULARY.size)

    def write() -> None:
        for token_id in (*ids, *text):
            assert matcher.accept_token(token_id)
            matcher.fill_bitmask(bitmask)

    with pytest.raises(LimitExceededError) as caught:
        write()
    return str(caught.value)


def compiled(**grammar: Any) -> str:
    """The error for the limit that a grammar meets when it is compiled."""
    with pytest.raises(LimitExceededError) as caught:
        compile_grammar(VOCABULARY, cache=None, **grammar)
    return str(caught.value)


def test_values_of_documents_in_structural_tags() -> None:
    message = written(b'<call>{"item":["' + LETTERS, structural_tag=tag_of(field()))
    assert "for the value at '/item/0' of a document of the schema at '/format/content/json_schema'" in message
    old = {"structures": [{"begin": "<a>", "schema": field(), "end": "</a>"}], "triggers": ["<a"]}
    message = written(b'what <a>{"item":[]}</a> and <a>{"item":["' + LETTERS, structural_tag=old)
    assert "for the value at '/item/0' of a document of the schema at '/structures/0/schema'" in message


def test_a_token_in_which_a_document_begins() -> None:
    """Its first quote belongs to the text before: what comes after it is no string of the document."""
    tag, ids = tag_of(field(), '{"'), (VOCABULARY.tokens.index(b'{"'),)
    assert "value at '/item/0' of" in written(b'{"item":["' + LETTERS, ids=ids, structural_tag=tag)
    tag, ids = tag_of(field(), 'say":'), (*b"say", VOCABULARY.tokens.index(b'":{"'))
    assert "value at '/item/0' of" in written(b'item":["' + LETTERS, ids=ids, structural_tag=tag)


def test_values_of_documents_in_rules() -> None:
    grammar = f'start: "a" b\nb: "x" %json {json.dumps(field())}'
    message = written(b'ax{"item":["' + LETTERS, ebnf=grammar, dialect="lark")
    assert "for the value at '/item/0' of a document of the schema in line 2, column 8" in message


@pytest.mark.parametrize("kind", ["ebnf", "structural_tag"])
def test_places_in_texts(kind: str) -> None:
    rules = f'root ::= "<" "(" root ")" | "<<" name ">"\nname ::= {"[ab]* [a] " + "[ab] " * 16}'
    if kind == "ebnf":
        grammar: dict[str, Any] = {"ebnf": rules, "dialect": "gbnf"}
    else:
        grammar = {"structural_tag": {"format": {"type": "grammar", "grammar": rules}}}
    message = written(b"<<" + LETTERS, **grammar)
    assert "max_automaton_states = 100" in message
    assert re.search(r"\(of one grammar's texts, after \d+ bytes of the text '<*[ab]+'\)", message)


@pytest.mark.parametrize("schema", [DEEP, json.dumps(DEEP)])
def test_schemas_that_are_compiled(schema: Any) -> None:
    message = compiled(structural_tag=tag_of(schema))
    assert "max_schema_depth = 512" in message
    assert "(schemas that apply to one value, of the schema at '/format/content/json_schema')" in message
    message = compiled(ebnf=f'start: "a" b\nb: "x" %json {json.dumps(DEEP)}', dialect="lark")
    assert "(schemas that apply to one value, of the schema in line 2, column 8)" in message


ALTERNATIVES = {
    "type": "object",
    "required": ["k"],
    "oneOf": [{"properties": {key: {"type": "string"}}} for key in "abcdefghi"],
}


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        (ALTERNATIVES, "at the root"),
        ({"type": "array", "items": ALTERNATIVES, "minItems": 1}, "at '/items'"),
        ({"properties": {"a/b": ALTERNATIVES}, "required": ["a/b"], "type": "object"}, "at '/properties/a~1b'"),
        ({"$ref": "#/$defs/x", "$defs": {"x": {"not": {"not": ALTERNATIVES}}}}, "at '/$defs/x"),
    ],
)
def test_plans_that_are_made_when_schemas_are_compiled(schema: Any, place: str) -> None:
    limits = Limits(max_plans=3)
    message = compiled(json_schema=schema, limits=limits)
    assert f"max_plans = 3 choices exceeded (alternatives of one object, {place}" in message
    message = compiled(structural_tag=tag_of(schema), limits=limits)
    assert place in message
    assert "of the schema at '/format/content/json_schema'); raise it with limits=Limits(max_plans=...), or" in message


def test_limits_that_are_fixed_say_so() -> None:
    """Nobody can raise those of the search for a completion."""
    flat = Rope(MAX_BYTES + 1, MAX_BYTES + 1, (b"x" * (MAX_BYTES + 1),))
    with pytest.raises(LimitExceededError) as caught:
        flatten(flat)
    assert "max_completion_bytes" in str(caught.value)
    assert "it is fixed: make the grammar simpler there" in str(caught.value)
    assert "raise it" not in str(caught.value)


def test_grammars_that_are_read() -> None:
    rules = 'root ::= "a" | b\nb ::= "x" [a]{100000000}'
    message = compiled(structural_tag={"format": {"type": "grammar", "grammar": rules}})
    assert "(100000000 in line 2, column 14, at '/format/grammar')" in message
    repeat = {"type": "repeat", "min": 0, "max": 10**9, "content": {"type": "const_string", "value": "x"}}
    message = compiled(structural_tag={"format": {"type": "sequence", "elements": [repeat]}})
    assert "(at '/format/elements/0/max')" in message
    deep = "[" * 600 + "]" * 600
    assert "at '/format/content/json_schema'" in compiled(structural_tag=tag_of('{"const": ' + deep + "}"))


def test_texts_of_combinations() -> None:
    """The bytes before: for masks and completions."""
    rules = {"ebnf": 'root ::= "<" (root | "a") ">"', "dialect": "gbnf"}
    for message in out_of_time(b"<<", all_of=[rules, {"banned_substrings": ["<" * 20]}]):
        assert "max_text_seconds = 0 seconds exceeded (after 2 bytes of the text '<<')" in message


def out_of_time(text: bytes, **grammar: Any) -> list[str]:
    """The errors of a mask and a completion after a text, when there is no time left."""
    matcher = compile_grammar(VOCABULARY, cache=None, **grammar).matcher()
    assert isinstance(matcher, TextMatcher)
    assert all(matcher.accept_token(byte) for byte in text)
    matcher._allowance = Allowance("max_text_seconds", 0.0)
    bitmask = allocate_bitmask(1, VOCABULARY.size)
    asked = [lambda: matcher.fill_bitmask(bitmask), matcher.find_shortest_completion]
    messages = []
    for ask in asked:
        with pytest.raises(LimitExceededError) as caught:
            ask()
        messages.append(str(caught.value))
    return messages


def test_texts_of_choices() -> None:
    matcher = compile_grammar(VOCABULARY, cache=None, choice=["red", "reddish", "really"]).matcher()
    assert isinstance(matcher, TextMatcher)
    assert matcher.accept_token(ord("r"))
    with pytest.raises(LimitExceededError, match="after 1 bytes of the text 'r'"), matcher._work():
        raise LimitExceededError("max_mask_seconds", 5, "seconds")


def test_parts_of_combinations_that_are_read() -> None:
    with pytest.raises(LimitExceededError, match=r"max_regex_bytes = 1000 bytes exceeded \(of all_of\[0\]\)"):
        compile_grammar(VOCABULARY, cache=None, limits=Limits(max_regex_bytes=1000), all_of=[{"regex": "a" * 1001}])


def test_a_place_is_found_under_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its steps may add to tables that all threads share."""
    is_held, step_byte = list[bool](), RuleTables.step_byte

    def stepped(automaton: RuleTables, *arguments: Any) -> Any:
        is_held.append(automaton.lock.tables_lock.is_mine)
        return step_byte(automaton, *arguments)

    monkeypatch.setattr(RuleTables, "step_byte", stepped)
    assert "for the value at '/item/0'" in written(b'<call>{"item":["' + LETTERS, structural_tag=tag_of(field()))
    assert is_held
    assert all(is_held)


@pytest.mark.parametrize("kind", ["json_schema", "structural_tag"])
def test_completions(kind: str) -> None:
    """What is looked for beyond the text is beyond the value where the text stands."""
    either = [[{"properties": {key: {"pattern": letter}}} for key in "ab"] for letter in "defghijklmno"]
    member = {"type": "object", "required": ["a", "b"], "allOf": [{"anyOf": one} for one in either]}
    member["additionalProperties"] = {"type": "string"}
    schema = {"type": "object", "properties": {"hard": member}, "required": ["hard"], "additionalProperties": False}
    grammar: dict[str, Any] = {"json_schema": schema, "structural_tag": tag_of(schema)}
    limits = Limits(max_mask_seconds=0.1)
    matcher = compile_grammar(VOCABULARY, cache=None, limits=limits, **{kind: grammar[kind]}).matcher()
    for byte in (b"<call>" if kind == "structural_tag" else b"") + b'{"hard":':
        assert matcher.accept_token(byte)
    where = r"max_mask_seconds = 0.1 seconds exceeded \(for the value at '/hard' of"
    with pytest.raises(LimitExceededError, match=where):
        matcher.find_shortest_completion()
    with pytest.raises(LimitExceededError, match=where):
        matcher.fits_budget([], 5)
