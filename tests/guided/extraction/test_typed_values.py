"""Types that Pydantic reads and writes in ways of its own, as values and examples."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
import pytest
from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    Field,
    RootModel,
    TypeAdapter,
    field_serializer,
)
from typing_extensions import TypedDict

from guided.errors import SchemaMismatchError
from guided.extraction.extraction import Extraction, ExtractionTarget, unwrap
from guided.grammars.errors import InvalidInputError
from guided.output.completion import Completion
from guided.schemas.decimal_places import WrittenFloat
from guided.schemas.python_types import grammar_schema, to_json_schema


def read(annotation: Any, document: str) -> Any:
    target: ExtractionTarget[Any] = ExtractionTarget(annotation)
    return unwrap(target.read(completion_of(document)))


def completion_of(text: str) -> Completion:
    return Completion(text, (1,), "stop", None, num_prompt_tokens=1, num_forced_tokens=0, elapsed_s=0.5)


class Price(BaseModel):
    amount: Decimal
    rate: float = 0.0


class Line(BaseModel):
    kind: Literal["line"]
    price: Annotated[Decimal, Field(gt=0, decimal_places=4)] | None
    parts: list[Line] = []


class Fee(BaseModel):
    kind: Literal["fee"]
    price: Annotated[float, Field(strict=True)]


@dataclass
class Totals:
    by_name: dict[str, Decimal]
    pair: tuple[Decimal, float]


class Seen(BaseModel):
    plain: Decimal
    checked: Annotated[Decimal, BeforeValidator(lambda value: round(value, 1))]


class OwnInit(BaseModel):
    amount: Decimal

    def __init__(self, **data: Any) -> None:
        super().__init__(amount=data["amount"] * 2)


@pytest.mark.parametrize(
    ("annotation", "document", "found"),
    [
        (Price, '{"amount": 1234567890123.4567, "rate": 1.50}', Price(amount=Decimal("1234567890123.4567"), rate=1.5)),
        (Price, '{"amount": "12.50"}', Price(amount=Decimal("12.50"))),
        (Price, '{"amount": 12}', Price(amount=Decimal(12))),
        (Decimal, "0.10000000000000000001", Decimal("0.10000000000000000001")),
        (
            list[Annotated[Line | Fee, Field(discriminator="kind")]],
            '[{"kind": "line", "price": 12.50, "parts": [{"kind": "line", "price": 0.10}]}, '
            '{"kind": "fee", "price": 1.50}]',
            [
                Line(kind="line", price=Decimal("12.50"), parts=[Line(kind="line", price=Decimal("0.10"))]),
                Fee(kind="fee", price=1.5),
            ],
        ),
        (Line | Fee, '{"kind": "fee", "price": 1.50}', Fee(kind="fee", price=1.5)),
        (
            Totals,
            '{"by_name": {"a": 1.10}, "pair": [2.20, 3.30]}',
            Totals({"a": Decimal("1.10")}, (Decimal("2.20"), 3.3)),
        ),
    ],
    ids=str,
)
def test_a_decimal_has_the_digits_that_were_written(annotation: Any, document: str, found: Any) -> None:
    value = read(annotation, document)
    assert value == found
    assert repr(value) == repr(found), "with all zeros at the end"


def test_what_a_types_own_code_reads_first_stays_a_number() -> None:
    seen = read(Seen, '{"plain": 12.50, "checked": 12.50}')
    assert (str(seen.plain), str(seen.checked)) == ("12.50", "12.5")
    assert read(OwnInit, '{"amount": 1.50}').amount == 3
    assert str(read(Decimal | float, "12.50")) == "12.5", "may be either"
    assert str(read(str | Decimal, "12.50")) == "12.5"
    assert read(dict[str, Any] | Price, '{"amount": 12.50}') == {"amount": 12.5}


def test_the_data_of_a_type_with_decimals_are_floats_that_know_their_digits() -> None:
    target: ExtractionTarget[Price] = ExtractionTarget(Price)
    found = target.read(completion_of('{"amount": 12.50, "rate": 0.0}'))
    number = found.data["amount"]
    assert (found.data, json.dumps(found.data)) == ({"amount": 12.5, "rate": 0.0}, '{"amount": 12.5, "rate": 0.0}')
    assert isinstance(number, WrittenFloat)
    assert [one.text for one in (number, copy.deepcopy(number), pickle.loads(pickle.dumps(number)))] == ["12.50"] * 3
    merged: Extraction[Price] = replace(found, value=None, completion=completion_of(json.dumps(found.data)))
    again = target.with_value(merged).value
    assert again is not None
    assert str(again.amount) == "12.50", "also of data that were merged"
    assert type(ExtractionTarget({}).read(completion_of("1.50")).data) is float


def test_a_document_that_neither_schema_nor_type_takes_does_not_fit_its_schema() -> None:
    target: ExtractionTarget[Price] = ExtractionTarget(Price)
    failed = target.read(completion_of('{"amount": [1]}'))
    assert isinstance(failed.error, SchemaMismatchError)
    assert str(failed.error).startswith("the document does not fit its schema: $.amount: [1] is not valid")
    assert (failed.is_valid, failed.value) == (False, None)


class Deep(BaseModel):
    first: str = Field(validation_alias=AliasPath("names", 0))
    second: str = Field(validation_alias=AliasPath("names", 1))
    zip_code: str | None = Field(default=None, validation_alias=AliasPath("address", "zip"))
    city: str = Field(validation_alias=AliasPath("address", "city"))
    whole: str = Field(validation_alias=AliasPath("all"))
    age: int = Field(validation_alias=AliasChoices(AliasPath("a", 0), "years"))


def test_fields_that_are_read_from_paths() -> None:
    document = '{"names": ["Ada", "L."], "address": {"city": "London"}, "all": "x", "years": 36}'
    deep = read(Deep, document)
    assert (deep.first, deep.second, deep.city, deep.zip_code, deep.whole, deep.age) == (
        *("Ada", "L.", "London", None, "x", 36),
    )
    shown, generated = to_json_schema(Deep), grammar_schema(Deep)
    assert shown == generated
    assert isinstance(shown, dict)
    assert shown["required"] == list(shown["properties"]) == ["names", "address", "all", "years"]
    assert shown["properties"]["address"]["required"] == ["city"]
    wrong = ExtractionTarget[Deep](Deep).read(completion_of(document.replace('"L."', "7")))
    assert "$.names[1]" in str(wrong.error)


class Inner(BaseModel):
    when: int = Field(validation_alias="at", serialization_alias="written_at")


class Outer(BaseModel):
    name: str = Field(validation_alias="full_name")
    secret: str = Field(exclude=True)
    hidden: list[Inner] = Field(exclude=True, default=[])
    inner: dict[str, list[Inner]]
    code: str = Field(validation_alias=AliasPath("codes", 1))
    other: str = Field(alias="else")

    @pydantic.computed_field  # type: ignore[prop-decorator]
    @property
    def size(self) -> int:
        return len(self.name)

    @field_serializer("name")
    def as_written(self, name: str) -> str:
        return name.upper()


@dataclass
class Job:
    title: Annotated[str, Field(validation_alias="what")]
    owner: Inner
    number: int = dataclasses.field(init=False, default=3)


class Jobs(RootModel[tuple[Job, ...]]):
    pass


OUTER = {
    "full_name": "ADA",
    "secret": "s",
    "hidden": [{"at": 2}],
    "inner": {"a": [{"at": 1}]},
    "codes": [None, "c"],
    "else": "o",
}


@pytest.mark.parametrize(
    ("annotation", "document"),
    [
        (Outer, OUTER),
        (list[Outer], [OUTER]),
        (Job, {"what": "cook", "owner": {"at": 5}}),
        (Jobs, [{"what": "cook", "owner": {"at": 5}}]),
        (Inner, {"at": 4}),
    ],
    ids=str,
)
def test_an_instance_that_its_type_writes_otherwise_is_no_example(annotation: Any, document: Any) -> None:
    target: ExtractionTarget[Any] = ExtractionTarget(annotation)
    instance = TypeAdapter(annotation).validate_python(document)
    with pytest.raises(InvalidInputError, match=r"examples\[0\]"):
        target.documents([("text", instance)], {})
    assert target.documents([("text", document)], {}) == [("text", document)]
    assert unwrap(target.read(completion_of(json.dumps(document)))) == instance


class Bill(TypedDict):
    total: Decimal


def test_a_dict_with_what_json_has_no_form_for_is_written_as_its_type_writes_it() -> None:
    target: ExtractionTarget[Bill] = ExtractionTarget(Bill)
    (example,) = target.documents([("text", Bill(total=Decimal("1.10")))], {})
    assert example == ("text", {"total": "1.10"})
    assert target.documents([("text", {"total": 1.5})], {}) == [("text", {"total": 1.5})]


def test_a_model_that_writes_itself_is_written_so() -> None:
    class Own(BaseModel):
        name: str = Field(validation_alias="n")

        @pydantic.model_serializer
        def written(self) -> dict[str, str]:
            return {"n": self.name}

    target: ExtractionTarget[Own] = ExtractionTarget(Own)
    assert target.documents([("text", Own.model_validate({"n": "a"}))], {}) == [("text", {"n": "a"})]
    with pytest.raises(InvalidInputError, match="no document of 7"):
        target.documents([("text", 7)], {})


def test_a_decimals_extraction_end_to_end(tiny_model_folder: Path) -> None:
    from guided.llm import LLM

    price = LLM(tiny_model_folder, device="cpu").extract_detailed("a text", Price)
    assert isinstance(price, Extraction)
    assert isinstance(price.value, Price)
    assert str(price.value.amount) in price.completion.text
