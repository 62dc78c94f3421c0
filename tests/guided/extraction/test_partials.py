"""Typed objects with what is there so far: after each character of a document."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import typing
from typing import Annotated, Any, NotRequired, Required, TypedDict

import pytest
from pydantic import BaseModel, Field, RootModel

from guided.extraction import partials as partials_module
from guided.extraction.json_events import JsonEventReader
from guided.extraction.partials import PartialBuilder
from guided.extraction.quote import Quote
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
    """What there is after each character of the document."""
    reader, builder = JsonEventReader(), PartialBuilder(annotation)
    found = []
    for char in json.dumps(document):
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


def test_what_the_type_s_own_code_raises_leaves_plain_data() -> None:
    def refuse(quote: str) -> str:
        raise KeyError(quote)

    class Refused(BaseModel):
        value: Annotated[str, Quote(as_=refuse)]
        other: int

    found = partials(Refused, {"value": "a", "other": 1})
    assert found[-1] == {"value": "a", "other": 1}
