"""`LLM`: a language model with its tokenizer, ready for text, chats and typed extraction, with or without a grammar."""

from __future__ import annotations

import asyncio
import math
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn, Self, TypeVar, Unpack, cast, overload

from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary

from .embedded import model_path
from .engine.base import Engine
from .engine.factory import with_endpoint
from .engine.observer import EngineObserver
from .engine.registry import engine_factory
from .engine.settings import EngineSettings
from .engine.stats import EngineStats
from .errors import ModelNotFoundError
from .extraction.extraction import Extraction, unwrap
from .extraction.extractor import ExtractionOptions, ExtractionStream, Extractor
from .output.completion import Completion, CompletionChunk
from .output.generation import Generation
from .output.progress import show_progress
from .params.limits import RequestLimits
from .params.sampling_params import SamplingParams
from .processors.settings import ProcessorSettings
from .requests.grammars import RequestGrammars
from .requests.prompting import Conversation, Messages, PromptEncoder
from .requests.reader import Params, Prompt, RequestReader, is_texts
from .requests.request import Request
from .schemas.python_types import to_json_schema
from .tools import ToolOptions, ToolUse
from .tools.definitions import ToolChoice, Tools

T = TypeVar("T")


class LLM:
    """A model that completes prompts.

    model: None is the small model in the package; or a folder with Hugging Face files; or a model name of the hub (the
        local cache first, then the network); or a loaded `transformers` model, which is put into evaluation mode.
    engine: name of a registered engine; "transformers" runs on one machine, "vllm" runs in vLLM, "openai" asks another
        server in OpenAI's protocol (both: docs/engines.md), "echo" writes each prompt's own text, for tests of clients
        and protocols.
    tokenizer: the loaded tokenizer of a loaded model, or a folder or name when it is not with the model.
    device: "auto" (CUDA where there is one, else the CPU) or a torch device. dtype: "auto" (the model's own; float32 on
        a CPU), "float32", "bfloat16" or "float16". Both are for models loaded by name.
    backend: name of the grammar backend; None is the default one.
    limits: what compiling one grammar may cost; None is `Limits()`.
    request_limits: how much the lists of one request may hold; None is `RequestLimits()`.
    processor_settings: whether requests may bring serialised logit processors; None: they may not.
    engine_settings: how much runs at once, and what is kept; None is `EngineSettings()`.
    engine_args: for engine="vllm": fields of vLLM's `EngineArgs`, or a JSON object of them; for "openai": those of
        `EndpointSettings`.
    base_url, api_key: for engine="openai": where the other server is ("https://host/v1"), and the key to send to it.
        model is then the name that it knows, None its only one; there is no tokenizer.

    Any number of threads and coroutines may use it at once: their requests join and leave one running batch.
    Raises ModelNotFoundError, UnsupportedModelError, UnknownEngineError, UnknownBackendError, BackendNotInstalledError,
    TokenizerError, or for "openai" EndpointError.
    """

    model_name: str
    tokenizer: Any
    vocabulary: Vocabulary
    max_context_tokens: int

    def __init__(
        self,
        model: Any = None,
        engine: str = "transformers",
        *,
        tokenizer: Any = None,
        device: str = "auto",
        dtype: str = "auto",
        backend: str | None = None,
        limits: Limits | None = None,
        processor_settings: ProcessorSettings | None = None,
        engine_settings: EngineSettings | None = None,
        request_limits: RequestLimits | None = None,
        engine_args: Mapping[str, Any] | str | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
    ) -> None:
        load = engine_factory(engine)
        loaded = load(
            _embedded_model() if model is None and engine != "openai" else model,
            tokenizer=tokenizer,
            device=device,
            dtype=dtype,
            settings=engine_settings,
            processor_settings=processor_settings,
            limits=limits,
            engine_args=with_endpoint(engine, engine_args, base_url, api_key),
        )
        self.engine: Engine = loaded.engine
        self.tokenizer = loaded.tokenizer
        # An echo is never called by a model's name, and another server's model by its own.
        is_embedded = model is None and engine not in ("echo", "openai")
        self.model_name = "embedded" if is_embedded else loaded.engine.model_name
        self.vocabulary = loaded.engine.vocabulary
        self.max_context_tokens = loaded.engine.max_context_tokens
        self._encoder = loaded.encoder or PromptEncoder(loaded.tokenizer, self.vocabulary, self.max_context_tokens)
        self._limits = limits
        self._request_limits = RequestLimits() if request_limits is None else request_limits
        self._grammars = RequestGrammars(
            self.vocabulary,
            backend,
            self._encoder.json_whitespace,
            limits,
            property_order=self._encoder.property_order,
            default_values=self._encoder.json_values,
        )
        self._reader = RequestReader(
            self._encoder, self._grammars, limits, self._request_limits, knows_tokens=self.tokenizer is not None
        )

    def count_tokens(self, text: str) -> int:
        """How many tokens `generate` reads for this prompt. Raises InvalidInputError where there is no tokenizer."""
        self._require_tokenizer("count_tokens")
        return len(self._encoder.encode_text(text))

    def count_prompt_tokens(
        self,
        prompt: Prompt,
        tools: Tools | None = None,
        *,
        params: SamplingParams | None = None,
        cancel: threading.Event | None = None,
    ) -> int:
        """How many tokens `start` reads for this prompt, with these tools; nothing is generated.

        params: as for `start`: a chat template may show their JSON Schema, which is compiled for that and kept for
            `start`, and reads whether to think.
        cancel: as for `compile`.
        """
        self._require_tokenizer("count_prompt_tokens")
        use = None if tools is None else ToolUse.of(tools)
        return self._reader.count(prompt, params, use, cancel)

    def compile(self, params: SamplingParams, *, cancel: threading.Event | None = None) -> CompiledGrammar | None:
        """The grammar of `params`, None without a constraint. The last ones are kept; raises what compiling raises.

        cancel: set it, from any thread, to have this call raise CompileCancelledError soon; nothing is kept then.
        """
        return self._reader.compile(params, cancel)

    @overload
    def generate(  # type: ignore[overload-overlap]  # a str is a Sequence[str]; the first overload takes it
        self, prompts: str, params: Params = None, *, grammar: CompiledGrammar | None = None, progress: bool = False
    ) -> Completion: ...

    @overload
    def generate(
        self,
        prompts: Sequence[str],
        params: Params = None,
        *,
        grammar: CompiledGrammar | None = None,
        progress: bool = False,
    ) -> list[Completion]: ...

    def generate(
        self,
        prompts: str | Sequence[str],
        params: Params = None,
        *,
        grammar: CompiledGrammar | None = None,
        progress: bool = False,
    ) -> Completion | list[Completion]:
        """Continue one prompt or several; as many completions, in the same order.

        params: one for all prompts or one for each; None is SamplingParams(). With n > 1 a completion is the first
            output of its prompt, and the others are its `alternatives`.
        grammar: constrains every output, instead of a constraint in params; compiled for `llm.vocabulary`.
        progress: show a bar on standard error.
        Raises before anything runs, for bad input: InvalidInputError, ContextLengthError, VocabularyMismatchError, and
        the errors of compiling. What fails later ends only its own output: `Completion.error`.
        """
        texts = _listed(prompts, "prompts")
        for text in texts:
            if not isinstance(text, str):
                raise InvalidInputError(f"a prompt must be a string, not {type(text).__name__}")
        completions = self._complete(self._reader.read(texts, params, grammar), progress)
        return completions[0] if isinstance(prompts, str) else completions

    @overload
    def chat(
        self,
        messages: Messages,
        params: Params = None,
        *,
        grammar: CompiledGrammar | None = None,
        progress: bool = False,
        **tools: Unpack[ToolOptions],
    ) -> Completion: ...

    @overload
    def chat(
        self,
        messages: Sequence[Messages],
        params: Params = None,
        *,
        grammar: CompiledGrammar | None = None,
        progress: bool = False,
        **tools: Unpack[ToolOptions],
    ) -> list[Completion]: ...

    def chat(
        self,
        messages: Messages | Sequence[Messages],
        params: Params = None,
        *,
        grammar: CompiledGrammar | None = None,
        progress: bool = False,
        **tools: Unpack[ToolOptions],
    ) -> Completion | list[Completion]:
        """Answer one conversation ([{"role": ..., "content": ...}, ...]) or several; otherwise like `generate`.

        The chat template gets the JSON schema of the request's params as `response_schema`. Special tokens inside
        messages are plain text there (see `guided.requests.prompting`).
        tools: what the model may call, `tools`, `tool_choice` and `parallel_tool_calls` as `ToolOptions` says. Calls
            always fit their tool's schema and are `Completion.tool_calls`. An answer without a call fits the constraint
            of params.
        """
        is_one = _is_one(messages)
        listed = cast("list[Messages]", [messages] if is_one else list(messages))
        conversations = [one if isinstance(one, Conversation) else Conversation(one) for one in listed]
        completions = self._complete(self._reader.read(conversations, params, grammar, _tool_use(**tools)), progress)
        return completions[0] if is_one else completions

    def start(
        self,
        prompt: Prompt,
        params: SamplingParams | None = None,
        *,
        grammar: CompiledGrammar | None = None,
        deadline_s: float | None = None,
        cancel: threading.Event | None = None,
        read_at_end: bool = False,
        **tools: Unpack[ToolOptions],
    ) -> Generation:
        """Begin to answer one prompt; it goes on in the engine's thread while its `Generation` is read.

        prompt: text to go on with, messages to answer (a `Conversation` says more about how), or the token ids
            themselves.
        deadline_s: seconds from now after which it ends with DeadlineExceededError; None: it may take any time.
        cancel: set it, from any thread, to have this call raise CompileCancelledError while it compiles. Once it has
            returned, `Generation.cancel` is what ends it. Calls with the same event are one group for the engine, see
            `Request`.
        read_at_end: no chunk is wanted before an output's last one: they may come together then, which is cheaper.
        tools: with messages, as for `chat`.
        Compiles and encodes in the caller's thread. Raises the errors of `generate` for bad input, QueueFullError when
        `EngineSettings.max_waiting_requests` wait, and EngineStoppedError after `shutdown`.
        """
        requests = self.read([prompt], params, grammar=grammar, deadline_s=deadline_s, cancel=cancel, **tools)
        return self.submit(requests, read_at_end=read_at_end)

    def read(
        self,
        prompts: Sequence[Prompt],
        params: Params = None,
        *,
        grammar: CompiledGrammar | None = None,
        deadline_s: float | None = None,
        cancel: threading.Event | None = None,
        **tools: Unpack[ToolOptions],
    ) -> list[Request]:
        """The requests of several prompts, for `submit`; all as for `start`. Together they are one group."""
        deadline, use = _deadline(deadline_s), _tool_use(**tools)
        return self._reader.read(prompts, params, grammar, use, deadline=deadline, cancel=cancel)

    def submit(self, requests: Sequence[Request], *, read_at_end: bool = False, is_bounded: bool = True) -> Generation:
        """Begin to answer them, all together. Raises what is wrong with any of them before one begins.

        is_bounded: they count for, and are refused by, `EngineSettings.max_waiting_requests`.
        """
        for i, request in enumerate(requests):
            self.engine.check(request, "the prompt" if len(requests) == 1 else f"prompt {i}")
        stop_s = self._request_limits.max_stop_seconds
        generation = Generation(self.engine, requests, max_stop_seconds=stop_s, read_at_end=read_at_end)
        generation.submit(is_bounded=is_bounded)
        return generation

    async def complete_async(
        self,
        prompt: Prompt,
        params: SamplingParams | None = None,
        *,
        grammar: CompiledGrammar | None = None,
        **tools: Unpack[ToolOptions],
    ) -> Completion:
        """`start` and wait, without blocking the event loop, also while the grammar compiles.

        A task that is cancelled cancels its generation.
        """
        start = partial(self.start, prompt, params, grammar=grammar, read_at_end=True, **tools)
        generation = await _start_in_thread(start)
        return await generation.wait()

    @overload
    def stream(  # type: ignore[overload-overlap]  # as above
        self, prompt: Sequence[str], params: Params = None, *, grammar: CompiledGrammar | None = None
    ) -> Generator[tuple[int, CompletionChunk], None, None]: ...

    @overload
    def stream(
        self,
        prompt: Prompt,
        params: SamplingParams | None = None,
        *,
        grammar: CompiledGrammar | None = None,
        **tools: Unpack[ToolOptions],
    ) -> Generator[CompletionChunk, None, None]: ...

    def stream(
        self,
        prompt: Prompt | Sequence[str],
        params: Params = None,
        *,
        grammar: CompiledGrammar | None = None,
        **tools: Unpack[ToolOptions],
    ) -> Generator[Any, None, None]:
        """Like `generate` (for a string) or `chat` (for messages), piece by piece as the text is made.

        With n > 1 the pieces of all outputs come as they are made; `CompletionChunk.index` tells them apart, and each
        output has its own last chunk. For a list of strings each piece comes with its prompt's place in the list, as
        (index, chunk). Bad input raises here, before the first chunk. Closing the iterator stops the generation.
        tools: with messages, as for `chat`; calls come in pieces, `CompletionChunk.tool_calls`.
        """
        return _begun(_read(self._start_any(prompt, params, grammar, tools), is_batch=is_texts(prompt)))

    @overload
    def stream_async(  # type: ignore[overload-overlap]  # as above
        self, prompt: Sequence[str], params: Params = None, *, grammar: CompiledGrammar | None = None
    ) -> AsyncIterator[tuple[int, CompletionChunk]]: ...

    @overload
    def stream_async(
        self,
        prompt: Prompt,
        params: SamplingParams | None = None,
        *,
        grammar: CompiledGrammar | None = None,
        **tools: Unpack[ToolOptions],
    ) -> AsyncIterator[CompletionChunk]: ...

    async def stream_async(
        self,
        prompt: Prompt | Sequence[str],
        params: Params = None,
        *,
        grammar: CompiledGrammar | None = None,
        **tools: Unpack[ToolOptions],
    ) -> AsyncIterator[Any]:
        """`stream` as an async iterator; everything happens, and bad input raises, once it is iterated."""
        start, is_batch = partial(self._start_any, prompt, params, grammar, tools), is_texts(prompt)
        async with await _start_in_thread(start) as generation:
            while (placed := await generation.next_chunk_async()) is not None:
                yield placed if is_batch else placed[1]

    generate_async = stream_async  # the name that engines of this kind know

    def generate_with_request(self, request: Request) -> Completion:
        """What `generate` returns, for a request as the engine takes it: a prompt of token ids, its params, a grammar.

        request: its `deadline` and `ended` hold here too. Raises the errors of `generate`.
        """
        read = self._reader.read([request.prompt_token_ids], [request.params], request.grammar)[0]
        asked = replace(read, deadline=request.deadline, ended=request.ended, group=request.group)
        return self.submit([asked], read_at_end=True, is_bounded=False).result()

    def get_stats(self) -> EngineStats:
        """What the engine does and has done; from any thread, at any time."""
        return self.engine.get_stats()

    @property
    def failure(self) -> Exception | None:
        """Why it can answer nothing any more, until it is loaded anew; None while all is well."""
        return self.engine.failure

    def add_observer(self, observer: EngineObserver) -> None:
        """Tell `observer` of every step, every request's end and every grammar from now on."""
        self.engine.add_observer(observer)
        self._grammars.observers.append(observer)

    def shutdown(self) -> None:
        """End all that runs with EngineStoppedError and stop the engine's thread; `start` then raises it too."""
        self.engine.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an LLM can't be copied or pickled: its engine's thread stays here; load one in each process")

    def extractor(self, schema_type: Any, **options: Unpack[ExtractionOptions]) -> Extractor[Any]:
        """What reads texts into one type: `extract` and its siblings make one a call; keep one for many calls.

        schema_type: a Pydantic model, dataclass, TypedDict or Enum; or a JSON Schema as dict, bool or JSON text.
        options: params, instructions, confidence and bounds, as `ExtractionOptions` says.
        """
        if isinstance(schema_type, str):
            schema_type = to_json_schema(schema_type, self._limits)
        start = partial(self._start_ids, threading.Event())
        return Extractor(schema_type, self._encoder, start, self._check_ids, **options)

    @overload
    def extract(  # type: ignore[overload-overlap]  # as above
        self, texts: str, schema_type: type[T], *, progress: bool = False, **options: Unpack[ExtractionOptions]
    ) -> T: ...

    @overload
    def extract(
        self,
        texts: Sequence[str],
        schema_type: type[T],
        *,
        progress: bool = False,
        **options: Unpack[ExtractionOptions],
    ) -> list[T]: ...

    @overload
    def extract(
        self,
        texts: str | Sequence[str],
        schema_type: Any,
        *,
        progress: bool = False,
        **options: Unpack[ExtractionOptions],
    ) -> Any: ...

    def extract(
        self,
        texts: str | Sequence[str],
        schema_type: Any,
        *,
        progress: bool = False,
        **options: Unpack[ExtractionOptions],
    ) -> Any:
        """Read one text or several into instances of a type (or into plain data, for a JSON Schema).

        schema_type and options: as `extractor` takes them.
        Raises the errors of `generate`, IncompleteOutputError for a document that is cut off, and OutputValidationError
        for one that the type's own rules refuse. With several texts the first failure raises: use `extract_detailed`
        or `extract_each` to get the others.
        """
        results = self.extract_detailed(texts, schema_type, progress=progress, **options)
        return unwrap(results) if isinstance(results, Extraction) else [unwrap(result) for result in results]

    def extract_detailed(
        self,
        texts: str | Sequence[str],
        schema_type: Any,
        *,
        progress: bool = False,
        **options: Unpack[ExtractionOptions],
    ) -> Extraction[Any] | list[Extraction[Any]]:
        """Like `extract`, with the data, the check and the completion of each text; a bad output is not raised."""
        extractor = self.extractor(schema_type, **options)
        self.compile(extractor.params)  # before a chat template is shown its schema
        requests = self._reader.read([extractor.encode(text) for text in _listed(texts, "texts")], extractor.params)
        completions = self._complete(requests, progress)
        extractions = [extractor.read(completion) for completion in completions]
        return extractions[0] if isinstance(texts, str) else extractions

    def extract_each(
        self, texts: Iterable[str], schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> Iterator[Extraction[Any]]:
        """One extraction for each of any number of texts, in order, as they are done: see `Extractor.extract_each`."""
        return self.extractor(schema_type, **options).extract_each(texts)

    def stream_extract(
        self, text: str, schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> ExtractionStream[Any]:
        """Read one text and show each field while it is written: see `ExtractionStream`."""
        return self.extractor(schema_type, **options).stream(text)

    def __repr__(self) -> str:
        return f"LLM({self.model_name!r}, max_context_tokens={self.max_context_tokens})"

    def _start_any(
        self,
        prompt: Prompt | Sequence[str],
        params: Params,
        grammar: CompiledGrammar | None,
        tools: ToolOptions,
        cancel: threading.Event | None = None,
    ) -> Generation:
        """One prompt, or a list of texts."""
        is_batch = is_texts(prompt)
        prompts = cast("Sequence[Prompt]", prompt if is_batch else [prompt])
        return self.submit(self.read(prompts, params, grammar=grammar, cancel=cancel, **tools), is_bounded=not is_batch)

    def _start_ids(self, group: threading.Event, token_ids: Sequence[int], params: SamplingParams) -> Generation:
        """group: the same for texts that share their places in a batch, see `RequestReader.read`."""
        return self.submit(self._reader.read([token_ids], params, cancel=group), is_bounded=False)

    def _check_ids(self, token_ids: Sequence[int], params: SamplingParams, where: str) -> None:
        self.engine.check(Request(token_ids, params), where)

    def _complete(self, requests: Sequence[Request], progress: bool) -> list[Completion]:
        """One completion for each prompt, which has its others as alternatives."""
        with self.submit(requests, read_at_end=not progress, is_bounded=False) as generation:
            if progress:
                show_progress(generation)
            return generation.results()

    def _require_tokenizer(self, what: str) -> None:
        if self.tokenizer is None:
            raise InvalidInputError(f"{what} needs the model's tokenizer, which only the server behind this engine has")


def _embedded_model() -> str:
    folder = model_path()
    if not (folder / "config.json").is_file():
        raise ModelNotFoundError(f"the embedded model is not in {folder}; reinstall guided or give LLM(model=...)")
    return os.fspath(folder)


def _listed(texts: str | Sequence[str], name: str) -> list[str]:
    if not isinstance(texts, Sequence):
        raise InvalidInputError(f"{name} must be a string or a list of strings, not {type(texts).__name__}")
    return [texts] if isinstance(texts, str) else list(texts)


def _tool_use(
    *,
    tools: Tools | None = None,
    tool_choice: ToolChoice | None = None,
    parallel_tool_calls: bool | None = None,
    repeat_tool_calls: bool | None = None,
) -> ToolUse | None:
    """The options as a `ToolUse`; None without tools."""
    use = ToolUse.of(tools, tool_choice, parallel_tool_calls, repeat_tool_calls)
    return use if use.tools else None


def _deadline(deadline_s: float | None) -> float | None:
    """In `time.monotonic()` seconds."""
    if deadline_s is None:
        return None
    if not isinstance(deadline_s, int | float) or math.isnan(deadline_s):
        raise InvalidInputError(f"deadline_s must be a number of seconds or None, not {deadline_s!r}")
    return time.monotonic() + deadline_s


async def _start_in_thread(start: Callable[..., Generation]) -> Generation:
    """What `start` returns, which may take long. A task that is cancelled meanwhile cancels what was started.

    start: called with `cancel`, an event that is set then. The thread goes on to its next checkpoint, and nobody takes
        what it returns: whichever of the two comes later sees the other one.
    """
    started: list[Generation] = []
    is_left = threading.Event()

    def run() -> Generation:
        one = start(cancel=is_left)
        started.append(one)
        if is_left.is_set():
            one.cancel()
        return one

    try:
        return await asyncio.to_thread(run)
    except BaseException:
        is_left.set()
        for one in started:
            one.cancel()
        raise


def _begun(pieces: Generator[Any, None, None]) -> Generator[Any, None, None]:
    """Past the first item, which is none: one that was never begun would be closed without its `finally`."""
    next(pieces)
    return pieces


def _read(generation: Generation, *, is_batch: bool) -> Generator[Any, None, None]:
    """Its chunks; of a batch each with the place of its prompt."""
    with generation:
        yield None
        while (placed := generation.next_chunk()) is not None:
            yield placed if is_batch else placed[1]


def _is_one(messages: Any) -> bool:
    """One conversation, not a list of them."""
    return not isinstance(messages, Sequence) or not messages or isinstance(messages[0], Mapping | str)
