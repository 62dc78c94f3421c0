"""The ends of objects with open alternatives, whose keys are free: what is known for one key is known for others."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.completion import frames, texts
from guided.grammars.json_schema import objects

from ..vocabularies import accept_bytes, byte_vocabulary
from .budgets import check_budgets

VOCABULARY = byte_vocabulary()
TWO_OPEN_OBJECTS: dict[str, Any] = {
    "anyOf": [
        {
            "type": "object",
            "properties": {"a": {"type": "object"}, "b": {"type": "integer"}, "c": {"type": "null"}},
            "required": ["a", "b", "c"],
            "minProperties": 5,
        },
        {"type": "object", "properties": {"b": {"type": "array"}, "d": {"type": "boolean"}}, "required": ["b", "d"]},
    ]
}


class Counted:
    """A function that counts its calls."""

    def __init__(self, function: Any) -> None:
        self.function, self.num_calls = function, 0

    def __call__(self, *arguments: Any) -> Any:
        self.num_calls += 1
        return self.function(*arguments)


def test_each_key_costs_no_search_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither for the rest of the object, nor for whether it can be completed."""
    configs = Counted(frames.FrameRopes._members)
    monkeypatch.setattr(frames.FrameRopes, "_members", lambda *arguments: configs(*arguments))
    plans = Counted(objects.find_plan)
    monkeypatch.setattr(objects, "find_plan", plans)
    grammar = compile_grammar(VOCABULARY, json_schema=TWO_OPEN_OBJECTS, cache=None)
    counts = []
    for number in range(40):
        matcher = grammar.matcher()
        assert accept_bytes(matcher, b'{"key %d":1,"other %d":2,"c":null' % (number, number))
        rest = matcher.find_shortest_completion()
        assert rest is not None
        value = json.loads(VOCABULARY.join([*b'{"x":1,"y":2,"c":null', *rest]))
        assert {"b", "d"} <= set(value) or ({"a", "b", "c"} <= set(value) and len(value) >= 5)
        counts.append(configs.num_calls + plans.num_calls)
    assert counts[-1] - counts[4] < counts[4] // 4


def test_keys_of_the_shortest_end_are_not_written_twice() -> None:
    """Of an object that still needs open keys, whichever of the shortest ones it has."""
    schema = {
        "anyOf": [
            {"type": "object", "minProperties": 4, "additionalProperties": {"type": "integer"}},
            {"type": "object", "minProperties": 5, "required": ["b"]},
        ]
    }
    grammar = compile_grammar(VOCABULARY, json_schema=schema, cache=None)
    shortest = list(json.loads(VOCABULARY.join(grammar.matcher().find_shortest_completion() or [])))
    assert len(shortest) == 4
    for first in (*shortest, "other"):
        for second in (*shortest, "another"):
            if first == second:
                continue
            begin = f'{{"{first}":1,"{second}":2'.encode()
            matcher = grammar.matcher()
            assert accept_bytes(matcher, begin)
            rest = matcher.find_shortest_completion()
            assert rest is not None
            pairs = json.loads(VOCABULARY.join([*begin, *rest]), object_pairs_hook=list)
            assert len(pairs) == len(dict(pairs)) >= 4
            assert {first, second} < set(dict(pairs))
            assert len(rest) <= len('"a":1') * 2 + 4


@pytest.mark.parametrize("names", ["^[ab]$", "^[a-d]{1,2}$", "^(a|b|c)*$"])
def test_few_open_keys_count_each(names: str) -> None:
    """Where the keys may run out, each of them makes a difference; where they can't, none does."""
    schema = {
        "type": "object",
        "propertyNames": {"pattern": names},
        "anyOf": [{"minProperties": 2}, {"required": ["a"], "properties": {"a": {"const": 7}}}],
        "additionalProperties": {"type": "integer"},
    }
    grammar = compile_grammar(VOCABULARY, json_schema=schema, cache=None)
    for seed in range(3):
        for text in check_budgets(grammar, seed):
            value = json.loads(text)
            assert len(value) >= 2 or value == {"a": 7}


def test_names_with_marks_of_their_kind_lead_straight_to_their_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of eight names is looked for beside those that are used, with the marks behind it."""
    choices = Counted(texts._choices)
    monkeypatch.setattr(texts, "_choices", choices)
    content = {"type": "json_schema", "json_schema": {"type": "object", "minProperties": 8}, "style": "kimi_k3_xml"}
    tag = {"type": "structural_tag", "format": {"type": "tag", "begin": "", "content": content, "end": "<|close|>"}}
    matcher = compile_grammar(VOCABULARY, structural_tag=tag, cache=None).matcher()
    text = b"".join(VOCABULARY.tokens[one] or b"" for one in matcher.find_shortest_completion())
    assert text.count(b" key=") == 8
    assert choices.num_calls < 3000, "8,540 without the bound of the nearest end"
