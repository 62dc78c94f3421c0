"""From a completion to a typed object: parse the JSON, check it against the schema, and build an instance of the type.

The grammar already guarantees that a complete document fits the schema. The independent `jsonschema` library checks it
once more, formats included, so that `is_valid` is a measurement.
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, PydanticSerializationError

from guided.grammars.document_validator import validator_of
from guided.grammars.errors import InvalidInputError
from guided.grammars.json_paths import pointer_of

from ..documents.pieces import Piece
from ..errors import (
    IncompleteOutputError,
    MissingQuoteError,
    OutputCutError,
    OutputValidationError,
    SchemaMismatchError,
)
from ..json_events import JsonEventReader, refuse_constant
from ..output.completion import Completion
from ..params.sampling_params import SamplingParams
from ..schemas.decimal_places import DecimalPlaces, WrittenFloat
from ..schemas.python_types import grammar_schema, to_json_schema, type_adapter, with_draft
from ..schemas.typed_dicts import readable
from .calibration import Calibration
from .confidence import FieldConfidence, field_confidences
from .partials import PartialBuilder
from .piece_schema import for_pieces
from .quote_marks import Quotes, has_quotes, with_quotes, without_quotes
from .quote_places import TEXT_SOURCE, QuotePlaces, QuoteReader, SourceTexts, Span, quote_validator
from .stated_marks import has_stated

T = TypeVar("T")

DEFAULT_PARAMS = SamplingParams(temperature=0.0, max_new_tokens=None)


@dataclass(frozen=True)
class Candidate:
    """A value that another piece of a long text gave. place: the piece, as (start, end) in characters of the text."""

    value: Any
    confidence: FieldConfidence | None
    place: Span


@dataclass(frozen=True)
class Extraction(Generic[T]):
    """The result of reading one text.

    Attributes:
        value: the instance of the requested type; for a plain JSON Schema, the parsed JSON. None if `error` is set,
            unless that is an OutputCutError.
        data: the parsed JSON; None if the document is incomplete. If the type has a `Decimal`, floats are of a subclass
            that keeps the digits as written.
        is_valid: the document is complete and fits the schema, quotes included; otherwise `error` is set.
        error: why there is no value: IncompleteOutputError, OutputValidationError, or the error that ended the request.
            OutputCutError if the token budget cut the document and `allow_cut` was not set. Otherwise None.
        confidence: confidence of each value in `data`, by JSON pointer; None if not requested or the document is
            incomplete.
        places: places of each quote in its source, by the quote's JSON pointer.
        attempts: how often the model was asked: once, plus once for each refused document (`max_retries`).
        conflicts: values from other pieces of a long text that differ from those in `data`, by JSON pointer.
        num_pieces: number of pieces of the text. With several pieces, `completion` sums them up: its text is `data`,
            its counts are sums, and it has no token ids.
        draft: the model's free answer before the document (`draft=True`); None without, and for several pieces. If it
            is blank, the document was written without it. If it failed, its error is `error`.
    """

    value: T | None
    data: Any
    is_valid: bool
    completion: Completion
    error: Exception | None = None
    confidence: Mapping[str, FieldConfidence] | None = None
    places: Mapping[str, QuotePlaces] = field(default_factory=dict)
    attempts: int = 1
    conflicts: Mapping[str, tuple[Candidate, ...]] = field(default_factory=dict)
    num_pieces: int = 1
    draft: Completion | None = None

    @property
    def spans(self) -> dict[str, list[Span]]:
        """All places of each quote, as (start, end) in characters of its source, by the quote's JSON pointer."""
        return {pointer: list(one.spans) for pointer, one in self.places.items()}

    @property
    def quotes(self) -> dict[str, str]:
        """The text of each quote, by its JSON pointer; `value` has its form in the type."""
        return {pointer: one.quote for pointer, one in self.places.items()}

    @property
    def is_shortened(self) -> bool:
        """True if the document is complete but was shortened to fit max_new_tokens or the context: see
        `Completion.closed_in_budget`.
        """
        return self.completion.closed_in_budget and self.data is not None


class ExtractionTarget(Generic[T]):
    """The type that texts are read into, and its JSON Schema.

    Raises the errors of `to_json_schema` for other types, and those of `with_quotes`.

    Args:
        schema_type: a Pydantic model, dataclass, TypedDict or Enum; or a JSON Schema as dict, bool or JSON text.
        calibration: the model's, for `FieldConfidence.calibrated`.
        quotes: further strings that must be quotes, beside the strings that the schema marks; see `Quotes`.
        allow_cut: a document that its budget has cut is no error.

    Attributes:
        schema: the schema to show to the model, without `x-quote`.
        grammar_schema: the schema to generate by, with the type's own rules.
        has_stated: numbers and dates must be stated in the text.
    """

    def __init__(
        self,
        schema_type: Any,
        *,
        with_confidence: bool = False,
        calibration: Calibration | None = None,
        quotes: Quotes = False,
        allow_cut: bool = False,
    ) -> None:
        schema = with_draft(to_json_schema(schema_type))
        self.schema = without_quotes(schema)
        self.grammar_schema = with_quotes(with_draft(grammar_schema(schema_type)), quotes)
        self._checked_schema = with_quotes(schema, quotes)
        self.has_stated = has_stated(self._checked_schema)
        has_any = self.has_stated or has_quotes(self._checked_schema)
        self._quotes = QuoteReader(self._checked_schema) if has_any else None
        is_schema = isinstance(schema_type, dict | bool | str)
        self._annotation = None if is_schema else readable(schema_type)
        self._adapter: TypeAdapter[T] | None = None if is_schema else type_adapter(schema_type)
        decimals = None if self._adapter is None else DecimalPlaces(self._adapter)
        self._decimals = decimals if decimals is not None and decimals.has_any else None
        self._with_confidence = with_confidence
        self._calibration = calibration
        self._allow_cut = allow_cut

    def for_pieces(self) -> ExtractionTarget[T]:
        """The target for a piece of a long text: see `piece_schema`."""
        found = copy.copy(self)
        found.schema, found.grammar_schema = for_pieces(self.schema), for_pieces(self.grammar_schema)
        found._checked_schema = for_pieces(self._checked_schema)
        return found

    @property
    def partials(self) -> PartialBuilder:
        """A builder of objects from incomplete documents."""
        return PartialBuilder(self._annotation, has_decimals=self._decimals is not None)

    @property
    def event_reader(self) -> JsonEventReader:
        """A reader of one document while it is written, with numbers as in `read`."""
        return JsonEventReader(float if self._decimals is None else WrittenFloat)

    @property
    def quote_reader(self) -> QuoteReader | None:
        """Finds the quotes in a document; None if the schema requires no value to be in the text."""
        return self._quotes

    def read(self, completion: Completion, sources: Mapping[str, str] | None = None) -> Extraction[T]:
        """The extraction that a completion contains. Bad output does not raise: see `Extraction.error`.

        Args:
            sources: the texts that may be quoted, by name. Raises InvalidInputError if one is missing.
        """
        if completion.finish_reason == "error":
            return Extraction(None, None, False, completion, completion.error)
        try:
            parse_float = _finite_float if self._decimals is None else _written_float
            data = json.loads(completion.text, parse_float=parse_float, parse_constant=refuse_constant)
        except ValueError as error:
            is_whole = completion.is_complete
            failure = _invalid(str(error), None, completion) if is_whole else IncompleteOutputError(completion)
            return Extraction(None, None, False, completion, failure)
        except RecursionError:
            return _too_deep(completion)
        confidence = field_confidences(completion, self._calibration) if self._with_confidence else None
        try:
            reason = self._refusal(data)
            found = Extraction[T](None, data, reason is None, completion, None, confidence)
            if self._quotes is not None:
                texts = SourceTexts(sources or {})
                found = self._with_places(found, self._quotes, texts)
                if not found.is_valid and reason is None:
                    reason = _reason(quote_validator(self._checked_schema, texts), data)
        except RecursionError:
            return _too_deep(completion)
        return found if found.error is not None else self._with_value(found, reason)

    def is_valid(self, data: Any) -> bool:
        """True if parsed JSON fits the schema, in the draft that `$schema` names (2020-12 by default).

        Quotes are not checked here.
        """
        return self._refusal(data) is None

    def with_value(self, found: Extraction[T]) -> Extraction[T]:
        """Check an extraction that has only data so far, and add its value or its error."""
        try:
            reason = self._refusal(found.data)
            return self._with_value(replace(found, is_valid=reason is None), reason)
        except RecursionError:
            return _too_deep(found.completion)

    def seen_from_around(self, found: Extraction[T], piece: Piece, sources: Mapping[str, str]) -> Extraction[T]:
        """See `Extractor.seen_from_around`. sources: texts that may be quoted beside the piece."""
        reader, last = self.quote_reader, len(piece.text)
        of_piece = [place for place in found.places.values() if place.source == TEXT_SOURCE]
        is_at_edge = any(start == 0 or end == last for place in of_piece for start, end in place.spans)
        if reader is None or not is_at_edge or not (piece.before or piece.after):
            return found
        texts = SourceTexts({**sources, TEXT_SOURCE: piece.before + piece.text + piece.after})
        around = reader.places(found.data, texts)
        places, missing = dict(found.places), []
        for key, place in found.places.items():
            if place.source == TEXT_SOURCE:
                seen = around[key].moved(-len(piece.before)).spans if key in around else ()
                spans = tuple(span for span in place.spans if span in seen)
                if not spans:
                    missing.append(f"{key or 'the document'}: {place.quote!r:.200} begins or ends within a word")
                    continue
                places[key] = replace(place, spans=spans, likely=place.likely if place.likely in spans else spans[0])
        if missing:
            failure = MissingQuoteError("; ".join(missing), found.data, found.completion)
            return replace(found, value=None, is_valid=False, error=failure)
        return replace(found, places=places)

    def documents(self, examples: Sequence[tuple[str, Any]], sources: Mapping[str, str]) -> list[tuple[str, Any]]:
        """Examples with their objects converted to documents. Raises InvalidInputError for an object that does not fit
        the schema.

        Args:
            sources: texts that may be quoted beside each example's own.
        """
        return [self._document(i, example, sources) for i, example in enumerate(examples)]

    def _document(self, place: int, example: Any, sources: Mapping[str, str]) -> tuple[str, Any]:
        where = f"examples[{place}]"
        if not isinstance(example, tuple | list) or len(example) != 2 or not isinstance(example[0], str):
            raise InvalidInputError(f"{where} must be a pair of a text and an object, not {example!r:.80}")
        text, value = example
        texts = SourceTexts({**sources, TEXT_SOURCE: text})
        validator = quote_validator(self._checked_schema, texts)
        document = value
        is_document = isinstance(value, dict | list) and _is_json(value) and validator.is_valid(value)
        if self._adapter is not None and not is_document:
            try:
                document = self._adapter.dump_python(value, mode="json", by_alias=True, warnings="error")
                if self._adapter.validate_json(json.dumps(document)) != value:
                    raise ValueError("the type writes it otherwise than it reads it; give the document, a dict or list")
            except (PydanticSerializationError, ValueError, TypeError) as error:
                if not isinstance(value, dict | list):
                    raise InvalidInputError(f"{where}: no document of {value!r:.80}: {error}") from None
        wrong = next((f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)), None)
        if wrong is not None:
            hint = "give the document itself, as a dict or list, with quotes as they stand in the text"
            raise InvalidInputError(f"{where} is not what the schema takes: {wrong:.300}; {hint}")
        return text, document

    def _refusal(self, data: Any) -> str | None:
        """Why parsed JSON does not fit the schema; None if it fits."""
        return _reason(self._validator(), data)

    def _mismatches(self, data: Any) -> list[str]:
        """The JSON pointers of the values that the schema refuses."""
        return [_pointer(error.absolute_path, data) for error in self._validator().iter_errors(data)]

    def _validator(self) -> Any:
        return validator_of(self.schema)

    def _with_places(self, found: Extraction[T], reader: QuoteReader, texts: SourceTexts) -> Extraction[T]:
        """Add the places of all quotes, or an error that names the values that are no quotes."""
        places = reader.places(found.data, texts)
        if reader.is_valid(found.data, texts):
            return replace(found, places=places)
        missing = reader.missing(found.data, texts)
        if not missing:
            return replace(found, is_valid=False, places=places)
        failure = MissingQuoteError("; ".join(missing), found.data, found.completion)
        return replace(found, is_valid=False, error=failure, places=places)

    def _with_value(self, found: Extraction[T], reason: str | None) -> Extraction[T]:
        """Add the value, or the error of the schema or the type. reason: why the schema refuses the data; None if it
        fits.
        """
        data, completion = found.data, found.completion
        if reason is not None:
            return replace(found, error=SchemaMismatchError(reason, data, completion, self._mismatches(data)))
        try:
            value = self._build(completion.text, data)
            is_refused = completion.closed_in_budget and not self._allow_cut
            return replace(found, value=value, error=OutputCutError(value, data, completion) if is_refused else None)
        except ValidationError as error:
            pointers = [_pointer(detail["loc"], data) for detail in _details(error)]
            failure = OutputValidationError(_describe(error), data, completion, pointers)
        except Exception as error:  # noqa: BLE001 - the type's own code can raise anything
            failure = _invalid(f"{type(error).__name__}: {error}", data, completion)
            failure.__cause__ = error
        return replace(found, error=failure)

    def _build(self, text: str, data: Any) -> Any:
        if self._adapter is None:
            return data
        return self._adapter.validate_json(text if self._decimals is None else self._decimals.text(data))


def unwrap(extraction: Extraction[T]) -> T:
    """The value of an extraction. Raises the extraction's error if it has one."""
    if extraction.error is not None:
        raise extraction.error
    return extraction.value  # type: ignore[return-value]  # None is then the value itself (a schema that allows null)


def unwrap_all(extractions: Sequence[Extraction[T]]) -> list[T]:
    """The values of all extractions. Raises the first error, with a note that names its text."""
    for i, one in enumerate(extractions):
        if one.error is not None:
            one.error.add_note(f"texts[{i}]")
    return [unwrap(one) for one in extractions]


def extraction_params(params: SamplingParams | None, schema: Any) -> SamplingParams:
    """`params`, constrained by `schema`. None means greedy, with the whole context.

    Raises:
        InvalidInputError: if `params` already has a constraint.
    """
    params = DEFAULT_PARAMS if params is None else params
    if params.is_constrained:
        raise InvalidInputError(
            f"extract takes its constraint from the schema; leave {params.constraint} out of params"
        )
    return replace(params, json_schema=schema)


def _finite_float(text: str) -> float:
    """The float of a JSON number. Raises ValueError if no float holds it: JSON can't write infinity."""
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"no float holds the number {text[:40]}")
    return number


def _written_float(text: str) -> float:
    """Like `_finite_float`, but keeps all digits, for a Decimal."""
    _finite_float(text)
    return WrittenFloat(text)


def _is_json(value: Any) -> bool:
    """False for a value that `jsonschema` may accept but JSON can't write, such as a Decimal."""
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return False
    return True


def _invalid(reason: str, data: Any, completion: Completion) -> OutputValidationError:
    return OutputValidationError(reason, data, completion)


def _reason(validator: Any, data: Any) -> str | None:
    """The first complaint of a `jsonschema` validator about a document, in words; None without one."""
    error = next(validator.iter_errors(data), None)
    return None if error is None else f"{error.json_path}: {error.message:.300}"


def _pointer(location: Iterable[str | int], data: Any) -> str:
    """The JSON pointer of a place that a validator names.

    Pydantic inserts words of its own between keys, such as the union member that it tried. Such words are left out.
    """
    keys = []
    for one in location:
        is_item = isinstance(data, list) and isinstance(one, int) and one < len(data)
        if is_item or (isinstance(data, dict) and one in data):
            data = data[one]
            keys.append(one)
    return pointer_of(keys)


def _too_deep(completion: Completion) -> Extraction[Any]:
    failure = _invalid("it is nested too deeply to be read; bound the schema's recursion", None, completion)
    return Extraction(None, None, False, completion, failure)


def _describe(error: ValidationError) -> str:
    """All details of a Pydantic error, in one line."""
    return "; ".join(
        f"{'.'.join(map(str, detail['loc'])) or 'the document'}: {detail['msg']}" for detail in _details(error)
    )


def _details(error: ValidationError) -> list[ErrorDetails]:
    return error.errors(include_url=False, include_context=False)
