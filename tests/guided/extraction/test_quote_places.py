"""Where the quotes of a document stand: against every place tried in plain Python, and whichever keyword says it."""

from __future__ import annotations

import dataclasses
import json
import random
import time
from typing import Annotated, Any, Literal, TypedDict

import annotated_types
import pytest
from pydantic import BaseModel, BeforeValidator, Field

from guided import Quote
from guided.errors import MissingQuoteError, OutputValidationError
from guided.extraction.extraction import Extraction, ExtractionTarget
from guided.extraction.quote_places import QuoteReader, SourceTexts
from guided.grammars.errors import InvalidInputError
from guided.schemas.python_types import grammar_schema, to_json_schema
from guided.schemas.subschemas import Subschemas
from tests.guided.extraction.test_extract import completion_of

QUOTE = {"type": "string", "x-quote": "text"}


def _age(quote: str | None) -> int | None:
    return None if quote is None else int(quote)


class Person(BaseModel):
    """Somebody who is named in the text."""

    name: Annotated[str, Quote()]
    city: Annotated[str | None, Quote()] = None
    age: Annotated[int | None, BeforeValidator(_age, json_schema_input_type=str | None), Quote()] = None


def _price(quote: str) -> float:
    return float(quote.removesuffix(" EUR").replace(",", ""))


class Order(TypedDict):
    """An order."""

    customer: Annotated[str, Quote()]
    price: Annotated[float, BeforeValidator(_price, json_schema_input_type=str), Quote()]


@dataclasses.dataclass
class Team:
    """People of one place."""

    place: Annotated[str, Quote(boundaries="any")]
    people: list[Person]


def read(schema_type: Any, document: Any, text: str, **options: Any) -> Extraction[Any]:
    target: ExtractionTarget[Any] = ExtractionTarget(schema_type, **options)
    return target.read(completion_of(json.dumps(document)), {"text": text})


def test_a_field_with_quote_says_so_in_both_schemas() -> None:
    for schema in (to_json_schema(Person), grammar_schema(Person)):
        properties = schema["properties"]  # type: ignore[index]
        assert properties["name"] == {"type": "string", "title": "Name", "x-quote": "text"}
        assert properties["city"]["x-quote"] == "text"
        assert properties["age"]["x-quote"] == "text"
        assert properties["age"]["anyOf"] == [{"type": "string"}, {"type": "null"}]
    assert to_json_schema(Team)["properties"]["place"]["x-quote"] == {"source": "text", "boundaries": "any"}  # type: ignore[index]
    assert to_json_schema(Order)["properties"]["price"]["x-quote"] == "text"  # type: ignore[index]


def test_the_model_is_shown_no_keyword_that_it_can_not_know() -> None:
    target: ExtractionTarget[Any] = ExtractionTarget(Team)
    assert "x-quote" not in json.dumps(target.schema)
    assert "x-quote" in json.dumps(target.grammar_schema)


class Point(BaseModel):
    """No string."""

    x: int


@pytest.mark.parametrize("annotation", [int, list[str], Point])
def test_a_quote_is_a_string(annotation: Any) -> None:
    with pytest.raises(InvalidInputError, match=r"Quote\(\) is for strings.*BeforeValidator"):
        to_json_schema(Annotated[annotation, Quote()])


class Cat(BaseModel):
    """One of two kinds."""

    kind: Literal["cat"]


class Dog(BaseModel):
    """The other."""

    kind: Literal["dog"]


def test_a_quote_on_a_discriminated_union_says_nothing() -> None:
    union = Annotated[Cat | Dog, Field(discriminator="kind"), Quote()]
    with pytest.raises(InvalidInputError, match=r"Quote\(\) is for strings"):
        to_json_schema(list[union])  # type: ignore[valid-type]
    optional = Annotated[str | None, Field(description="a name"), Quote()]
    assert to_json_schema(optional)["x-quote"] == "text"  # type: ignore[index]


def test_all_places_and_the_likely_one() -> None:
    text = "Mail from Anna Berg, Oslo. Anna Berg (36) works in Bern. Oslo is far from Bern."
    found = read(Person, {"name": "Anna Berg", "city": "Bern", "age": "36"}, text)
    assert found.error is None
    assert found.is_valid
    assert found.spans == {"/name": [(10, 19), (27, 36)], "/city": [(51, 55), (74, 78)], "/age": [(38, 40)]}
    assert {pointer: one.likely for pointer, one in found.places.items()} == {
        "/name": (27, 36),
        "/city": (51, 55),
        "/age": (38, 40),
    }
    assert found.value == Person.model_construct(name="Anna Berg", city="Bern", age=36)
    assert found.quotes["/age"] == "36"
    assert all(text[start:end] == found.quotes[one] for one, spans in found.spans.items() for start, end in spans)


def test_the_likely_place_is_near_the_rest_of_its_own_object() -> None:
    text = "Bern: Ada Holm (41). Oslo: Ben Holm (52). Bern: Carl Dahl (63)."
    people = [{"name": name, "city": city, "age": age} for city, name, age in
              (("Bern", "Ada Holm", "41"), ("Oslo", "Ben Holm", "52"), ("Bern", "Carl Dahl", "63"))]  # fmt: skip
    found = read(list[Person], people, text)
    assert [found.places[f"/{i}/city"].likely for i in range(3)] == [(0, 4), (21, 25), (42, 46)]


def test_what_a_quote_is_read_as_is_beside_it() -> None:
    found = read(Order, {"customer": "Ada", "price": "1,299.00 EUR"}, "Ada owes 1,299.00 EUR.")
    assert found.value == {"customer": "Ada", "price": 1299.0}
    assert found.data["price"] == found.quotes["/price"] == "1,299.00 EUR"
    assert found.spans["/price"] == [(9, 21)]


def test_a_quote_that_can_not_be_read_is_an_error_with_its_place() -> None:
    found = read(Order, {"customer": "Ada", "price": "Ada"}, "Ada owes 5.")
    assert isinstance(found.error, OutputValidationError)
    assert "price: Value error, could not convert string to float: 'Ada'" in str(found.error)


def test_a_normaliser_of_ones_own() -> None:
    reader = BeforeValidator(lambda quote: float(quote.removesuffix("kg")), json_schema_input_type=str)
    kilos = Annotated[float, reader, Quote()]
    found = read(kilos, "7.5kg", "It weighs 7.5kg.")
    assert (found.value, found.quotes, found.spans) == (7.5, {"": "7.5kg"}, {"": [(10, 15)]})
    assert "could not convert string to float" in str(read(kilos, "It", "It weighs 7.5kg.").error)
    checked = Annotated[float, annotated_types.Ge(10), reader, Quote()]
    assert "greater than or equal to 10" in str(read(checked, "7.5", "It weighs 7.5").error)


def test_a_value_without_a_place_is_an_error() -> None:
    found = read(Person, {"name": "Tromsö", "city": None, "age": "7"}, "Tromsø has 7 islands.")
    assert isinstance(found.error, MissingQuoteError)
    assert str(found.error) == (
        "the document has a value that the text does not contain: /name: 'Tromsö' is no quote of the source 'text'"
    )
    assert (found.value, found.is_valid, found.spans) == (None, False, {"/age": [(11, 12)]})
    nested = read(list[Person], [{"name": "Ada"}, {"name": "Bob", "city": "Rome"}], "Ada, Bob")
    assert "/1/city: 'Rome' is no quote" in str(nested.error)


def test_what_the_schema_refuses_beside_the_quotes_is_an_error() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "x-quote": "text"}, "n": {"minimum": 5}}}
    found = read(schema, {"a": "Ada", "n": 1}, "Ada")
    assert (found.value, found.is_valid, found.spans) == (None, False, {"/a": [(0, 3)]})
    assert "$.n: 1 is less than the minimum of 5" in str(found.error)


def test_a_source_that_is_not_given_is_named() -> None:
    target: ExtractionTarget[Any] = ExtractionTarget({"type": "string", "x-quote": "title"})
    with pytest.raises(InvalidInputError, match=r"names the source 'title', and the sources given are 'text', 'note'"):
        target.read(completion_of('"a"'), {"text": "a", "note": "b"})
    with pytest.raises(InvalidInputError, match="the sources given are none"):
        target.read(completion_of('"a"'))
    assert target.read(completion_of('"a"'), {"title": "a"}).spans == {"": [(0, 1)]}


def test_a_rule_may_name_the_former_default_of_case() -> None:
    assert SourceTexts({"text": "a"}).spans("a", {"source": "text", "case": "sensitive"}) == ((0, 1),)


def test_a_rule_that_is_none_is_refused() -> None:
    for rule in (5, {"boundaries": "any"}, {"source": "text", "fold": True}, {"source": "text", "case": "upper"}):
        with pytest.raises(InvalidInputError, match="x-quote is the name of a source, or an object with source"):
            SourceTexts({"text": "a"}).spans("a", rule)


SCHEMAS: list[tuple[dict[str, Any], Any, list[str]]] = [
    ({"properties": {"a": QUOTE}}, {"a": "x", "b": "x"}, ["/a"]),
    ({"additionalProperties": QUOTE, "properties": {"b": {}}}, {"a": "x", "b": "x"}, ["/a"]),
    ({"patternProperties": {"^a": QUOTE}}, {"ab": "x", "b": "x"}, ["/ab"]),
    ({"items": QUOTE, "prefixItems": [{}]}, ["x", "x"], ["/1"]),
    ({"prefixItems": [{}, QUOTE]}, ["x", "x", "x"], ["/1"]),
    ({"$ref": "#/$defs/q", "$defs": {"q": QUOTE}}, "x", [""]),
    ({"$defs": {"l": {"properties": {"v": QUOTE, "n": {"$ref": "#/$defs/l"}}}}, "$ref": "#/$defs/l"},
     {"v": "x", "n": {"n": {"v": "x"}}}, ["/n/n/v", "/v"]),
    ({"anyOf": [QUOTE, {"type": "null"}]}, "x", [""]),
    ({"allOf": [{"properties": {"a": QUOTE}}], "properties": {"a": {"maxLength": 3}}}, {"a": "x"}, ["/a"]),
    ({"if": {"required": ["b"]}, "then": {"properties": {"a": QUOTE}}}, {"a": "x", "b": 1}, ["/a"]),
    ({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{}, QUOTE], "additionalItems": QUOTE},
     ["x", "x", "x"], ["/1", "/2"]),
    ({"$id": "http://a.b/c", "$anchor": "r", "properties": {"n": {"$ref": "#r"}, "v": QUOTE}},
     {"n": {"v": "x"}}, ["/n/v"]),
    ({"properties": {"a/b~": QUOTE}}, {"a/b~": "x"}, ["/a~1b~0"]),
    ({"not": QUOTE}, 5, []),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "document", "pointers"), SCHEMAS)
def test_quotes_are_found_whatever_says_it(schema: dict[str, Any], document: Any, pointers: list[str]) -> None:
    texts = SourceTexts({"text": "x y"})
    assert sorted(QuoteReader(schema).places(document, texts)) == pointers
    assert QuoteReader(schema).is_valid(document, texts)
    absent = SourceTexts({"text": "y"})
    assert QuoteReader(schema).is_valid(document, absent) == (not pointers)
    assert len(QuoteReader(schema).missing(document, absent)) == len(pointers)


def test_schemas_that_make_no_sense_are_left_to_compiling() -> None:
    for schema in ({"properties": 5, "items": {"$ref": 7}, "$ref": "#/nowhere"}, {"patternProperties": {"(": QUOTE}}):
        assert Subschemas(schema).at(["a", 0]) == []


@pytest.mark.parametrize("seed", range(30))
def test_places_are_those_that_plain_python_finds(seed: int) -> None:
    rng = random.Random(seed)
    text = " ".join(rng.choice(["Ada", "Bo", "x", "Ada Bo", "7"]) for _ in range(rng.randint(1, 30)))
    words = text.split(" ")
    items = []
    for _ in range(5):
        first = rng.randrange(len(words))
        items.append(" ".join(words[first : first + rng.randint(1, 3)]))
    found = read({"type": "array", "items": QUOTE}, items, text)
    for i, item in enumerate(items):
        count = len(item.split(" "))
        starts = [n for n in range(len(words) - count + 1) if words[n : n + count] == item.split(" ")]
        expected = [(len(" ".join([*words[:n], ""])), len(" ".join([*words[:n], ""])) + len(item)) for n in starts]
        assert found.spans[f"/{i}"] == expected
        assert found.places[f"/{i}"].likely in expected


def test_strings_of_a_schema_are_listed_once_round() -> None:
    recursive = {"$defs": {"l": {"properties": {"v": QUOTE, "n": {"$ref": "#/$defs/l"}}}}, "$ref": "#/$defs/l"}
    assert list(Subschemas(recursive).strings()) == [("v",), ("n", "v")] or list(Subschemas(recursive).strings()) == [
        ("v",)
    ]
    assert list(Subschemas(to_json_schema(Team)).strings()) == [
        ("place",),
        ("people", "*", "name"),
        ("people", "*", "city"),
        ("people", "*", "age"),
    ]


def test_a_quote_is_looked_for_once() -> None:
    texts = SourceTexts({"text": "Ada and Ada"})
    assert texts.spans("Ada", "text") == ((0, 3), (8, 11))
    assert texts.spans("Ada", "text") is texts.spans("Ada", {"source": "text"})
    assert texts.spans("da", {"source": "text", "boundaries": "any"}) == ((1, 3), (9, 11))
    assert texts.spans("da", "text") == ()


def test_documents_are_validated_in_linear_time() -> None:
    schema = {"patternProperties": {"^(a+)+$": QUOTE}, "additionalProperties": {"pattern": "^(a+)+$"}}
    texts, document = SourceTexts({"text": "x y"}), {"a" * 40 + "!": "a" * 40 + "!"}
    assert not QuoteReader(schema).is_valid(document, texts)
    assert QuoteReader(schema).missing(document, texts) == []


def test_quotes_are_checked_behind_references_to_a_root_that_names_its_draft() -> None:
    draft = "https://json-schema.org/draft/2020-12/schema"
    schema = {"$schema": draft, "properties": {"next": {"$ref": "#"}, "name": QUOTE}}
    texts = SourceTexts({"text": "Ada"})
    assert QuoteReader(schema).is_valid({"next": {"name": "Ada"}}, texts)
    assert not QuoteReader(schema).is_valid({"next": {"name": "Bob"}}, texts)


def test_patterns_of_names_are_looked_for_in_linear_time() -> None:
    marked = {"type": "string", "x-quote": "text"}
    found = Subschemas({"patternProperties": {"^(a+)+$": marked, "^[a!]+$": marked}})
    began = time.process_time()
    assert [part.schema for part in found.at(["a" * 5000 + "!"])] == [marked]
    assert time.process_time() - began < 0.5
