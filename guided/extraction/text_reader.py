"""`TextReader`: the interface for reading texts into typed objects: one or many texts, whole or while they are written.

`LLM` implements it. Each call creates an `Extractor`; for many calls keep one extractor.
"""

# mypy: disable-error-code=overload-overlap
# A str is a Sequence[str] too, so the overload that stands first matches it.

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Iterator, Sequence
from typing import Any, TypeVar, Unpack, overload

from ..documents.pieces import Cut
from ..option_lists import lists_options
from ..output.progress import progress_bar
from ..params.checks import check_bool
from ..requests.prompts import texts_in
from .document import DocumentReader
from .extraction import Extraction, unwrap, unwrap_all
from .extractor import Extractor
from .options import ExtractionOptions
from .stream import ExtractionStream

T = TypeVar("T")


_extraction_options = lists_options((ExtractionOptions,), (Extractor.__init__,))


class TextReader(ABC):
    """Reads texts into typed objects. Every call takes the options of `ExtractionOptions`, which `help` lists."""

    @abstractmethod
    def extractor(self, schema_type: Any, **options: Unpack[ExtractionOptions]) -> Extractor[Any]:
        """Create an extractor for one type.

        Args:
            schema_type: a Pydantic model, dataclass, TypedDict or Enum; or a JSON Schema as dict, bool or JSON text.
        """

    @property
    @abstractmethod
    def has_confidence(self) -> bool:
        """True if confidences are certainly available. Many other servers report no log-probabilities."""

    @overload
    def extract(self, texts: str, schema_type: type[T], **options: Unpack[ExtractionOptions]) -> T: ...

    @overload
    def extract(self, texts: Sequence[str], schema_type: type[T], **options: Unpack[ExtractionOptions]) -> list[T]: ...

    @overload
    def extract(self, texts: str | Sequence[str], schema_type: Any, **options: Unpack[ExtractionOptions]) -> Any: ...

    @_extraction_options
    def extract(self, texts: str | Sequence[str], schema_type: Any, **options: Unpack[ExtractionOptions]) -> Any:
        """Read one text or several into instances of a type; for a JSON Schema into plain data. See `extractor`.

        Args:
            texts: one text, or a list of texts.
            schema_type: a Pydantic model, dataclass, TypedDict or Enum; or a JSON Schema as dict, bool or JSON text.

        Raises:
            IncompleteOutputError: for a document that is cut off.
            OutputCutError: for a document that its budget has cut, without `allow_cut`.
            OutputValidationError: for a document that the type's own rules refuse.
            GuidedError: the errors of `LLM.generate`. With several texts the first error is raised; `extract_detailed`
                and `extract_each` return the other results too.
        """
        results = self.extract_detailed(texts, schema_type, **options)
        return unwrap(results) if isinstance(results, Extraction) else unwrap_all(results)

    @_extraction_options
    def extract_detailed(
        self, texts: str | Sequence[str], schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> Extraction[Any] | list[Extraction[Any]]:
        """Like `extract`, but returns the data, the check and the completion of each text. Bad output does not raise.

        With several texts, a problem of one text (empty, too long, no quote that fits) is its `Extraction.error`. With
        a single text the problem is raised.

        Args:
            texts: one text, or a list of texts.
            schema_type: see `extractor`.
        """
        extractor = self.extractor(schema_type, **options)
        if isinstance(texts, str):
            return extractor.extract_one(texts)
        return extractor.extract_all(texts_in(texts, "texts"))

    @_extraction_options
    def extract_each(
        self, texts: Iterable[str], schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> Iterator[Extraction[Any]]:
        """The extractions of an iterable's texts, in order, each as soon as it is done.

        Args:
            texts: the texts, read as far ahead as the engine can use them.
            schema_type: see `extractor`.
        """
        return self.extractor(schema_type, **options).extract_each(texts)

    @_extraction_options
    def extract_document(
        self, text: str, schema_type: Any, *, cut: Cut | None = None, **options: Unpack[ExtractionOptions]
    ) -> Extraction[Any]:
        """Read a text of any length: cut it into pieces, read these side by side, and merge their documents by the
        schema's shape.

        confidence: report confidences, which decide between differing values; without them the first value counts.
            Default: `has_confidence`.
        Places refer to the whole text. Differing values of pieces are in `Extraction.conflicts`. If pieces could not be
        read, the error is a PiecesFailedError and the data comes from the others. For many long texts use
        `DocumentReader`.

        Args:
            text: the text, of any length.
            schema_type: see `extractor`.
            cut: how large the pieces are; None: defaults.
        """
        has_bar = options.pop("progress", False)
        check_bool("progress", has_bar)
        options.setdefault("confidence", self.has_confidence)
        reader = DocumentReader(self.extractor(schema_type, **options), cut)
        if not has_bar:
            return reader.read(text)
        with progress_bar(len(text), "reading") as advance:
            return reader.read(text, on_piece=advance)

    @_extraction_options
    def stream_extract(
        self, text: str, schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> ExtractionStream[Any]:
        """Read one text and show each field while it is written: see `ExtractionStream`.

        Args:
            text: the text.
            schema_type: see `extractor`.
        """
        return self.extractor(schema_type, **options).stream(text)

    @overload
    async def extract_async(self, texts: str, schema_type: type[T], **options: Unpack[ExtractionOptions]) -> T: ...

    @overload
    async def extract_async(
        self, texts: Sequence[str], schema_type: type[T], **options: Unpack[ExtractionOptions]
    ) -> list[T]: ...

    @overload
    async def extract_async(
        self, texts: str | Sequence[str], schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> Any: ...

    @_extraction_options
    async def extract_async(
        self, texts: str | Sequence[str], schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> Any:
        """Like `extract`, but awaited; the event loop stays free. Cancelling the task cancels the running requests."""
        results = await self.extract_detailed_async(texts, schema_type, **options)
        return unwrap(results) if isinstance(results, Extraction) else unwrap_all(results)

    @_extraction_options
    async def extract_detailed_async(
        self, texts: str | Sequence[str], schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> Extraction[Any] | list[Extraction[Any]]:
        """Like `extract_detailed`, but awaited."""
        extractor = self.extractor(schema_type, **options)
        if isinstance(texts, str):
            return await extractor.extract_async(texts)
        return await extractor.extract_all_async(texts_in(texts, "texts"))

    @_extraction_options
    def extract_each_async(
        self, texts: Iterable[str] | AsyncIterable[str], schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> AsyncGenerator[Extraction[Any], None]:
        """Like `extract_each`, as an async iterator. `texts` may be an async iterable too."""
        return self.extractor(schema_type, **options).extract_each_async(texts)

    @_extraction_options
    async def stream_extract_async(
        self, text: str, schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> ExtractionStream[Any]:
        """Like `stream_extract`, but started without blocking the event loop. Read the stream with `async for`."""
        return await self.extractor(schema_type, **options).stream_async(text)
