"""Which strings `quotes=` takes: all free ones, or those that are named; what it takes nothing of is refused."""

from __future__ import annotations

import copy
import datetime as dt
import enum
import random
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from pydantic import BaseModel, Field, StringConstraints

from guided.extraction.quote_marks import has_quotes, with_quotes, without_quotes
from guided.extraction.quote_places import QuoteReader, SourceTexts
from guided.grammars.errors import InvalidInputError
from guided.schemas.python_types import grammar_schema, to_json_schema

STRING = {"type": "string"}


class Colour(enum.Enum):
    """Colours."""

    RED = "red"
    BLUE = "blue"


class Item(BaseModel):
    """An item."""

    sku: str
    colour: Colour
    size: Literal["S", "M"]


class Order(BaseModel):
    """An order with items."""

    customer: str | None
    date: dt.date
    code: str = Field(pattern="^[A-Z]+$")
    items: list[Item]
    labels: dict[str, str]


def taken(schema: Any, document: Any) -> list[str]:
    """The pointers of the strings of a document that are held to be quotes."""
    absent = SourceTexts({"text": ""})
    return sorted({one.partition(": ")[0] for one in QuoteReader(schema).missing(document, absent)})


DOCUMENT = {
    "customer": "Ada",
    "date": "2026-05-03",
    "code": "AX",
    "items": [{"sku": "A1", "colour": "red", "size": "S"}, {"sku": "B2", "colour": "blue", "size": "M"}],
    "labels": {"en": "lamp"},
}


class Address(BaseModel):
    """An address."""

    city: str


class Side(BaseModel):
    """Two addresses of a class."""

    sent: Address
    billed: Address


class Sale(BaseModel):
    """Two sides of a class."""

    seller: Side
    buyer: Side
    others: list[Side]


@pytest.mark.parametrize(
    "pointer", ["/seller/billed/city", "/buyer/sent/city", "/buyer/billed/city", "/others/*/billed/city"]
)
def test_a_class_that_stands_in_several_places_is_named_in_each(pointer: str) -> None:
    side = {"sent": {"city": "Bern"}, "billed": {"city": "Oslo"}}
    marked = with_quotes(to_json_schema(Sale), [pointer])
    document = {"seller": side, "buyer": side, "others": [side]}
    assert taken(marked, document) == [pointer.replace("*", "0")]


@pytest.mark.parametrize(
    ("quotes", "pointers"),
    [
        (True, ["/customer", "/items/0/sku", "/items/1/sku", "/labels/en"]),
        (["customer"], ["/customer"]),
        (["sku"], ["/items/0/sku", "/items/1/sku"]),
        (["/items/*/sku"], ["/items/0/sku", "/items/1/sku"]),
        (["/items/1/sku"], ["/items/1/sku"]),
        (["/items/*/colour", "date"], ["/date", "/items/0/colour", "/items/1/colour"]),
        (["/labels/*", "code"], ["/code", "/labels/en"]),
        (["/labels/en"], ["/labels/en"]),
        (["/labels/de"], []),
        (["colour"], ["/items/0/colour", "/items/1/colour"]),
    ],
)
def test_which_strings_are_taken(quotes: Any, pointers: list[str]) -> None:
    schema = to_json_schema(Order)
    before = copy.deepcopy(schema)
    assert taken(with_quotes(schema, quotes), DOCUMENT) == pointers
    assert schema == before
    assert with_quotes(schema, False) is schema


@pytest.mark.parametrize(
    "quotes",
    [["nmae"], ["/items/sku"], ["/items/*"], ["items"], ["customer", ""], ["/labels/en/us"], ["/items/01/sku"]]
    + [["/items/\N{ARABIC-INDIC DIGIT THREE}/sku"], ["/items/1/sku/0"]],
)
def test_a_name_that_means_no_string_is_refused_with_those_there_are(quotes: list[str]) -> None:
    with pytest.raises(
        InvalidInputError, match=r"where the schema has no string; its strings: /customer, /date, /code"
    ):
        with_quotes(to_json_schema(Order), quotes)


@pytest.mark.parametrize("quotes", ["name", 5, None, {"name": True}])
def test_quotes_is_true_or_a_list(quotes: Any) -> None:
    with pytest.raises(InvalidInputError, match='quotes is True, "strings", or a list of names and JSON pointers'):
        with_quotes({"properties": {"name": STRING}}, quotes)


@pytest.mark.parametrize("quotes", [[["name"]], [5], [None], ["name", b"name"]])
def test_each_quote_is_a_string(quotes: Any) -> None:
    with pytest.raises(InvalidInputError, match=r"quotes\[\d\] must be a name or a JSON pointer, not "):
        with_quotes({"properties": {"name": STRING}}, quotes)


def test_any_item_is_no_name() -> None:
    with pytest.raises(InvalidInputError, match=r"any item or member in JSON pointers alone.*quotes=True takes all"):
        with_quotes({"properties": {"names": {"type": "array", "items": STRING}}}, ["*"])


class Leaf(BaseModel):
    """A tree's node."""

    name: str
    children: list[Leaf]


def leaf(name: str, *children: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "children": list(children)}


@pytest.mark.parametrize(
    ("pointer", "pointers"),
    [
        ("/name", ["/name"]),
        ("/children/*/name", ["/children/0/name", "/children/1/name"]),
        ("/children/*/children/*/name", ["/children/0/children/0/name", "/children/1/children/0/name"]),
        ("/children/1/children/0/name", ["/children/1/children/0/name"]),
        ("/children/0/children/0/children/0/name", ["/children/0/children/0/children/0/name"]),
    ],
)
def test_below_a_recursion_pointers_take_the_places_that_they_name(pointer: str, pointers: list[str]) -> None:
    tree = leaf("a", leaf("b", leaf("c", leaf("d"))), leaf("e", leaf("f")))
    assert taken(with_quotes(to_json_schema(Leaf), [pointer]), tree) == pointers
    with pytest.raises(InvalidInputError, match="is 13 deep; pointers go 12 deep, names to all depths"):
        with_quotes(to_json_schema(Leaf), ["/children/*" * 6 + "/name"])


class Book(BaseModel):
    """Addresses by any key, and in a list."""

    by_key: dict[str, Address]
    listed: list[Address]


@pytest.mark.parametrize("key", ["x", "5", "05", "1000000000000", "a/b"])
def test_a_pointer_to_one_member_of_a_map(key: str) -> None:
    pointer = f"/by_key/{key.replace('/', '~1')}/city"
    document = {"by_key": {key: {"city": "Bern"}, "y": {"city": "Oslo"}}, "listed": [{"city": "Rome"}]}
    assert taken(with_quotes(to_json_schema(Book), [pointer]), document) == [pointer]


@pytest.mark.parametrize("index", ["201", "1000000000000", "9" * 5000])
def test_the_index_of_an_item_is_bounded(index: str) -> None:
    with pytest.raises(InvalidInputError, match=r"an item above 200; use '\*' instead of the number"):
        with_quotes(to_json_schema(Book), [f"/listed/{index}/city"])
    document = {"by_key": {}, "listed": [{"city": "Rome"}] * 202}
    assert taken(with_quotes(to_json_schema(Book), ["/listed/200/city"]), document) == ["/listed/200/city"]


def test_a_schema_without_a_free_string_stays_as_it_is() -> None:
    for schema in ({"type": "boolean"}, {"enum": ["a", "b"]}, {"type": "null"}):
        assert with_quotes(schema, True) == with_quotes(schema, "strings") == schema
    assert with_quotes({"type": "integer"}, "strings") == {"type": "integer"}


def test_where_taking_less_would_let_values_in() -> None:
    overlapping = {"oneOf": [STRING, {"enum": ["a"]}]}
    marked = with_quotes(overlapping, True)
    texts = SourceTexts({"text": "b"})
    assert QuoteReader(marked).is_valid("b", texts)
    assert not QuoteReader(marked).is_valid("a", texts)  # as before: both parts take it
    assert "allOf" not in with_quotes({"oneOf": [STRING, {"type": "null"}]}, True)  # type: ignore[operator]
    hidden = {"$defs": {"s": STRING}, "not": {"$ref": "#/$defs/s"}, "properties": {"a": {"$ref": "#/$defs/s"}}}
    with pytest.raises(InvalidInputError, match="list the quotes by their pointers"):
        with_quotes(hidden, True)
    assert with_quotes({"properties": {"a": STRING}, "not": STRING}, True)["not"] == STRING  # type: ignore[index]


def test_beside_a_reference_of_an_early_draft_it_still_holds() -> None:
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"s": STRING}}
    schema |= {"properties": {"a": {"$ref": "#/definitions/s"}, "l": {"items": [STRING, STRING]}}}
    assert taken(with_quotes(schema, ["a"]), {"a": "x"}) == ["/a"]
    assert taken(with_quotes(schema, ["/l/1"]), {"l": ["x", "y"]}) == ["/l/1"]


def test_the_keyword_is_taken_out_where_it_is_one() -> None:
    schema = {
        "properties": {"x-quote": STRING, "a": {"type": "string", "x-quote": "text"}},
        "enum": [{"x-quote": "text"}],
    }
    assert without_quotes(schema) == {"properties": {"x-quote": STRING, "a": STRING}, "enum": [{"x-quote": "text"}]}
    assert has_quotes(schema)
    assert not has_quotes(without_quotes(schema))


PERSON = {"type": "object", "properties": {"name": STRING, "city": STRING}, "required": ["name"]}
IN_COMPONENTS: Any = {"$ref": "#/components/schemas/P", "components": {"schemas": {"P": PERSON}}}


@pytest.mark.parametrize(
    ("quotes", "pointers"), [(True, ["/city", "/name"]), (["name"], ["/name"]), (["/*"], ["/city", "/name"])]
)
def test_what_references_lead_to_outside_of_keywords_is_taken(quotes: Any, pointers: list[str]) -> None:
    before = copy.deepcopy(IN_COMPONENTS)
    assert taken(with_quotes(IN_COMPONENTS, quotes), {"name": "Zed", "city": "X"}) == pointers
    assert before == IN_COMPONENTS
    own = {**IN_COMPONENTS, "components": {"schemas": {"P": {"properties": {"name": STRING | {"x-quote": "text"}}}}}}
    assert has_quotes(own)
    assert not has_quotes(without_quotes(own))
    assert taken(own, {"name": "Zed"}) == ["/name"]


def test_beside_the_root_reference_of_an_early_draft_pointers_still_hold() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$ref": "#/definitions/P",
        "definitions": {"P": PERSON},
    }
    assert taken(with_quotes(schema, ["/name"]), {"name": "Zed", "city": "X"}) == ["/name"]
    assert taken(with_quotes(schema, ["city"]), {"name": "Zed", "city": "X"}) == ["/city"]
    with pytest.raises(InvalidInputError, match="minLength beside the root's"):
        with_quotes(schema | {"minLength": 2}, ["/name"])


def test_names_never_let_a_document_in() -> None:
    texts = SourceTexts({"text": "Ada"})
    either = {
        "type": "object",
        "oneOf": [
            {"properties": {"name": STRING}, "required": ["name"]},
            {"properties": {"k": {"type": "integer"}}, "required": ["k"]},
        ],
    }
    reader = QuoteReader(with_quotes(either, ["name"]))
    assert not reader.is_valid({"name": "Zed", "k": 1}, texts)
    assert [reader.is_valid({"name": name}, texts) for name in ("Ada", "Zed")] == [True, False]
    closed = PERSON | {"unevaluatedProperties": False}
    reader = QuoteReader(with_quotes(closed, ["name"]))
    assert [reader.is_valid({"name": "Ada", "zz": "Ada"}, texts), reader.is_valid({"name": "Ada"}, texts)] == [
        False,
        True,
    ]
    with pytest.raises(InvalidInputError, match=r"quotes by pointers \(/\*\): beside unevaluatedProperties"):
        with_quotes(closed, ["/*"])
    inner = {"properties": {"name": STRING}, "required": ["name"]}
    for unsafe in ({"not": {"$ref": "#/$defs/p"}}, {"oneOf": [{"$ref": "#/$defs/p"}, {"maxProperties": 1}]}):
        hidden = {"$defs": {"p": inner}, "properties": {"a": {"$ref": "#/$defs/p"}}, **unsafe}
        with pytest.raises(InvalidInputError, match="'name' are referred to from not, if, contains or oneOf"):
            with_quotes(hidden, ["name"])
        assert taken(with_quotes(hidden, ["/a/name"]), {"a": {"name": "Zed"}, "b": 1}) == ["/a/name"]
    with pytest.raises(InvalidInputError, match="referred to from not"):
        with_quotes(
            {
                "properties": {"name": STRING},
                "not": {"required": ["b"], "properties": {"b": {"$ref": "#/properties/name"}}},
            },
            ["name"],
        )
    with pytest.raises(InvalidInputError, match="the whole schema is referred to"):
        with_quotes({"properties": {"name": STRING, "b": {"not": {"$ref": "#"}}}}, ["/name"])


def test_a_name_in_contains_stays_and_one_that_can_not_be_told_is_refused() -> None:
    listed = {"type": "array", "items": {"properties": {"name": STRING}}, "contains": {"properties": {"name": STRING}}}
    assert with_quotes(listed, ["name"])["contains"] == listed["contains"]  # type: ignore[index]
    assert taken(with_quotes(listed, ["name"]), [{"name": "Zed"}]) == ["/0/name"]
    with pytest.raises(
        InvalidInputError, match="'name', which also stands in parts of the schema that can't require quotes"
    ):
        with_quotes({"contains": listed["contains"]}, ["name"])
    mixed = {"anyOf": [PERSON, {"type": "object", "additionalProperties": STRING}]}
    with pytest.raises(InvalidInputError, match="its strings: /name; list the quotes by their pointers"):
        with_quotes(mixed, ["name"])
    assert taken(with_quotes(mixed, ["/name"]), {"name": "Zed"}) == ["/name"]
    nullable = {"oneOf": [{"$ref": "#/$defs/p"}, {"type": "null"}], "$defs": {"p": PERSON}}
    assert taken(with_quotes(nullable, ["name"]), {"name": "Zed"}) == ["/name"]


@pytest.mark.parametrize("name", ["contains", "then", "if", "not", "else", "oneOf"])
def test_the_name_of_a_property_is_no_keyword(name: str) -> None:
    schema = {"$defs": {"s": STRING}, "properties": {name: {"$ref": "#/$defs/s"}}}
    for quotes in (True, [name], [f"/{name}"]):
        assert taken(with_quotes(schema, quotes), {name: "x"}) == [f"/{name}"]


@pytest.mark.parametrize("quotes", [["p"], ["q", "/p"], ["/*"], ["/p/*"]])
@pytest.mark.parametrize("seed", range(20))
def test_names_and_pointers_never_let_a_document_in(seed: int, quotes: list[str]) -> None:
    rng = random.Random(seed)
    parts = {"one": _schema(rng, 2), "two": _schema(rng, 2)}
    references = [{"$ref": f"#/$defs/{key}"} for key in parts]
    keyword = rng.choice(["anyOf", "oneOf", "allOf"])
    schema: Any = {"$defs": parts, keyword: [*references[: rng.randrange(3)], _schema(rng, 2)]}
    schema["properties"] = {"p": STRING, "q": rng.choice([*references, STRING])}
    if rng.random() < 0.5:
        schema[rng.choice(["unevaluatedProperties", "additionalProperties"])] = rng.choice([False, STRING])
    try:
        marked = with_quotes(schema, quotes)
    except InvalidInputError:
        return
    texts = SourceTexts({"text": "a b"})
    for _ in range(60):
        document = _document(rng, 3)
        if QuoteReader(marked).is_valid(document, texts):
            assert jsonschema.Draft202012Validator(schema).is_valid(document)
            if "p" in quotes and isinstance(document, dict) and isinstance(document.get("p"), str):
                assert document["p"] in "ab"


class Loose(BaseModel):
    """With fields of any value."""

    name: str
    anything: Any
    extra: dict[str, Any]


def test_fields_of_any_value_are_refused_where_all_must_be_quotes() -> None:
    places = "/properties/anything, /properties/extra/additionalProperties; say there"
    with pytest.raises(InvalidInputError, match=places):
        with_quotes(to_json_schema(Loose), True)
    assert taken(with_quotes(to_json_schema(Loose), ["name"]), {"name": "Zed"}) == ["/name"]
    for part in ({}, {"minLength": 2}, True):
        with pytest.raises(InvalidInputError, match="any value at /properties/b/items"):
            with_quotes({"properties": {"a": STRING, "b": {"type": "array", "items": part}}}, True)


@pytest.mark.parametrize("kind", [complex, Annotated[str, StringConstraints(strip_whitespace=True)], dt.date, bytes])
def test_a_string_of_a_type_that_is_checked_is_generated_so(kind: Any) -> None:
    checked, generated = (with_quotes(schema(kind), "strings") for schema in (to_json_schema, grammar_schema))
    assert has_quotes(generated) or not has_quotes(checked)


@pytest.mark.parametrize("seed", range(30))
def test_marks_never_let_a_document_in(seed: int) -> None:
    """Random schemas and documents, against the `jsonschema` library with the schema as it was."""
    rng = random.Random(seed)
    schema = {"type": ["object", "array", "string"], **_schema(rng, 3)}
    try:
        marked = with_quotes(schema, True)
    except InvalidInputError:
        return
    texts = SourceTexts({"text": "a b"})
    for _ in range(60):
        document = _document(rng, 3)
        if QuoteReader(marked).is_valid(document, texts):
            assert jsonschema.Draft202012Validator(schema).is_valid(document)


def _schema(rng: random.Random, depth: int) -> dict[str, Any]:
    if depth == 0:
        return copy.deepcopy(rng.choice([STRING, {"enum": ["a", "c"]}, {"type": "null"}, {"const": "b"}]))
    inner = [_schema(rng, depth - 1) for _ in range(2)]
    return rng.choice(
        [
            {"type": "object", "properties": dict(zip("pq", inner, strict=True))},
            {"type": "array", "items": inner[0]},
            *({keyword: inner} for keyword in ("anyOf", "oneOf", "oneOf", "allOf")),
            {"not": inner[0]},
            {"if": inner[0], "then": inner[1]},
            {"type": "array", "contains": inner[0], "items": inner[1]},
        ]
    )


def _document(rng: random.Random, depth: int) -> Any:
    kind = rng.randrange(6) if depth else rng.randrange(4)
    if kind < 4:
        return ("a", "b", "c", None)[kind]
    inner = [_document(rng, depth - 1) for _ in range(2)]
    return dict(zip("pq", inner, strict=True)) if kind == 4 else inner
