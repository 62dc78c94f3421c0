"""`TextReader`: what reads texts into typed objects, one or many, whole or while they are written.

`LLM` is one. Each of its calls makes an `Extractor`; keep one for many calls.
"""

# mypy: disable-error-code=overload-overlap
# A str is a Sequence[str], too: the overload that stands first takes it.

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Iterator, Sequence
from typing import Any, TypeVar, Unpack, overload

from ..documents.frames import FrameT, FrameTexts, new_columns
from ..documents.pieces import Cut
from ..output.progress import progress_bar, with_progress
from ..params.checks import check_bool
from ..requests.prompts import texts_in
from .document import DocumentReader
from .extraction import Extraction, unwrap, unwrap_all
from .extractor import Extractor
from .options import ExtractionOptions
from .read_fields import ReadFields
from .records import to_record
from .stream import ExtractionStream

T = TypeVar("T")


class TextReader(ABC):
    """Every call takes the options of `ExtractionOptions`."""

    @abstractmethod
    def extractor(self, schema_type: Any, **options: Unpack[ExtractionOptions]) -> Extractor[Any]:
        """What reads texts into one type.

        schema_type: a Pydantic model, dataclass, TypedDict or Enum; or a JSON Schema as dict, bool or JSON text.
        """

    @property
    @abstractmethod
    def has_confidence(self) -> bool:
        """Whether confidences can be had for sure: many servers of others tell no log-probabilities."""

    @overload
    def extract(self, texts: str, schema_type: type[T], **options: Unpack[ExtractionOptions]) -> T: ...

    @overload
    def extract(self, texts: Sequence[str], schema_type: type[T], **options: Unpack[ExtractionOptions]) -> list[T]: ...

    @overload
    def extract(self, texts: str | Sequence[str], schema_type: Any, **options: Unpack[ExtractionOptions]) -> Any: ...

    def extract(self, texts: str | Sequence[str], schema_type: Any, **options: Unpack[ExtractionOptions]) -> Any:
        """Read one text or several into instances of a type (or plain data, for a JSON Schema); see `extractor`.

        Raises the errors of `generate`, IncompleteOutputError for a document that is cut off, and OutputValidationError
        for one that the type's own rules refuse. With several texts the first failure raises: use `extract_detailed`
        or `extract_each` to get the others.
        """
        results = self.extract_detailed(texts, schema_type, **options)
        return unwrap(results) if isinstance(results, Extraction) else unwrap_all(results)

    def extract_detailed(
        self, texts: str | Sequence[str], schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> Extraction[Any] | list[Extraction[Any]]:
        """Like `extract`, with the data, the check and the completion of each text; a bad output is not raised.

        With several texts, what is wrong with one of them (empty, too long, no quote that fits) is its
        `Extraction.error`; a single one raises it.
        """
        extractor = self.extractor(schema_type, **options)
        if isinstance(texts, str):
            return extractor.extract_one(texts)
        return extractor.extract_all(texts_in(texts, "texts"))

    def extract_each(
        self, texts: Iterable[str], schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> Iterator[Extraction[Any]]:
        """One extraction for each of any number of texts, in order, as they are done: see `Extractor.extract_each`."""
        return self.extractor(schema_type, **options).extract_each(texts)

    def extract_document(
        self, text: str, schema_type: Any, *, cut: Cut | None = None, **options: Unpack[ExtractionOptions]
    ) -> Extraction[Any]:
        """Read a text of any length: cut into pieces, read side by side, merged by the schema's shape.

        cut: how large the pieces are. confidence: confidences are told, and decide between values; without them the
        first value counts. Default: `has_confidence`. Places are those of the whole text. What pieces say differently
        is in `Extraction.conflicts`; pieces that could not be read make its error a PiecesFailedError, and its data
        those of the others. See `DocumentReader` for many such texts.
        """
        has_bar = options.pop("progress", False)
        check_bool("progress", has_bar)
        options.setdefault("confidence", self.has_confidence)
        reader = DocumentReader(self.extractor(schema_type, **options), cut)
        if not has_bar:
            return reader.read(text)
        with progress_bar(len(text), "reading") as advance:
            return reader.read(text, on_piece=advance)

    def extract_frame(
        self,
        frame: FrameT,
        schema_type: Any,
        *,
        column: str = "text",
        prefix: str = "",
        **options: Unpack[ExtractionOptions],
    ) -> FrameT:
        """A pandas, Polars or PyArrow table with a text in each row, and a column more for each field.

        Needs narwhals, of the extra `documents`. column: of the texts. prefix: of the new columns' names. `error` is
        one of them: why there is nothing in a row, null where there is. So is `shortened`: whether a document had to
        end early (see `Extraction.is_shortened`). Scalars stay what they are; what is nested, or of several types, is
        JSON text (so are confidences, where they are asked for). A number that its column can't hold exactly (an
        integer beyond 64 bits, say) is its row's error.
        Raises InvalidInputError for what is no frame or has two columns with one name, for a column that is not there,
        for new ones that are, and for a type with a field that is called `error`, `shortened` or, with confidences,
        `confidence`.
        """
        progress = options.get("progress", False)
        extractor = self.extractor(schema_type, **options)
        source = FrameTexts(frame, column)
        columns = new_columns(schema_type, prefix, has_confidence=options.get("confidence", False))
        source.check_new(columns)
        results: Iterable[Extraction[Any]] = extractor.extract_each(source.texts)
        if progress:
            results = with_progress(results, len(source.texts), "extracting")
        fields = ReadFields(schema_type)
        records = [to_record(str(row), one, fields) for row, one in enumerate(results)]
        return source.with_columns(columns, records)

    def stream_extract(
        self, text: str, schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> ExtractionStream[Any]:
        """Read one text and show each field while it is written: see `ExtractionStream`."""
        return self.extractor(schema_type, **options).stream(text)

    @overload
    async def aextract(self, texts: str, schema_type: type[T], **options: Unpack[ExtractionOptions]) -> T: ...

    @overload
    async def aextract(
        self, texts: Sequence[str], schema_type: type[T], **options: Unpack[ExtractionOptions]
    ) -> list[T]: ...

    @overload
    async def aextract(
        self, texts: str | Sequence[str], schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> Any: ...

    async def aextract(self, texts: str | Sequence[str], schema_type: Any, **options: Unpack[ExtractionOptions]) -> Any:
        """`extract`, awaited: the event loop is free meanwhile. Cancelling the task cancels what runs."""
        results = await self.aextract_detailed(texts, schema_type, **options)
        return unwrap(results) if isinstance(results, Extraction) else unwrap_all(results)

    async def aextract_detailed(
        self, texts: str | Sequence[str], schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> Extraction[Any] | list[Extraction[Any]]:
        """`extract_detailed`, awaited."""
        extractor = self.extractor(schema_type, **options)
        if isinstance(texts, str):
            return await extractor.extract_async(texts)
        return await extractor.extract_all_async(texts_in(texts, "texts"))

    def aextract_each(
        self, texts: Iterable[str] | AsyncIterable[str], schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> AsyncGenerator[Extraction[Any], None]:
        """`extract_each` as an async iterator; the texts may come from one."""
        return self.extractor(schema_type, **options).extract_each_async(texts)

    async def astream_extract(
        self, text: str, schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> ExtractionStream[Any]:
        """`stream_extract`, begun without blocking the event loop; read it with `async for`."""
        return await self.extractor(schema_type, **options).stream_async(text)
