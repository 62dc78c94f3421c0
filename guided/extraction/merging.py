"""Merges the documents of a long text's pieces into one, by the schema's shape.

Objects are merged member by member. Lists are joined, and an item that two overlapping pieces contain appears once. Two
items are the same if their quotes stand at the same places in the text; items without quotes are the same if equal.

If single values differ, the one with the highest confidence is kept, and the others become conflicts. Accepted
values win over null, and null wins over values that the type refused. A union of objects, or a tuple, counts as a
single value.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from guided.grammars.json_paths import pointer_of

from ..errors import OutputValidationError
from ..schemas.exact_json import equality_key
from ..schemas.shape import ValueShape
from .confidence import FieldConfidence
from .extraction import Candidate, Extraction
from .quote_places import TEXT_SOURCE, QuotePlaces, Span

Keys = tuple[str, ...]
_ITEM = "*"


@dataclass(frozen=True)
class Merged:
    """The merged document, with the confidences, places and conflicts of its values by JSON pointer.

    A container to which several pieces contributed has no confidence.
    """

    data: Any
    confidence: dict[str, FieldConfidence]
    places: dict[str, QuotePlaces]
    conflicts: dict[str, tuple[Candidate, ...]]


class Merger:
    """Merges the extractions of a text's pieces, which must be added in order. shape: shape of the documents."""

    def __init__(self, shape: ValueShape) -> None:
        self._shape = shape
        self._documents: list[_Value] = []

    def add(self, extraction: Extraction[Any], start: int, end: int, since: int | None = None) -> None:
        """Add the extraction of a piece, which must have data.

        start, end: place of the piece in the text, in characters.
        since: lower bound for the start of all later pieces; None: pieces come in order of their starts.
        """
        since = start if since is None else since
        given = _Given(extraction, len(self._documents), start, end, since, _refused(extraction.error))
        self._documents.append(_Value(extraction.data, (), given))

    def merged(self) -> Merged:
        """The merge of all pieces so far, at least one."""
        found = Merged(None, {}, {}, {})
        return replace(found, data=_write(self._documents, self._shape, (), found))


@dataclass(frozen=True)
class _Given:
    """The document of one piece.

    number: number of the piece.
    start, end: place of the piece in the whole text, in characters.
    since: lower bound for the start of all later pieces.
    refused: JSON pointers of values that the type refused, and of the containers around them.
    """

    extraction: Extraction[Any]
    number: int
    start: int
    end: int
    since: int
    refused: Set[str]

    def overlaps(self, other: _Given) -> bool:
        return self.start < other.end and other.start < self.end

    def confidence(self, keys: Keys) -> FieldConfidence | None:
        return (self.extraction.confidence or {}).get(pointer_of(keys))

    def places(self, keys: Keys) -> QuotePlaces | None:
        """The places of a quote in the whole text; None if the value is no quote."""
        found = self.extraction.places.get(pointer_of(keys))
        return found if found is None or found.source != TEXT_SOURCE else found.moved(self.start)


@dataclass(frozen=True)
class _Value:
    """A value in the document of a piece. keys: its path in that document."""

    data: Any
    keys: Keys
    given: _Given

    @property
    def confidence(self) -> FieldConfidence | None:
        return self.given.confidence(self.keys)

    @property
    def sureness(self) -> float:
        """The raw confidence; 0 if unknown. Calibrated ones depend on what else a piece contains: they count twins."""
        return 0.0 if self.confidence is None else self.confidence.raw

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """Order of preference, highest first: values that the type accepts, then non-null values, then by
        confidence.
        """
        return pointer_of(self.keys) not in self.given.refused, self.data is not None, self.sureness

    @property
    def equality_key(self) -> Hashable:
        """A key that is the same for equal values."""
        return equality_key(self.data)

    @property
    def candidate(self) -> Candidate:
        return Candidate(self.data, self.confidence, (self.given.start, self.given.end))

    def inside(self) -> Iterator[tuple[str, _Value]]:
        """The members of an object, or the items of a list."""
        pairs = self.data.items() if isinstance(self.data, dict) else enumerate(self.data)
        for key, data in pairs:
            yield str(key), _Value(data, (*self.keys, str(key)), self.given)

    def quotes(self) -> Iterator[tuple[Keys, QuotePlaces]]:
        """The quotes inside the value, by their path from the value on, with "*" for each list item."""
        places = self.given.places(self.keys)
        if places is not None:
            yield (), places
        if isinstance(self.data, dict | list):
            for key, value in self.inside():
                for below, found in value.quotes():
                    yield (key if isinstance(self.data, dict) else _ITEM, *below), found


def _write(values: Sequence[_Value], shape: ValueShape, keys: Keys, out: Merged) -> Any:
    """The value to keep at a place. Adds its confidences, places and conflicts to `out`.

    values: what the pieces have there, in their order.
    """
    kinds: dict[str, list[_Value]] = {"single": []}
    for value in values:
        kinds.setdefault(_kind(value.data, shape), []).append(value)
    nulls = kinds.pop("null", [])
    kinds = {kind: some for kind, some in (*kinds.items(), ("null", nulls)) if some}
    best = max(kinds, key=lambda kind: _rank(kind, kinds[kind]))
    data = _WRITERS[best](kinds[best], shape, keys, out)
    left = [some for kind, some in kinds.items() if kind not in (best, "null")]
    others = [value.candidate for some in left for value in some]
    if others:
        out.conflicts[pointer_of(keys)] = (*out.conflicts.get(pointer_of(keys), ()), *others)
    return data


def _kind(data: Any, shape: ValueShape) -> str:
    """The kind of values that a value is merged with; "single": kept or dropped as a whole."""
    if isinstance(data, dict) and shape.num_objects <= 1:
        return "object"
    return "null" if data is None else "list" if isinstance(data, list) and not shape.is_tuple else "single"


def _rank(kind: str, values: Sequence[_Value]) -> tuple[bool, bool, float]:
    """The rank of values of one kind. A merged object or list ranks as if the type accepted it: the type may refuse the
    part from one piece and accept the whole.
    """
    if kind in ("object", "list"):
        return True, True, max(value.sureness for value in values)
    return max(value.rank for value in values)


def _write_single(values: Sequence[_Value], shape: ValueShape, keys: Keys, out: Merged) -> Any:
    """Keep one of the values as a whole. The others are conflicts."""
    surest: dict[Hashable, _Value] = {}
    for value in values:
        key = value.equality_key
        if key not in surest or value.rank > surest[key].rank:
            surest[key] = value
    # stable sort: the earliest of equal ranks comes first
    best, *others = sorted(surest.values(), key=lambda value: value.rank, reverse=True)
    _copy(best, keys, out)
    _join_places(best, values, keys, out)
    if others:
        out.conflicts[pointer_of(keys)] = tuple(value.candidate for value in others)
    return best.data


def _join_places(best: _Value, values: Sequence[_Value], keys: Keys, out: Merged) -> None:
    """Add the places that other pieces found for the same quote."""
    kept = out.places.get(pointer_of(keys))
    if kept is None:
        return
    key = best.equality_key
    same = [value.given.places(value.keys) for value in values if value.equality_key == key]
    spans = {span for places in same if places is not None for span in places.spans}
    out.places[pointer_of(keys)] = replace(kept, spans=tuple(sorted(spans)))


def _write_record(values: Sequence[_Value], shape: ValueShape, keys: Keys, out: Merged) -> Any:
    """Merge objects member by member."""
    _confide(values, keys, out)
    members: dict[str, list[_Value]] = {key: [] for key in shape.keys}
    for value in values:
        for key, member in value.inside():
            members.setdefault(key, []).append(member)
    return {name: _write(some, shape.member(name), (*keys, name), out) for name, some in members.items() if some}


def _write_list(values: Sequence[_Value], shape: ValueShape, keys: Keys, out: Merged) -> Any:
    """Join lists."""
    _confide(values, keys, out)
    written: list[Any] = []
    seen: set[Hashable] = set()
    for item in _joined(values):
        same = [member.value for member in item.members]
        if shape.is_set:
            key = equality_key(_write(same, shape.item, (), Merged(None, {}, {}, {})))
            if key in seen:
                continue
            seen.add(key)
        written.append(_write(same, shape.item, (*keys, str(len(written))), out))
    return written


_WRITERS = {"single": _write_single, "null": _write_single, "object": _write_record, "list": _write_list}


def _joined(values: Sequence[_Value]) -> list[_Item]:
    """The items of joined lists. Items of one piece are always different, as are items of pieces that do not overlap.

    Items read at the same places are matched first, so that no other item takes their match.
    """
    items: list[_Item] = []
    can_come_again: list[_Item] = []
    for value in values:
        can_come_again = [item for item in can_come_again if item.end > value.given.since]
        earlier = _Earlier([item for item in can_come_again if item.overlaps(value.given)], value.given.start)
        members = [_Member(member, list(member.quotes())) for _, member in value.inside()]
        left: list[_Member] = []
        for member in members:
            item = earlier.read_there(member)
            if item is None:
                left.append(member)
            else:
                item.add(member)
        for member in left:
            item = earlier.seen_there(member)
            if item is None:
                item = _Item()
                items.append(item)
                can_come_again.append(item)
            item.add(member)
    return items


@dataclass(frozen=True)
class _Member:
    """An item of one piece's list. quotes: the quotes inside it."""

    value: _Value
    quotes: Sequence[tuple[Keys, QuotePlaces]]

    @property
    def in_text(self) -> list[tuple[Keys, QuotePlaces]]:
        """The quotes of the text itself. Quotes of other sources do not locate the item in the text."""
        return [one for one in self.quotes if one[1].source == TEXT_SOURCE]


class _Item:
    """An item of a joined list. end: where the last piece that contains it ends. members: the item in each piece."""

    def __init__(self) -> None:
        self.end = 0
        self.members: list[_Member] = []
        self._quotes: dict[Keys, list[QuotePlaces]] = {}

    def add(self, member: _Member) -> None:
        self.end = max(self.end, member.value.given.end)
        self.members.append(member)
        for below, places in member.quotes:
            self._quotes.setdefault(below, []).append(places)

    def overlaps(self, given: _Given) -> bool:
        """True if a piece with this item overlaps the given piece."""
        return any(member.value.given.overlaps(given) for member in self.members)

    def can_be(self, member: _Member) -> bool:
        """True if the item may be this member: no piece has both, and quotes at the same path share a place. Quotes
        inside lists are not compared.
        """
        if self.members[-1].value.given.number == member.value.given.number:
            return False
        return not any(
            _ITEM not in below and not set(places.spans) & set(other.spans)
            for below, places in member.quotes
            for other in self._quotes.get(below, ())
        )


class _Earlier:
    """Items of pieces that overlap the next one, indexed by their places in the overlap and by their values."""

    def __init__(self, items: Sequence[_Item], start: int) -> None:
        self._start = start
        self._end = max([item.end for item in items], default=start)
        self._read_at: _Index = {}
        self._seen_at: _Index = {}
        self._by_key: dict[Hashable, list[_Item]] = {}
        for item in items:
            for member in item.members:
                for below, places in member.in_text:
                    _note(self._read_at.setdefault((below, places.likely), []), item)
                    for span in self._shared(places):
                        _note(self._seen_at.setdefault((below, span), []), item)
                if not member.in_text:
                    _note(self._by_key.setdefault(member.value.equality_key, []), item)

    def read_there(self, member: _Member) -> _Item | None:
        """The matching item that shares the most likely places; for a member without quotes, an equal item."""
        if not member.in_text:
            same = self._by_key.get(member.value.equality_key, ())
            return next((item for item in same if item.can_be(member)), None)
        return _first(member, [self._read_at.get((below, places.likely), ()) for below, places in member.in_text])

    def seen_there(self, member: _Member) -> _Item | None:
        """The matching item that shares the most places, where one piece's likely place is any place of the other's
        quote.
        """
        found: list[Sequence[_Item]] = []
        for below, places in member.in_text:
            found.append(self._seen_at.get((below, places.likely), ()))
            found += [self._read_at.get((below, span), ()) for span in self._shared(places)]
        return _first(member, found)

    def _shared(self, places: QuotePlaces) -> Sequence[Span]:
        """The places of a quote that lie where the pieces overlap."""
        first, last = bisect_left(places.spans, (self._start, 0)), bisect_left(places.spans, (self._end, 0))
        return places.spans[first:last]


_Index = dict[tuple[Keys, Span], list[_Item]]


def _first(member: _Member, found: Iterable[Sequence[_Item]]) -> _Item | None:
    """The item found most often, among the items that may be this member."""
    counts: dict[int, tuple[int, _Item]] = {}
    for item in chain.from_iterable(found):
        counts[id(item)] = (counts.get(id(item), (0, item))[0] + 1, item)
    fitting = [one for one in counts.values() if one[1].can_be(member)]
    return max(fitting, key=lambda one: one[0])[1] if fitting else None


def _refused(error: Exception | None) -> set[str]:
    """The JSON pointers of the values that an error names, and of the containers around them."""
    found: set[str] = set()
    for pointer in error.pointers if isinstance(error, OutputValidationError) else ():
        keys = pointer.split("/")
        found |= {"/".join(keys[:end]) for end in range(1, len(keys) + 1)}
    return found


def _note(items: list[_Item], item: _Item) -> None:
    if not items or items[-1] is not item:
        items.append(item)


def _confide(values: Sequence[_Value], keys: Keys, out: Merged) -> None:
    """Record the confidence of a container that only one piece contributed to."""
    if len(values) == 1 and values[0].confidence is not None:
        out.confidence[pointer_of(keys)] = values[0].confidence


def _copy(value: _Value, keys: Keys, out: Merged) -> None:
    """Record the confidence and places of a value and of everything inside it."""
    confidence, places = value.confidence, value.given.places(value.keys)
    if confidence is not None:
        out.confidence[pointer_of(keys)] = confidence
    if places is not None:
        out.places[pointer_of(keys)] = places
    if isinstance(value.data, dict | list):
        for key, inside in value.inside():
            _copy(inside, (*keys, key), out)
