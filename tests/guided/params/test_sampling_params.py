"""`SamplingParams`: what is taken, what is refused, what each value means."""

from __future__ import annotations

import math
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

import pytest

from guided.grammars.errors import InvalidInputError
from guided.params.sampling_params import SamplingParams


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", -0.1),
        ("temperature", math.nan),
        ("temperature", math.inf),
        ("temperature", "1"),
        ("temperature", None),
        ("temperature", True),
        ("top_p", -0.01),
        ("top_p", 1.01),
        ("top_p", math.nan),
        ("min_p", -0.5),
        ("min_p", 2),
        ("min_p", math.nan),
        ("top_k", -2),
        ("top_k", 1.0),
        ("top_k", True),
        ("seed", -1),
        ("seed", 2**63),
        ("seed", 0.5),
        ("max_new_tokens", 0),
        ("max_new_tokens", -1),
        ("regex", b"a"),
        ("ebnf", ["a"]),
        ("dialect", 1),
        ("skip_special_tokens", 1),
        ("n", 0),
        ("n", None),
        ("frequency_penalty", 2.01),
        ("presence_penalty", -2.01),
        ("presence_penalty", math.nan),
        ("repetition_penalty", 0),
        ("repetition_penalty", 1e-46),
        ("temperature", 10**400),
        ("min_new_tokens", 10**30),
        ("thinking_budget", 10**30),
        ("custom_params", {"a": 1}),
        ("stop", "\ud800"),
        ("repetition_penalty", 2.1),
        ("penalize_forced", 1),
        ("min_new_tokens", -1),
        ("min_new_tokens", 129),
        ("logit_bias", [1]),
        ("logit_bias", {"x": 1}),
        ("logit_bias", {"1": 1, 1: 2}),
        ("logit_bias", {1: 100.5}),
        ("logit_bias", {1: -math.inf}),
        ("logit_bias", {-1: 1}),
        ("bad_words", "word"),
        ("bad_words", [""]),
        ("bad_words", [[]]),
        ("bad_words", [[1.5]]),
        ("allowed_token_ids", []),
        ("allowed_token_ids", [-1]),
        ("allowed_token_ids", 3),
        ("logit_processors", "top_n_sigma"),
        ("custom_params", [1]),
        ("custom_params", {1: 2}),
        ("thinking", 1),
        ("thinking_budget", -1),
        ("stop", ""),
        ("stop", ["a", ""]),
        ("stop", [1]),
        ("stop", 1),
        ("stop_regex", [None]),
        ("stop_token_ids", [True]),
        ("stop_token_ids", ["a"]),
        ("include_stop_str_in_output", None),
        ("spaces_between_special_tokens", None),
        ("logprobs", -1),
        ("logprobs", True),
        ("prompt_logprobs", 1.5),
        ("logprob_token_ids", [1]),
        ("logprobs_mode", "cooked"),
        ("logprobs_mode", "processed"),
        ("filter_order", "top_p_first"),
        ("filter_order", None),
        ("filter_order", ["joint"]),
    ],
)
def test_refused_and_named(name: str, value: Any) -> None:
    with pytest.raises(InvalidInputError, match=name) as refusal:
        SamplingParams(**{name: value})
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "fields",
    [
        {"temperature": 0},
        {"temperature": 1e30},
        {"top_p": 0},
        {"top_p": 1},
        {"min_p": 1.0},
        {"top_k": -1},
        {"top_k": 0},
        {"top_k": None},
        {"top_k": 2**40},
        {"seed": 0},
        {"seed": 2**63 - 1},
        {"max_new_tokens": None},
        {"filter_order": "joint"},
        {"frequency_penalty": -2, "presence_penalty": 2},
        {"repetition_penalty": 0.01},
        {"repetition_penalty": 2},
        {"min_new_tokens": 128},
        {"min_new_tokens": 500, "max_new_tokens": None},
        {"logit_bias": {0: 100, 5: -100.0}},
        {"custom_params": {}},
        {"bad_words": ["a", [1, 2]]},
        {"stop": "a", "stop_regex": ["b"], "stop_token_ids": []},
        {"logprobs": 0, "logprob_token_ids": [1, 2], "logprobs_mode": "processed"},
        {"prompt_logprobs": 0},
        {"thinking": False, "thinking_budget": 0},
    ],
)
def test_taken_as_it_is(fields: dict[str, Any]) -> None:
    params = SamplingParams(**fields)
    assert {name: getattr(params, name) for name in fields} == fields


def test_names_of_other_engines_are_taken_too() -> None:
    params = SamplingParams(max_tokens=9, min_tokens=2, logits_processors=["top_n_sigma"])  # type: ignore[call-arg]
    assert params == SamplingParams(max_new_tokens=9, min_new_tokens=2, logit_processors=["top_n_sigma"])
    assert replace(params, max_new_tokens=3).max_new_tokens == 3
    for max_new_tokens in (5, 9, 128):
        changed = replace(params, max_tokens=max_new_tokens, min_tokens=1)  # type: ignore[call-arg]
        assert changed == replace(params, max_new_tokens=max_new_tokens, min_new_tokens=1)
    with pytest.raises(InvalidInputError, match="max_tokens is another name of max_new_tokens"):
        SamplingParams(max_tokens=9, max_new_tokens=9)  # type: ignore[call-arg]


def test_every_field_of_the_reference_is_there() -> None:  # A5.1
    """Under our own names: seed is sampling_seed there, include_stop_str_in_output no_stop_trim."""
    names = """temperature top_p top_k min_p frequency_penalty presence_penalty repetition_penalty min_new_tokens
        max_new_tokens stop stop_token_ids stop_regex ignore_eos include_stop_str_in_output skip_special_tokens
        spaces_between_special_tokens json_schema regex ebnf structural_tag n logit_bias custom_params seed"""
    assert set(names.split()) <= {field.name for field in fields_of(SamplingParams)}
    default = SamplingParams()
    assert (default.temperature, default.top_p, default.min_p, default.max_new_tokens) == (1, 1, 0, 128)
    assert (default.frequency_penalty, default.presence_penalty, default.repetition_penalty) == (0, 0, 1)


def test_token_ids_as_json_has_them() -> None:  # A5.1
    assert SamplingParams(logit_bias={"0": 100, 5: -1.0}).logit_bias == {0: 100, 5: -1.0}


def test_custom_params_without_a_processor_say_why_not() -> None:  # A5.1
    with pytest.raises(InvalidInputError, match="are read by logit_processors, and there are none; name a processor"):
        SamplingParams(custom_params={"thinking_budget": 3})


def test_every_default_is_allowed() -> None:
    """Which only values that are not the default are asked."""
    checked = [field for field in fields_of(SamplingParams) if "check" in field.metadata]
    for field in checked:
        field.metadata["check"](field.name, field.default)
    unchecked = {"json_schema", "choice", "structural_tag", "all_of"}  # compiling says what is wrong with these
    assert {field.name for field in fields_of(SamplingParams)} - {field.name for field in checked} == unchecked


def test_lists_of_stops() -> None:
    params = SamplingParams(stop="a", stop_regex=["b", "c"])
    assert (params.stop_strings, params.stop_patterns) == (("a",), ("b", "c"))
    assert SamplingParams().stop_strings == ()


def test_unknown_names_are_refused() -> None:
    with pytest.raises(TypeError, match="topp"):
        SamplingParams(topp=0.5)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("temperature", "is_greedy"), [(0, True), (0.0, True), (9e-7, True), (1e-6, False), (1, False)]
)
def test_greedy_below_one_millionth(temperature: float, is_greedy: bool) -> None:
    assert SamplingParams(temperature=temperature).is_greedy is is_greedy


ONE_OF_EACH: dict[str, Any] = {
    "json_schema": {},
    "regex": "a",
    "choice": ["a"],
    "ebnf": 'root ::= "a"',
    "structural_tag": {"format": {"type": "any_text"}},
    "all_of": [{"regex": "a"}],
}


@pytest.mark.parametrize("first", ONE_OF_EACH)
@pytest.mark.parametrize("second", ONE_OF_EACH)
def test_constraints_exclude_each_other(first: str, second: str) -> None:
    fields = {name: ONE_OF_EACH[name] for name in (first, second)}
    if first == second:
        params = SamplingParams(**fields)
        assert params.is_constrained
        assert params.constraint == first
        return
    with pytest.raises(InvalidInputError, match=f"({first} and {second}|{second} and {first}) exclude each other"):
        SamplingParams(**fields)


def test_options_of_constraints() -> None:
    with pytest.raises(InvalidInputError, match="whitespace only applies to json_schema"):
        SamplingParams(regex="a", whitespace="compact")
    with pytest.raises(InvalidInputError, match="dialect only applies to ebnf"):
        SamplingParams(regex="a", dialect="gbnf")
    with pytest.raises(InvalidInputError, match="ignore_eos"):
        SamplingParams(regex="a", ignore_eos=True)
    assert SamplingParams(ebnf="a: b", dialect="lark").dialect == "lark"
    assert SamplingParams(json_schema=False).is_constrained
    assert not SamplingParams().is_constrained
