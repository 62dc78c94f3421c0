"""Finds the places of a document's quotes in their sources. The input is the document, its schema and the sources.

A string that must be a quote (`x-quote`) has one or more places in its source. `QuoteReader` finds them with
`SourceText`, which does not use the grammar. `QuoteReader` therefore notices a value without a place, also if the
engine or another server failed to enforce the grammar.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from guided.grammars.document_validator import validator_of
from guided.grammars.errors import InvalidInputError
from guided.grammars.json_paths import keys_of, pointer_of
from guided.grammars.jsonschema_library import jsonschema
from guided.grammars.quotes import NO_CASE, QuoteOptions, SourceText

from ..schemas.subschemas import Subschemas
from .stated import Stated, stated_in
from .stated_marks import STATED_KEYWORD, is_stated

QUOTE_KEYWORD = "x-quote"
TEXT_SOURCE = "text"  # the source that an extraction reads

MAX_KNOWN = 4096  # maximum number of places in documents whose rules are cached
MAX_OTHERS = 16  # number of quotes before and after a quote that decide which of its places is the likely one

Span = tuple[int, int]
Keys = tuple[str, ...]  # the keys from the root to a value; an item's index is a key too


@dataclass(frozen=True)
class QuotePlaces:
    """The places of a value.

    quote: the value as the document has it.
    source: name of the quoted text.
    spans: all places, as (start, end) in characters of that text, in order.
    likely: the place that the model most likely read: the nearest to the other quotes of the same object or list. The
        16 quotes before and the 16 after the value in the document count, each with its own nearest place. If there are
        none, the quotes of the surrounding object count, and so on. The first of equally near places counts. The
        model's probabilities play no part.
    """

    quote: str
    source: str
    spans: tuple[Span, ...]
    likely: Span

    def moved(self, by: int) -> QuotePlaces:
        """The places in a text with `by` more characters in front."""
        spans = tuple((start + by, end + by) for start, end in self.spans)
        return replace(self, spans=spans, likely=(self.likely[0] + by, self.likely[1] + by))


@dataclass(frozen=True)
class _Rule:
    """The content of an `x-quote`."""

    source: str
    options: QuoteOptions


@dataclass
class SourceTexts:
    """The sources of one request. Each is prepared once for each set of options.

    A quote is searched once. sources: name -> text.
    """

    sources: Mapping[str, str]
    _prepared: dict[tuple[str, QuoteOptions], SourceText] = field(default_factory=dict)
    _found: dict[tuple[str, str, QuoteOptions], tuple[Span, ...]] = field(default_factory=dict)
    _stated: Stated | None = None

    def spans(self, quote: str, rule: Any) -> tuple[Span, ...]:
        """All places of `quote`. rule: a value of `x-quote`. Raises InvalidInputError if the source is unknown."""
        read = read_rule(rule)
        return self._spans(quote, read.source, read.options)

    def _spans(self, quote: str, source: str, options: QuoteOptions) -> tuple[Span, ...]:
        text = self._text(source)
        found = self._found.get((quote, source, options))
        if found is None:
            prepared = self._prepared.get((source, options))
            if prepared is None:
                prepared = self._prepared[source, options] = SourceText(text, options)
            found = self._found[quote, source, options] = tuple(prepared.places(quote))
        return found

    def stated(self) -> Stated:
        """The numbers and dates that the text states. Raises InvalidInputError if the text is not given."""
        if self._stated is None:
            self._stated = stated_in(self._text(TEXT_SOURCE))
        return self._stated

    def _text(self, source: str) -> str:
        if source not in self.sources:
            given = ", ".join(map(repr, self.sources)) or "none"
            raise InvalidInputError(f"{QUOTE_KEYWORD} names the source {source!r}, and the sources given are {given}")
        return self.sources[source]


def read_rule(rule: Any) -> _Rule:
    """Read a value of `x-quote`. Raises InvalidInputError if it is malformed."""
    if isinstance(rule, str):
        return _Rule(rule, QuoteOptions())
    try:
        options = dict(rule)
        if options.pop("case", "sensitive") != "sensitive":
            raise ValueError(NO_CASE)
        return _Rule(options.pop("source"), QuoteOptions(**options))
    except (TypeError, ValueError, KeyError):
        raise InvalidInputError(
            f"{QUOTE_KEYWORD} is the name of a source, or an object with source, boundaries and whitespace; "
            f"not {rule!r:.80}"
        ) from None


class QuoteReader:
    """Finds the quotes in documents of one schema.

    Its methods take these arguments:
    data: the document, as plain data.
    texts: the quoted texts.
    pointer, value: the JSON pointer of a string in the document, and the string.

    Args:
        schema: the JSON Schema, with marks of quotes (`x-quote`).
    """

    def __init__(self, schema: dict[str, Any] | bool) -> None:
        self._schema = schema
        self._subschemas = Subschemas(schema)
        self._rules_at = lru_cache(maxsize=MAX_KNOWN)(self._find_rules)

    def spans_at(self, pointer: str, value: Any, texts: SourceTexts) -> tuple[Span, ...] | None:
        """All places of the value at a JSON pointer of a document; None if the value is not a quote."""
        found = self._places_of(keys_of(pointer), value, texts)
        return None if found is None else found[1]

    def places(self, data: Any, texts: SourceTexts) -> dict[str, QuotePlaces]:
        """The places of each quote of a document, by its JSON pointer."""
        found: dict[Keys, tuple[str, str, tuple[Span, ...]]] = {}
        for keys, value in _strings(data, ()):
            places = self._places_of(keys, value, texts)
            if places is not None:
                found[keys] = (value, *places)
        likely = _likely({keys: (source, spans) for keys, (_, source, spans) in found.items()})
        return {
            pointer_of(keys): QuotePlaces(quote, source, spans, likely[keys])
            for keys, (quote, source, spans) in found.items()
        }

    def is_valid(self, data: Any, texts: SourceTexts) -> bool:
        """True if a document fits the schema, quotes included, in the draft that the schema names."""
        return bool(quote_validator(self._schema, texts).is_valid(data))

    def missing(self, data: Any, texts: SourceTexts) -> list[str]:
        """The faults of a document's quotes, in words, each with its pointer; [] without faults."""
        errors = quote_validator(self._schema, texts).iter_errors(data)
        found = [one for error in errors for one in _quote_errors(error)]
        told = [f"{pointer_of(map(str, one.absolute_path)) or 'the document'}: {one.message}" for one in found]
        return list(dict.fromkeys(told))

    def _places_of(self, keys: Keys, value: Any, texts: SourceTexts) -> tuple[str, tuple[Span, ...]] | None:
        """The source and places of a value, by the first rule that gives any places."""
        if not isinstance(value, str):
            return None
        found = ((read_rule(rule).source, texts.spans(value, rule)) for rule in self._rules_at(keys))
        return next((one for one in found if one[1]), None)

    def _find_rules(self, keys: Keys) -> list[Any]:
        """The values of `x-quote` that may apply there, from all branches."""
        parts = self._subschemas.root
        for key in keys:
            items = self._subschemas.inside(parts, int(key)) if key.isdecimal() else []
            parts = items + self._subschemas.inside(parts, key)
        return [part.schema[QUOTE_KEYWORD] for part in parts if QUOTE_KEYWORD in part.schema]


def quote_validator(schema: dict[str, Any] | bool, texts: SourceTexts) -> Any:
    """A validator of the `jsonschema` library that knows `x-quote` and `x-stated`, in the draft that the schema names.

    `x-stated` refers to the text that the extraction reads.
    """

    def check(validator: Any, rule: Any, instance: Any, _: Any) -> Iterator[Any]:
        if validator.is_type(instance, "string") and not texts.spans(instance, rule):
            source = read_rule(rule).source
            yield jsonschema.ValidationError(f"{instance!r:.200} is no quote of the source {source!r}")

    def check_stated(validator: Any, _: Any, instance: Any, part: Any) -> Iterator[Any]:
        kind = "date" if validator.is_type(instance, "string") else "number"
        is_held = kind == "date" or validator.is_type(instance, "number")
        if is_held and not is_stated(instance, part, texts.stated()):
            yield jsonschema.ValidationError(f"{instance!r:.200} is no {kind} that the text states")

    return validator_of(schema, {QUOTE_KEYWORD: check, STATED_KEYWORD: check_stated})


def _quote_errors(error: Any) -> Iterator[Any]:
    if error.validator in (QUOTE_KEYWORD, STATED_KEYWORD):
        yield error
    for inner in error.context or ():
        yield from _quote_errors(inner)


def _strings(data: Any, keys: Keys) -> Iterator[tuple[Keys, str]]:
    if isinstance(data, str):
        yield keys, data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _strings(value, (*keys, key))
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield from _strings(value, (*keys, str(place)))


def _likely(found: Mapping[Keys, tuple[str, tuple[Span, ...]]]) -> dict[Keys, Span]:
    """The likely place of each quote, see `QuotePlaces`."""
    inside: dict[Keys, list[Keys]] = {}
    for keys in found:
        for length in range(len(keys)):
            inside.setdefault(keys[:length], []).append(keys)
    order = {keys: place for place, keys in enumerate(found)}
    return {keys: _nearest(keys, found, inside, order) for keys in found}


def _nearest(
    keys: Keys,
    found: Mapping[Keys, tuple[str, tuple[Span, ...]]],
    inside: Mapping[Keys, list[Keys]],
    order: Mapping[Keys, int],
) -> Span:
    """The place of the quote at `keys` that is nearest to other quotes.

    inside: the quotes in each container, in the document's order.
    order: number of each quote in the document's order.
    """
    source, spans = found[keys]
    if len(spans) == 1:
        return spans[0]
    for length in range(len(keys) - 1, -1, -1):
        others = [one for one in inside.get(keys[:length], ()) if one != keys and found[one][0] == source]
        if others:
            near = bisect_left(others, order[keys], key=order.__getitem__)
            counted = [found[one][1] for one in others[max(0, near - MAX_OTHERS) : near + MAX_OTHERS]]
            return min(spans, key=lambda span: sum([_gap(span, places) for places in counted]))
    return spans[0]


def _gap(span: Span, places: Sequence[Span]) -> int:
    """Number of characters between a place and the nearest of other places, which are in order."""
    index = bisect_left(places, span)
    near = places[max(0, index - 1) : index + 1]
    return min([max(0, start - span[1], span[0] - end) for start, end in near])
