"""The facts that determine the answer to a text. Each record contains them, and `--resume` keeps only records that a
new run would repeat.

Options of the command line must be the same again; a run with other options is refused. Texts and schemas are files
that may change. Records contain their digests, and a text with a changed digest is read again. A model is known only by
name and place, so other weights in the same folder or behind the same URL are not noticed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic_core import core_schema

from ..extraction.extraction import Extraction
from ..extraction.extractor import Extractor
from ..extraction.read_fields import ReadFields
from ..extraction.records import to_record
from ..output.completion import Completion
from ..schemas.exact_json import write_json
from ..schemas.python_types import is_type, to_json_schema, type_adapter
from ..schemas.type_rules import TypeRules
from .results_file import SCHEMA_DIGEST, TEXT_DIGEST
from .texts import TextSource


@dataclass(frozen=True)
class Reading:
    """How the texts of one schema are read. identity: the entries of their records about the schema and the run's
    options.
    """

    extractor: Extractor[Any]
    fields: ReadFields
    identity: Mapping[str, Any]

    @classmethod
    def of(cls, schema_type: Any, extractor: Extractor[Any], options: Mapping[str, Any]) -> Reading:
        """Create a reading. options: the run's options, and the schema's name."""
        return cls(extractor, ReadFields(schema_type), {**options, SCHEMA_DIGEST: schema_digest(schema_type)})

    def identity_of(self, source: TextSource) -> dict[str, Any]:
        """The entries that identify a text's record."""
        return {**self.identity, TEXT_DIGEST: text_digest(source)}

    def record(self, source: TextSource, extraction: Extraction[Any]) -> dict[str, Any]:
        """The record of a text."""
        return to_record(source.name, extraction, self.fields) | self.identity_of(source)

    def still_holds(self, record: Mapping[str, Any]) -> bool:
        """True if the type still gives the same result for a record's document.

        Code of a type, such as validators and `Quote(as_=...)`, is in no schema, so the type reads the document again.
        Documents that the schema refused, or that lack pieces of their text, are errors anyway and are not read again.
        """
        if not record["valid"] or (record["error"] is not None and "pieces" in record):
            return True
        is_cut = bool(record.get("shortened"))
        repeats = bool(record.get("repetition"))
        completion = Completion(
            write_json(record["data"]), (), "stop", None, 0, 0, 0.0, closed_in_budget=is_cut, ended_repetition=repeats
        )
        found: Extraction[Any] = Extraction(None, record["data"], True, completion)
        now = to_record(record["source"], self.extractor.finish(found), self.fields)
        return (now["error"], now.get("read")) == (record["error"], record.get("read"))


def text_digest(source: TextSource) -> str:
    """SHA-256 of a text in UTF-8; if the text can't be read, of the error."""
    return _sha256(source.text if source.problem is None else str(source.problem))


def schema_digest(schema_type: Any) -> str:
    """SHA-256 of a JSON Schema as data, and of a Python type's rules. Layout and comments have no effect."""
    rules = type_adapter(schema_type).json_schema(schema_generator=_TimelessRules) if is_type(schema_type) else None
    return _sha256(json.dumps([to_json_schema(schema_type), rules]))


def place_digest(model: str | None, base_url: str | None) -> str | None:
    """SHA-256 of a model's place: its server or its folder. None for a model known by name."""
    place = None if base_url is None else base_url.rstrip("/")
    if place is None and model is not None and Path(model).is_dir():
        place = str(Path(model).resolve())
    return None if place is None else _sha256(place)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class _TimelessRules(TypeRules):
    """The rules of a type, with "past" and "future" as words instead of today's dates."""

    def date_schema(self, schema: core_schema.DateSchema) -> dict[str, Any]:
        return _named(super().date_schema(_timeless(schema)), schema)

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> dict[str, Any]:
        return _named(super().datetime_schema(_timeless(schema)), schema)


def _timeless(schema: Any) -> Any:
    return {key: value for key, value in schema.items() if key != "now_op"}


def _named(described: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    return {**described, "now_op": schema.get("now_op")}
