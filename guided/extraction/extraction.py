"""From a completion to a typed object: parse the JSON, check it against the schema, build the type's instance.

The grammar already guarantees that a complete document fits the schema; it is checked again with the independent
`jsonschema` library, formats included, so that `is_valid` is a measurement and not a promise.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from guided.grammars.errors import GuidedError, InvalidInputError
from guided.grammars.jsonschema_library import jsonschema

from ..errors import IncompleteOutputError, OutputValidationError
from ..output.completion import Completion
from ..params.sampling_params import SamplingParams
from ..requests.prompting import Message
from ..schemas.python_types import grammar_schema, to_json_schema, type_adapter
from .confidence import FieldConfidence, field_confidences

T = TypeVar("T")

DEFAULT_PARAMS = SamplingParams(temperature=0.0, max_new_tokens=None)
DEFAULT_INSTRUCTIONS = "Read the user's text and write down the data that it gives. Use only what the text says."


@dataclass(frozen=True)
class Extraction(Generic[T]):
    """What one text gave.

    value: the instance of the asked type (the parsed JSON for a plain JSON Schema); None where `error` is set.
    data: the parsed JSON; None when the document is incomplete.
    is_valid: a complete document that validates against the schema.
    error: why there is no value: IncompleteOutputError, OutputValidationError or what ended the request; else None.
    confidence: of each value in `data` by its JSON pointer, where it was asked for and the document is complete.
    """

    value: T | None
    data: Any
    is_valid: bool
    completion: Completion
    error: Exception | None = None
    confidence: Mapping[str, FieldConfidence] | None = None

    @property
    def is_shortened(self) -> bool:
        """A complete document that the end of max_new_tokens or of the context forced to close: it may lack things."""
        return self.completion.closed_in_budget and self.data is not None


class ExtractionTarget(Generic[T]):
    """The type that texts are turned into, and its JSON Schema.

    schema_type: a Pydantic model, dataclass, TypedDict or Enum; or a JSON Schema as dict, bool or JSON text.
    schema: the one to show. grammar_schema: the one to generate by, with the type's own rules.
    Raises the errors of `to_json_schema` for anything else.
    """

    def __init__(self, schema_type: Any, *, with_confidence: bool = False) -> None:
        self.schema = to_json_schema(schema_type)
        self.grammar_schema = grammar_schema(schema_type)
        is_schema = isinstance(schema_type, dict | bool | str)
        self._adapter: TypeAdapter[T] | None = None if is_schema else type_adapter(schema_type)
        self._with_confidence = with_confidence

    def read(self, completion: Completion) -> Extraction[T]:
        """The extraction that a completion holds. Never raises for bad output: see `Extraction.error`."""
        if completion.finish_reason == "error":
            return Extraction(None, None, False, completion, completion.error)
        try:
            data = json.loads(completion.text, parse_float=_finite_float)
        except ValueError as error:
            is_whole = completion.is_complete
            failure = _invalid(str(error), None, completion) if is_whole else IncompleteOutputError(completion)
            return Extraction(None, None, False, completion, failure)
        except RecursionError:
            return _too_deep(completion)
        confidence = field_confidences(completion) if self._with_confidence else None
        try:
            is_valid = self.is_valid(data)
        except RecursionError:
            return _too_deep(completion)
        try:
            return Extraction(self._build(completion.text, data), data, is_valid, completion, None, confidence)
        except ValidationError as error:
            failure = _invalid(_describe(error), data, completion)
        except Exception as error:  # noqa: BLE001 - the type's own code can raise anything
            failure = _invalid(f"{type(error).__name__}: {error}", data, completion)
            failure.__cause__ = error
        return Extraction(None, data, is_valid, completion, failure, confidence)

    def is_valid(self, data: Any) -> bool:
        """True when parsed JSON validates against the schema, in the draft that `$schema` names (2020-12 without)."""
        validator_class = jsonschema.validators.validator_for(self.schema, default=jsonschema.Draft202012Validator)
        validator = validator_class(self.schema, format_checker=validator_class.FORMAT_CHECKER)
        return bool(validator.is_valid(data))

    def _build(self, text: str, data: Any) -> Any:
        return data if self._adapter is None else self._adapter.validate_json(text)


def unwrap(extraction: Extraction[T]) -> T:
    """The value; raises the extraction's error where there is none."""
    if extraction.error is not None:
        raise extraction.error
    return extraction.value  # type: ignore[return-value]  # None is then the value itself (a schema that allows null)


def extraction_params(params: SamplingParams | None, schema: Any) -> SamplingParams:
    """`params` (greedy, with all of the context, when None) constrained by `schema`."""
    params = DEFAULT_PARAMS if params is None else params
    if params.is_constrained:
        raise InvalidInputError(
            f"extract takes its constraint from the schema; leave {params.constraint} out of params"
        )
    return replace(params, json_schema=schema)


def extraction_messages(text: str, instructions: str | None, schema: Any, *, shows_schema: bool) -> list[Message]:
    """The conversation that asks for one text's data: the text is the user's message, alone.

    shows_schema: the chat template writes the schema itself; otherwise a system message with instructions and schema
        goes in front.
    """
    if not isinstance(text, str):
        raise InvalidInputError(f"a text to extract from must be a string, not {type(text).__name__}")
    if not text.strip():
        raise InvalidInputError("the text to extract from is empty")
    if instructions is not None and not instructions.strip():
        raise InvalidInputError("the instructions are empty; leave them out or write some")
    user = {"role": "user", "content": text}
    if not shows_schema:
        system = (
            f"{instructions or DEFAULT_INSTRUCTIONS}\nAnswer with one JSON document that follows this JSON Schema:\n"
        )
        return [{"role": "system", "content": system + json.dumps(schema, ensure_ascii=False)}, user]
    return [user] if instructions is None else [{"role": "system", "content": instructions}, user]


def _finite_float(text: str) -> float:
    """A number of JSON. One that no float holds would become infinity, which JSON can't write again."""
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"no float holds the number {text[:40]}")
    return number


def _invalid(reason: str, data: Any, completion: Completion) -> GuidedError:
    return OutputValidationError(reason, data, completion)


def _too_deep(completion: Completion) -> Extraction[Any]:
    failure = _invalid("it is nested too deeply to be read; bound the schema's recursion", None, completion)
    return Extraction(None, None, False, completion, failure)


def _describe(error: ValidationError) -> str:
    """All of a Pydantic error in one line."""
    details = error.errors(include_url=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, detail['loc'])) or 'the document'}: {detail['msg']}" for detail in details)
