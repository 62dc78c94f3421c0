"""`LLM`: a language model with its tokenizer, ready for text, chats and typed extraction, with or without a grammar."""

# mypy: disable-error-code=overload-overlap
# A str is also a Sequence[str]: the first matching overload wins.

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Generator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NoReturn, Self, Unpack, cast, overload

from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary

from .engines.base import Engine
from .engines.stats import EngineStats
from .errors import ChatTemplateError
from .extraction.extractor import Extractor
from .extraction.options import ExtractionOptions
from .extraction.text_reader import TextReader
from .loading import LoadOptions, check_load_options, load_model
from .option_lists import lists_options
from .output.completion import Completion, CompletionChunk, without_errors
from .output.generation import Generation, pieces_async, start_in_thread
from .params.checks import check_bool
from .params.sampling_params import SamplingParams
from .requests.observer import EngineObserver
from .requests.options import AnswerOptions, BatchOptions, Cancel, RequestOptions, check_options
from .requests.prompting import Messages, PromptEncoder
from .requests.prompts import Params, Prompt, conversations_in, is_one_conversation, is_texts, params_for, prompts_in
from .requests.reader import RequestReader
from .requests.request import PromptRequest
from .tools.definitions import ToolOptions, Tools
from .tools.support import ToolSupport


def _complete(
    llm: LLM,
    prompts: Sequence[Prompt],
    params: Params,
    *,
    progress: bool = False,
    keep_errors: bool = False,
    **options: Unpack[AnswerOptions],
) -> list[Completion]:
    """A completion for each prompt; the prompt's other outputs are its `alternatives`."""
    check_bool("keep_errors", keep_errors)
    with llm.submit(llm.read(prompts, params, **options), read_at_end=not progress, is_bounded=False) as running:
        completions = running.results(progress=progress)
    return completions if keep_errors else without_errors(completions)


_answer_options = lists_options((AnswerOptions, ToolOptions), (RequestReader.read,))
_batch_options = lists_options((BatchOptions, AnswerOptions, ToolOptions), (RequestReader.read, _complete))
_request_options = lists_options((RequestOptions, AnswerOptions, ToolOptions), (RequestReader.read,))


class LLM(TextReader):
    """A model that completes prompts. Any number of threads and coroutines may use it: their requests share one batch.

    Args:
        model: None: "smollm2-extract" if it is in the cache, else "embedded". "embedded": the small model in the
            package. Or a folder with Hugging Face files, or the path of a checkpoint in such a folder (.pt, a state
            dict). Or a GGUF file, or a folder with one. Or a known model's name such as "smollm2", which `guided model
            smollm2` fetches. Or a model's name on the hub: the local cache is searched first. Or a loaded
            `transformers` model, which is put into evaluation mode. See docs/models.md.
        engine: name of a registered engine. "transformers" (default): this machine. "vllm": vLLM. "openai": another
            server in OpenAI's protocol; see docs/server_engines.md. "echo": writes each prompt's own text, for tests
            of clients.
        options: see `LLM.__init__`.

    Raises:
        ModelNotFoundError, UnsupportedModelError: if there is no such model, or the engine can't run it.
        ModelCacheError: if a GGUF file can't be converted, since the cache can't be written.
        UnknownEngineError, UnknownBackendError, BackendNotInstalledError: for the engine or the backend.
        TokenizerError: if the bytes of the tokenizer's tokens can't be determined.
        EndpointError: with engine="openai", if the server can't be asked.
        TypeError: for an unknown option.
    """

    @lists_options((LoadOptions,), (load_model,))
    def __init__(self, model: Any = None, engine: str = "transformers", **options: Unpack[LoadOptions]) -> None:
        """Load a model. For the arguments and errors see the class."""
        check_load_options(options)
        loaded = load_model(model, engine, **options)
        self.engine: Engine = loaded.engine
        self.model_name: str = loaded.model_name
        self.vocabulary: Vocabulary = loaded.engine.vocabulary
        self.max_context_tokens: int = loaded.engine.max_context_tokens
        self._reader: RequestReader = loaded.reader

    @property
    def tokenizer(self) -> Any:
        """The model's tokenizer; None if only another server has it (engine="openai").

        Except for the model in the package, this is an object of `transformers`, which the first use may import.
        """
        return self._reader.encoder.tokenizer_for_callers()

    @property
    def encoder(self) -> PromptEncoder:
        """Encodes texts and chats as this model's requests do."""
        return self._reader.encoder

    @property
    def has_tokenizer(self) -> bool:
        """False if only another server has the tokenizer (engine="openai")."""
        return self._reader.knows_tokens

    def count_tokens(self, text: str) -> int:
        """Number of tokens of the prompt `text` in `generate`. Raises InvalidInputError if there is no tokenizer."""
        return self._reader.count_text(text)

    @property
    def reads_effort(self) -> bool:
        """True if `Conversation.reasoning_effort` has an effect: the chat template or another server reads it."""
        return self._reader.encoder.reads_effort

    @property
    def tool_support(self) -> ToolSupport | None:
        """The support of tools by the model's chat template; None: there is no template."""
        try:
            return self._reader.encoder.tool_support
        except ChatTemplateError:
            return None

    def count_prompt_tokens(
        self, prompt: Prompt, tools: Tools | None = None, *, params: SamplingParams | None = None, cancel: Cancel = None
    ) -> int:
        """Number of tokens of a prompt with these tools in `start`. Nothing is generated.

        Args:
            params: see `start`. A JSON Schema that the chat template shows is compiled and kept.
            cancel: see `start`.
        """
        return self._reader.count(prompt, params, tools, cancel)

    def compile(self, params: SamplingParams, *, cancel: Cancel = None) -> CompiledGrammar | None:
        """The grammar of `params`; None without a constraint. Recent grammars are kept.

        Args:
            cancel: event that any thread may set; the call then soon raises CompileCancelledError and keeps nothing.

        Raises:
            GuidedError: the errors of compiling, see `guided.compile_grammar`.
        """
        return self._reader.compile(params_for(params, 1)[0], cancel)

    @_request_options
    def read(
        self, prompts: Sequence[Prompt], params: Params = None, **options: Unpack[RequestOptions]
    ) -> list[PromptRequest]:
        """The requests of several prompts, as one group for `submit`. For the errors see `start`.

        Args:
            prompts: texts to continue, messages to answer, or token ids.
            params: one for all prompts, or one for each; None: SamplingParams().
        """
        return self._reader.read(prompts, params, **options)

    def submit(
        self, requests: Sequence[PromptRequest], *, read_at_end: bool = False, is_bounded: bool = True
    ) -> Generation:
        """Start all requests together.

        Args:
            requests: requests that `read` has returned.
            read_at_end: True: each output has only one chunk, the last, which is cheaper.
            is_bounded: True: `EngineSettings.max_waiting_requests` counts these requests and may refuse them.

        Raises:
            GuidedError: the error of any of the requests, before the first one starts; see `start`.
        """
        generation = Generation(self.engine, requests, read_at_end=read_at_end)
        generation.submit(is_bounded=is_bounded)
        return generation

    @_request_options
    def start(
        self, prompt: Prompt, params: Params = None, *, read_at_end: bool = False, **options: Unpack[RequestOptions]
    ) -> Generation:
        """Start the answer to one prompt. The engine's thread writes it; read it from the `Generation`.

        Compiles and encodes in the caller's thread.

        Args:
            params: sampling parameters; None: SamplingParams().
            prompt: text to continue, messages (or a `Conversation`) to answer, or token ids.
            read_at_end: True: chunks before an output's last one are not needed. Chunks may then come together, which
                is cheaper.
            options: see below. After the start, `Generation.cancel` ends the answer.

        Raises:
            QueueFullError: if `EngineSettings.max_waiting_requests` already wait.
            EngineStoppedError: after `shutdown`.
            GuidedError: the errors of `generate` for bad input.
        """
        return self.submit(self.read([prompt], params, **options), read_at_end=read_at_end)

    @overload
    def generate(
        self, prompts: str, params: Params = None, *, stream: Literal[False] = False, **options: Unpack[BatchOptions]
    ) -> Completion: ...

    @overload
    def generate(
        self,
        prompts: Sequence[str],
        params: Params = None,
        *,
        stream: Literal[False] = False,
        **options: Unpack[BatchOptions],
    ) -> list[Completion]: ...

    @overload
    def generate(
        self, prompts: str, params: Params = None, *, stream: Literal[True], **options: Unpack[AnswerOptions]
    ) -> Generator[CompletionChunk, None, None]: ...

    @overload
    def generate(
        self, prompts: Sequence[str], params: Params = None, *, stream: Literal[True], **options: Unpack[AnswerOptions]
    ) -> Generator[tuple[int, CompletionChunk], None, None]: ...

    @_batch_options
    def generate(
        self,
        prompts: str | Sequence[str],
        params: Params = None,
        *,
        stream: bool = False,
        **options: Unpack[BatchOptions],
    ) -> Completion | list[Completion] | Generator[Any, None, None]:
        """Continue one prompt or several; returns completions in the same order.

        Args:
            prompts: text to continue, or a list of texts.
            params: one for all prompts, or one for each; None: SamplingParams(). With n > 1 a completion is the first
                output of its prompt, and the others are its `alternatives`.
            stream: True: return the result of `stream`.

        Raises:
            InvalidInputError: for wrong prompts or params.
            ContextLengthError: if a prompt leaves no room for an answer.
            VocabularyMismatchError: for a grammar of another vocabulary.
            TypeError: for an unknown option.
            GuidedError: the errors of compiling, see `guided.compile_grammar`. All these errors are raised before
                anything runs. A later error ends only its own output. The first such error is raised after all outputs
                have ended; its `completions` has all of them. With keep_errors it is `Completion.error` instead.
        """
        texts = prompts_in(prompts)
        check_bool("stream", stream)
        if stream:
            return self._pieces(prompts, params, options)
        completions = _complete(self, texts, params, **options)
        return completions[0] if isinstance(prompts, str) else completions

    @overload
    def chat(self, messages: Messages, params: Params = None, **options: Unpack[BatchOptions]) -> Completion: ...

    @overload
    def chat(
        self, messages: Sequence[Messages], params: Params = None, **options: Unpack[BatchOptions]
    ) -> list[Completion]: ...

    @_batch_options
    def chat(
        self, messages: Messages | Sequence[Messages], params: Params = None, **options: Unpack[BatchOptions]
    ) -> Completion | list[Completion]:
        """Answer one conversation ([{"role": ..., "content": ...}, ...]) or several. Otherwise like `generate`.

        The chat template gets the JSON schema of params as `response_schema`. Special tokens in messages are text.
        Tool calls always fit their tool's schema; they are in `Completion.tool_calls`. An answer without a call fits
        the constraint of params.

        Args:
            messages: one conversation, or a list of conversations.
            params: one for all conversations, or one for each; None: SamplingParams().
        """
        completions = _complete(self, conversations_in(messages), params, **options)
        return completions[0] if is_one_conversation(messages) else completions

    @_answer_options
    async def complete_async(
        self, prompt: Prompt, params: Params = None, **options: Unpack[AnswerOptions]
    ) -> Completion:
        """Like `start`, but awaits the result. The event loop stays free, also while the grammar compiles.

        A cancelled task cancels its generation. Raises the errors of `generate`. To keep the result of a generation
        that has begun, use `start` and `Generation.wait`. The calls of one event loop form one group for the engine, as
        the prompts of a list do (see `PromptRequest.group`).

        Args:
            prompt: text to continue, messages to answer, or token ids.
            params: sampling parameters; None: SamplingParams().
        """
        group = asyncio.get_running_loop()

        def start(cancel: threading.Event) -> Generation:
            requests = self.read([prompt], params, cancel=cancel, **options)
            return self.submit([replace(one, group=group) for one in requests], read_at_end=True)

        generation = await start_in_thread(start)
        return without_errors([await generation.wait()])[0]

    @overload
    def stream(
        self, prompt: Sequence[str], params: Params = None, **options: Unpack[AnswerOptions]
    ) -> Generator[tuple[int, CompletionChunk], None, None]: ...

    @overload
    def stream(
        self, prompt: Prompt, params: Params = None, **options: Unpack[AnswerOptions]
    ) -> Generator[CompletionChunk, None, None]: ...

    @_answer_options
    def stream(
        self, prompt: Prompt | Sequence[str], params: Params = None, **options: Unpack[AnswerOptions]
    ) -> Generator[Any, None, None]:
        """Like `generate` (for a string) or `chat` (for messages), but yields chunks as the text is made.

        With n > 1 the chunks of all outputs come mixed: `CompletionChunk.index` is the output's index, and each output
        has a last chunk. For a list of strings the iterator yields (index of the prompt, chunk). Tool calls come in
        pieces too. Closing the iterator stops the generation.

        Args:
            prompt: text to continue, messages to answer, token ids, or a list of texts.
            params: one for all prompts, or one for each; None: SamplingParams().

        Raises:
            GuidedError: the errors of bad input, at once, before the first chunk; see `generate`.
        """
        return self._pieces(prompt, params, options)

    @overload
    def stream_async(
        self, prompt: Sequence[str], params: Params = None, **options: Unpack[AnswerOptions]
    ) -> AsyncIterator[tuple[int, CompletionChunk]]: ...

    @overload
    def stream_async(
        self, prompt: Prompt, params: Params = None, **options: Unpack[AnswerOptions]
    ) -> AsyncIterator[CompletionChunk]: ...

    @_answer_options
    def stream_async(
        self, prompt: Prompt | Sequence[str], params: Params = None, **options: Unpack[AnswerOptions]
    ) -> AsyncIterator[Any]:
        """Like `stream`, as an async iterator. Everything, also the errors of bad input, happens during iteration."""
        return pieces_async(
            lambda cancel: self._start_any(prompt, params, cancel=cancel, **options), with_places=is_texts(prompt)
        )

    generate_async = stream_async

    def generate_with_request(self, request: PromptRequest) -> Completion:
        """Like `generate`, for a request in the engine's form: token ids, params, grammar.

        Args:
            request: a request from `read`, or a new one, whose params are read. `deadline` and `ended` are respected.
                Raises the errors of `generate`.
        """
        running = self.submit([self._reader.complete(request)], read_at_end=True, is_bounded=False)
        return without_errors(running.results())[0]

    @property
    def has_confidence(self) -> bool:
        """See `TextReader`."""
        return self._reader.encoder.has_logprobs

    @lists_options((ExtractionOptions,), (Extractor.__init__,))
    def extractor(self, schema_type: Any, **options: Unpack[ExtractionOptions]) -> Extractor[Any]:
        """An extractor for one type. `extract` and its siblings make one in each call; keep one for many calls.

        Args:
            schema_type: a Pydantic model, dataclass, TypedDict or Enum; or a JSON Schema as dict, bool or JSON text.
        """
        check_options(options, ExtractionOptions.__annotations__)
        return Extractor(schema_type, self._reader, self.engine, partial(self.submit, is_bounded=False), **options)

    def get_stats(self) -> EngineStats:
        """The engine's present figures and sums. May be called from any thread."""
        return self.engine.get_stats()

    @property
    def failure(self) -> Exception | None:
        """The error that makes the model useless until it is loaded again; None: the model works."""
        return self.engine.failure

    def add_observer(self, observer: EngineObserver) -> None:
        """Report every step, every end of a request and every grammar to `observer` from now on."""
        self.engine.add_observer(observer)
        self._reader.grammars.observers.append(observer)

    def shutdown(self) -> None:
        """End all requests with EngineStoppedError, and stop the engine's thread.

        `start` raises that error afterwards.
        """
        self.engine.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an LLM can't be copied or pickled: its engine's thread stays here; load one in each process")

    def __repr__(self) -> str:
        return f"LLM({self.model_name!r}, max_context_tokens={self.max_context_tokens})"

    def _start_any(
        self, prompt: Prompt | Sequence[str], params: Params, **options: Unpack[RequestOptions]
    ) -> Generation:
        """Start one prompt, or a list of texts."""
        is_batch = is_texts(prompt)
        prompts = cast("Sequence[Prompt]", prompt if is_batch else [prompt])
        return self.submit(self.read(prompts, params, **options), is_bounded=not is_batch)

    def _pieces(
        self, prompt: Prompt | Sequence[str], params: Params, options: AnswerOptions
    ) -> Generator[Any, None, None]:
        return self._start_any(prompt, params, **options).pieces(with_places=is_texts(prompt))
