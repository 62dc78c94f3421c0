"""Trying a grammar out: every field is begun, limits that only building meets are found, what is left is named."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from guided.compile import compile_grammar
from guided.grammars.limits import Limits
from guided.grammars.vocabulary import Vocabulary
from guided.schemas.document_place import DocumentPlace
from guided.schemas.subschemas import Subschemas
from guided.schemas.trial import TrialError, _Running, try_out

BYTES = Vocabulary([None, *(bytes([byte]) for byte in range(256))], [0])
DEEP = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 3},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}, "é": {}}}},
        "owner": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/owner"}]},
        'a"/~b': {"enum": ["x", "y"]},
        "pair": {"prefixItems": [{"type": "string", "format": "date"}, {"type": "boolean"}], "minItems": 2},
    },
    "required": ["id"],
    "additionalProperties": False,
    "$defs": {"owner": {"properties": {"name": {"type": "string"}, "boss": {"$ref": "#/$defs/owner"}}}},
}


def trial(schema: Any, max_seconds: float = 60.0, **options: Any) -> Any:
    return try_out(compile_grammar(BYTES, json_schema=schema, **options), schema, max_seconds=max_seconds)


def fields(schema: Any) -> list[tuple[str, ...]]:
    return list(Subschemas(schema).fields())


def test_fields_of_a_schema() -> None:
    assert fields(DEEP) == [
        *(("id",), ("lines",), ("owner",), ('a"/~b',), ("pair",)),
        *(("lines", "*"), ("owner", "name"), ("owner", "boss"), ("pair", "*")),
        *(("lines", "*", "price"), ("lines", "*", "é")),
    ]
    assert fields({"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}}) == [("*",)]
    assert fields(True) == []
    assert len(fields({"properties": {str(i): {} for i in range(5000)}})) == 2000


def test_places_of_a_document() -> None:
    document = {"a": [{"b": 'x"]}\\'}, [1, []], {}], "c": None, "": {"d": -1.5e3}, "e\n": "\u00e9"}
    for text in (json.dumps(document), json.dumps(document, indent=2, ensure_ascii=False)):
        place = DocumentPlace()
        place.feed(text.encode())
        assert place.mode == "end"
        assert place.begun == {
            *((), ("a",), ("a", "*"), ("a", "*", "b"), ("a", "*", "*"), ("c",), ("",), ("", "d"), ("e\n",)),
        }


def test_a_text_is_as_long_as_it_may_be() -> None:
    """So that a bound of the length is reached. A second count beside one has states for each number."""
    small = compile_grammar(BYTES, regex=r"(?s).{0,600}x.{0,600}", limits=Limits(max_automaton_states=300))
    with pytest.raises(TrialError, match="max_automaton_states"):
        try_out(small, max_seconds=60)
    for bounded in (r"\w{1,2000}", r".{1,4000}"):
        assert try_out(compile_grammar(BYTES, regex=bounded), max_seconds=60).num_tokens > 2000


@pytest.mark.parametrize("whitespace", ["compact", "flexible", "spaced"])
def test_every_field_is_begun(whitespace: str) -> None:
    found = trial(DEEP, whitespace=whitespace)
    assert (found.not_tried, found.reason, found.num_fields) == ((), None, 11)
    assert found.num_texts <= 2


def test_fields_that_nothing_leads_to_are_named() -> None:
    schema = {"type": "object", "properties": {"a": {}, "b": {"not": {}}}, "additionalProperties": False}
    found = trial(schema)
    assert found.not_tried == ("/b",)
    assert found.reason == "no text that was tried led there"


def test_fields_of_recursive_schemas() -> None:
    """Each recursive definition counts once, whatever refers to it."""
    names = ["and", "or", "not", "then"]
    node = {"properties": {name: {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/node"}]} for name in names}}
    assert fields({"$ref": "#/$defs/node", "$defs": {"node": node}}) == [(name,) for name in names]


def test_looking_for_fields_counts_as_time() -> None:
    """Here each place has as many parts as there are branches, and as many places inside."""
    every = range(40)
    one = {"properties": {f"p{j}": {"$ref": f"#/$defs/d{j}"} for j in every}}
    schema = {"$ref": "#/$defs/d0", "$defs": {f"d{i}": {"anyOf": [dict(one) for _ in every]} for i in every}}
    start_s = time.thread_time()
    found = try_out(compile_grammar(BYTES, regex="a"), schema, max_seconds=0.2)
    assert time.thread_time() - start_s < 5
    assert found.num_texts > 0
    assert found.reason == f"looking for fields took too long: {found.num_fields} were found"


def test_fields_of_an_unknown_draft() -> None:
    """Another backend may know it."""
    schema = {"$schema": "http://json-schema.org/draft-03/schema#", "properties": {"a": {"type": "integer"}}}
    known = compile_grammar(BYTES, json_schema={"properties": schema["properties"]})
    assert try_out(known, schema, max_seconds=60).num_fields == 1


def test_the_time_is_kept_and_what_is_left_named() -> None:
    schema = {"type": "object", "properties": {f"n{i}": {"type": "string"} for i in range(300)}}
    running = _Running(compile_grammar(BYTES, json_schema=schema), schema, 60)
    running._max_seconds = 0
    running.run()
    found = running.result()
    assert len(found.not_tried) == 300
    assert "seconds were over" in found.reason
    assert trial(schema).not_tried == ()


def test_a_limit_that_only_generating_meets_is_found() -> None:
    """Whether any text has the pattern and lacks the other takes automata of 2^14 states; compiling builds none."""
    text = {"type": "string", "pattern": "^[ab]{30,60}$", "not": {"pattern": "(a|b)*a(a|b){14}$"}}
    schema = {"type": "object", "properties": {"a": {"type": "boolean"}, "b": text}}
    with pytest.raises(TrialError, match=r"generating fails at the field .*, after .*_automaton_states") as error:
        trial(schema, limits=Limits(max_automaton_states=100))
    assert error.value.text.startswith("{")


@pytest.mark.parametrize(
    "grammar",
    [
        {"regex": "[0-9]{4}-[a-z]+"},
        {"choice": ["red", "green"]},
        {"ebnf": 'root ::= "(" root ")" | [0-9]{2}'},
        {"structural_tag": {"type": "structural_tag", "format": {"type": "json_schema", "json_schema": DEEP}}},
    ],
)
def test_other_grammars(grammar: dict[str, Any]) -> None:
    found = try_out(compile_grammar(BYTES, **grammar), max_seconds=60)
    assert (found.num_texts, found.not_tried, found.reason) == (3, (), None)
