"""What decides the answer to a text. It stands in each record: `--resume` keeps only what a new run would write.

What the command line says must be the same again: a run with other options is refused. Texts and schemas are files,
which may change: a digest of each is in the record, and what has another one is read again. Of a model only its name
and its place are known: other weights in the same folder, or behind the same URL, are not noticed.
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
    """How the texts of one schema are read. identity: what their records say of it, and of the run's options."""

    extractor: Extractor[Any]
    fields: ReadFields
    identity: Mapping[str, Any]

    @classmethod
    def of(cls, schema_type: Any, extractor: Extractor[Any], options: Mapping[str, Any]) -> Reading:
        """options: of the run, and the schema's name."""
        return cls(extractor, ReadFields(schema_type), {**options, SCHEMA_DIGEST: schema_digest(schema_type)})

    def identity_of(self, source: TextSource) -> dict[str, Any]:
        """What the record of a text says of what it is."""
        return {**self.identity, TEXT_DIGEST: text_digest(source)}

    def record(self, source: TextSource, extraction: Extraction[Any]) -> dict[str, Any]:
        """The record of a text."""
        return to_record(source.name, extraction, self.fields) | self.identity_of(source)

    def still_holds(self, record: Mapping[str, Any]) -> bool:
        """Whether the type says of a record's document what it said when it was read.

        The code of a type, such as its validators and `Quote(as_=...)`, is in no schema: so it is asked again. Not of a
        document that the schema refused, and not of one that lacks some pieces of its text: these are errors anyway.
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
    """SHA-256 of a text in UTF-8; of one that can't be read, of the reason."""
    return _sha256(source.text if source.problem is None else str(source.problem))


def schema_digest(schema_type: Any) -> str:
    """SHA-256 of a JSON Schema as data, and of the rules of a Python type; of its layout and comments nothing."""
    rules = type_adapter(schema_type).json_schema(schema_generator=_TimelessRules) if is_type(schema_type) else None
    return _sha256(json.dumps([to_json_schema(schema_type), rules]))


def place_digest(model: str | None, base_url: str | None) -> str | None:
    """SHA-256 of where a model is: its server, or its folder. None for one that its name tells."""
    place = None if base_url is None else base_url.rstrip("/")
    if place is None and model is not None and Path(model).is_dir():
        place = str(Path(model).resolve())
    return None if place is None else _sha256(place)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class _TimelessRules(TypeRules):
    """The rules of a type, with "past" and "future" as words and not as the dates that they come to today."""

    def date_schema(self, schema: core_schema.DateSchema) -> dict[str, Any]:
        return _named(super().date_schema(_timeless(schema)), schema)

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> dict[str, Any]:
        return _named(super().datetime_schema(_timeless(schema)), schema)


def _timeless(schema: Any) -> Any:
    return {key: value for key, value in schema.items() if key != "now_op"}


def _named(described: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    return {**described, "now_op": schema.get("now_op")}
