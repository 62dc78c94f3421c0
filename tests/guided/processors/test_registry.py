"""Processors by name, their typed parameters, and what a request may write."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pytest
import torch
from pydantic import BaseModel, Field

from guided.grammars.errors import InvalidInputError
from guided.params.sampling_params import SamplingParams
from guided.processors import (
    CustomLogitProcessor,
    ProcessorParamsError,
    ProcessorRow,
    UnknownProcessorError,
    get_logit_processor,
    logit_processor_names,
    register_logit_processor,
    registry,
    resolve_processors,
)
from guided.processors.rows import ProcessedRequest


@dataclass(frozen=True)
class BoostParams:
    token_id: Annotated[int, Field(ge=0, le=9)]
    amount: Annotated[float, Field(gt=0, le=5)] = 1.0
    others: tuple[int, ...] = ()


class BoostModel(BaseModel):
    token_id: Annotated[int, Field(ge=0, le=9)]


class Boost(CustomLogitProcessor):
    params_type = BoostParams

    def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
        return logits


@pytest.fixture(autouse=True)
def own_names() -> Iterator[None]:
    """What a test registers is gone after it."""
    classes, objects = dict(registry._CLASSES), dict(registry._OBJECTS)
    yield
    for kept, before in ((registry._CLASSES, classes), (registry._OBJECTS, objects)):
        kept.clear()
        kept.update(before)  # type: ignore[arg-type]


def test_registered_name() -> None:  # B12
    assert register_logit_processor("boost")(Boost) is Boost
    assert isinstance(get_logit_processor("boost"), Boost)
    assert get_logit_processor("boost") is get_logit_processor("boost")
    assert "boost" in logit_processor_names()


def test_built_in_names_load() -> None:
    assert len(registry.BUILT_IN) == 4
    for name in registry.BUILT_IN:
        processor = get_logit_processor(name)
        assert processor.is_trusted
        assert dataclasses.is_dataclass(processor.params_type)


def test_names_are_unique() -> None:
    register_logit_processor("boost")(Boost)
    register_logit_processor("boost")(Boost)  # a notebook cell run twice

    class Other(Boost):
        pass

    for name in ("boost", "top_n_sigma"):
        with pytest.raises(InvalidInputError, match="already registered"):
            register_logit_processor(name)(Other)


@pytest.mark.parametrize("name", ["", " ", '{"callable"', "a\nb"])
def test_names_that_can_not_be_told_from_other_texts(name: str) -> None:
    with pytest.raises(InvalidInputError, match="printable"):
        register_logit_processor(name)


def test_only_processors_with_checkable_parameters_register() -> None:
    class Loose(Boost):
        params_type = dict

    with pytest.raises(InvalidInputError, match="dataclass or a Pydantic model"):
        register_logit_processor("loose")(Loose)
    with pytest.raises(InvalidInputError, match="not a subclass"):
        register_logit_processor("no")(dict)  # type: ignore[type-var]


@pytest.mark.parametrize(
    ("name", "instead"),
    [("dry", "no_repeat"), ("xtc", "no_repeat"), ("min_words", "min_new"), ("allowed_tokens", "the parameter")],
)
def test_processors_that_were_built_in(name: str, instead: str) -> None:
    with pytest.raises(UnknownProcessorError, match=f"no longer built in; use {instead}"):
        resolve_processors([name])


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownProcessorError, match=r"'dyr'; known: disallowed_tokens, .*no_repeat_ngram.*top_n_sigma"):
        resolve_processors(["dyr"])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "boost: token_id: field required"),
        ({"token_id": 10}, r"boost: token_id: input should be less than or equal to 9, not 10"),
        ({"token_id": "3"}, "boost: token_id: input should be a valid integer, not '3'"),
        ({"token_id": True}, "boost: token_id: input should be a valid integer, not True"),
        ({"token_id": 3, "amount": 0}, "boost: amount: input should be greater than 0, not 0"),
        ({"token_id": 3, "amount": float("nan")}, "boost: amount: "),
        ({"token_id": 3, "others": [1, "x"]}, r"boost: others.1: input should be a valid integer, not 'x'"),
        ({"token_id": 3, "extra": 1}, "boost: unknown parameter 'extra'; known: token_id, amount, others"),
        ({"token_id": object()}, "plain values"),
        ([3], "must be a dict"),
        ({3: 3}, "strings as keys"),
    ],
)
def test_parameters_are_checked(values: Any, message: str) -> None:
    register_logit_processor("boost")(Boost)
    with pytest.raises(ProcessorParamsError, match=message):
        resolve_processors([("boost", values)])


def test_parameters_become_the_type() -> None:
    register_logit_processor("boost")(Boost)
    expected = BoostParams(3, 2.0, (1, 2))
    for values in (
        {"token_id": 3, "amount": 2, "others": [1, 2]},
        {"token_id": np.int64(3), "amount": 2.0, "others": {2, 1}},
        {"token_id": 3, "amount": 2.0, "others": torch.tensor([1, 2])},
        expected,
    ):
        assert resolve_processors([("boost", values)])[0].params == expected


def test_pydantic_models_are_parameter_types() -> None:
    class BoostTwo(Boost):
        params_type = BoostModel

    register_logit_processor("boost two")(BoostTwo)
    assert resolve_processors([("boost two", {"token_id": 2})])[0].params == BoostModel(token_id=2)
    assert resolve_processors([("boost two", BoostModel(token_id=2))])[0].params == BoostModel(token_id=2)
    with pytest.raises(ProcessorParamsError, match="token_id"):
        resolve_processors([("boost two", {"token_id": -1})])


def test_types_that_can_not_be_checked() -> None:
    unknown = dataclasses.make_dataclass("Unknown", [("value", "NoSuchType")])

    class Odd(Boost):
        params_type = unknown

    with pytest.raises(ProcessorParamsError, match="Odd: the type Unknown can't be checked"):
        resolve_processors([(Odd, {"value": 1})])


@dataclass(frozen=True, slots=True)
class SlottedParams:
    """Has no `__dict__`."""

    amount: int = 3


@pytest.mark.parametrize("params", [SlottedParams(), BoostModel(token_id=3), {"amount": 3}])
def test_rows_are_mappings_of_their_parameters(params: Any) -> None:
    row = ProcessorRow("x", params, ProcessedRequest())
    assert list(dict(row).values()) == [3]
    assert row.get("nothing") is None


def test_ways_to_name_a_processor() -> None:
    register_logit_processor("boost")(Boost)
    values = {"token_id": 1}
    own = Boost()
    specs = [
        "boost",
        ("boost", values),
        {"name": "boost", "params": values},
        {"name": "boost"},
        Boost,
        own,
        (own, values),
    ]
    bound = resolve_processors(specs, values)
    assert [one.params for one in bound] == [BoostParams(1)] * len(specs)
    assert [one.name for one in bound] == ["boost"] * 4 + ["Boost"] * 3
    assert bound[5].processor is own


@pytest.mark.parametrize(
    "spec", [3, None, ("boost",), {"params": {}}, {"name": "top_n_sigma", "param": {}}, object, b"top_n_sigma"]
)
def test_what_is_no_processor(spec: Any) -> None:
    with pytest.raises(ProcessorParamsError, match="logit processor"):
        resolve_processors([spec])


def test_without_a_type_the_parameters_are_the_dict() -> None:
    class Plain(CustomLogitProcessor):
        def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
            return logits

    assert resolve_processors([Plain], {"anything": [1]})[0].params == {"anything": [1]}
    assert resolve_processors([Plain])[0].params == {}


def test_custom_params_of_a_request_reach_a_typed_processor() -> None:  # A5.1
    params = SamplingParams(logit_processors=["top_n_sigma"], custom_params={"n": 2})
    bound = resolve_processors(params.logit_processors or (), params.custom_params)
    assert bound[0].params.n == 2.0


def test_order_is_by_stage_and_then_as_listed() -> None:
    class Late(Boost):
        order = 95
        params_type = None

    class Plain(Boost):
        params_type = None

    class Second(Plain):
        pass

    budget = ("thinking_budget", {"budget": 1, "begin_token_id": 1, "end_token_id": 2})
    specs = [budget, Late, ("top_n_sigma", {}), Second, Plain, ("disallowed_tokens", {"token_ids": [1]})]
    names = [one.name for one in resolve_processors(specs)]
    assert names == ["disallowed_tokens", "Second", "Plain", "top_n_sigma", "Late", "thinking_budget"]


def test_token_ids_are_checked_against_the_vocabulary() -> None:
    from tests.guided.fixed_strings import byte_vocabulary

    vocabulary = byte_vocabulary()
    for name, params in (
        ("disallowed_tokens", {"token_ids": [265]}),
        ("no_repeat_ngram", {"ngram_size": 2, "whitelist_token_ids": [265]}),
        ("thinking_budget", {"budget": 1, "begin_token_id": 265, "end_token_id": 1}),
    ):
        with pytest.raises(ProcessorParamsError, match=rf"{name}: token_ids: 265 is outside .* \[0, 264\]"):
            resolve_processors([(name, params)], vocabulary=vocabulary)
