"""Typed objects with what is there so far: after each character of a document."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import typing
from decimal import Decimal
from typing import Annotated, Any, ClassVar, NotRequired, Required, TypedDict

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
from guided.extraction.json_events import JsonEventReader
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


def test_fields_grow_where_their_aliases_say() -> None:
    document = {"to": {"city": "Oslo", "lines": ["a/b", "Elm"]}, "by": "Ada", "orderLines": [{"product": "lamp"}]}
    found = partials(Sent, document)
    assert found[-1] == Sent.model_validate(document)
    assert all(isinstance(one, Sent) for one in found)
    for name, text in (("city", "Oslo"), ("street", "Elm"), ("name", "Ada")):
        values = list(dict.fromkeys(getattr(one, name) for one in found))
        assert values == [None, *[text[:end] for end in range(len(text) + 1)]], name
    assert "la" in [one.order_lines[0].product for one in found if one.order_lines]


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
    """A dataclass with all kinds of fields."""

    kind: ClassVar[str] = "k"
    title: Annotated[str, Field(alias="Title")]
    scale: dataclasses.InitVar[int] = 3
    words: list[str] = dataclasses.field(init=False, default_factory=list)
    count: int = dataclasses.field(init=False, default=7)
    length: int = dataclasses.field(init=False)

    def __post_init__(self, scale: int) -> None:
        """Set what no document has."""
        self.length = scale * len(self.title)


@pydantic_dataclass
class Titled:
    """A dataclass of Pydantic's."""

    title: str = Field(alias="Title")
    tags: list[str] = Field(default_factory=list)
    count: int = Field(init=False, default=7)
    place: int = Field(init=False)
    double: int = Field(init=False, default_factory=lambda data: 2 * data["count"])


class Labelled(typing_extensions.TypedDict):
    """A TypedDict with an alias."""

    title: Annotated[str, Field(alias="Title")]
    tags: list[str]


def test_fields_that_no_document_has_have_their_own_values() -> None:
    found = partials(Counted, {"Title": "Ada"})
    assert found[-1] == Counted("Ada")
    assert list(dict.fromkeys(one.title for one in found)) == [None, "", "A", "Ad", "Ada"]
    assert {(one.kind, one.scale, one.count, *one.words) for one in found} == {("k", 3, 7)}
    assert "kind" not in vars(found[0])
    assert "length=None" in repr(found[0])
    assert found[0].words is not found[1].words


@pytest.mark.parametrize("annotation", [Titled, Labelled])
def test_aliases_of_dataclasses_and_typed_dicts(annotation: Any) -> None:
    document = {"Title": "Ada", "tags": ["b"]}
    found = partials(annotation, document)
    shown = [one if isinstance(one, dict) else vars(one) for one in found]
    assert {"", "A", "Ad", "Ada"} <= {one.get("title") for one in shown if not one.get("tags")}
    assert found[-1] == type_adapter(annotation).validate_python(document)
    if annotation is Titled:
        assert {(one.count, one.place, one.double) for one in found[:-1]} == {(7, None, None)}


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


class Shelf(RootModel[dict[str, list[Line]]]):
    """Lines by the name of their place."""


class Shelves(BaseModel):
    """Maps and root models in fields."""

    shelf: Shelf
    notes: RootModel[list[Note]]


def test_maps_and_root_models_grow() -> None:
    found = partials(dict[str, Line], {"a": {"product": "lamp", "price": 2}, "b": {"product": "x"}})
    assert {"a": Line.model_construct(product="la", price=None)} in found
    assert found[-1] == {"a": Line(product="lamp", price=2), "b": Line(product="x")}
    found = partials(Shelf, {"a": [{"product": "lamp", "price": 2}]})
    assert all(isinstance(one, Shelf) for one in found)
    assert [line.product for one in found for lines in one.root.values() for line in lines][:3] == [None, None, None]
    assert found[-1] == Shelf({"a": [Line(product="lamp", price=2)]})
    document = {"shelf": {"a": [{"product": "lamp"}]}, "notes": [{"title": "t", "tags": ["u"]}]}
    found = partials(Shelves, document)
    assert found[-1] == Shelves.model_validate(document)
    assert any(
        one.notes and one.notes.root and one.notes.root[0].title == "t" and not one.notes.root[0].tags for one in found
    )
    assert all(isinstance(one.shelf, Shelf) for one in found if one.shelf is not None)


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
