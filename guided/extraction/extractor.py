"""`Extractor`: texts into one type, with one model: one text, thousands of them, or the fields of one as they come."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, Protocol, TypedDict, TypeVar

from guided.grammars.errors import GuidedError, InvalidInputError

from ..engine.base import Engine
from ..errors import ContextLengthError
from ..output.completion import Completion
from ..output.generation import Generation
from ..params.sampling_params import SamplingParams
from ..requests.reader import RequestReader
from ..requests.request import Request
from ..schemas.python_types import to_json_schema
from .extraction import Extraction, ExtractionTarget, extraction_messages, extraction_params
from .json_events import FieldEvent, JsonEventReader, JsonTextError
from .value_bounds import ValueBounds, bounded

T = TypeVar("T")

MAX_IN_FLIGHT = 256  # texts that are started before the first of them is done: several batches, few enough to hold


class Submit(Protocol):
    """`LLM.submit`, for any number of texts."""

    def __call__(self, requests: Sequence[Request], *, read_at_end: bool = False) -> Generation:
        """See `LLM.submit`."""
        ...


class ExtractionOptions(TypedDict, total=False):
    """What an extraction may be told.

    params: without a constraint; None is greedy, with all of the context.
    instructions: what to look for, in words, beside the schema.
    confidence: also say how sure the model is of each field: `Extraction.confidence`.
    bounds: of the values that the schema leaves open, such as `ValueBounds()`; None leaves them open.
    progress: show a bar on standard error while all texts of a list are read.
    """

    params: SamplingParams | None
    instructions: str | None
    confidence: bool
    bounds: ValueBounds | None
    progress: bool


class Extractor(Generic[T]):
    """Reads texts into `schema_type`; `LLM.extractor` makes it.

    schema_type: a Pydantic model, dataclass, TypedDict or Enum; or a JSON Schema as dict, bool or JSON text.
    reader, engine, submit: of the model that answers. params, instructions, ...: see `ExtractionOptions`.
    Raises InvalidInputError for params with a constraint, and the errors of compiling at the first text.
    """

    def __init__(
        self,
        schema_type: Any,
        reader: RequestReader,
        engine: Engine,
        submit: Submit,
        *,
        params: SamplingParams | None = None,
        instructions: str | None = None,
        confidence: bool = False,
        bounds: ValueBounds | None = None,
        progress: bool = False,
    ) -> None:
        if isinstance(schema_type, str):
            schema_type = to_json_schema(schema_type, reader.limits)
        self._target: ExtractionTarget[T] = ExtractionTarget(schema_type, with_confidence=confidence)
        self._reader = reader
        self._engine = engine
        self._submit = submit
        self._instructions = instructions
        self._progress = progress
        self._group = threading.Event()  # its texts share their places in a batch, see `RequestOptions`
        schema = self._target.grammar_schema
        self.params = extraction_params(params, schema if bounds is None else bounded(schema, bounds))
        if confidence:
            mode = reader.encoder.confidence_logprobs
            self.params = replace(self.params, logprobs=self.params.logprobs or 0, logprobs_mode=mode)

    def encode(self, text: str) -> list[int]:
        """The prompt of one text. Raises InvalidInputError for a text that is empty or no string."""
        schema, encoder = self._target.schema, self._reader.encoder
        messages = extraction_messages(text, self._instructions, schema, shows_schema=encoder.shows_schema)
        return encoder.encode_chat(messages, schema, thinking=self.params.thinking)

    def extract_all(self, texts: Iterable[str]) -> list[Extraction[T]]:
        """One extraction for each text, all at once. Raises what keeps one of them from being read, before any is."""
        self._reader.compile(self.params)  # before a chat template is shown its schema
        requests = self._reader.read([self.encode(text) for text in texts], self.params)
        with self._submit(requests, read_at_end=not self._progress) as generation:
            return [self.read(completion) for completion in generation.results(progress=self._progress)]

    def check(self, text: str, where: str = "the text") -> None:
        """Raises what keeps a text from being read: InvalidInputError, ContextLengthError. where: how they name it."""
        try:
            token_ids = self.encode(text)
        except ContextLengthError as error:
            raise error.at(where) from None
        self._engine.check(Request(token_ids, self.params), where)

    def read(self, completion: Completion) -> Extraction[T]:
        """What a completion of `params` holds. Never raises for bad output: see `Extraction.error`."""
        return self._target.read(completion)

    def start(self, text: str) -> RunningExtraction[T]:
        """Begin to read one text. A text that can't be read (empty, too long) gives an extraction with that error."""
        try:
            return RunningExtraction(self, self._begin(text))
        except (InvalidInputError, ContextLengthError) as error:
            return RunningExtraction(self, error)

    def stream(self, text: str) -> ExtractionStream[T]:
        """Read one text and show its fields while they are written. Raises for bad input, as `LLM.extract` does."""
        return ExtractionStream(self, self._begin(text))

    def extract_each(self, texts: Iterable[str], *, max_in_flight: int = MAX_IN_FLIGHT) -> Iterator[Extraction[T]]:
        """One extraction for each text, in order, as they are done; texts are taken from the iterable when needed.

        max_in_flight: how many texts may be started and not yet given back. What goes wrong with one text is in its
        `Extraction.error`, and the others go on. Closing the iterator stops the rest.
        """
        return extract_in_order((partial(self.start, text) for text in texts), max_in_flight)

    def _begin(self, text: str) -> Generation:
        return self._submit(self._reader.read([self.encode(text)], self.params, cancel=self._group))


@dataclass(frozen=True)
class RunningExtraction(Generic[T]):
    """A text that is being read. running: its generation, or why there is none."""

    extractor: Extractor[T]
    running: Generation | GuidedError

    def result(self) -> Extraction[T]:
        """The extraction, waited for."""
        if isinstance(self.running, Generation):
            return self.extractor.read(self.running.result())
        return self.extractor.read(_refused(self.running))

    def cancel(self) -> None:
        """Nobody wants it any more."""
        if isinstance(self.running, Generation):
            self.running.cancel()


def extract_in_order(
    starts: Iterable[Callable[[], RunningExtraction[Any]]], max_in_flight: int = MAX_IN_FLIGHT
) -> Iterator[Extraction[Any]]:
    """Start as many as may be in flight, give the results back in order, start the next ones meanwhile."""
    if max_in_flight < 1:
        raise InvalidInputError(f"max_in_flight must be at least 1, not {max_in_flight}")
    return _in_order(iter(starts), max_in_flight)


def _in_order(starts: Iterator[Callable[[], RunningExtraction[Any]]], max_in_flight: int) -> Iterator[Extraction[Any]]:
    waiting: deque[RunningExtraction[Any]] = deque()
    try:
        while True:
            while len(waiting) < max_in_flight and (start := next(starts, None)) is not None:
                waiting.append(start())
            if not waiting:
                return
            yield waiting[0].result()
            waiting.popleft()
    finally:
        for one in waiting:
            one.cancel()


class ExtractionStream(Generic[T]):
    """The fields of one document while it is written: iterate for `FieldEvent`s, then look at `extraction`.

    Closing it, or leaving its `with` block, stops the generation. An output that fails midway ends the events;
    `extraction.error` says why.
    """

    def __init__(self, extractor: Extractor[T], generation: Generation) -> None:
        self._extractor = extractor
        self._generation = generation
        self._events = self._read()
        self._extraction: Extraction[T] | None = None

    @property
    def extraction(self) -> Extraction[T]:
        """The result, once all events were read; reads those that are left."""
        for _ in self._events:
            pass
        if self._extraction is None:
            raise InvalidInputError("the stream was closed before its end, so there is no extraction")
        return self._extraction

    def close(self) -> None:
        """Stop the generation, unless it is done."""
        self._generation.cancel()
        self._events.close()

    def __iter__(self) -> Iterator[FieldEvent]:
        return self._events

    def __enter__(self) -> ExtractionStream[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> Generator[FieldEvent, None, None]:
        reader = JsonEventReader()
        with self._generation:
            for chunk in self._generation:
                if chunk.index > 0:  # with n > 1 the first output is the document
                    continue
                yield from reader.push(chunk.text)
                if chunk.completion is not None:
                    with suppress(JsonTextError):  # a document that is cut off: the extraction has the error
                        yield from reader.close()
                    self._extraction = self._extractor.read(chunk.completion)


def _refused(error: GuidedError) -> Completion:
    """The completion of a text that was never started."""
    return Completion(
        text="",
        token_ids=(),
        finish_reason="error",
        error=error,
        num_prompt_tokens=0,
        num_forced_tokens=0,
        elapsed_s=0.0,
    )
