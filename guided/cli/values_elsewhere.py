"""Counts values that do not stand in their texts, for a hint after a run without `--quotes`."""

from __future__ import annotations

from typing import Any

from guided.grammars.errors import InvalidInputError

from ..extraction.extraction import Extraction
from ..extraction.extractor import Extractor
from ..extraction.quote_marks import with_quotes
from ..extraction.quote_places import TEXT_SOURCE, QuoteReader, SourceTexts
from .texts import TextSource

SHOWN_CHARS = 160  # of the first value's description


class ValuesElsewhere:
    """Counts the free strings, numbers and dates of a run's documents that their texts do not have.

    A summary or a computed number is rightly among them, so this is a hint and no error.
    """

    def __init__(self) -> None:
        self._num_values = 0
        self._first = ""
        self._readers: dict[int, QuoteReader | None] = {}

    def add(self, source: TextSource, extractor: Extractor[Any], extraction: Extraction[Any]) -> None:
        """Count the values of one extraction."""
        reader = self._reader(extractor)
        if reader is None or extraction.data is None:
            return
        missing = reader.missing(extraction.data, SourceTexts({TEXT_SOURCE: source.text}))
        if missing and not self._first:
            self._first = f"{source.name} {missing[0]:.{SHOWN_CHARS}}"
        self._num_values += len(missing)

    def hint(self) -> str | None:
        """The count with its first value, and the option that prevents such values; None if there is none."""
        if not self._num_values:
            return None
        return f"values that are not in their texts: {self._num_values}, such as {self._first}; --quotes prevents this"

    def _reader(self, extractor: Extractor[Any]) -> QuoteReader | None:
        """A reader for the extractor's schema; None if the schema can't have quotes."""
        if id(extractor) not in self._readers:
            try:
                self._readers[id(extractor)] = QuoteReader(with_quotes(extractor.schema, True))
            except InvalidInputError:
                self._readers[id(extractor)] = None
        return self._readers[id(extractor)]
