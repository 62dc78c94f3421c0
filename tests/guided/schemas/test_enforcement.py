"""What an answer's grammar enforces, as plain data, and who is told of it."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import guided
from guided.grammars.spec import GrammarSpec, StyledWriting
from guided.schemas.enforcement import MAX_NOTES, Enforcement, digest_of, enforcement_of
from tests.grammars.vocabularies import byte_vocabulary

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"s": {"type": "string", "pattern": "a"}}}


def enforced(**grammar: Any) -> Enforcement:
    return enforcement_of(guided.compile_grammar(byte_vocabulary(), **grammar))


def test_the_report_of_a_schema() -> None:
    found = enforced(json_schema=SCHEMA)
    assert (found.version, found.backend, found.kind) == (version("guided-generation"), "native", "json_schema")
    assert ("/properties/s", "pattern") in [(entry.pointer, entry.keyword) for entry in found.report]
    assert any("pattern" in note for note in found.notes)
    data = json.loads(json.dumps(found.as_json()))
    assert data["digest"] == found.digest
    assert data["report"][0].keys() == {"pointer", "keyword", "enforcement"}


def test_notes_are_bounded_and_made_once() -> None:
    found = enforced(json_schema={"properties": {f"k{number}": {"type": "string"} for number in range(2 * MAX_NOTES)}})
    assert len(found.notes) == MAX_NOTES + 1
    assert " more notes" in found.notes[-1]
    assert found.as_json() is found.as_json()


def test_a_digest_is_of_the_meaning() -> None:
    plain = enforced(json_schema=SCHEMA).digest
    assert plain == enforced(json_schema=json.dumps(SCHEMA, indent=2)).digest
    others = [
        enforced(json_schema=SCHEMA, property_order="any"),
        enforced(json_schema=SCHEMA, pattern="full"),
        enforced(json_schema={**SCHEMA, "required": ["s"]}),
        enforced(choice=["a", "b"]),
        enforced(choice=["b", "a"]),
    ]
    assert len({plain, *(one.digest for one in others)}) == 6


def test_a_style_changes_the_digest() -> None:
    spec = GrammarSpec("structural_tag", "{}")
    assert digest_of(spec) != digest_of(replace(spec, styled=StyledWriting("qwen_xml")))
