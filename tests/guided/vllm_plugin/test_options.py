"""What a request of vLLM may ask of the plug-in, and what it is told about the rest."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest

from guided.grammars.errors import GrammarInputError
from guided.integrations.common.errors import RequestOptionError
from guided.integrations.vllm.options import REFUSED, VllmOptions
from guided.integrations.vllm.sources import grammar_arguments
from guided.params.sampling_params import SamplingParams

from .stand_ins import Outputs


def test_without_options_all_are_defaults() -> None:
    assert VllmOptions.read(None) == VllmOptions.read({}) == VllmOptions.read({"other": 1}) == VllmOptions()


def test_objects_and_json_text_say_the_same() -> None:
    options = {"values": "any", "close": False, "logit_processors": ["top_n_sigma"], "custom_params": {"n": 1.0}}
    read = VllmOptions.read({"guided": options})
    assert read == VllmOptions.read({"guided": json.dumps(options)})
    assert (read.values, read.close, read.logit_processors) == ("any", False, ("top_n_sigma",))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("{", "guided: is no JSON text"),
        ([], "guided: expected an object or its JSON text, not a list"),
        ({"valuse": "any"}, "guided.valuse: unknown option; known are whitespace"),
        ({"penalize_forced": True}, "guided.penalize_forced: can't be given to vLLM's engine: vLLM's sampler counts"),
        ({"min_new_tokens": 3}, "vLLM's field for it is min_tokens"),
        ({"close": "no"}, "guided.close: expected true or false, not a str"),
        ({"logit_processors": "top_n_sigma"}, "guided.logit_processors: expected a list, not a str"),
        ({"custom_params": {"n": 1}}, "guided.custom_params: only applies to logit_processors"),
    ],
)
def test_what_is_wrong_is_named(given: Any, message: str) -> None:
    with pytest.raises(RequestOptionError, match=message.replace("(", r"\(")):
        VllmOptions.read({"guided": given})


def test_every_field_of_our_sampling_parameters_is_an_option_or_refused_by_name() -> None:
    options = {field.name for field in fields(VllmOptions)}
    assert not options & REFUSED.keys()
    assert {field.name for field in fields(SamplingParams)} - options - REFUSED.keys() == set()


SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}
ANY = {"json_schema": {}, "values": "canonical"}
ALL_OF = {"all_of": [{"regex": "a+"}, {"banned_substrings": ["aaa"]}]}


@pytest.mark.parametrize(
    ("outputs", "options", "arguments"),
    [
        (Outputs(json=SCHEMA), {}, {"json_schema": SCHEMA, "values": "canonical"}),
        (Outputs(json="{}"), {"values": "any"}, {"json_schema": "{}", "values": "any"}),
        (Outputs(json_object=True), {}, {"json_schema": {"type": "object"}, "values": "canonical"}),
        (Outputs(json={}, disable_any_whitespace=True), {}, {**ANY, "whitespace": "compact"}),
        (Outputs(json={}, whitespace_pattern=" ?"), {}, {**ANY, "whitespace": " ?"}),
        (Outputs(json={}), {"whitespace": "spaced"}, {**ANY, "whitespace": "spaced"}),
        (Outputs(regex="a+"), {}, {"regex": "a+"}),
        (Outputs(choice=["a", "b"]), {}, {"choice": ["a", "b"]}),
        (Outputs(choice='["a"]'), {}, {"choice": ["a"]}),
        (Outputs(grammar="x"), {"dialect": "gbnf"}, {"ebnf": "x", "dialect": "gbnf", "values": "canonical"}),
        (Outputs(structural_tag="{}"), {}, {"structural_tag": "{}", "values": "canonical"}),
        (Outputs(grammar=json.dumps(ALL_OF)), {"arguments": True}, ALL_OF),
    ],
)  # fmt: skip
def test_each_grammar_becomes_its_arguments(outputs: Outputs, options: Any, arguments: Any) -> None:
    assert grammar_arguments(outputs, VllmOptions.read({"guided": options})) == arguments


@pytest.mark.parametrize(
    ("outputs", "options", "message"),
    [
        (Outputs(), {}, "exactly one grammar, not 0"),
        (Outputs(json={}, regex="a"), {}, "exactly one grammar, not 2: json, regex"),
        (Outputs(json_object=False), {}, "json_object is true or left out"),
        (Outputs(json={}, disable_additional_properties=True), {}, 'write "additionalProperties": false'),
        (Outputs(regex="a", disable_any_whitespace=True), {}, "disable_any_whitespace applies to json_schema only"),
        (Outputs(json={}, whitespace_pattern=" "), {"whitespace": "compact"}, "exclude each other"),
        (Outputs(json={}), {"dialect": "lark"}, "guided.dialect applies to ebnf only"),
        (Outputs(regex="a"), {"values": "any"}, "guided.values applies to json_schema and ebnf and structural_tag"),
        (Outputs(regex="a"), {"arguments": True}, "arguments applies to structured_outputs.grammar, not to regex"),
        (Outputs(grammar="{}"), {"arguments": True, "dialect": "gbnf"}, "beside guided.arguments, dialect"),
        (Outputs(grammar="{"), {"arguments": True}, "structured_outputs.grammar is no JSON text"),
        (Outputs(grammar="[" * 9999), {"arguments": True}, "structured_outputs.grammar is no JSON text"),
        (Outputs(grammar="[]"), {"arguments": True}, "structured_outputs.grammar is no JSON object"),
        (Outputs(grammar='{"cache": null}'), {"arguments": True}, "unknown argument 'cache'; known are json_schema"),
        (Outputs(grammar='{"values": 1}'), {"arguments": True}, "values is a int; give a text"),
        (Outputs(grammar='{"resources": []}'), {"arguments": True}, "resources is no object"),
    ],
)
def test_fields_that_do_not_go_together_are_refused(outputs: Outputs, options: Any, message: str) -> None:
    with pytest.raises(GrammarInputError, match=message):
        grammar_arguments(outputs, VllmOptions.read({"guided": options}))
