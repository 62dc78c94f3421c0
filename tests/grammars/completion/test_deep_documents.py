"""Completions of documents that are nested deeper than Python's stack."""

from __future__ import annotations

from typing import Any

import pytest

from guided.grammars import compile_grammar
from guided.grammars.errors import LimitExceededError
from tests.fuzz.walks import VOCABULARY

DEEP = 3000


def nested(value: dict[str, Any]) -> dict[str, Any]:
    return {"$defs": {"a": value}, "$ref": "#/$defs/a"}


INNER = {"$ref": "#/$defs/a"}
ARRAY = {"type": "array", "items": INNER}


@pytest.mark.parametrize(
    ("schema", "begin", "end"),
    [
        (nested(ARRAY), b"[", b"]"),
        (nested({"type": "object", "properties": {"k": INNER}}), b'{"k":', b"}"),
        (nested({"anyOf": [{**ARRAY, "minItems": 2}, {"type": "integer"}]}), b"[", b",0]"),
    ],
)
def test_the_end_of_a_deep_document(schema: dict[str, Any], begin: bytes, end: bytes) -> None:
    matcher = compile_grammar(VOCABULARY, json_schema=schema, whitespace="compact", cache=None).matcher()
    for byte in begin * DEEP:
        assert matcher.accept_token(byte)
    found = bytes(matcher.find_shortest_completion())
    assert found.endswith(end * (DEEP - 1))
    assert len(found) <= len(end) * DEEP + len(begin)
    for byte in found:
        assert matcher.accept_token(byte)
    assert matcher.is_accepting()


def test_a_deep_document_of_unique_items_is_a_spent_limit() -> None:
    schema = nested({**ARRAY, "uniqueItems": True})
    matcher = compile_grammar(VOCABULARY, json_schema=schema, whitespace="compact", cache=None).matcher()
    for byte in b"[" * DEEP:
        assert matcher.accept_token(byte)
    with pytest.raises(LimitExceededError, match="max_schema_depth"):
        matcher.find_shortest_completion()
