"""`Quote`: marks a field whose value must be a quote of the text that is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, Literal

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from guided.grammars.errors import InvalidInputError
from guided.grammars.quotes import NO_CASE, QuoteOptions

from .quote_places import QUOTE_KEYWORD, TEXT_SOURCE
from .quote_values import value_reader

READ_KEYWORD = "x-read-quote"
"""In the JSON Schemas of what types give out (Pydantic's mode "serialization"): here is what was read from a quote."""

_OPTIONS = tuple(one.name for one in fields(QuoteOptions))


@dataclass(frozen=True)
class Quote:
    """Marks a field as a quote: `Annotated[str, Quote()]` is a string that stands in the text, character by character.

    Fields of Pydantic models, dataclasses and TypedDicts can have the mark. On `str | None` the field is a quote or
    null.

    Attributes:
        source: name of the quoted text; "text" is the text that the extraction reads.
        boundaries: "words": a quote begins and ends at word boundaries; "any": between any two characters.
        whitespace: "collapse": a run of whitespace in the text is written as one space; "exact": whitespace is
            unchanged.
        as_: conversion of the quote: int, float, Decimal, datetime.date, datetime.datetime, datetime.time, or a
            function from the quote to the field's value, which raises ValueError for an unsuitable quote. The document
            has the quote, the field has the result: `Annotated[float, Quote(as_=float)]` reads "1,299.00" as 1299.0.
            None: the field has the quote.
        decimal: decimal sign of numbers, "." or ","; None: found from the number's form, and "." if the form is open.
        case: a former option. Only "sensitive" is left: a quote is written as in the text.
        day_first: True: in dates such as 3/5/2026 the first number is the day; False: the second; None: such a date is
            refused.

    Raises:
        InvalidInputError: for unknown values, and for options that `as_` does not use.
    """

    source: str = TEXT_SOURCE
    _: KW_ONLY
    boundaries: Literal["words", "any"] = "words"
    whitespace: Literal["collapse", "exact"] = "collapse"
    as_: Callable[[str], Any] | None = None
    decimal: Literal[".", ","] | None = None
    day_first: bool | None = None
    case: str = "sensitive"

    def __post_init__(self) -> None:
        if self.case != "sensitive":
            raise InvalidInputError(NO_CASE)
        QuoteOptions(**{name: getattr(self, name) for name in _OPTIONS})
        if not isinstance(self.source, str) or not self.source:
            raise InvalidInputError(f"a quote's source is the name of a text, not {self.source!r:.80}")
        self._reader()

    @property
    def keyword(self) -> str | dict[str, str]:
        """The value of `x-quote` in a JSON Schema."""
        default = QuoteOptions()
        options = {name: getattr(self, name) for name in _OPTIONS if getattr(self, name) != getattr(default, name)}
        return {"source": self.source, **options} if options else self.source

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Pydantic's schema of the field: the quote is read before the field's own checks."""
        inner, read = handler(source), self._reader()
        if read is None:
            return inner
        return core_schema.no_info_before_validator_function(
            lambda value: read(value) if isinstance(value, str) else value, inner
        )

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The JSON Schema of the field in documents: a string with `x-quote`, or null if the field allows it.

        In Pydantic's mode "serialization" it is the schema of the converted value.
        """
        found = handler(core)
        if handler.mode == "serialization":
            return found if self.as_ is None else {**found, READ_KEYWORD: True}
        branches = found.get("anyOf", [found])
        if self.as_ is not None:
            quote = {"type": "string", QUOTE_KEYWORD: self.keyword}
            is_optional = {"type": "null"} in branches
            kept: dict[str, Any] = {name: found[name] for name in ("title", "description") if name in found}
            return {"anyOf": [quote, {"type": "null"}], **kept} if is_optional else {**quote, **kept}
        if not _may_be_string(found, handler.resolve_ref_schema):
            raise InvalidInputError(
                "Quote() is for strings; a field of another type says how the quote is read: Quote(as_=int), or float, "
                "Decimal, datetime.date, or a function of the quote"
            )
        return {**found, QUOTE_KEYWORD: self.keyword}

    def _reader(self) -> Callable[[str], Any] | None:
        return value_reader(self.as_, self.decimal, self.day_first)


def _may_be_string(schema: dict[str, Any], resolve: Callable[[dict[str, Any]], dict[str, Any]]) -> bool:
    """True if a value that fits the schema may be a string. resolve: function that follows a reference."""
    schema = resolve(schema)
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return any(_may_be_string(branch, resolve) for branch in schema[keyword])
    kind = schema.get("type")
    return kind == "string" or "string" in (kind or ()) or kind is None
