"""Reads the texts of `guided extract`, whole or in pieces, and writes the report on the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from guided.grammars.errors import InvalidInputError

from ..documents.pieces import Cut
from ..errors import ContextLengthError
from ..extraction.document import DocumentReader, LongText, OnPiece, read_documents
from ..extraction.extraction import Extraction
from ..extraction.extractor import Extractor, extract_in_order
from ..report.entries import ReportFields
from ..report.page import ReportText, write_report
from ..schemas.shape import ValueShape
from .texts import TextSource

Job = tuple[TextSource, Extractor[Any]]


def read_whole(jobs: Sequence[Job], *, check: bool) -> Iterator[Extraction[Any]]:
    """The extractions of the texts, in order. check: first raise an error if any text can't be read."""
    if check:
        for source, extractor in jobs:
            try:
                extractor.check(source.text, source.name)
            except ContextLengthError as error:
                raise InvalidInputError(f"{error}; --long reads long texts in pieces") from error
    return extract_in_order(partial(extractor.start, source.text, source.problem) for source, extractor in jobs)


def read_long(jobs: Sequence[Job], cut: Cut, *, on_piece: OnPiece) -> Iterator[Extraction[Any]]:
    """The extractions of texts that are read in pieces. on_piece: called with the number of characters that were
    read.
    """
    readers = {id(extractor): DocumentReader(extractor, cut) for _, extractor in jobs}
    texts = (LongText(readers[id(extractor)], source.text, source.problem) for source, extractor in jobs)
    return read_documents(texts, on_piece=on_piece)


def report_on(
    path: Path, texts: Sequence[TextSource], records: Mapping[str, Mapping[str, Any]], schemas: Mapping[str, Any]
) -> None:
    """Write the report page. records, schemas: by text name. Raises InvalidInputError if the page can't be written."""
    fields = ReportFields()
    for source in texts:
        if records[source.name]["data"] is not None:
            fields.add(records[source.name]["data"])
    shapes = {id(schema): ValueShape.of(schema) for schema in schemas.values()}
    entries = (ReportText(source.text, records[source.name], shapes[id(schemas[source.name])]) for source in texts)
    try:
        write_report(path, entries, fields)
    except OSError as error:
        raise InvalidInputError(f"can't write {path}: {error.strerror}") from error
