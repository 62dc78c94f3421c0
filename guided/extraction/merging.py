"""Merges the documents of a long text's pieces into one, by the schema's shape.

Objects are merged member by member. Lists are joined, and an item that two overlapping pieces contain appears once. Two
items are the same if their quotes stand at the same places in the text; items without quotes are the same if equal.

If single values differ, the one with the highest confidence is kept, and the others become conflicts. Null is kept only
if no piece has another value. A value that the type refused is kept only if no piece has a value, null included, that
the type accepts. A union of objects, or a tuple, counts as a single value.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from guided.grammars.json_paths import escape

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
        self._root = _Slot(shape)
        self._num_pieces = 0

    def add(self, extraction: Extraction[Any], start: int, end: int, since: int | None = None) -> None:
        """Add the extraction of a piece, which must have data.

        start, end: place of the piece in the text, in characters.
        since: lower bound for the start of all later pieces; None: pieces come in order of their starts.
        """
        since = start if since is None else since
        given = _Given(extraction, self._num_pieces, start, end, since, _refused(extraction.error))
        self._root.add(_Value(extraction.data, (), given))
        self._num_pieces += 1

    def merged(self) -> Merged:
        """The merge of all pieces so far, at least one."""
        found = Merged(None, {}, {}, {})
        return replace(found, data=self._root.write((), found))


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
        return (self.extraction.confidence or {}).get(_pointer(keys))

    def places(self, keys: Keys) -> QuotePlaces | None:
        """The places of a quote in the whole text; None if the value is no quote."""
        found = self.extraction.places.get(_pointer(keys))
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
        """The raw confidence; 0 if unknown."""
        return 0.0 if self.confidence is None else self.confidence.raw

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """Order of preference, highest first: values that the type accepts, then non-null values, then by
        confidence.
        """
        return _pointer(self.keys) not in self.given.refused, self.data is not None, self.sureness

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


class _Slot:
    """A place of the merged document, with all values that pieces have there."""

    def __init__(self, shape: ValueShape) -> None:
        self._shape = shape
        self._single = _Single()
        self._nulls = _Single()
        self._parts: dict[type, _Record | _List] = {}

    def add(self, value: _Value) -> None:
        if value.data is None:
            self._nulls.add(value)
        elif isinstance(value.data, dict) and self._shape.num_objects <= 1:
            self._parts.setdefault(dict, _Record(self._shape)).add(value)
        elif isinstance(value.data, list) and not self._shape.is_tuple:
            self._parts.setdefault(list, _List(self._shape)).add(value)
        else:
            self._single.add(value)

    def write(self, keys: Keys, out: Merged) -> Any:
        """The value to keep. Adds the value's confidences, places and conflicts to `out`."""
        kinds = [one for one in (self._single, *self._parts.values(), self._nulls) if one.values]
        best = max(kinds, key=lambda one: one.rank)
        data = best.write(keys, out)
        left = [one for one in kinds if one is not best and one is not self._nulls]
        others = [value.candidate for one in left for value in one.values]
        if others:
            out.conflicts[_pointer(keys)] = (*out.conflicts.get(_pointer(keys), ()), *others)
        return data


@dataclass
class _Single:
    """A value that is kept or dropped as a whole."""

    values: list[_Value] = field(default_factory=list)

    def add(self, value: _Value) -> None:
        self.values.append(value)

    @property
    def rank(self) -> tuple[bool, bool, float]:
        return max(value.rank for value in self.values)

    def write(self, keys: Keys, out: Merged) -> Any:
        surest: dict[Hashable, _Value] = {}
        for value in self.values:
            key = value.equality_key
            if key not in surest or value.rank > surest[key].rank:
                surest[key] = value
        # stable sort: the earliest of equal ranks comes first
        best, *others = sorted(surest.values(), key=lambda value: value.rank, reverse=True)
        _copy(best, keys, out)
        self._join_places(best, keys, out)
        if others:
            out.conflicts[_pointer(keys)] = tuple(value.candidate for value in others)
        return best.data

    def _join_places(self, best: _Value, keys: Keys, out: Merged) -> None:
        """Add the places that other pieces found for the same quote."""
        kept = out.places.get(_pointer(keys))
        if kept is None:
            return
        key = best.equality_key
        same = [value.given.places(value.keys) for value in self.values if value.equality_key == key]
        spans = {span for places in same if places is not None for span in places.spans}
        out.places[_pointer(keys)] = replace(kept, spans=tuple(sorted(spans)))


class _Record:
    """An object, merged member by member."""

    def __init__(self, shape: ValueShape) -> None:
        self.values: list[_Value] = []
        self._shape = shape
        self._members: dict[str, _Slot] = {}

    def add(self, value: _Value) -> None:
        self.values.append(value)
        for key, member in value.inside():
            if key not in self._members:
                self._members[key] = _Slot(self._shape.member(key))
            self._members[key].add(member)

    @property
    def rank(self) -> tuple[bool, bool, float]:
        return _merged_rank(self.values)

    def write(self, keys: Keys, out: Merged) -> Any:
        _confide(self.values, keys, out)
        order = {key: place for place, key in enumerate(self._shape.keys)}
        names = sorted(self._members, key=lambda key: order.get(key, len(order)))
        return {name: self._members[name].write((*keys, name), out) for name in names}


class _List:
    """A list, joined. Items of one piece are always different, as are items of pieces that do not overlap."""

    def __init__(self, shape: ValueShape) -> None:
        self.values: list[_Value] = []
        self._shape = shape
        self._items: list[_Item] = []
        self._open: list[_Item] = []  # items that the next piece may contain too

    def add(self, value: _Value) -> None:
        """Add the list of one more piece. Items read at the same places are matched first, so that no other item takes
        their match.
        """
        self.values.append(value)
        self._open = [item for item in self._open if item.end > value.given.since]
        earlier = _Earlier([item for item in self._open if item.overlaps(value.given)], value.given.start)
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
                item = _Item(_Slot(self._shape.item))
                self._items.append(item)
                self._open.append(item)
            item.add(member)

    @property
    def rank(self) -> tuple[bool, bool, float]:
        return _merged_rank(self.values)

    def write(self, keys: Keys, out: Merged) -> Any:
        _confide(self.values, keys, out)
        written: list[Any] = []
        seen: set[Hashable] = set()
        for item in self._items:
            if self._shape.is_set:
                key = equality_key(item.slot.write((), Merged(None, {}, {}, {})))
                if key in seen:
                    continue
                seen.add(key)
            written.append(item.slot.write((*keys, str(len(written))), out))
        return written


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

    def __init__(self, slot: _Slot) -> None:
        self.slot = slot
        self.end = 0
        self.members: list[_Member] = []
        self._quotes: dict[Keys, list[QuotePlaces]] = {}

    def add(self, member: _Member) -> None:
        self.slot.add(member.value)
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


def _merged_rank(values: Sequence[_Value]) -> tuple[bool, bool, float]:
    """The rank of a merged object or list: as if the type accepted it, with the highest sureness of its parts.

    A type that refuses the part from one piece may still accept the whole.
    """
    return True, True, max(value.sureness for value in values)


def _note(items: list[_Item], item: _Item) -> None:
    if not items or items[-1] is not item:
        items.append(item)


def _confide(values: Sequence[_Value], keys: Keys, out: Merged) -> None:
    """Record the confidence of a container that only one piece contributed to."""
    if len(values) == 1 and values[0].confidence is not None:
        out.confidence[_pointer(keys)] = values[0].confidence


def _copy(value: _Value, keys: Keys, out: Merged) -> None:
    """Record the confidence and places of a value and of everything inside it."""
    confidence, places = value.confidence, value.given.places(value.keys)
    if confidence is not None:
        out.confidence[_pointer(keys)] = confidence
    if places is not None:
        out.places[_pointer(keys)] = places
    if isinstance(value.data, dict | list):
        for key, inside in value.inside():
            _copy(inside, (*keys, key), out)


def _pointer(keys: Keys) -> str:
    return "".join([f"/{escape(key)}" for key in keys])
