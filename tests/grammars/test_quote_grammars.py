"""Grammars with quotes of source texts: in schemas, EBNF, structural tags and combinations; errors; what is kept."""

from __future__ import annotations

import gc
import json
import random
import weakref
from typing import Any

import pytest

from guided.grammars import compile_grammar
from guided.grammars.cache import GrammarCache
from guided.grammars.errors import (
    GrammarError,
    GrammarInputError,
    InvalidGrammarError,
    InvalidSchemaError,
    InvalidStructuralTagError,
    LimitExceededError,
    UnsatisfiableError,
    UnsupportedGrammarError,
    UnsupportedSchemaError,
)
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.quotes import QuoteOptions, SourceText

from .vocabularies import accept_bytes, accepted_ids, byte_vocabulary, mask_of

VOCABULARY = byte_vocabulary()
TEXT = "Dear Ada Holm,\n\nthe fair is on 2026-05-03 in  Tromsø; Bob can't come."
QUOTE: dict[str, Any] = {"type": "string", "x-quote": "text"}


def grammar_of(schema: Any, text: str | SourceText = TEXT, **options: Any) -> CompiledGrammar:
    return compile_grammar(VOCABULARY, json_schema=schema, sources={"text": text}, whitespace="compact", **options)


def takes(grammar: CompiledGrammar, text: str) -> bool:
    matcher = grammar.matcher()
    return accept_bytes(matcher, text.encode()) and matcher.is_accepting()


def takes_value(schema: Any, value: Any, text: str | SourceText = TEXT) -> bool:
    return takes(grammar_of(schema, text), json.dumps(value, ensure_ascii=False, separators=(",", ":")))


@pytest.mark.parametrize(
    ("quote", "is_one"),
    [
        ("Ada Holm", True),
        ("Ada Holm,", True),
        ("Ada Ho", False),
        ("Tromsø", True),
        ("Tromsö", False),
        ("in Tromsø", True),
        ("in  Tromsø", False),
        ("Holm, the fair", True),
        ("can't", True),
        ("can", False),
        ("", False),
        (" Ada", False),
        (TEXT.replace("\n\n", " ").replace("  ", " "), True),
    ],
)
def test_a_string_is_a_quote_of_whole_words(quote: str, is_one: bool) -> None:
    assert takes_value(QUOTE, quote) == is_one
    assert bool(SourceText(TEXT).places(quote)) == is_one


def test_options() -> None:
    any_place = {"x-quote": {"source": "text", "boundaries": "any"}, "type": "string"}
    exact = {"x-quote": {"source": "text", "whitespace": "exact"}, "type": "string"}
    assert takes_value(any_place, "da Ho")
    assert takes_value(exact, "in  Tromsø")
    assert not takes_value(exact, "in Tromsø")
    assert takes_value(exact, "Holm,\n\nthe")


@pytest.mark.parametrize(
    ("beside", "quotes"),
    [
        ({"pattern": "^[A-Z]\\S*$", "minLength": 3}, {"Dear", "Ada", "Holm", "Holm,", "Tromsø", "Tromsø;", "Bob"}),
        ({"format": "date"}, {"2026-05-03"}),
        ({"enum": ["Ada", "Eve", "fair", "fai"]}, {"Ada", "fair"}),
        ({"const": "Ada"}, {"Ada"}),
        ({"maxLength": 2, "not": {"pattern": "[0-9]"}}, {",", "in", "in T", "is", "on", ";", "-", "."} - {"in T"}),
    ],
)
def test_what_else_a_schema_says_is_combined_exactly(beside: dict[str, Any], quotes: set[str]) -> None:
    grammar = grammar_of({**QUOTE, **beside})
    found = set()
    rng = random.Random(4)
    for _ in range(200):
        matcher, text = grammar.matcher(), b""
        while not matcher.is_terminated():
            token_id = rng.choice(mask_of(matcher, VOCABULARY))
            assert matcher.accept_token(token_id)
            text += VOCABULARY.tokens[token_id] or b""
        found.add(json.loads(text))
    assert found == quotes
    text = SourceText(TEXT).text
    factors = {text[i:j] for i in range(len(text)) for j in range(i + 1, i + 13)}
    assert {one for one in factors if takes(grammar, json.dumps(one, ensure_ascii=False))} == quotes


def test_masks_hold_what_bytes_say() -> None:
    matcher = grammar_of({"type": "array", "items": QUOTE, "minItems": 2}).matcher()
    for byte in b'["in Tromso'[:-1] + "ø".encode() + b'","Bob':
        assert mask_of(matcher, VOCABULARY) == accepted_ids(matcher, VOCABULARY)
        assert matcher.accept_token(byte)


def test_everywhere_where_a_keyword_may_stand() -> None:
    schema = {
        "type": "object",
        "properties": {
            "anyOf": {"anyOf": [{"type": "null"}, QUOTE]},
            "items": {"type": "array", "items": QUOTE, "maxItems": 2},
            "ref": {"$ref": "#/$defs/quote"},
            "if": {"if": {"x-quote": "text"}, "then": {"maxLength": 3}, "else": {"const": "none"}},
            "oneOf": {"oneOf": [QUOTE, {"enum": ["Ada", "Eve"]}]},
        },
        "$defs": {"quote": {"allOf": [QUOTE, {"minLength": 4}]}},
        "additionalProperties": False,
    }
    good = {"anyOf": None, "items": ["Bob", "Holm"], "ref": "Holm", "if": "Ada", "oneOf": "Eve"}
    assert takes_value(schema, good)
    assert takes_value(schema, {**good, "if": "none", "oneOf": "Bob"})
    for wrong in ({"anyOf": "Eve"}, {"items": ["Eve"]}, {"ref": "Ada"}, {"if": "Holm"}, {"oneOf": "Ada"}):
        assert not takes_value(schema, {**good, **wrong})
    names = {"type": "object", "propertyNames": {"x-quote": "text"}, "additionalProperties": {"type": "null"}}
    assert takes_value(names, {"Ada Holm": None})
    assert not takes_value(names, {"Eve": None})
    assert takes_value({"x-quote": "text"}, 3)
    assert takes_value({"$schema": "http://json-schema.org/draft-07/schema#", **QUOTE}, "Ada")


def test_unicode_and_what_json_escapes() -> None:
    source = 'He said "no"\\\x00 👩\u200d👩\u200d👧 e\u0301 שלום 日本 \u2028end'
    options = SourceText(source, QuoteOptions(boundaries="any", whitespace="exact"))
    schema = {"type": "string", "x-quote": {"source": "text", "boundaries": "any", "whitespace": "exact"}}
    for quote in (source, '"no"\\\x00 ', "👩\u200d👩\u200d👧", "שלום", "e\u0301", "本 \u2028e"):
        assert options.places(quote)
        assert takes_value(schema, quote, source)
    for other in ("e", "👩", "\u0301"):
        assert takes_value(schema, other, source) == bool(options.places(other))
    assert not takes(grammar_of(schema, source), '"\\u0022no"')  # escapes are written in one way


def test_null_is_left_where_the_text_has_no_such_quote() -> None:
    schema = {
        "type": "object",
        "properties": {"date": {"anyOf": [{**QUOTE, "format": "date"}, {"type": "null"}]}, "name": QUOTE},
        "required": ["date"],
        "additionalProperties": False,
    }
    grammar = grammar_of(schema, "no date here")
    assert takes(grammar, '{"date":null}')
    assert not takes(grammar, '{"date":"here"}')
    for text in ("", " \n"):
        empty = grammar_of(schema, text)
        assert takes(empty, '{"date":null}')
        assert mask_of_object_after(empty, '{"date":null') == ["}"]


def mask_of_object_after(grammar: CompiledGrammar, text: str) -> list[str]:
    matcher = grammar.matcher()
    assert accept_bytes(matcher, text.encode())
    tokens = [VOCABULARY.tokens[token_id] for token_id in mask_of(matcher, VOCABULARY)]
    return sorted({token.decode() for token in tokens if token is not None})


def test_the_error_says_that_the_text_has_no_such_quote() -> None:
    schema = {"type": "object", "properties": {"date": {**QUOTE, "format": "date"}}, "required": ["date"]}
    with pytest.raises(UnsatisfiableError, match="the source 'text' has no quote that fits '/properties/date'"):
        grammar_of(schema, "no date here")
    with pytest.raises(UnsatisfiableError, match="the source 'text' has no quote that fits 'the root'"):
        grammar_of(QUOTE, "")
    tag = {"type": "structural_tag", "format": {"type": "json_schema", "json_schema": schema}}
    with pytest.raises(UnsatisfiableError, match="the source 'text' has no quote that fits '/properties/date'"):
        compile_grammar(VOCABULARY, structural_tag=tag, sources={"text": "no date here"})


def test_the_former_default_of_case_is_taken() -> None:
    quote = {"source": "text", "case": "sensitive"}
    compile_grammar(VOCABULARY, json_schema={"x-quote": quote}, sources={"text": TEXT})
    compile_grammar(VOCABULARY, structural_tag=tag_of({"type": "quote", **quote}), sources={"text": TEXT})
    tag = tag_of({"type": "quote", "source": "text", "case": "fold"})
    with pytest.raises(GrammarError, match="leave 'case' out"):
        compile_grammar(VOCABULARY, structural_tag=tag, sources={"text": TEXT})


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("other", r"at '/items/x-quote': there is no source 'other'; the sources are 'text', 'mail'"),
        ({"source": "other"}, r"there is no source 'other'; the sources are 'text', 'mail'"),
        (3, "expected the name of a source"),
        ({}, "expected the name of a source"),
        ({"source": ["text"]}, "expected the name of a source"),
        ({"source": "text", "boundary": "any"}, "unknown option 'boundary'; known are boundaries, whitespace"),
        ({"source": "text", "case": "fold"}, "a quote is written as its source writes it, .*; leave 'case' out"),
        ({"source": "text", "boundaries": "lines"}, "a quote's boundaries is 'words' or 'any', not 'lines'"),
        ({"source": "text", "boundaries": ["any"]}, "expected a string as 'boundaries'"),
    ],
)
def test_wrong_values_are_errors_with_their_place(value: Any, reason: str) -> None:
    schema = {"type": "array", "items": {"x-quote": value}}
    with pytest.raises(InvalidSchemaError, match=reason) as error:
        compile_grammar(VOCABULARY, json_schema=schema, sources={"text": TEXT, "mail": ""})
    assert error.value.pointer == "/items/x-quote"


def test_a_quote_without_sources_is_an_error() -> None:
    for sources in (None, {}):
        with pytest.raises(InvalidSchemaError, match="there is no source 'text'; no sources are given") as error:
            compile_grammar(VOCABULARY, json_schema={"items": QUOTE}, sources=sources)
        assert error.value.pointer == "/items/x-quote"
    with pytest.raises(InvalidStructuralTagError, match="there is no source 'text'") as tag_error:
        compile_grammar(VOCABULARY, structural_tag=tag_of({"type": "quote", "source": "text"}))
    assert tag_error.value.pointer == "/format"


@pytest.mark.parametrize(
    ("sources", "reason"),
    [
        (["text"], "sources is a list; give a dict"),
        ({"text": 3}, r"sources\['text'\] is a int; give a str or a SourceText"),
        ({3: "text"}, "the name 3 of a source is a int"),
        ({"text": "a\ud800"}, r"sources\['text'\] has a lone surrogate as its character 1"),
    ],
)
def test_wrong_sources_are_refused(sources: Any, reason: str) -> None:
    with pytest.raises(GrammarInputError, match=reason):
        compile_grammar(VOCABULARY, json_schema=QUOTE, sources=sources)


def test_limits() -> None:
    with pytest.raises(LimitExceededError, match="max_source_bytes") as error:
        grammar_of(QUOTE, "ä" * 60, limits=Limits(max_source_bytes=100))
    assert error.value.limit == "max_source_bytes"
    assert takes(grammar_of(QUOTE, "ä" * 50, limits=Limits(max_source_bytes=100)), f'"{"ä" * 50}"')


def test_sources_that_nothing_names_change_nothing() -> None:
    cache = GrammarCache()
    grammar = grammar_of({"const": "Eve"}, cache=cache)
    assert takes(grammar, '"Eve"')
    assert grammar is grammar_of({"const": "Eve"}, "another text", cache=cache)
    for kind in ({"regex": "a"}, {"choice": ["a"]}, {"all_of": [{"regex": "a"}]}):
        with pytest.raises(GrammarInputError, match="sources apply to grammars with quotes"):
            compile_grammar(VOCABULARY, sources={"text": TEXT}, **kind)


def test_a_prepared_source_serves_other_options_too() -> None:
    prepared = SourceText(TEXT)
    assert takes_value(QUOTE, "Ada Holm", prepared)
    assert takes_value({"type": "string", "x-quote": {"source": "text", "boundaries": "any"}}, "da Ho", prepared)


def test_a_quote_in_ebnf() -> None:
    document = compile_grammar(
        VOCABULARY, ebnf=f"start: %json {json.dumps(QUOTE)}", dialect="lark", sources={"text": TEXT}
    )
    assert takes(document, '"Bob"')
    assert not takes(document, '"Eve"')
    with pytest.raises(InvalidGrammarError, match=r'quotes are strings of a schema, `%json {"x-quote"') as error:
        compile_grammar(VOCABULARY, ebnf='start: %quote "text"', dialect="lark", sources={"text": TEXT})
    assert error.value.column == 8


def test_quotes_under_not_are_refused() -> None:
    schemas: list[dict[str, Any]] = [
        {"type": "string", "not": QUOTE},
        {"not": {"properties": {"a": {"$ref": "#/$defs/q"}}}, "$defs": {"q": QUOTE}},
    ]
    for schema in schemas:
        with pytest.raises(UnsupportedSchemaError, match=r"it refers to quotes \(x-quote\); say what a string is"):
            grammar_of({"properties": {"a": QUOTE}, **schema})
    with pytest.raises(UnsupportedSchemaError) as error:
        grammar_of({"properties": {"a": schemas[0]}})
    assert (error.value.pointer, error.value.keyword) == ("/properties/a", "not")


def tag_of(content: dict[str, Any]) -> dict[str, Any]:
    return {"type": "structural_tag", "format": content}


def test_a_quote_in_a_structural_tag() -> None:
    content = {"type": "quote", "source": "text", "boundaries": "any"}
    tag = tag_of({"type": "tag", "begin": "<q>", "content": content, "end": "</q>"})
    grammar = compile_grammar(VOCABULARY, structural_tag=tag, sources={"text": TEXT})
    assert takes(grammar, "<q>da Ho</q>")
    assert not takes(grammar, "<q>da ho</q>")
    schema = tag_of({"type": "json_schema", "json_schema": QUOTE})
    assert takes(compile_grammar(VOCABULARY, structural_tag=schema, sources={"text": TEXT}), '"Bob"')
    with pytest.raises(InvalidStructuralTagError, match="unknown field 'boundary'"):
        compile_grammar(VOCABULARY, structural_tag=tag_of({**content, "boundary": "any"}), sources={"text": TEXT})
    with pytest.raises(InvalidStructuralTagError, match="has no quote"):
        compile_grammar(VOCABULARY, structural_tag=tag, sources={"text": ""})
    with pytest.raises(GrammarError, match="there is no source 'other'"):
        compile_grammar(
            VOCABULARY,
            structural_tag=tag_of({"type": "json_schema", "json_schema": {"x-quote": "other"}}),
            sources={"text": TEXT},
        )


def test_a_quote_in_a_combination() -> None:
    both = [{"json_schema": {**QUOTE, "pattern": "[A-Z]"}}, {"banned_substrings": ["Holm"]}]
    grammar = compile_grammar(VOCABULARY, all_of=both, sources={"text": TEXT})
    assert takes(grammar, '"Dear Ada"')
    for other in ('"fair"', '"Ada Holm"', '"Eve"'):
        assert not takes(grammar, other)
    assert {(entry.keyword, entry.enforcement) for entry in grammar.report} >= {("x-quote", "exactly")}


def test_the_report_says_how_it_is_enforced() -> None:
    report = grammar_of({"items": QUOTE, "type": "array"}).report
    assert ("/items", "x-quote", "exactly") in {(one.pointer, one.keyword, one.enforcement) for one in report}
    numbers = grammar_of({"type": "integer", "x-quote": "text"}).report
    assert ("", "x-quote", "no effect on this type") in {(one.pointer, one.keyword, one.enforcement) for one in numbers}


def test_the_arguments_come_to_the_same_grammar_again() -> None:
    grammar = grammar_of(QUOTE)
    arguments = json.loads(json.dumps(grammar.spec.arguments))
    assert arguments["sources"] == {"text": TEXT}
    assert takes(compile_grammar(VOCABULARY, **arguments), '"Ada Holm"')


@pytest.mark.parametrize("backend", ["llguidance", "xgrammar", "outlines_core"])
def test_other_backends_refuse_quotes(backend: str) -> None:
    with pytest.raises(UnsupportedGrammarError, match="does not take quotes"):
        compile_grammar(VOCABULARY, json_schema=QUOTE, sources={"text": TEXT}, backend=backend)
    with pytest.raises(UnsupportedSchemaError) as error:
        compile_grammar(VOCABULARY, json_schema={"type": "array", "items": QUOTE, "maxItems": 2}, backend=backend)
    assert error.value.keyword == "x-quote"
    assert error.value.pointer == "/items"


def test_other_backends_refuse_quotes_in_grammars() -> None:
    with pytest.raises(UnsupportedSchemaError, match="x-quote"):
        compile_grammar(VOCABULARY, ebnf=f"start: %json {json.dumps(QUOTE)}", dialect="lark", backend="llguidance")
    tag = tag_of({"type": "json_schema", "json_schema": QUOTE})
    with pytest.raises(UnsupportedSchemaError, match="x-quote"):
        compile_grammar(VOCABULARY, structural_tag=tag, backend="xgrammar")


def test_a_plain_grammar_lets_go_of_its_text_at_once() -> None:
    """No garbage collection is needed, unless completions were looked for."""
    text = SourceText("Ada Holm, Bob and Eve of Zzyzx were here")
    there = weakref.ref(text)
    schema = {"type": "object", "properties": {"a": QUOTE, "b": {"anyOf": [QUOTE, {"type": "null"}]}}}
    compiled = compile_grammar(VOCABULARY, json_schema={**schema, "required": ["a"]}, sources={"text": text})
    gc.collect()
    gc.disable()
    try:
        matcher = compiled.matcher()
        assert accept_bytes(matcher, b'{"a":"Ada')
        assert mask_of(matcher, VOCABULARY)
        del compiled, matcher, text
        assert there() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "grammar",
    [
        {"json_schema": {"type": "array", "items": {**QUOTE, "minLength": 3}, "uniqueItems": True, "maxItems": 3}},
        {"json_schema": {"oneOf": [QUOTE, {"type": "string", "maxLength": 4}]}},
        {"structural_tag": {"type": "structural_tag", "format": {"type": "quote", "source": "text"}}},
        {"all_of": [{"json_schema": QUOTE}, {"banned_substrings": ["Bob"]}]},
    ],
)
def test_nothing_is_kept_of_a_text(grammar: dict[str, Any]) -> None:
    text = SourceText("Ada Holm, Bob and Eve of Zzyzx were here")
    there = weakref.ref(text)
    compiled = compile_grammar(VOCABULARY, sources={"text": text}, **grammar)
    matcher = compiled.matcher()
    for _ in range(12):
        token_ids = mask_of(matcher, VOCABULARY)
        if matcher.is_terminated() or not matcher.accept_token(token_ids[len(token_ids) // 2]):
            break
    matcher.find_shortest_completion()
    del compiled, matcher, text
    gc.collect()
    assert there() is None
