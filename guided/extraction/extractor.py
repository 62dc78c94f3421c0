"""`Extractor`: reads texts into one type with one model: one text, thousands of texts, or one text field by field."""

from __future__ import annotations

import asyncio
import copy
import threading
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Generic, Literal, Protocol, TypeVar

from guided.grammars.errors import GuidedError, InvalidInputError, LimitExceededError, UnsatisfiableError

from ..documents.pieces import Piece
from ..engines.base import Engine
from ..errors import ContextLengthError
from ..output.completion import Completion
from ..output.generation import Generation, start_in_thread
from ..params.checks import check_bool, check_integer, check_kind, shown
from ..params.sampling_params import MAX_TOKENS, SamplingParams
from ..requests.options import Cancel
from ..requests.prompting import Message, num_utf8_bytes
from ..requests.reader import RequestReader
from ..requests.request import PromptRequest
from ..schemas.python_types import is_valid_schema, to_json_schema
from .answer_budget import AnswerBudget
from .calibration import Calibration
from .conversation import check_text, correction, draft_turns, example_messages, extraction_messages
from .extraction import Extraction, ExtractionTarget, extraction_params, unwrap
from .options import Examples
from .piece_schema import for_pieces
from .quote_marks import Quotes, has_quotes, without_quotes
from .quote_places import TEXT_SOURCE, SourceTexts
from .stated import stated_in
from .stated_marks import restricted_to
from .stream import ExtractionStream
from .value_bounds import ValueBounds, bounded

T = TypeVar("T")

DEFAULT_BOUNDS = ValueBounds()
WITH_DRAFT = "the prompt with a draft (draft=True)"
MAX_IN_FLIGHT = 256  # texts that may be started before the first one is done: several batches, yet small in memory


class Submit(Protocol):
    """The signature of `LLM.submit` for a list of requests."""

    def __call__(self, requests: Sequence[PromptRequest], *, read_at_end: bool = False) -> Generation:
        """See `LLM.submit`."""
        ...


class Extractor(Generic[T]):
    """Reads texts into `schema_type`; created by `LLM.extractor`.

    params, instructions, ...: see `ExtractionOptions`.

    Args:
        schema_type: a Pydantic model, dataclass, TypedDict or Enum; or a JSON Schema as dict, bool or JSON text.
        reader, engine, submit: parts of the model that answers.

    Raises:
        InvalidInputError: for params with a constraint and for options of a wrong type. Errors of compiling the schema
            are raised at the first text.
    """

    def __init__(
        self,
        schema_type: Any,
        reader: RequestReader,
        engine: Engine,
        submit: Submit,
        *,
        params: SamplingParams | None = None,
        max_new_tokens: int | Literal["auto"] | None = "auto",
        instructions: str | None = None,
        confidence: bool = False,
        bounds: ValueBounds | None = DEFAULT_BOUNDS,
        progress: bool = False,
        quotes: Quotes = False,
        examples: Examples = (),
        draft: bool = False,
        max_retries: int | None = None,
        end_repetition: bool = True,
        allow_cut: bool = False,
    ) -> None:
        if isinstance(schema_type, str):
            own = params.limits if isinstance(params, SamplingParams) else None
            schema_type = to_json_schema(schema_type, own or reader.limits)
        check_kind("params", params, SamplingParams)
        check_bool("confidence", confidence)
        check_bool("progress", progress)
        check_bool("end_repetition", end_repetition)
        check_bool("allow_cut", allow_cut)
        check_bool("draft", draft)
        if not isinstance(examples, Iterable):
            raise InvalidInputError(f"examples must be a list of (text, object) pairs, not {shown(examples)}")
        check_integer("max_retries", max_retries, 0, is_optional=True)
        check_kind("instructions", instructions, str)
        check_kind("bounds", bounds, ValueBounds)
        weights = reader.encoder.field_calibration
        calibration = None if weights is None else Calibration(**weights)
        self._target: ExtractionTarget[T] = ExtractionTarget(
            schema_type, with_confidence=confidence, calibration=calibration, quotes=quotes, allow_cut=allow_cut
        )
        self._reader = reader
        self._engine = engine
        self._submit = submit
        self._instructions = instructions
        self._progress = progress
        self._max_retries = reader.encoder.text_retries if max_retries is None else max_retries
        self._may_stream = not max_retries  # shown fields can't be taken back
        self.has_draft = draft
        self._ends_repetition = end_repetition
        self._group = object()  # texts of one extractor share their places in a batch
        self._has_quotes = has_quotes(self._target.grammar_schema)
        self._enforces_quotes = self._target.quote_reader is not None and reader.encoder.takes_quotes
        schema = self._target.grammar_schema if self._enforces_quotes else without_quotes(self._target.grammar_schema)
        is_valid = is_valid_schema(schema)  # compiling refuses an invalid schema and says why
        self.params = extraction_params(params, bounded(schema, bounds) if bounds is not None and is_valid else schema)
        if max_new_tokens != "auto":
            self.params = replace(self.params, max_new_tokens=max_new_tokens)
        has_budget = max_new_tokens == "auto" and self.params.max_new_tokens is None and not self.params.thinking
        self._budget = AnswerBudget(self._target.schema, self.count_tokens) if has_budget and is_valid else None
        self._sources = self.params.sources or {}
        if TEXT_SOURCE in self._sources:
            raise InvalidInputError(f"sources can't have {TEXT_SOURCE!r}: it is the text that is read")
        if not reader.encoder.takes_quotes:
            self.params = replace(self.params, sources=None)
        self._examples = example_messages(self._target.documents(examples, self._sources))
        if confidence:
            mode = reader.encoder.confidence_logprobs
            self.params = replace(self.params, logprobs=self.params.logprobs or 0, logprobs_mode=mode)

    def may_fit_in_parts(self, text: str, completion: Completion) -> bool:
        """True if extracting from the text's parts may help after the document of the whole text was cut.

        False: the automatic limit cut it. Without lists that happens only if the model repeats itself.
        """
        if self._budget is None or self._budget.repeats:
            return True
        context = self.max_context_tokens
        is_cut_by_context = context is not None and completion.num_prompt_tokens + self._budget.of(text) > context
        return is_cut_by_context and not completion.ended_repetition

    def encode(self, text: str, turns: Sequence[Message] = ()) -> list[int]:
        """The prompt of one text. turns: messages after the text. Raises InvalidInputError for an empty text or a value
        that is not a text.
        """
        schema, encoder = self._target.schema, self._reader.encoder
        messages = extraction_messages(
            text,
            self._instructions,
            schema,
            shows_schema=encoder.shows_schema,
            examples=self._examples,
            has_quotes=self._has_quotes,
        )
        return encoder.encode_chat([*messages, *turns], schema, thinking=self.params.thinking)

    @property
    def schema(self) -> Any:
        """The JSON Schema of the documents, as the model sees it."""
        return self._target.schema

    @property
    def max_context_tokens(self) -> int | None:
        """The model's token limit for prompt and answer together; None if only another server knows it."""
        found = self._engine.max_context_tokens
        return None if found >= MAX_TOKENS else found

    @property
    def unstretched_context_tokens(self) -> int | None:
        """See `Engine.unstretched_context_tokens`."""
        return self._engine.unstretched_context_tokens

    def count_tokens(self, text: str) -> int:
        """The number of tokens of a part of a text; a third of its bytes if another server has the tokenizer."""
        if self._reader.knows_tokens:
            return len(self._reader.encoder.encode_part(text))
        return (num_utf8_bytes(text) + 2) // 3

    def for_pieces(self) -> Extractor[T]:
        """The same extractor for pieces of long texts. A piece need not contain everything that the whole must: see
        `piece_schema`.
        """
        found = copy.copy(self)
        found._target = self._target.for_pieces()
        found.params = replace(self.params, json_schema=for_pieces(self.params.json_schema))
        return found

    def finish(self, found: Extraction[T]) -> Extraction[T]:
        """Check an extraction whose data was assembled elsewhere, and add its value or its error."""
        return self._target.with_value(found)

    def seen_from_around(self, found: Extraction[T], piece: Piece) -> Extraction[T]:
        """Check a piece's quotes against the text around the piece. A quote at the piece's edge is dropped if it begins
        or ends inside a word there.
        """
        return self._target.seen_from_around(found, piece, self._sources)

    def params_for(self, text: str) -> SamplingParams:
        """`params` for one text, with its token budget. If values must come from the text, the text is added as a
        source of quotes. The schema then lists the numbers and dates that the text states.

        A grammar with sources is in no cache, so nothing of the text outlives its reading.
        """
        params = self.params
        if self._budget is not None:
            params = replace(params, max_new_tokens=self._budget.of(text))
        if not self._enforces_quotes:
            return params
        if self._target.has_stated:
            params = replace(params, json_schema=restricted_to(params.json_schema, stated_in(text)))
        return replace(params, sources={**self._sources, TEXT_SOURCE: text})

    def extract_one(self, text: str) -> Extraction[T]:
        """The extraction of one text. Raises the errors of `check`, and those of compiling the schema."""
        return self._read_together([Reading(self, text, raises=True)])[0]

    def extract_all(self, texts: Iterable[str]) -> list[Extraction[T]]:
        """The extractions of all texts, read together. An error of one text is in its `Extraction.error`, and the
        others go on.

        Raises errors of the schema, such as one that can't be compiled.
        """
        check_texts(texts)
        readings = [Reading(self, text, f"text {i}") for i, text in enumerate(texts)]
        self._compile_for(readings)
        return self._read_together(readings)

    def _read_together(self, readings: Sequence[Reading[T]]) -> list[Extraction[T]]:
        """The extractions of all texts. Every text that is not done has one request in each round."""
        while asking := [(one, request) for one in readings if (request := one.next_request()) is not None]:
            with self._submit([request for _, request in asking], read_at_end=not self._progress) as generation:
                completions = generation.results(progress=self._progress)
            for (one, _), completion in zip(asking, completions, strict=True):
                one.take(completion)
        return [one.extraction for one in readings]

    def _compile_for(self, readings: Sequence[Reading[T]]) -> None:
        """Compile the first sound text's grammar. Raises errors of the schema itself, whatever the texts are."""
        first = next((one for one in readings if _is_sound(one.text)), Reading(self, ""))
        with suppress(*self.of_the_text):  # reported when the text is read
            first.compile()

    def compile(self, text: str, cancel: Cancel) -> PromptRequest:
        """The request for the document of a text, with its grammar and without a prompt. cancel: an event that ends
        compiling.
        """
        request = self._reader.complete(PromptRequest((), self.params_for(text)), cancel)
        return replace(request, group=self._group, ends_repetition=self._ends_repetition)

    def request(
        self, compiled: PromptRequest, text: str, draft: Completion | None, turns: Sequence[Message], where: str
    ) -> PromptRequest:
        """The request for a draft if there should be one and there is none; else for a document.

        compiled: the result of `compile` for the text, which refuses a wrong schema before a chat template shows it.
        draft: the free answer, which is shown before `turns`. where: the text's name in errors of the engine.
        Raises like `extract_one`.
        """
        if draft is not None:
            turns, where = [*draft_turns(draft.text), *turns], WITH_DRAFT
        elif self.has_draft:
            params = self._params_of_draft(compiled.params, text)
            compiled = replace(compiled, params=params, grammar=None, enforcement=None)
        request = replace(compiled, prompt_token_ids=self.encode(text, turns), ended=threading.Event())
        self._engine.check(request, where)
        return request

    def _params_of_draft(self, params: SamplingParams, text: str) -> SamplingParams:
        params = replace(params, json_schema=None, sources=None, particles=None, limits=None, return_enforcement=False)
        params = replace(params, logprobs=None, logprobs_mode="raw")
        room = self._draft_room(text)
        return params if room is None else replace(params, max_new_tokens=min(room, params.max_new_tokens or room))

    def _draft_room(self, text: str) -> int | None:
        """Maximum number of tokens of a draft: half of the context after the prompt. The rest is for the document."""
        context = self.max_context_tokens
        if context is None:
            return None
        num_tokens = len(self.encode(text, draft_turns("a")))
        if num_tokens >= context:
            raise ContextLengthError(num_tokens, context, WITH_DRAFT)
        return max(1, (context - num_tokens) // 2)

    def submit(self, request: PromptRequest) -> Generation:
        """Start a request."""
        return self._submit([request])

    def correction(self, found: Extraction[T]) -> list[Message] | None:
        """The turns that ask the model again after an extraction; None if it is not asked again."""
        has_draft = found.draft is None or found.draft.error is None
        may_ask = has_draft and found.attempts <= self._max_retries
        return correction(found.error, found.completion.text) if may_ask else None

    def check(self, text: str, where: str = "the text") -> None:
        """Raise InvalidInputError or ContextLengthError if a text can't be read. where: the text's name in the
        message.
        """
        try:
            token_ids = self.encode(text)
        except ContextLengthError as error:
            raise error.at(where) from None
        self._engine.check(PromptRequest(token_ids, self.params), where)

    def read(self, completion: Completion, text: str = "", draft: Completion | None = None) -> Extraction[T]:
        """The extraction in a completion of `params_for(text)`. Bad output does not raise: see `Extraction.error`.

        draft: the free answer that was asked for before.
        """
        found = self._target.read(completion, {**self._sources, TEXT_SOURCE: text})
        return found if draft is None else replace(found, draft=draft)

    def start(self, text: Any, problem: GuidedError | None = None) -> Reading[T]:
        """Begin to read one text. A text that can't be read (empty, too long) gives an extraction with that error.

        problem: an error that prevents reading it.
        """
        reading = Reading(self, text)
        if problem is None:
            reading.begin()
        else:
            reading.fail(problem)
        return reading

    def stream(self, text: str) -> ExtractionStream[T]:
        """Read one text and show its fields while they are written. Raises for bad input, like `LLM.extract`.

        Shown fields can't be taken back. A stream therefore never asks again, and raises InvalidInputError for an
        extractor with `max_retries`.
        """
        self._check_stream()
        reading = Reading(self, text, raises=True)
        generation = reading.begin()
        if self.has_draft and generation is not None:
            with generation:
                reading.take(generation.result())
            generation = reading.begin()
        return self._streamed(reading, generation)

    def extract_each(self, texts: Iterable[str], *, max_in_flight: int = MAX_IN_FLIGHT) -> Iterator[Extraction[T]]:
        """The extractions of the texts, in order, each as soon as it is done. Texts are taken from the iterable when
        needed.

        An error of one text is in its `Extraction.error`, and the others go on. Closing the iterator stops the rest.

        Args:
            max_in_flight: number of texts that may be started and not yet returned.
        """
        check_texts(texts)
        return extract_in_order((partial(self.start, text) for text in texts), max_in_flight)

    async def extract_async(self, text: str) -> Extraction[T]:
        """The extraction of one text, awaited. Compiling the grammar and making the prompt happen in another thread.

        Raises the errors of `check`, and those of compiling. Cancelling the task cancels the running request.
        """
        return await Reading(self, text, raises=True).wait()

    async def extract_all_async(self, texts: Sequence[str]) -> list[Extraction[T]]:
        """Like `extract_all`, but awaited."""
        check_texts(texts)
        readings = [Reading(self, text) for text in texts]
        await asyncio.to_thread(self._compile_for, readings)
        tasks = [asyncio.create_task(one.wait()) for one in readings]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    async def extract_each_async(
        self, texts: Iterable[str] | AsyncIterable[str], *, max_in_flight: int = MAX_IN_FLIGHT
    ) -> AsyncGenerator[Extraction[T], None]:
        """Like `extract_each`, as an async iterator. `texts` may be an async iterable too."""
        check_integer("max_in_flight", max_in_flight, 1)
        check_texts(texts, Iterable, AsyncIterable)
        waiting: deque[asyncio.Task[Extraction[T]]] = deque()
        try:
            async for text in _awaited(texts):
                waiting.append(asyncio.create_task(Reading(self, text).wait()))
                if len(waiting) >= max_in_flight:
                    yield await waiting[0]
                    waiting.popleft()
            while waiting:
                yield await waiting[0]
                waiting.popleft()
        finally:
            for one in waiting:
                one.cancel()

    async def stream_async(self, text: str) -> ExtractionStream[T]:
        """Like `stream`, but started in another thread."""
        self._check_stream()
        reading = Reading(self, text, raises=True)
        generation = await start_in_thread(reading.begin)
        if self.has_draft and generation is not None:
            reading.take(await generation.wait())
            generation = await start_in_thread(reading.begin)
        return self._streamed(reading, generation)

    @property
    def of_the_text(self) -> tuple[type[GuidedError], ...]:
        """Errors that concern one text only."""
        return (InvalidInputError, ContextLengthError, *self._of_quotes)

    @property
    def _of_quotes(self) -> tuple[type[GuidedError], ...]:
        """Errors of compiling that concern one text only, because the grammar contains quotes of that text."""
        return () if self._target.quote_reader is None else (UnsatisfiableError, LimitExceededError)

    def _check_stream(self) -> None:
        if not self._may_stream:
            raise InvalidInputError("a stream can't retry, because it has already shown fields; leave max_retries out")

    def _streamed(self, reading: Reading[T], generation: Generation | None) -> ExtractionStream[T]:
        if generation is None:
            unwrap(reading.extraction)  # raises the error of the draft
            raise AssertionError
        texts = SourceTexts({**self._sources, TEXT_SOURCE: reading.text})
        read = partial(self.read, text=reading.text, draft=reading.draft)
        target = self._target
        return ExtractionStream(generation, read, target.event_reader, target.quote_reader, texts, target.partials)


class Reading(Generic[T]):
    """A text while it is read. The model is asked for the draft, then for the document, then again while that is
    refused.

    extractor, text: the reader's settings, and the text to read.
    where: the text's name in errors of the engine.
    raises: True: an error of the text is raised if there is no extraction yet. False: it is in `Extraction.error`.
    draft: attribute; the free answer; None: without a draft, or not there yet.
    """

    def __init__(self, extractor: Extractor[T], text: Any, where: str = "the prompt", *, raises: bool = False) -> None:
        self.text = text
        self.draft: Completion | None = None
        self._extractor = extractor
        self._where = where
        self._raises = raises
        self._compiled: PromptRequest | None = None  # kept for all requests of the text
        self._generation: Generation | None = None
        self._turns: Sequence[Message] | None = ()  # after text and draft in the next prompt; None: no further prompt
        self._found: Extraction[T] | None = None

    @property
    def extraction(self) -> Extraction[T]:
        """The extraction, if all requests are answered."""
        assert self._found is not None
        return self._found

    def compile(self, cancel: Cancel = None) -> PromptRequest:
        """See `Extractor.compile`. All requests of the text have the same grammar, which is compiled once."""
        if self._compiled is None:
            self._compiled = self._extractor.compile(self.text, cancel)
        return self._compiled

    def next_request(self, cancel: Cancel = None) -> PromptRequest | None:
        """The next request; None if there is no further one. cancel: an event that ends compiling."""
        if self._turns is None:
            return None
        try:
            check_text(self.text)
            return self._extractor.request(self.compile(cancel), self.text, self.draft, self._turns, self._where)
        except self._extractor.of_the_text as error:
            self.fail(error)
            return None

    def take(self, completion: Completion) -> None:
        """Take the answer to the last request."""
        if self._awaits_draft:
            self.draft = completion
            if completion.finish_reason != "error":
                return
        found = self._extractor.read(completion, self.text, self.draft)
        self._found = found if self._found is None else replace(found, attempts=self._found.attempts + 1)
        self._ask(self._extractor.correction(self._found))

    def fail(self, error: GuidedError) -> None:
        """End the reading with an error of the text. An extraction that is there stays."""
        self._ask(None)
        if self._found is None:
            if self._raises:
                raise error
            self._found = self._extractor.read(_refused(error), self.text, self.draft)

    def begin(self, cancel: Cancel = None) -> Generation | None:
        """Start the next request; None if there is no further one. cancel: an event that ends compiling."""
        request = self.next_request(cancel)
        self._generation = None if request is None else self._extractor.submit(request)
        return self._generation

    def advance(self, timeout_s: float | None = 0) -> None:
        """Begin the document if the draft is there. timeout_s: seconds to wait for the draft; None: no limit."""
        if self._awaits_draft and self._generation is not None:
            with suppress(TimeoutError):
                self.take(self._generation.result(timeout_s))
                self.begin()

    def result(self) -> Extraction[T]:
        """Wait for the extraction."""
        while self._generation is not None:
            self.take(self._generation.result())
            self.begin()
        return self.extraction

    async def wait(self) -> Extraction[T]:
        """Read the text, awaited. Cancelling the task cancels the running request."""
        while (generation := await start_in_thread(self.begin)) is not None:
            self.take(await generation.wait())
        return self.extraction

    def cancel(self) -> None:
        """Stop reading, since nobody wants the result any more."""
        if self._generation is not None:
            self._generation.cancel()

    def _ask(self, turns: Sequence[Message] | None) -> None:
        """Set the turns of the next prompt; None: there is none, and the grammar is freed."""
        self._turns = turns
        if turns is None:
            self._compiled = None

    @property
    def _awaits_draft(self) -> bool:
        return self._extractor.has_draft and self.draft is None


def _is_sound(text: Any) -> bool:
    try:
        check_text(text)
    except InvalidInputError:
        return False
    return True


def check_texts(texts: Any, *kinds: type) -> None:
    """Raise InvalidInputError if `texts` is a single text or no iterable. kinds: accepted types; default Iterable."""
    if isinstance(texts, str | bytes):
        raise InvalidInputError(f"texts is a single {type(texts).__name__}; give a list of texts, or use extract")
    if not isinstance(texts, kinds or Iterable):
        raise InvalidInputError(f"texts must be a list of texts, or what gives them one by one, not {shown(texts)}")


async def _awaited(texts: Iterable[str] | AsyncIterable[str]) -> AsyncGenerator[str, None]:
    if isinstance(texts, AsyncIterable):
        async for text in texts:
            yield text
    else:
        for text in texts:
            yield text


def extract_in_order(
    starts: Iterable[Callable[[], Reading[Any]]], max_in_flight: int = MAX_IN_FLIGHT
) -> Iterator[Extraction[Any]]:
    """Start up to `max_in_flight` extractions, return results in order, and start further ones meanwhile."""
    check_integer("max_in_flight", max_in_flight, 1)
    return _in_order(iter(starts), max_in_flight)


def _in_order(starts: Iterator[Callable[[], Reading[Any]]], max_in_flight: int) -> Iterator[Extraction[Any]]:
    waiting: deque[Reading[Any]] = deque()
    try:
        while True:
            while len(waiting) < max_in_flight and (start := next(starts, None)) is not None:
                waiting.append(start())
            if not waiting:
                return
            for one in waiting:
                one.advance()
            yield waiting[0].result()
            waiting.popleft()
    finally:
        for one in waiting:
            one.cancel()


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
