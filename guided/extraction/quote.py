"""`Quote`: marks a field whose value must be a quote of the text that is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, Literal

from pydantic import GetJsonSchemaHandler
from pydantic_core import CoreSchema

from guided.grammars.errors import InvalidInputError
from guided.grammars.quotes import NO_CASE, QuoteOptions

from .quote_places import QUOTE_KEYWORD, TEXT_SOURCE

CONVERT = "for another type write Annotated[float, BeforeValidator(function, json_schema_input_type=str), Quote()]"
NO_CONVERSION = f"quotes have no 'as_' any more: {CONVERT}, or ask for quotes=True, which holds numbers and dates too"
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
        case: a former option. Only "sensitive" is left: a quote is written as in the text.
        as_: a former option. Pydantic converts: `Annotated[float, BeforeValidator(f, json_schema_input_type=str),
            Quote()]` is a quote in the document, and in the field what f makes of it.

    Raises:
        InvalidInputError: for unknown values.
    """

    source: str = TEXT_SOURCE
    _: KW_ONLY
    boundaries: Literal["words", "any"] = "words"
    whitespace: Literal["collapse", "exact"] = "collapse"
    case: str = "sensitive"
    as_: Any = None

    def __post_init__(self) -> None:
        if self.case != "sensitive":
            raise InvalidInputError(NO_CASE)
        if self.as_ is not None:
            raise InvalidInputError(NO_CONVERSION)
        QuoteOptions(**{name: getattr(self, name) for name in _OPTIONS})
        if not isinstance(self.source, str) or not self.source:
            raise InvalidInputError(f"a quote's source is the name of a text, not {self.source!r:.80}")

    @property
    def keyword(self) -> str | dict[str, str]:
        """The value of `x-quote` in a JSON Schema."""
        default = QuoteOptions()
        options = {name: getattr(self, name) for name in _OPTIONS if getattr(self, name) != getattr(default, name)}
        return {"source": self.source, **options} if options else self.source

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The JSON Schema of the field in documents: a string with `x-quote`, or null if the field allows it.

        Pydantic's mode "serialization" gives the schema of the field itself.
        """
        found = handler(core)
        if handler.mode == "serialization":
            return found
        if not _may_be_string(found, handler.resolve_ref_schema):
            raise InvalidInputError(f"Quote() is for strings; {CONVERT}")
        return {**found, QUOTE_KEYWORD: self.keyword}


def _may_be_string(schema: dict[str, Any], resolve: Callable[[dict[str, Any]], dict[str, Any]]) -> bool:
    """True if a value that fits the schema may be a string. resolve: function that follows a reference."""
    schema = resolve(schema)
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return any(_may_be_string(branch, resolve) for branch in schema[keyword])
    kind = schema.get("type")
    return kind == "string" or "string" in (kind or ()) or kind is None
