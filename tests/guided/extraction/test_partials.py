"""Typed objects with what is there so far: after each character of a document."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import typing
from decimal import Decimal
from typing import Annotated, Any, NotRequired, Required, TypedDict

import pytest
import typing_extensions
from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    RootModel,
)
from pydantic.alias_generators import to_camel
from pydantic.dataclasses import dataclass as pydantic_dataclass
from pydantic_core.core_schema import CoreSchema, json_or_python_schema

from guided.extraction import partials as partials_module
from guided.extraction.extraction import ExtractionTarget
from guided.json_events import JsonEventReader
from guided.schemas.python_types import type_adapter


class Line(BaseModel):
    """A line of an order."""

    product: str
    price: float = 1.0


class Order(BaseModel):
    """An order."""

    customer: Annotated[str, Field(alias="from")]
    due: dt.date | None
    lines: list[Line]


@dataclasses.dataclass(frozen=True)
class Note:
    """A note."""

    title: str
    tags: list[str]


class Card(TypedDict):
    """A card."""

    front: str
    back: str


def partials(annotation: Any, document: Any) -> list[Any]:
    """What there is after each character of the document, which is data, or JSON text."""
    target: ExtractionTarget[Any] = ExtractionTarget({} if annotation is None else annotation)
    reader, builder = target.event_reader, target.partials
    found = []
    for char in document if isinstance(document, str) else json.dumps(document):
        reader.push(char)
        found.append(builder.build(*reader.so_far()))
    return found


ORDER = {"from": "Ada", "due": "2026-05-03", "lines": [{"product": "lamp", "price": 12.5}]}


def test_a_model_grows() -> None:
    found = partials(Order, ORDER)
    assert all(isinstance(one, Order) for one in found)
    customers = list(dict.fromkeys(one.customer for one in found))
    assert customers == [None, "", "A", "Ad", "Ada"]
    assert list(dict.fromkeys(str(one.due) for one in found if not isinstance(one.due, str))) == ["None", "2026-05-03"]
    lines = [one.lines for one in found if one.lines]
    assert all(isinstance(line, Line) for some in lines for line in some)
    assert list(dict.fromkeys(some[0].price for some in lines)) == [None, 12.5]
    assert found[-1] == Order.model_validate(ORDER)


def test_the_end_is_the_instance_itself() -> None:
    assert partials(Note, {"title": "a", "tags": ["b", "c"]})[-1] == Note("a", ["b", "c"])
    assert partials(Card, {"front": "a", "back": "b"})[-1] == {"front": "a", "back": "b"}
    assert partials(list[int], [1, 2])[-1] == [1, 2]
    assert partials(None, {"a": [1]})[-1] == {"a": [1]}


def test_a_dataclass_and_a_typed_dict_grow() -> None:
    notes = partials(Note, {"title": "a", "tags": ["b", "cd"]})
    assert [] in [one.tags for one in notes]
    assert ["b", "c"] in [one.tags for one in notes]
    assert notes[0].title is None
    assert {"front": "a"} in partials(Card, {"front": "a", "back": "b"})


class Priced(BaseModel):
    """Numbers of which digits are kept, and others."""

    price: Decimal
    others: list[Decimal | None]
    weight: float


def test_a_decimal_has_all_digits() -> None:
    text = '{"price": 99.123456789012345, "others": [1.50, null], "weight": 0.1}'
    found = partials(Priced, text)
    assert found[-1] == Priced.model_validate_json(text.replace("99.123456789012345", '"99.123456789012345"'))
    prices = [one.price for one in found if one.price is not None]
    assert {str(one) for one in prices} == {"99.123456789012345"}
    assert len(prices) > 20
    assert str(found[-1].others[0]) == "1.50"
    assert ["1.50"] in [[str(price) for price in one.others] for one in found if one.others]


class Sent(BaseModel):
    """Fields that documents have in other places than their names."""

    model_config = ConfigDict(alias_generator=to_camel)

    city: Annotated[str, Field(validation_alias=AliasPath("to", "city"))]
    street: Annotated[str, Field(validation_alias=AliasPath("to", "lines", 1))]
    name: Annotated[str, Field(validation_alias=AliasChoices(AliasPath("who", "name"), "by", "from"))]
    order_lines: list[Line] = []


def test_fields_at_deeper_places_are_plain_data_until_it_is_done() -> None:
    document = {"to": {"city": "Oslo", "lines": ["a/b", "Elm"]}, "by": "Ada", "orderLines": [{"product": "lamp"}]}
    found = partials(Sent, document)
    assert {"to": {"city": "Os"}} in found
    assert found[-1] == Sent.model_validate(document)


class Renamed(BaseModel):
    """A field whose key is another one's name."""

    name: str = Field(alias="title")
    title: str = Field(validation_alias="heading")


def test_a_key_may_be_the_name_of_another_field() -> None:
    found = partials(Renamed, {"title": "A", "heading": "B"})
    assert list(dict.fromkeys((one.name, one.title) for one in found)) == [
        (None, None),
        ("", None),
        ("A", None),
        ("A", ""),
        ("A", "B"),
    ]


@dataclasses.dataclass
class Counted:
    """A field that no document has."""

    title: str
    count: int = dataclasses.field(init=False, default=7)


@pydantic_dataclass
class Titled:
    """A dataclass of Pydantic's."""

    title: str = Field(alias="Title")
    tags: list[str] = Field(default_factory=list)


class Labelled(typing_extensions.TypedDict):
    """A TypedDict with an alias."""

    title: Annotated[str, Field(alias="Title")]
    tags: list[str]


def test_a_class_with_fields_that_no_document_has_is_plain_data_until_it_is_done() -> None:
    found = partials(Counted, {"title": "Ada"})
    assert ({"title": "Ad"} in found, found[-1]) == (True, Counted("Ada"))


@pytest.mark.parametrize("annotation", [Titled, Labelled])
def test_aliases_of_dataclasses_and_typed_dicts(annotation: Any) -> None:
    document = {"Title": "Ada", "tags": ["b"]}
    found = partials(annotation, document)
    shown = [one if isinstance(one, dict) else vars(one) for one in found]
    assert {"", "A", "Ad", "Ada"} <= {one.get("title") for one in shown if not one.get("tags")}
    assert found[-1] == type_adapter(annotation).validate_python(document)


class Deferred(BaseModel):
    """A model that Pydantic completes when it is first used."""

    model_config = ConfigDict(defer_build=True, validate_by_alias=False, validate_by_name=True)
    name: str = Field(alias="Name")
    below: list[Deferred] = []


def test_a_model_that_is_built_late_and_has_no_use_for_aliases() -> None:
    found = partials(Deferred, {"name": "Ada", "below": [{"name": "Bo"}]})
    assert found[-1] == Deferred(name="Ada", below=[Deferred(name="Bo")])
    assert "Ad" in [one.name for one in found]
    assert "B" in [one.below[0].name for one in found if one.below]


def test_maps_and_root_models_are_plain_data_until_they_are_done() -> None:
    found = partials(dict[str, Line], {"a": {"product": "lamp", "price": 2}})
    assert ({"a": {"product": "la"}} in found, found[-1]) == (True, {"a": Line(product="lamp", price=2)})
    found = partials(RootModel[list[Note]], [{"title": "t", "tags": []}])
    assert ([{"title": "t"}] in found, found[-1].root) == (True, [Note("t", [])])


BARE_MAP = typing.Dict  # noqa: UP006 - another form than dict, which says nothing of its members either


@pytest.mark.parametrize(
    "annotation", [list[Line | Note], Any, dict, BARE_MAP, dict[str, Line | Note], dict[str, Line] | Card]
)
def test_where_the_type_is_open_it_is_plain_data(annotation: Any) -> None:
    document = [{"product": "lamp"}] if annotation == list[Line | Note] else {"product": {"product": "lamp"}}
    assert {"product": "la"} in [
        one[0] if isinstance(one, list) and one else (one or {}).get("product") if isinstance(one, dict) else None
        for one in partials(annotation, document)
    ]


class Deck(BaseModel):
    """Lines and notes, with fields whose annotations are made anew whenever they are asked for."""

    name: Annotated[str, Field(max_length=99, pattern="^e")]
    lines: list[Annotated[Line, Field(description="one")]]
    notes: list[Note]


def test_an_adapter_is_made_once_for_each_annotation(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(partials_module, "type_adapter", lambda kind: made.append(kind) or type_adapter(kind))
    line, note = {"product": "a" * 30, "price": 2.5}, {"title": "c", "tags": ["d" * 30] * 9}
    found = partials(Deck, {"name": "e" * 30, "lines": [line] * 9, "notes": [note] * 9})
    assert found[-1] == Deck(name="e" * 30, lines=[Line(**line)] * 9, notes=[Note(**note)] * 9)
    assert len(made) <= 12  # Deck, its 3 fields, 2 kinds of items, their fields and items: not one for each event


def test_before_it_begins_there_is_nothing() -> None:
    assert JsonEventReader().so_far() == (None, frozenset())


class Marked(TypedDict):
    """Members that say whether they must be there."""

    name: Required[str]
    cards: NotRequired[list[Card]]


def test_members_of_a_typed_dict_that_must_be_there_or_need_not() -> None:
    document = {"name": "Ada", "cards": [{"front": "a", "back": "b"}]}
    found = partials(Marked, document)
    assert found[-1] == document
    assert {"name": "Ad"} in found


def test_what_a_model_s_own_code_raises_before_all_is_there_leaves_plain_data() -> None:
    class Shouted(BaseModel):
        name: str

        def model_post_init(self, context: Any, /) -> None:
            self.name = self.name.upper()

    found = partials(Shouted, {"name": "Ada"})
    assert found[0] == {}
    assert found[-1] == Shouted(name="ada")


def test_a_type_that_is_read_by_its_own_code_is_plain_data_until_it_is_done() -> None:
    class OwnCode(BaseModel):
        name: str

        @classmethod
        def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
            made = handler(source)
            return json_or_python_schema(json_schema=made, python_schema=made)

    found = partials(OwnCode, {"name": "Ada"})
    assert {"name": "Ad"} in found
    assert found[-1] == OwnCode(name="Ada")


def test_a_tuple_is_plain_data_until_it_is_done() -> None:
    found = partials(tuple[str, Line], ["Ada", {"product": "lamp"}])
    assert ["Ada", {"product": "la"}] in found
    assert found[-1] == ("Ada", Line(product="lamp"))


def test_what_the_type_s_own_code_raises_leaves_plain_data() -> None:
    def refuse(quote: str) -> str:
        raise KeyError(quote)

    class Refused(BaseModel):
        value: Annotated[str, BeforeValidator(refuse)]
        other: int

    found = partials(Refused, {"value": "a", "other": 1})
    assert found[-1] == {"value": "a", "other": 1}
