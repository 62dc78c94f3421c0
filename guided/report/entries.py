"""The content of the report page for a text: its values, their places, and how sure the model was of each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from guided.grammars.json_paths import escape
from guided.grammars.quotes import SourceText

from ..extraction.confidence import best_share
from ..extraction.quote_places import TEXT_SOURCE
from ..schemas.exact_json import write_json
from ..schemas.shape import ValueShape

Keys = tuple[str | int, ...]
_MAX_PLACES = 200  # maximum number of shown places of one value


@dataclass(frozen=True)
class Field:
    """A field of documents.

    pointer: with "*" for an item; items belong to their list's field.
    is_leaf: the field has scalars.
    """

    pointer: str
    is_leaf: bool


class ReportFields:
    """The fields of all documents of a report, in order of appearance."""

    def __init__(self) -> None:
        self.fields: list[Field] = []
        self._numbers: dict[tuple[str, bool], int] = {}

    def add(self, data: Any) -> None:
        """Add the fields of a document."""
        for keys, value in _values(data, ()):
            self.number(keys, is_leaf=not isinstance(value, dict | list))

    def number(self, keys: Keys, *, is_leaf: bool) -> int:
        """The number of the field that a value with these keys belongs to."""
        name = keys[:-1] if keys and isinstance(keys[-1], int) else keys  # a list's items belong to the list's field
        key = (_pointer(name, is_general=True), is_leaf)
        if key not in self._numbers:
            self._numbers[key] = len(self.fields)
            self.fields.append(Field(*key))
        return self._numbers[key]


def entry(text: str, record: Mapping[str, Any], fields: ReportFields, shape: ValueShape) -> dict[str, Any]:
    """A text for the page. Places are in UTF-16 units, like in browsers. Numbers are text, since browsers would lose
    digits.

    record: from `to_record`.
    fields: the report's fields.
    shape: shape of the document; strings that it leaves free should be in the text.
    """
    data, error = record["data"], record["error"]
    found = {}
    offsets = _Utf16(text)
    prepared: SourceText | None = None
    for keys, value in _values(data, ()):
        pointer = _pointer(keys)
        is_leaf = not isinstance(value, dict | list)
        shown: dict[str, Any] = {"f": fields.number(keys, is_leaf=is_leaf), "leaf": is_leaf}
        shown |= _confidence((record.get("confidence") or {}).get(pointer))
        conflicts = (record.get("conflicts") or {}).get(pointer)
        if conflicts:
            shown["k"] = [[_text(one["value"]), _share(one["confidence"])] for one in conflicts]
        places = (record.get("places") or {}).get(pointer)
        if places is not None and places["source"] == TEXT_SOURCE:
            shown |= {"q": True} | _places(places["likely"], places["spans"], offsets)
        elif is_leaf and (isinstance(value, str) or _is_number(value)) and value != "":
            prepared = SourceText(text) if prepared is None and not _has_surrogates(text) else prepared
            spans = prepared.places(_text(value)) if prepared is not None else []
            shown |= (
                _places(spans[0], spans, offsets)
                if spans
                else {"named": isinstance(value, str) and _is_free(shape, keys)}
            )
        found[pointer] = shown
    told = {"error": error, "cut": bool(record.get("shortened"))}
    return {"name": record["source"], "text": text, "data": _with_number_texts(data), "values": found, **told}


def _text(value: Any) -> str:
    """A string itself, or another value's JSON text, with numbers as they were written."""
    return value if isinstance(value, str) else write_json(value)


def _with_number_texts(data: Any) -> Any:
    """The data, with numbers replaced by their texts."""
    if isinstance(data, dict):
        return {key: _with_number_texts(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_with_number_texts(value) for value in data]
    return _text(data) if _is_number(data) else data


def _is_free(shape: ValueShape, keys: Keys) -> bool:
    """True if the schema does not list or format the strings at this place."""
    for key in keys:
        shape = shape.item if isinstance(key, int) else shape.member(key)
    return not any(facet.keys() & {"enum", "const", "format"} for facet in shape.facets)


def _share(found: Mapping[str, Any] | None) -> float | None:
    return None if found is None else best_share(found)


def _confidence(found: Mapping[str, Any] | None) -> dict[str, Any]:
    if found is None:
        return {"c": None}
    alternatives = found.get("alternatives")
    shown = {"c": _share(found), "w": found["processed"], "m": found["masked_mass"]}
    if found.get("calibrated") is not None:
        shown["calibrated"] = True
    return shown | ({"a": alternatives} if alternatives else {})


def _places(likely: Any, spans: Any, offsets: _Utf16) -> dict[str, Any]:
    others = [one for one in map(tuple, spans) if one != tuple(likely)]
    shown: dict[str, Any] = {"s": offsets.span(likely)}
    return shown | ({"o": [offsets.span(one) for one in others[:_MAX_PLACES]]} if others else {})


class _Utf16:
    """Converts places in a text to UTF-16 units, where a character beyond the first plane counts as two."""

    def __init__(self, text: str) -> None:
        self._wide = [] if text.isascii() else [place for place, char in enumerate(text) if ord(char) > 0xFFFF]

    def span(self, span: Any) -> list[int]:
        """A span in characters as a span in UTF-16 units."""
        return [place + bisect_left(self._wide, place) for place in span]


def _values(data: Any, keys: Keys) -> Iterator[tuple[Keys, Any]]:
    yield keys, data
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _values(value, (*keys, key))


def _pointer(keys: Keys, *, is_general: bool = False) -> str:
    return "".join("/*" if is_general and isinstance(key, int) else f"/{escape(str(key))}" for key in keys)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _has_surrogates(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)
