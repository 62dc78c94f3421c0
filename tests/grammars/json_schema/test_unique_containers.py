"""Arrays of unique arrays and objects of which there are few: never a mask that leads nowhere."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import UnsatisfiableError

from .test_random_tokens import VOCABULARY, WALKER

OBJECT = {"const": {"a": 1}}
PAIR = {"enum": [{"a": "x", "b": "y"}]}
LETTERS = {"enum": [["a"], ["b"]]}
SHORT = {"type": "array", "items": {"enum": ["a"]}, "maxItems": 1}


@pytest.mark.parametrize(
    ("items", "num_items"),
    [(OBJECT, 1), ({"const": ["a"]}, 1), (LETTERS, 2), (PAIR, 1), (SHORT, 2), ({"enum": [[1], [2], "a"]}, 3)]
    + [
        ({"type": ["array", "boolean"], "maxItems": 0}, 3),
        ({"type": "object", "properties": {}, "maxProperties": 0}, 1),
    ],
)
@pytest.mark.parametrize("order", ["schema", "any"])
def test_as_many_items_as_there_are_values(items: dict[str, Any], num_items: int, order: str) -> None:
    schema = {"type": "array", "uniqueItems": True, "items": items, "minItems": num_items}
    grammar = compile_grammar(VOCABULARY, json_schema=schema, cache=None, whitespace="compact", property_order=order)
    for seed in range(10):
        value = json.loads(WALKER.walk(grammar.matcher(), random.Random(seed)))
        assert len(value) == num_items
    with pytest.raises(UnsatisfiableError):
        compile_grammar(VOCABULARY, json_schema={**schema, "minItems": num_items + 1}, cache=None, property_order=order)
