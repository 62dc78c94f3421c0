"""What a request of SGLang may ask of the plug-in, and what becomes of SGLang's texts of grammars."""

from __future__ import annotations

import json
from dataclasses import fields
from types import SimpleNamespace
from typing import Any

import pytest

from guided.grammars.errors import GrammarInputError, InvalidInputError, InvalidStructuralTagError
from guided.integrations.common.errors import RequestOptionError
from guided.integrations.sglang.options import REFUSED, SglangOptions
from guided.integrations.sglang.sources import grammar_arguments, server_whitespace, with_options
from guided.params.sampling_params import SamplingParams


def test_every_field_of_our_sampling_parameters_is_an_option_or_refused_by_name() -> None:
    options = {field.name for field in fields(SglangOptions)}
    assert not options & REFUSED.keys()
    assert {field.name for field in fields(SamplingParams)} - options - REFUSED.keys() == set()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"draft_forced": True}, "guided.draft_forced: unknown option; known are whitespace"),
        ({"seed": 1}, "guided.seed: can't be given to SGLang's engine: SGLang's field for it is sampling_seed"),
        ({"close": 1}, "guided.close: expected true or false, not a int"),
    ],
)
def test_what_is_wrong_is_named(given: Any, message: str) -> None:
    with pytest.raises(RequestOptionError, match=message):
        SglangOptions.read({"guided": given})


@pytest.mark.parametrize("source", ["{}", "a+", '{"guided": {"values": "any"}, "source": "{}"}', '{"guided": {'])
@pytest.mark.parametrize("options", [{}, {"values": "any"}, {"resources": {"u": {"type": "null"}}, "close": False}])
def test_texts_with_options_are_read_back_and_none_is_mistaken_for_one(source: str, options: dict[str, Any]) -> None:
    text = with_options(source, SglangOptions(**options))
    arguments = grammar_arguments("json", text)
    expected = {name: value for name, value in options.items() if name != "close"}
    assert arguments == {"json_schema": source, "values": "canonical", **expected}
    if not expected and not source.startswith('{"guided": {'):
        assert text == source, "SGLang sees what it would see without the plug-in"


def test_each_kind_has_its_arguments() -> None:
    assert grammar_arguments("json", "$$ANY$$") == {"json_schema": {}, "values": "canonical"}
    assert grammar_arguments("json", "{}", "compact")["whitespace"] == "compact"
    own = with_options("{}", SglangOptions(whitespace="spaced"))
    assert grammar_arguments("json", own, "compact")["whitespace"] == "spaced"
    assert grammar_arguments("regex", "$$ANY$$", "compact") == {"regex": "$$ANY$$"}
    lark = with_options("start: /a/", SglangOptions(dialect="lark"))
    assert grammar_arguments("ebnf", lark) == {"ebnf": "start: /a/", "dialect": "lark", "values": "canonical"}
    with pytest.raises(GrammarInputError, match=r"guided.dialect applies to ebnf only"):
        grammar_arguments("regex", with_options("a", SglangOptions(dialect="lark")))


def tag_of(tag: Any) -> Any:
    return grammar_arguments("structural_tag", json.dumps(tag))["structural_tag"]


def test_structural_tags_as_sglangs_tools_write_them() -> None:
    one = {"begin": "<f>", "schema": None, "end": "</f>"}
    older = {"type": "structural_tag", "structures": [one], "triggers": ["<f>"], "at_least_one": False}
    assert tag_of(older) == {"type": "structural_tag", "structures": [{**one, "schema": {}}], "triggers": ["<f>"]}
    required = tag_of({**older, "at_least_one": True})["format"]
    content = {"type": "json_schema", "json_schema": {}}
    assert required["tags"] == [{"begin": "<f>", "content": content, "end": "</f>"}]
    assert (required["type"], required["triggers"], required["at_least_one"]) == ("triggered_tags", ["<f>"], True)
    schema = {"type": "object", "properties": {"type": {"type": "json_schema"}}}
    newer = {"format": {"type": "sequence", "elements": [content, {"type": "json_schema", "json_schema": schema}]}}
    assert tag_of(newer) == newer
    assert tag_of({"format": {"type": "tag", "content": {"type": "json_schema"}}})["format"]["content"] == content
    with pytest.raises(InvalidStructuralTagError, match="is no JSON text"):
        grammar_arguments("structural_tag", "{")


def flags(pattern: str | None = None, *, is_compact: bool = False, max_count: int | None = None) -> Any:
    return SimpleNamespace(
        constrained_json_whitespace_pattern=pattern,
        constrained_json_disable_any_whitespace=is_compact,
        constrained_json_max_whitespace_cnt=max_count,
    )


def test_the_servers_flags_say_what_white_space_is() -> None:
    assert server_whitespace(flags()) is None
    assert server_whitespace(flags("[ ]?")) == "[ ]?"
    assert server_whitespace(flags(is_compact=True)) == "compact"
    assert server_whitespace(flags(max_count=3)) == r"[ \t\r\n]{0,3}"
    with pytest.raises(InvalidInputError, match=r"pattern and --constrained-json-disable-\S+ exclude each other"):
        server_whitespace(flags("[ ]?", is_compact=True))
