"""What a grammar expects, in words: a table of places; and that the keys and values named are those that can come."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guided import compile_grammar
from guided.workbench.inspection.describe import Describer
from guided.workbench.inspection.expected import Expected
from guided.workbench.inspection.match import match_text
from guided.workbench.inspection.samples import TextSampler
from tests.cases.json_schema_cases import CASES
from tests.grammars.vocabularies import accept_bytes, byte_vocabulary

VOCABULARY = byte_vocabulary()
PERSON: dict[str, Any] = {
    "title": "Person",
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 40},
        "age": {"type": ["integer", "null"], "minimum": 0, "maximum": 150},
        "born": {"type": "string", "format": "date"},
        "kind": {"enum": ["a", "b", 3, None]},
        "pets": {"type": "array", "items": {"$ref": "#/$defs/Pet"}, "maxItems": 2},
        "code": {"type": "string", "pattern": "^[A-Z]$"},
        "any": True,
    },
    "required": ["name"],
    "additionalProperties": False,
    "$defs": {"Pet": {"type": "object", "required": ["legs"], "properties": {"legs": {"type": "number"}}}},
}
ORDERED = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a", "b"], "additionalProperties": False}
DOCUMENTS = [
    ("", "an object, Person"),
    ("{", "a key of Person: name, age, born, kind, pets, code or any"),
    ('{"', "the rest of a key of Person: name, age, born, kind, pets, code or any"),
    ('{"na', "the rest of a key of Person: name"),
    ('{"name"', '":" and then a string of 2 to 40 characters'),
    ('{"name":', "a string of 2 to 40 characters"),
    ('{"name":"A', "the rest of a string of 2 to 40 characters"),
    ('{"name":"Ab"', '"," and another key of Person: age, born, kind, pets, code or any or }'),
    ('{"age":', "an integer of 0 to 150 or null"),
    ('{"age":3', "the rest of an integer of 0 to 150, or what follows it"),
    ('{"age":n', "the rest of null"),
    ('{"born":', "a string of format date"),
    ('{"kind":', '"a", "b", 3 or null'),
    ('{"kind":"', 'the rest of "a" or "b"'),
    ('{"code":', "a string matching /^[A-Z]$/"),
    ('{"pets":', "an array of at most 2 items"),
    ('{"pets":[', "an object, Pet or ]"),
    ('{"pets":[{', "a key of Pet: legs or another name"),
    ('{"pets":[{"legs":1}', '"," and another item or ]'),
    ('{"pets":[{"legs":1},', "an object, Pet"),
    ('{"any":', "a string, a number, true, false, null, an object or an array"),
    ('{"name":"Ab"}', "nothing more: the document is complete"),
]
OTHERS: list[tuple[dict[str, Any], str, str]] = [
    ({"regex": "[a-z]{2}-[0-9]+"}, "", "a letter a-z"),
    ({"regex": "[a-z]{2}-[0-9]+"}, "ab", "a minus (-)"),
    ({"regex": "[a-z]{2}-[0-9]+"}, "ab-1", "a digit or the end of the text"),
    ({"regex": "abc: (yes|no)"}, "", '"abc: "'),
    ({"regex": '[^"]'}, "", 'any ASCII character but a quote (")'),
    ({"regex": "[ -~]"}, "", "any printable ASCII character"),
    ({"regex": r"[\x00-\x08]"}, "", "a control character U+0000-U+0008"),
    ({"choice": ["red", "reddish", "blue"]}, "", '"red", "reddish" or "blue"'),
    ({"choice": ["red", "reddish", "blue"]}, "re", 'the rest of "red" or "reddish"'),
    ({"choice": ["red", "reddish", "blue"]}, "red", 'the rest of "reddish" or the end of the text'),
    ({"json_schema": ORDERED}, "{", "a key: a"),
    ({"json_schema": {"type": "string"}}, '"a"', "nothing more: the document is complete"),
    ({"json_schema": {"const": "x"}}, "", '"x"'),
    (
        {"json_schema": {"type": "integer", "multipleOf": 3, "minimum": 1}},
        "",
        "an integer of at least 1, a multiple of 3",
    ),
]


def expected(text: str, **grammar: Any) -> Expected:
    if "json_schema" in grammar:
        grammar = {**grammar, "whitespace": "compact"}
    found = match_text(compile_grammar(VOCABULARY, **grammar), text)
    assert found.num_chars == len(text)
    return found.expected


@pytest.mark.parametrize(("text", "words"), DOCUMENTS)
def test_documents(text: str, words: str) -> None:
    assert expected(text, json_schema=PERSON, property_order="any").text == words


@pytest.mark.parametrize(("grammar", "text", "words"), OTHERS)
def test_other_grammars(grammar: dict[str, Any], text: str, words: str) -> None:
    assert words in expected(text, **grammar).text


def test_a_document_in_a_tag() -> None:
    content = {"type": "json_schema", "json_schema": PERSON}
    tag = {"type": "structural_tag", "format": {"type": "tag", "begin": "<c>", "content": content, "end": "</c>"}}
    found = expected('<c>{"age":', structural_tag=tag)
    assert (found.text, found.document) == ("an integer of 0 to 150 or null", "/age")
    assert found.schemas == ("/properties/age",)
    assert expected('<c>{"name":"Ab"}', structural_tag=tag).text == '"</c>"'
    assert expected("", structural_tag=tag).text == '"<c>{"'


def test_a_quote() -> None:
    schema = {"anyOf": [{"type": "string", "x-quote": "mail"}, {"type": "null"}]}
    found = expected("", json_schema=schema, sources={"mail": "Ada, 36"})
    assert found.text == "a string that is a quote of mail or null"
    assert expected('"A', json_schema=schema, sources={"mail": "Ada, 36"}).examples == ("d",)


def test_beside_banned_substrings() -> None:
    found = expected('{"age":', all_of=[{"json_schema": PERSON}, {"banned_substrings": ["3"]}])
    assert (found.text, found.document) == ("an integer of 0 to 150 or null", "/age")


def test_a_text_that_has_ended() -> None:
    grammar = compile_grammar(VOCABULARY, regex="a")
    matcher = grammar.matcher()
    assert accept_bytes(matcher, b"a")
    assert matcher.accept_token(next(iter(VOCABULARY.eos_token_ids)))
    found = Describer(grammar).describe(matcher)
    assert (found.is_over, found.text) == (True, "nothing more: the text has ended")


@pytest.mark.parametrize("backend", ["interegular", "outlines_core"])
def test_other_backends_say_characters(backend: str) -> None:
    grammar = compile_grammar(VOCABULARY, regex="[a-z]{2}1", backend=backend)
    assert match_text(grammar, "a").expected.text == "a letter a-z"
    assert match_text(grammar, "ab0").num_bytes == 2


@pytest.mark.parametrize("case", CASES[::2], ids=lambda case: case.name)
def test_named_keys_and_ends_can_come(case: Any) -> None:
    """At every place of a document: each key that is named can be written there, and so can each end."""
    grammar = compile_grammar(VOCABULARY, json_schema=case.schema, whitespace="compact")
    text = TextSampler(grammar, seed=5, max_bytes=60).draw().encode()
    describer, matcher = Describer(grammar), grammar.matcher()
    for byte in [*text, None]:
        found = describer.describe(matcher)
        assert found.text
        is_at_key = found.options and text[: len(matcher.history[2])][-1:] in (b"{", b",")
        for option in found.options:
            if option.kind == "end" and option.text in "]}":
                assert accept_bytes(matcher.fork(), option.text.encode())
            if option.kind == "key" and option.text != "another name" and is_at_key:
                assert accept_bytes(matcher.fork(), json.dumps(option.text, ensure_ascii=False).encode() + b":")
        assert byte is None or accept_bytes(matcher, bytes([byte]))
