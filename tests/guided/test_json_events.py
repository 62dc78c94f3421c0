"""JSON documents as events, whatever pieces their text comes in."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guided.json_events import FieldEvent, JsonEventReader, JsonTextError, read_json_events

values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def events_of(text: str, *cuts: int) -> list[FieldEvent]:
    places = [0, *sorted(cuts), len(text)]
    return list(read_json_events(text[start:stop] for start, stop in itertools.pairwise(places)))


def resolve(document: Any, pointer: str) -> Any:
    """The value under a pointer, read independently."""
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        document = document[int(name)] if isinstance(document, list) else document[name]
    return document


@settings(deadline=None)  # a busy machine takes long for any text
@given(values, st.booleans(), st.sampled_from([None, 1]), st.data())
def test_every_value_is_told_once_and_where_it_is(
    document: Any, is_ascii: bool, indent: int | None, data: st.DataObject
) -> None:
    text = json.dumps(document, ensure_ascii=is_ascii, indent=indent)
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=6))
    events = events_of(text, *cuts)
    done = [event for event in events if event.kind == "done"]
    assert done[-1].pointer == ""
    assert done[-1].value == document
    for event in done:
        assert event.value == resolve(document, event.pointer)
        assert json.loads(text[event.start : event.end]) == event.value
    starts = [event.pointer for event in events if event.kind == "start"]
    assert sorted(starts) == sorted(event.pointer for event in done)
    assert len(set(starts)) == len(starts)


@settings(deadline=None)
@given(st.text(), st.booleans())
def test_deltas_of_a_string_join_to_its_value(value: str, is_ascii: bool) -> None:
    text = json.dumps([value], ensure_ascii=is_ascii)
    events = [event for piece in [JsonEventReader()] for char in text for event in piece.push(char)]
    assert "".join(event.delta for event in events if event.pointer == "/0") == value
    assert not any(event.delta == "" for event in events if event.kind == "delta")


def test_events_come_as_soon_as_they_can() -> None:
    reader = JsonEventReader()
    assert [(event.kind, event.pointer, event.delta) for event in reader.push('{"na')] == [("start", "", "")]
    assert [(event.kind, event.pointer, event.delta) for event in reader.push('me": "An')] == [
        ("start", "/name", ""),
        ("delta", "/name", "An"),
    ]
    assert [(event.kind, event.delta, event.value) for event in reader.push('n", "n": 12')] == [
        ("delta", "n", None),
        ("done", "", "Ann"),
        ("start", "", None),
        ("delta", "12", None),
    ]
    assert [(event.kind, event.pointer, event.value) for event in reader.push("}")] == [
        ("done", "/n", 12),
        ("done", "", {"name": "Ann", "n": 12}),
    ]
    assert reader.close() == []


def test_halves_of_a_surrogate_pair_are_one_character() -> None:
    reader = JsonEventReader()
    pieces = ['"', "\\ud83d", "\\ude", "00", "\\ud83dx", '"']
    deltas = [event.delta for piece in pieces for event in reader.push(piece) if event.kind == "delta"]
    assert deltas == ["\U0001f600", "\ud83dx"]


@pytest.mark.parametrize(
    ("text", "position", "reason"),
    [
        ("", 0, "too early"),
        ('{"a": 1', 7, "too early"),
        ("[1 2]", 3, "',' or the end"),
        ("[1,]", 3, "a value"),
        ('{"a" 1}', 5, "':'"),
        ("{a: 1}", 1, "a key"),
        ('"a\nb"', 2, "a character of a string"),
        ('"\\x41000"', 1, "a character of a string"),
        ("[nul]", 1, "'nul' is no value"),
        ("[NaN]", 1, "'NaN' is no value"),
        ("1 2", 2, "the end of the document"),
    ],
)
def test_what_is_no_json_is_an_error_that_says_where(text: str, position: int, reason: str) -> None:
    with pytest.raises(JsonTextError, match=reason) as caught:
        events_of(text)
    assert caught.value.position == position
