"""`ExtractionStream`: one text's document while it is written, for threads and for coroutines."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Generic, TypeVar

from guided.grammars.errors import InvalidInputError

from ..json_events import FieldEvent, JsonEventReader, JsonTextError
from ..output.completion import Completion, CompletionChunk
from ..output.generation import Generation
from .extraction import Extraction
from .partials import PartialBuilder
from .quote_places import QuoteReader, SourceTexts

T = TypeVar("T")


class ExtractionStream(Generic[T]):
    """The fields of one document while it is written: iterate for `FieldEvent`s, then read `extraction`.

    Use `for`, or `async for` in a coroutine. `close`, or leaving the `with` (`async with`) block, stops the generation.
    Another loop continues where the last one stopped. If the output fails midway, the events end, and
    `extraction.error` gives the reason.

    Args:
        generation: generation of one text.
        read: function that makes the extraction of the completion.
        reader: reader of the document.
        quotes: finds the places of values that are quotes; None: no value is one.
        texts: the texts that values quote.
        partials: makes partial objects.
    """

    def __init__(
        self,
        generation: Generation,
        read: Callable[[Completion], Extraction[T]],
        reader: JsonEventReader,
        quotes: QuoteReader | None,
        texts: SourceTexts,
        partials: PartialBuilder,
    ) -> None:
        self._generation = generation
        self._read = read
        self._quotes = quotes
        self._texts = texts
        self._partials = partials
        self._reader = reader
        self._events = self._in_thread()
        self._events_async = self._in_coroutine()
        self._extraction: Extraction[T] | None = None

    @property
    def extraction(self) -> Extraction[T]:
        """The result. Reads the remaining events first (in a coroutine: `await wait()` before).

        Raises InvalidInputError if the stream was closed before its end.
        """
        if self._extraction is None:
            for _ in self._events:
                pass
        if self._extraction is None:
            raise InvalidInputError("the stream was closed before its end, so there is no extraction")
        return self._extraction

    @property
    def partial(self) -> Any:
        """A new object with the content so far (see partials.py); None before the document begins.

        For a JSON Schema it is plain data.
        """
        return self._partials.build(*self._reader.so_far())

    async def wait(self) -> Extraction[T]:
        """Await the remaining events; returns `extraction`."""
        async for _ in self:
            pass
        return self.extraction

    def close(self) -> None:
        """Stop the generation, unless it is done."""
        self._generation.cancel()
        self._events.close()

    def __iter__(self) -> Iterator[FieldEvent]:
        return self._events

    def __aiter__(self) -> AsyncIterator[FieldEvent]:
        return self._events_async

    def __enter__(self) -> ExtractionStream[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> ExtractionStream[T]:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def _in_thread(self) -> Generator[FieldEvent, None, None]:
        with self._generation:
            for chunk in self._generation:
                yield from self._take(chunk)

    async def _in_coroutine(self) -> AsyncGenerator[FieldEvent, None]:
        async with self._generation:
            async for chunk in self._generation:
                for event in self._take(chunk):
                    yield event

    def _take(self, chunk: CompletionChunk) -> Iterator[FieldEvent]:
        """The events of one chunk. Afterwards `partial` includes the whole chunk."""
        if chunk.index > 0:  # with n > 1 the first output is the document
            return
        yield from map(self._with_spans, self._reader.push(chunk.text))
        if chunk.completion is not None:
            with suppress(JsonTextError):  # the document is cut off: the extraction has the error
                yield from map(self._with_spans, self._reader.close())
            self._extraction = self._read(chunk.completion)

    def _with_spans(self, event: FieldEvent) -> FieldEvent:
        if self._quotes is None or event.kind != "done" or not isinstance(event.value, str):
            return event
        return replace(event, spans=self._quotes.spans_at(event.pointer, event.value, self._texts))
