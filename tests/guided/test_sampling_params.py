"""`SamplingParams`: what is taken, what is refused, what each value means."""

from __future__ import annotations

import math
from typing import Any

import pytest

from guided.grammars.errors import InvalidInputError
from guided.sampling_params import SamplingParams


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
    ],
)
def test_taken_as_it_is(fields: dict[str, Any]) -> None:
    params = SamplingParams(**fields)
    assert {name: getattr(params, name) for name in fields} == fields


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
