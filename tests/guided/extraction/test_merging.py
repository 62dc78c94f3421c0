"""Documents of pieces, merged: like that of the whole text where each fact lies in one piece; conflicts are kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guided.documents.pieces import Cutter
from guided.errors import OutputValidationError
from guided.extraction.calibration import Calibration
from guided.extraction.confidence import FieldConfidence
from guided.extraction.extraction import Extraction
from guided.extraction.merging import Merged, Merger
from guided.extraction.quote_places import QuotePlaces
from guided.json_events import read_json_events
from guided.output.completion import Completion
from guided.schemas.decimal_places import WrittenFloat
from guided.schemas.exact_json import write_json
from guided.schemas.shape import ValueShape

COMPLETION = Completion("", (), "stop", None, 0, 0, 0.0)
ITEM = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "count": {"type": "integer"}, "place": {"type": ["string", "null"]}},
}
SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": ["string", "null"]},
        "items": {"type": "array", "items": ITEM},
        "by": {"type": "object", "properties": {"who": {"type": ["string", "null"]}}},
    },
}
FACT = re.compile(r"(?P<name>[A-Z][a-z]+) has (?P<count>\d+)(?: in (?P<place>[A-Z][a-z]+))?\.")


def confidence(raw: float) -> FieldConfidence:
    return FieldConfidence(raw, raw, 0.0, 1)


def extraction(data: Any, places: dict[str, QuotePlaces] | None = None, **sure: float) -> Extraction[Any]:
    """sure: how sure the values are whose pointers end so; all others are 0.9."""
    pointers = [event.pointer for event in read_json_events([json.dumps(data)]) if event.kind == "done"]
    found = {one: confidence(sure.get(one.rpartition("/")[2], 0.9)) for one in pointers}
    return Extraction(data, data, True, COMPLETION, None, found, places or {})


def merge(*documents: Any, schema: Any = SCHEMA, step: int = 10) -> Merged:
    """step: from the start of a piece of 12 characters to that of the next one."""
    merger = Merger(ValueShape.of(schema))
    for number, one in enumerate(documents):
        merger.add(one if isinstance(one, Extraction) else extraction(one), number * step, number * step + 12)
    return merger.merged()


def read_all(text: str) -> Extraction[Any]:
    """A reader that never errs: all facts that lie in the text, with their places."""
    items, places = [], {}

    def place(pointer: str, start: int, end: int) -> str:
        quote = text[start:end]
        spans = tuple(match.span() for match in re.finditer(rf"\b{quote}\b", text))
        places[pointer] = QuotePlaces(quote, "text", spans, (start, end))
        return quote

    for number, match in enumerate(FACT.finditer(text)):
        item: dict[str, Any] = {
            "name": place(f"/items/{number}/name", *match.span("name")),
            "count": int(match["count"]),
        }
        item["place"] = place(f"/items/{number}/place", *match.span("place")) if match["place"] else None
        items.append(item)
    data: dict[str, Any] = {"title": None, "items": items, "by": {"who": None}}
    for key, pattern, pointer in (("title", r"Title: (\w+)\.", "/title"), ("who", r"By (\w+)\.", "/by/who")):
        found = re.search(pattern, text)
        if found:
            (data if key == "title" else data["by"])[key] = place(pointer, *found.span(1))
    return extraction(data, places)


SENTENCES = st.lists(
    st.sampled_from(["Ada", "Bo", "Cy"]).flatmap(
        lambda name: st.sampled_from(
            [f"{name} has 3.", f"{name} has 4 in Rome.", f"{name} has 4 in Bern.", "Well now."]
        )
    ),
    min_size=1,
    max_size=30,
)


@settings(max_examples=60, deadline=None)
@given(SENTENCES, st.integers(30, 90), st.integers(0, 25), st.integers(0, 30), st.booleans())
def test_a_cut_text_gives_what_the_whole_gives(
    sentences: list[str], size: int, overlap: int, title: int, has_paragraphs: bool
) -> None:
    sentences.insert(title % (len(sentences) + 1), "Title: Stock.")
    sentences.insert(title % len(sentences), "By Mia.")
    text = ("\n\n" if has_paragraphs else " ").join(sentences)
    whole = read_all(text)
    merger = Merger(ValueShape.of(SCHEMA))
    for piece in Cutter(size, min(overlap, size - 1), len).pieces(text):
        merger.add(read_all(piece.text), piece.start, piece.end)
    merged = merger.merged()
    assert merged.data == whole.data
    assert merged.conflicts == {}
    assert set(merged.places) == set(whole.places)
    for pointer, places in merged.places.items():
        assert places.likely == whole.places[pointer].likely
        assert places.likely in places.spans
        assert all(text[start:end] == places.quote for start, end in places.spans)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 50), unique=True, min_size=1, max_size=20), st.integers(1, 6), st.integers(0, 5))
def test_lists_without_quotes_are_joined_by_equality(numbers: list[int], size: int, overlap: int) -> None:
    pieces = [numbers[start : start + size + overlap] for start in range(0, len(numbers), size)]
    assert merge(*pieces, schema={"type": "array", "items": {"type": "integer"}}).data == numbers


def test_items_of_one_piece_stay_apart() -> None:
    schema = {"type": "array", "items": {"type": "string"}}
    assert merge(["a", "a"], ["a"], ["a", "a", "b"], schema=schema, step=4).data == ["a", "a", "b"]
    assert merge(["a", "a"], ["a", "b"], schema=schema | {"uniqueItems": True}).data == ["a", "b"]


def quoted(pointer: str, quote: str, *starts: int) -> dict[str, QuotePlaces]:
    spans = tuple((start, start + len(quote)) for start in starts)
    return {pointer: QuotePlaces(quote, "text", spans, spans[0])}


def test_equal_items_of_pieces_that_do_not_overlap_stay_apart() -> None:
    schema = {"type": "array", "items": {"type": "integer"}}
    assert merge([5], [7], [5], schema=schema).data == [5, 7, 5]
    assert merge([5], [5], schema=schema, step=12).data == [5, 5]
    assert merge([5], [5], [5], schema=schema).data == [5]  # each overlaps with the one before


def test_pieces_that_do_not_begin_in_order() -> None:
    """As halves of halves may: those of the second half may begin before the last ones of the first do."""
    places = [((0, 10), [1]), ((6, 12), [2]), ((4, 7), [2, 1]), ((10, 14), [1])]
    merger = Merger(ValueShape.of({"type": "array", "items": {"type": "integer"}}))
    for (start, end), numbers in places:
        merger.add(extraction(numbers), start, end, 0)
    assert merger.merged().data == [1, 2, 1]
    merger = Merger(ValueShape.of({"type": "array", "items": {"type": "integer"}}))
    for start, end in ((8, 12), (0, 8)):
        merger.add(extraction([1]), start, end, 0)
    assert merger.merged().data == [1, 1]


def test_a_place_in_another_source_is_no_evidence() -> None:
    """Three orders of the same product, which a catalogue names once."""
    places = {"/0/name": QuotePlaces("lamp", "catalogue", ((3, 7),), (3, 7))}
    schema = {"type": "array", "items": ITEM}
    orders = [extraction([{"name": "lamp", "count": 1}], places) for _ in range(3)]
    merged = merge(*orders, schema=schema, step=12)
    assert [item["name"] for item in merged.data] == ["lamp"] * 3
    assert merged.places["/2/name"] == places["/0/name"]
    two = extraction([{"name": "lamp", "count": 2}], places)
    assert merge(orders[0], two, schema=schema).data == [{"name": "lamp", "count": 1}, {"name": "lamp", "count": 2}]
    assert merge(orders[0], orders[1], schema=schema).data == [{"name": "lamp", "count": 1}]


def names(*found: tuple[str, int, tuple[int, ...]]) -> Extraction[Any]:
    """A list of names: each with its likely place, and all others."""
    places = {
        f"/{number}": QuotePlaces(name, "text", tuple((one, one + len(name)) for one in all_), (at, at + len(name)))
        for number, (name, at, all_) in enumerate(found)
    }
    return extraction([name for name, _, _ in found], places)


def test_an_item_in_the_overlap_that_pieces_read_at_different_places_comes_once() -> None:
    schema = {"type": "array", "items": {"type": "string"}}
    first = names(("Bo", 0, (0, 10)))
    assert merge(first, names(("Bo", 0, (0,))), schema=schema).data == ["Bo"]
    merged = merge(first, names(("Bo", 0, (0, 8))), schema=schema)
    assert merged.data == ["Bo"]
    assert merged.places["/0"].spans == ((0, 2), (10, 12), (18, 20))
    assert merge(first, names(("Bo", 8, (0, 8))), schema=schema).data == ["Bo", "Bo"], "neither was read there"
    assert merge(first, names(("Bo", 4, (4,))), schema=schema).data == ["Bo", "Bo"], "no place in common"


@pytest.mark.parametrize("is_reversed", [False, True])
def test_items_read_at_the_same_place_go_first(is_reversed: bool) -> None:
    schema = {"type": "array", "items": {"type": "string"}}
    first = names(("Bo", 0, (0, 10)), ("Bo", 10, (0, 10)))
    later = [("Bo", 0, (0, 8)), ("Bo", 8, (0, 8))]
    merged = merge(first, names(*(reversed(later) if is_reversed else later)), schema=schema)
    assert merged.data == ["Bo"] * 3
    assert sorted(merged.places[f"/{number}"].likely for number in range(3)) == [(0, 2), (10, 12), (18, 20)]


def test_an_item_that_two_pieces_saw_is_merged_by_its_places() -> None:
    first = extraction(
        {"items": [{"name": "Ada", "count": 3, "place": None}]}, quoted("/items/0/name", "Ada", 11), count=0.5
    )
    second = extraction(
        {"items": [{"name": "Ada", "count": 4, "place": "Rome"}]},
        quoted("/items/0/name", "Ada", 1) | quoted("/items/0/place", "Rome", 5),
        count=0.8,
    )
    merged = merge(first, second)  # the second piece begins at 10
    assert merged.data["items"] == [{"name": "Ada", "count": 4, "place": "Rome"}]
    assert merged.places["/items/0/place"].likely == (15, 19)
    (conflict,) = merged.conflicts["/items/0/count"]
    assert (conflict.value, conflict.place) == (3, (0, 12))
    assert conflict.confidence == confidence(0.5)
    assert merged.confidence["/items/0/count"] == confidence(0.8)


def test_items_that_share_a_place_stay_apart_where_another_is_against_it() -> None:
    def piece(name: str, start: int, rome: int) -> Extraction[Any]:
        places = quoted("/items/0/name", name, start) | quoted("/items/0/place", "Rome", rome)
        return extraction({"items": [{"name": name, "count": 1, "place": "Rome"}]}, places)

    merged = merge(piece("Ada", 1, 11), piece("Bo", 5, 1))
    assert [item["name"] for item in merged.data["items"]] == ["Ada", "Bo"]


def test_single_values_by_confidence_and_null_last() -> None:
    merged = merge(
        extraction({"title": None, "by": {"who": "Mia"}}, title=1.0, who=0.4),
        extraction({"title": "Stock", "by": {"who": "Bo"}}, title=0.2, who=0.6),
        extraction({"title": "Store", "by": {"who": "Mia"}}, title=0.1, who=0.5),
    )
    assert merged.data == {"title": "Stock", "by": {"who": "Bo"}}
    assert [one.value for one in merged.conflicts["/title"]] == ["Store"]
    assert [(one.value, one.confidence) for one in merged.conflicts["/by/who"]] == [("Mia", confidence(0.5))]
    assert list(merged.data) == ["title", "by"]
    assert merge({"by": {"who": "x"}}, {"title": "t"}).data == {"title": "t", "by": {"who": "x"}}
    assert merge({"title": None}, {"title": None}).data == {"title": None}


def test_calibrated_confidences_of_pieces_are_not_compared() -> None:
    """They count how often a value stands in its piece: "EUR" stands in many rows of one piece, "USD" once."""

    def scored(who: str, raw: float, num_twins: int) -> Extraction[Any]:
        names = {"/by/who": who} | {f"/items/{i}/name": who for i in range(num_twins)}
        calibrated = Calibration(2.2304, 3.1569, -2.0233, -1.5012).probabilities(names, dict.fromkeys(names, raw))
        found = extraction({"by": {"who": who}, "items": [{"name": who}] * num_twins})
        shares = {name: FieldConfidence(raw, raw, 0.0, 1, calibrated=share) for name, share in calibrated.items()}
        return replace(found, confidence=shares)

    pieces = scored("EUR", 0.99, 5), scored("USD", 0.5, 0)
    shares = [(one.confidence or {})["/by/who"].calibrated or 0 for one in pieces]
    assert shares[0] < shares[1]
    merged = merge(*pieces)
    assert merged.data["by"] == {"who": "EUR"}
    assert merged.confidence["/by/who"].calibrated == shares[0]
    assert [one.value for one in merged.conflicts["/by/who"]] == ["USD"]


def test_numbers_are_compared_by_their_values_to_the_last_digit() -> None:
    schema = {
        "type": "object",
        "properties": {
            "price": {"type": "number"},
            "prices": {"type": "array", "items": {"type": "number"}},
            "kinds": {"type": "array", "items": {"type": "number"}, "uniqueItems": True},
        },
    }

    def read(number: str) -> Extraction[Any]:
        return extraction(
            {"price": WrittenFloat(number), "prices": [WrittenFloat(number)], "kinds": [json.loads(number)]}
        )

    merged = merge(read("0.10000000000000000001"), read("0.10000000000000000002"), schema=schema)
    assert write_json(merged.data["prices"]) == "[0.10000000000000000001, 0.10000000000000000002]"
    assert [write_json(one.value) for one in merged.conflicts["/price"]] == ["0.10000000000000000002"]
    merged = merge(read("12"), read("12.0"), read("1.2e1"), schema=schema)
    assert merged.data == {"price": 12, "prices": [12], "kinds": [12]}
    assert not merged.conflicts


def refused(data: Any, *pointers: str, **sure: float) -> Extraction[Any]:
    """Of a document of which the type refuses the values at these places."""
    return replace(extraction(data, **sure), error=OutputValidationError("no", data, COMPLETION, pointers))


def test_a_value_that_the_type_refuses_is_kept_only_where_there_is_no_other() -> None:
    schema = {"type": "object", "properties": {"total": {"type": ["string", "null"]}, "by": {"type": "string"}}}
    good = extraction({"total": "99.00", "by": "Mia"}, total=0.2, by=0.2)
    merged = merge(refused({"total": "Ada", "by": "Bo"}, "/total", total=0.8, by=0.8), good, schema=schema)
    assert merged.data == {"total": "99.00", "by": "Bo"}
    assert [one.value for one in merged.conflicts["/total"]] == ["Ada"]
    merged = merge(extraction({"total": None}), refused({"total": "Ada"}, "/total"), schema=schema)
    assert merged.data == {"total": None}
    assert [one.value for one in merged.conflicts["/total"]] == ["Ada"]
    merged = merge(refused({"total": "Ada"}, "/total"), refused({"total": None}, "/total"), schema=schema)
    assert merged.data == {"total": "Ada"}
    surer = refused({"total": "99.00"}, "/total", total=0.9)
    assert merge(surer, refused({"total": "Ada"}, "/total", total=0.5), good, schema=schema).data["total"] == "99.00"


def test_what_the_type_refuses_as_a_whole_is_merged_like_all_else() -> None:
    lists = {"type": ["array", "null"], "items": {"type": "integer"}}
    schema = {"type": "object", "properties": {"few": lists}}
    assert merge(refused({"few": [1]}, "", "/few"), {"few": None}, schema=schema).data == {"few": [1]}
    pair = {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}
    merged = merge(refused(["a", 1], "/0"), extraction(["b", 2]), schema=pair)
    assert merged.data == ["b", 2], "a tuple is kept whole, so what is wrong in it is wrong with it"


def test_unions_and_tuples_are_kept_whole() -> None:
    person = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    order = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
    merged = merge({"name": "Ada"}, {"number": 3}, schema={"anyOf": [person, order]})
    assert merged.data == {"name": "Ada"}
    assert [one.value for one in merged.conflicts[""]] == [{"number": 3}]
    schema = {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}]}
    assert merge([1, 2], [3, 4], schema=schema).data == [1, 2]
    refs = {
        "$defs": {"P": person, "O": order},
        "type": "array",
        "items": {"oneOf": [{"$ref": "#/$defs/P"}, {"$ref": "#/$defs/O"}]},
    }
    assert merge([{"name": "Ada"}], [{"number": 1}, {"name": "Ada"}], schema=refs).data == [
        {"name": "Ada"},
        {"number": 1},
    ]


def test_a_union_with_a_map_is_kept_whole() -> None:
    named = {"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": False}
    schema = {"anyOf": [named, {"type": "object", "additionalProperties": {"type": "integer"}}]}
    found = merge({"name": "Ada"}, {"Oslo": 1}, schema=schema)
    assert found.data == {"name": "Ada"}
    assert [one.value for one in found.conflicts[""]] == [{"Oslo": 1}]


def test_values_of_several_kinds() -> None:
    schema = {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}
    merged = merge(extraction(["a"]), extraction("b"), schema=schema)
    assert merged.data in (["a"], "b")
    assert len(merged.conflicts[""]) == 1


@pytest.mark.parametrize("key", ["a/b", "m~n", ""])
def test_keys_that_pointers_escape(key: str) -> None:
    schema = {"type": "object", "additionalProperties": {"type": "string"}}
    merged = merge(extraction({key: "x"}), extraction({key: "y"}), schema=schema)
    (pointer,) = merged.conflicts
    assert pointer == "/" + key.replace("~", "~0").replace("/", "~1")
    assert merged.confidence[pointer] == confidence(0.9)


def leaves(data: Any) -> Iterator[Any]:
    if isinstance(data, dict | list):
        for one in data.values() if isinstance(data, dict) else data:
            yield from leaves(one)
    else:
        yield data


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=4))
def test_nothing_is_invented_or_lost(documents: list[Any]) -> None:
    """Each scalar of the merged document was given, and each that was given is kept or a conflict."""
    merged = merge(*documents, schema=True)
    given_leaves = [json.dumps(one) for document in documents for one in leaves(document)]
    kept = [json.dumps(one) for one in leaves(merged.data)]
    others = [
        json.dumps(one)
        for conflict in merged.conflicts.values()
        for one_value in conflict
        for one in leaves(one_value.value)
    ]
    assert set(kept) <= {*given_leaves, "null"}
    assert {one for one in given_leaves if one != "null"} <= {*kept, *others}
