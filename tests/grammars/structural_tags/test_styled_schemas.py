"""Schemas of the kinds that MCP servers send, in each style: valid calls are taken and others not, masks are exact."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import UnsupportedGrammarError, UnwritableValueError
from guided.grammars.json_schema.translate import compile_schema
from guided.grammars.json_schema.value_types import types_at
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.style_texts import write_object
from guided.grammars.styles import STYLES, Layout
from guided.grammars.vocabulary import Vocabulary

HELD = list(STYLES)
STRING, INTEGER = {"type": "string"}, {"type": "integer"}
REF = {"$ref": "#/$defs/n"}
CLOSED = {"type": "object", "additionalProperties": False}
KINDS: dict[str, tuple[dict[str, Any], list[Any], list[Any]]] = {
    "anyOf": (
        {"properties": {"a": STRING, "b": INTEGER}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        [{"a": "x"}, {"b": 1}, {"a": "", "b": 2}],
        [{}, {"c": 1}, {"a": 1}],
    ),
    "if": (
        {
            "properties": {"a": {"enum": ["x", "y"]}, "b": INTEGER},
            "required": ["a"],
            "allOf": [{"if": {"properties": {"a": {"const": "x"}}}, "then": {"required": ["b"]}}],
        },
        [{"a": "y"}, {"a": "x", "b": 1}],
        [{"a": "x"}, {"a": "z"}, {"b": 1}],
    ),
    "strings beside open alternatives": (
        {"oneOf": [{"properties": {"a": {"const": "x"}, "b": {"enum": ["true", "[1"]}}, "required": ["a", "b"]},
                   {"properties": {"a": {"const": "y"}, "c": {"enum": ["null"]}}, "required": ["a", "c"]}]},
        [{"a": "x", "b": "true"}, {"a": "x", "b": "[1", "c": "5"}, {"a": "y", "b": "5", "c": "null"}],
        [{"a": "x", "b": "false"}, {"a": "y", "b": "true", "c": "nul"}],
    ),
    "pattern": ({"properties": {"a": {**STRING, "pattern": "^a+$"}}}, [{"a": "aa"}], [{"a": "ab"}, {"a": ""}]),
    "format": ({"properties": {"a": {**STRING, "format": "date"}}}, [{"a": "2026-02-28"}], [{"a": "2026-02-30"}]),
    "str|int": (
        {"properties": {"a": {"type": ["string", "integer"]}}},
        [{"a": "x"}, {"a": 5}],
        [{"a": 5.5}, {"a": []}],
    ),
    "str|null": (
        {"properties": {"a": {"anyOf": [{**STRING, "maxLength": 3}, {"type": "null"}]}}},
        [{"a": None}, {"a": "nul"}],
        [{"a": True}, {"a": "long"}],
    ),
    "untyped": (
        {"properties": {"a": {}}, "required": ["a"]},
        [{"a": "x"}, {"a": 1.5}, {"a": None}, {"a": [{"b": []}]}, {"a": {}}],
        [{}, {"b": 1}],
    ),
    "different items": (
        {"properties": {"a": {"type": "array", "uniqueItems": True, "items": {**CLOSED, "properties": {"b": STRING}}}}},
        [{"a": [{"b": "x"}, {"b": "y"}]}, {"a": [{"b": "z" * 300}, {}]}],
        [{"a": [{"b": "x"}, {"b": "y"}, {"b": "x"}]}, {"a": [{}, {}]}],
    ),
    "contains": (
        {"properties": {"a": {"type": "array", "contains": {"required": ["b"]}, "items": {"type": "object"}}}},
        [{"a": [{"c": 1}, {"b": {"c": "x"}}]}],
        [{"a": [{"c": 1}, {"c": {"b": 1}}]}, {"a": []}],
    ),
    "additional": ({"additionalProperties": INTEGER}, [{}, {"x": 1, "y": 2}], [{"x": "z"}, {"x": None}]),
    "patterns": (
        {"patternProperties": {"^s": STRING, "^n": {"type": "number"}}, "additionalProperties": False},
        [{"s": "5 x", "n": 1}, {"s1": "", "s2": "y"}],
        [{"n": "x"}, {"a": 1}],
    ),
    "dependent": (
        {"properties": {"a": STRING, "b": {"type": "boolean"}}, "dependentRequired": {"a": ["b"]}},
        [{"b": True}, {"a": "x", "b": False}],
        [{"a": "x"}],
    ),
    "$ref": (
        {"properties": {"a": REF}, "$defs": {"n": {**CLOSED, "properties": {"n": REF}}}},
        [{"a": {}}, {"a": {"n": {"n": {}}}}],
        [{"a": {"n": 1}}, {"a": {"m": {}}}],
    ),
    "zod": ({"properties": {"a": {"anyOf": [{"not": {}}, STRING]}}}, [{}, {"a": "5 x"}], [{"a": 5}, {"a": None}]),
    "unevaluated": (
        {"allOf": [{"properties": {"a": STRING}}], "properties": {"b": INTEGER}, "unevaluatedProperties": False,
         "minProperties": 1},
        [{"b": 1}, {"b": 1, "a": "x"}],
        [{}, {"c": 1}],
    ),
}  # fmt: skip
PIECES = ("\n</f>", "</f>", "a", "b", "ab", "\n", "5", "1.5", "true", "nul", "[", '{"', '"}', "]", " <", "</", "x\n")


def vocabulary(name: str) -> Vocabulary:
    """Bytes, and pieces of a style's marks with what may stand beside them."""
    style = STYLES[name]
    opening = style.begin[0].partition("NAME")[0]
    begins = ["".join(style.begin_of("a", kind)) for kind in ("string", "number")]
    words = {*PIECES, opening, opening[:2], opening[1:], opening + "a", style.end, style.end[:3], style.end[3:]}
    words |= {f"5{style.end}", f"]{style.end}", f"{style.end}\n", f"{style.end}{opening}", f"\n{style.end}"}
    words |= {begin[len(opening) :] for begin in begins} | {begin[len(opening) + 1 :] + "5" for begin in begins}
    tokens = [bytes([byte]) for byte in range(256)] + [word.encode() for word in sorted(words) if len(word) > 1]
    return Vocabulary([*tokens, None], [len(tokens)], {"<end>": len(tokens)})


VOCABULARIES = {name: vocabulary(name) for name in HELD}


def compiled(name: str, schema: Any, **fields: Any) -> CompiledGrammar:
    content = {"type": "json_schema", "json_schema": schema, "style": name, **fields}
    tag = {"type": "tag", "begin": "<f>", "content": content, "end": ["\n</f>", "</f>"]}
    return compile_grammar(VOCABULARIES[name], structural_tag={"type": "structural_tag", "format": tag}, cache=None)


def takes(matcher: Matcher, text: bytes) -> bool:
    return all(matcher.accept_token(byte) for byte in text)


@pytest.mark.parametrize("name", HELD)
def test_each_kind_of_schema_is_held_in_each_style(name: str) -> None:
    style = STYLES[name]
    for kind, (keywords, valid, invalid) in KINDS.items():
        schema = {"type": "object", **keywords}
        grammar, formula = compiled(name, schema), compile_schema(schema, resources=None, limits=Limits()).formula
        permitted = partial(types_at, formula)
        for value, is_valid in [*[(one, True) for one in valid], *[(one, False) for one in invalid]]:
            for layout in (Layout(), Layout("\n" if style.is_wrapped else "", "\n", "\n")):
                try:
                    text = f"<f>{write_object(style, value, permitted, layout)}</f>"
                except UnwritableValueError:  # as text it would be another value
                    assert not is_valid or (kind == "untyped" and style.is_deep)  # there an empty list is one
                    continue
                matcher = grammar.matcher()
                assert (takes(matcher, text.encode()) and matcher.is_accepting()) == is_valid, (kind, text)


@pytest.mark.parametrize("kind", ["anyOf", "if", "str|int", "untyped", "additional", "patterns", "unevaluated"])
def test_masks_are_what_bytes_allow(kind: str) -> None:
    rng = random.Random(kind)
    name = rng.choice(HELD)
    grammar, tokens = compiled(name, {"type": "object", **KINDS[kind][0]}), VOCABULARIES[name].tokens
    matcher, bitmask, size = grammar.matcher(), allocate_bitmask(1, len(tokens)), len(tokens)
    for _ in range(40):
        matcher.fill_bitmask(bitmask, 0)
        mask = allowed_token_ids(bitmask[0], size).tolist()
        tried = [one for one, text in enumerate(tokens) if text is not None and takes(matcher.fork(), text)]
        assert mask == [*tried, *([size - 1] if matcher.is_accepting() else [])]
        assert all(matcher.fork().accept_token(one) for one in tried)
        completion = matcher.find_shortest_completion()
        end = matcher.fork()
        assert all(map(end.accept_token, completion))
        assert end.is_accepting()
        liked = [one for one in tried if one >= 256] or tried
        if not liked or not matcher.accept_token(rng.choice(liked if rng.random() < 0.8 else tried)):
            break


def test_jump_forward_writes_marks() -> None:
    grammar = compiled("qwen_xml", {"properties": {"a": INTEGER}, "required": ["a"], "additionalProperties": False},
                       max_whitespace_cnt=0)  # fmt: skip
    matcher = grammar.matcher()
    assert matcher.find_jump_forward_bytes() == b"<f><parameter=a>"
    assert takes(matcher, b"<f><parameter=a>\n5")
    assert not takes(matcher.fork(), b"</parameter>")
    assert takes(matcher, b"\n</parameter>")
    assert matcher.find_jump_forward_bytes() == b""
    assert takes(matcher, b"\n</f>")


def test_banned_substrings() -> None:
    """Beside a style as by `excludes`: no value and no name has one. Marks are no values."""
    schema = {"properties": {"s": {"type": "string"}, "t": {"type": "array"}, "key": {}}}
    content = {"type": "json_schema", "json_schema": schema, "style": "glm_xml"}
    tag = {"type": "structural_tag", "format": content}
    vocabulary = VOCABULARIES["glm_xml"]
    with pytest.raises(UnsupportedGrammarError, match="can't combine JSON documents with regex"):
        compile_grammar(vocabulary, all_of=[{"structural_tag": tag}, {"regex": ".*"}])
    banned = compile_grammar(vocabulary, all_of=[{"structural_tag": tag}, {"banned_substrings": ["TODO", "key"]}])
    held = compile_grammar(vocabulary, structural_tag={**tag, "format": {**content, "excludes": ["TODO", "key"]}})
    values = (("s", "TOD", True), ("s", "a TODO", False), ("t", '["TOD"]', True), ("t", '["TODO"]', False))
    for name, value, is_allowed in (*values, ("TODO", "1", False), ("key", "1", False), ("TOD", "1", True)):
        text = f"<arg_key>{name}</arg_key><arg_value>{value}</arg_value>".encode()
        assert [takes(grammar.matcher(), text) for grammar in (held, banned)] == [is_allowed] * 2


def test_names_are_escaped_as_the_style_has_it() -> None:
    schema = {"properties": {'a"b': INTEGER}, "patternProperties": {"^&": STRING}, "additionalProperties": False}
    grammar = compiled("kimi_k3_xml", schema)
    for value, is_taken in (({'a"b': 1}, True), ({"&": "x"}, True), ({'&"&': "x"}, True), ({'x"': "x"}, False)):
        matcher = grammar.matcher()
        text = f"<f>{write_object(STYLES['kimi_k3_xml'], value)}</f>"
        assert takes(matcher, text.encode()) == is_taken
    matcher = grammar.matcher()
    assert not takes(matcher, b'<f><|open|>argument key="&"')


def test_a_text_that_only_line_breaks_can_surround_completes() -> None:
    grammar = compiled("qwen_xml", {"properties": {"a": {"enum": ["\n"]}}, "required": ["a"]})
    matcher = grammar.matcher()
    text = b"".join(VOCABULARIES["qwen_xml"].tokens[one] or b"" for one in matcher.find_shortest_completion())
    assert text == b"<f><parameter=a>\n\n\n</parameter></f>"
