"""`LLM`: a language model with its tokenizer, ready for text, chats and typed extraction, with or without a grammar."""

from __future__ import annotations

import asyncio
import math
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn, Self, TypeVar, Unpack, cast, overload

from guided.grammars.errors import GrammarError, InvalidInputError
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary

from .completion import Completion, CompletionChunk
from .completion_builder import CompletionBuilder
from .embedded import model_path
from .engine.base import Engine, GenerationRequest
from .engine.factory import with_endpoint
from .engine.observer import EngineObserver
from .engine.registry import engine_factory
from .engine.settings import EngineSettings
from .engine.stats import EngineStats
from .errors import ModelNotFoundError
from .extract import Extraction, unwrap
from .extractor import ExtractionOptions, ExtractionStream, Extractor
from .generation import Generation, Outputs
from .processors.settings import ProcessorSettings
from .progress import show_progress
from .prompting import Conversation, Messages, PromptEncoder
from .request_expansion import expand, with_word_ids
from .request_grammars import RequestGrammars
from .request_limits import RequestLimits
from .request_plan import RequestPlan, shown_params
from .sampling_params import SamplingParams
from .schema_types import to_json_schema
from .stopping import Stops
from .text_prompt import TextPrompt
from .tools import ToolOptions, ToolUse
from .tools.definitions import ToolChoice, Tools
from .tools.plan import ToolPlan, plan_tools

T = TypeVar("T")

Params = SamplingParams | Sequence[SamplingParams] | None
Prompt = str | Messages | Conversation | Sequence[int]


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
        params = SamplingParams() if params is None else params
        use = None if tools is None else ToolUse.of(tools)
        _check_prompt_of_tools(prompt, use)
        shown = shown_params(params, self._plan_tools(use, params))
        if shown.json_schema is not None:
            self.compile(shown, cancel=cancel)
        return len(self._encode(prompt, shown, use))

    def compile(self, params: SamplingParams, *, cancel: threading.Event | None = None) -> CompiledGrammar | None:
        """The grammar of `params`, None without a constraint. The last ones are kept; raises what compiling raises.

        cancel: set it, from any thread, to have this call raise CompileCancelledError soon; nothing is kept then.
        """
        return self._grammars.get(params, cancel)

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
        all_params = _params_for(params, len(texts))
        plans = self._plan_all(all_params, grammar)
        encoded = [self._encoder.encode_text(text) for text in texts]
        completions = self._complete(encoded, plans, progress)
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
        messages are plain text there (see `guided.prompting`).
        tools: what the model may call, `tools`, `tool_choice` and `parallel_tool_calls` as `ToolOptions` says. Calls
            always fit their tool's schema and are `Completion.tool_calls`. An answer without a call fits the constraint
            of params.
        """
        is_one = _is_conversation(messages)
        conversations = cast("list[Messages]", [messages] if is_one else list(messages))
        all_params = _params_for(params, len(conversations))
        plans = self._plan_all(all_params, grammar, _tool_use(**tools))
        pairs = zip(conversations, plans, strict=True)
        encoded = [self._encode_chat(conversation, plan.shown, plan.tools) for conversation, plan in pairs]
        completions = self._complete(encoded, plans, progress)
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
            `GenerationRequest`.
        read_at_end: no chunk is wanted before an output's last one: they may come together then, which is cheaper.
        tools: with messages, as for `chat`.
        Compiles and encodes in the caller's thread. Raises the errors of `generate` for bad input, QueueFullError when
        `EngineSettings.max_waiting_requests` wait, and EngineStoppedError after `shutdown`.
        """
        one, use = _params_for(params, 1)[0], _tool_use(**tools)
        return self._start(prompt, one, grammar, use, deadline_s, cancel, is_bounded=True, read_at_end=read_at_end)

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
        one, use = _params_for(params, 1)[0], _tool_use(**tools)
        start = partial(self._start, prompt, one, grammar, use, is_bounded=True, read_at_end=True)
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
        use = _tool_use(**tools)
        if _is_batch(prompt):
            _check_prompt_of_tools(prompt, use)
            return _begun(_read_indexed(self._start_batch(cast("Sequence[str]", prompt), params, grammar)))
        one = _params_for(params, 1)[0]
        return _begun(_read(self._start(cast("Prompt", prompt), one, grammar, use, is_bounded=True)))

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
        use = _tool_use(**tools)
        if _is_batch(prompt):
            _check_prompt_of_tools(prompt, use)
            batch = await _start_in_thread(partial(self._start_batch, cast("Sequence[str]", prompt), params, grammar))
            try:
                while (item := await batch.outputs.next_chunk_async()) is not None:
                    yield batch.prompt_of[item[0]], item[1]
            finally:
                batch.cancel()
            return
        one = _params_for(params, 1)[0]
        start = partial(self._start, cast("Prompt", prompt), one, grammar, use, is_bounded=True)
        async with await _start_in_thread(start) as generation:
            async for chunk in generation:
                yield chunk

    generate_async = stream_async  # the name that engines of this kind know

    def generate_with_request(self, request: GenerationRequest) -> Completion:
        """What `generate` returns, for a request as the engine takes it: a prompt of token ids, its params, a grammar.

        request: its `deadline` and `ended` hold here too. Raises the errors of `generate`.
        """
        params = _params_for(request.params, 1)[0]
        plan = self._plan_all([params], request.grammar)[0]
        group = request.ended if request.group is None else request.group
        requests = self._requests(request.prompt_token_ids, plan, group=group)
        requests = [replace(one, deadline=request.deadline, ended=request.ended) for one in requests]
        return self._submit(requests, plan, params, is_bounded=False, read_at_end=True).result()

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
        return Extractor(schema_type, self._encoder, self._start_ids, self._check_ids, **options)

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
        listed = _listed(texts, "texts")
        plans = self._plan_all([extractor.params] * len(listed), None)
        encoded = [extractor.encode(text) for text in listed]
        completions = self._complete(encoded, plans, progress)
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

    def _start(
        self,
        prompt: Prompt,
        params: SamplingParams,
        grammar: CompiledGrammar | None,
        tools: ToolUse | None = None,
        deadline_s: float | None = None,
        cancel: threading.Event | None = None,
        *,
        is_bounded: bool,
        read_at_end: bool = False,
    ) -> Generation:
        deadline = _deadline(deadline_s)
        _check_prompt_of_tools(prompt, tools)
        plan = self._plan_all([params], grammar, tools, cancel)[0]
        group = object() if cancel is None else cancel
        requests = self._requests(self._encode(prompt, plan.shown, tools), plan, deadline, group)
        return self._submit(requests, plan, params, is_bounded=is_bounded, read_at_end=read_at_end)

    def _submit(
        self,
        requests: Sequence[GenerationRequest],
        plan: RequestPlan,
        params: SamplingParams,
        *,
        is_bounded: bool,
        read_at_end: bool,
    ) -> Generation:
        """Hand in the requests of one prompt."""
        self.engine.check(requests[0])
        readers = [plan.new_reader() for _ in requests]
        stops = [self._stops(params)] * len(requests)
        places = range(len(requests))
        outputs = Outputs(self.engine, requests, places, self.vocabulary, readers, stops, read_at_end=read_at_end)
        outputs.submit(is_bounded=is_bounded)
        return Generation(outputs, params)

    def _check_ids(self, token_ids: Sequence[int], params: SamplingParams, where: str) -> None:
        self.engine.check(GenerationRequest(token_ids, params), where)

    def _start_ids(self, token_ids: Sequence[int], params: SamplingParams) -> Generation:
        return self._start(token_ids, params, None, is_bounded=False)

    def _start_batch(
        self,
        prompts: Sequence[str],
        params: Params,
        grammar: CompiledGrammar | None,
        cancel: threading.Event | None = None,
    ) -> _Batch:
        all_params = _params_for(params, len(prompts))
        plans = self._plan_all(all_params, grammar, cancel=cancel)
        encoded = [self._encoder.encode_text(prompt) for prompt in prompts]
        requests: list[GenerationRequest] = []
        stops: list[Stops] = []
        indices: list[int] = []
        groups: list[int] = []
        together = object()
        for i, (token_ids, plan) in enumerate(zip(encoded, plans, strict=True)):
            outputs_of_one = self._requests(token_ids, plan, group=together)
            self.engine.check(outputs_of_one[0], f"prompt {i}")
            requests += outputs_of_one
            stops += [self._stops(outputs_of_one[0].params)] * len(outputs_of_one)
            indices += range(len(outputs_of_one))
            groups += [i] * len(outputs_of_one)
        outputs = Outputs(self.engine, requests, indices, self.vocabulary, stops=stops)
        outputs.submit(is_bounded=False)
        return _Batch(outputs, groups)

    def _plan_all(
        self,
        params: Sequence[SamplingParams],
        grammar: CompiledGrammar | None,
        tools: ToolUse | None = None,
        cancel: threading.Event | None = None,
    ) -> list[RequestPlan]:
        """The plan of each request, with the caller's grammar or the one of its params and tools."""
        if grammar is not None and any(one.is_constrained or one.ignore_eos for one in params):
            raise InvalidInputError("grammar= excludes a constraint and ignore_eos in params")
        if grammar is not None and tools is not None:
            raise InvalidInputError("grammar= excludes tools, which make a grammar of their own")
        distinct = {id(one): one for one in params}
        for one in distinct.values():
            self._request_limits.check(vars(one))
        plans = {key: self._plan(one, grammar, tools, cancel) for key, one in distinct.items()}
        return [plans[id(one)] for one in params]

    def _plan(
        self,
        params: SamplingParams,
        grammar: CompiledGrammar | None,
        tools: ToolUse | None,
        cancel: threading.Event | None,
    ) -> RequestPlan:
        tool_plan = self._plan_tools(tools, params)
        shown = shown_params(params, tool_plan)
        if tool_plan is not None:
            return RequestPlan(tool_plan.params, self._compile_plan(tool_plan, cancel), shown, tools, tool_plan)
        return RequestPlan(params, self.compile(params, cancel=cancel) if grammar is None else grammar, shown, tools)

    def _plan_tools(self, tools: ToolUse | None, params: SamplingParams) -> ToolPlan | None:
        if tools is None:
            return None
        return plan_tools(tools, params, self._encoder.tool_support.syntax, self._encoder.json_whitespace)

    def _compile_plan(self, plan: ToolPlan, cancel: threading.Event | None) -> CompiledGrammar | None:
        compile_one = partial(self.compile, cancel=cancel)
        try:
            return compile_one(plan.params)
        except GrammarError as error:
            raise plan.blame(error, compile_one) from error

    def _encode(self, prompt: Prompt, params: SamplingParams, tools: ToolUse | None = None) -> list[int]:
        if isinstance(prompt, str):
            return self._encoder.encode_text(prompt)
        if isinstance(prompt, TextPrompt):
            return prompt
        if _is_token_ids(prompt):
            return list(cast("Sequence[int]", prompt))
        if _is_batch(prompt):
            raise InvalidInputError("this takes one prompt, and got a list of texts; generate and stream take lists")
        if isinstance(prompt, Sequence) and not prompt:
            raise InvalidInputError("the prompt is an empty list; give it messages, token ids or, in a stream, texts")
        return self._encode_chat(cast("Messages | Conversation", prompt), params, tools)

    def _encode_chat(
        self, messages: Messages | Conversation, params: SamplingParams, tools: ToolUse | None = None
    ) -> list[int]:
        """The ids of a chat. Its schema must have been compiled: a chat template can't stand a schema that is none."""
        schema = None if params.json_schema is None else to_json_schema(params.json_schema, self._limits)
        return self._encoder.encode_chat(messages, schema, thinking=params.thinking, tools=tools)

    def _complete(
        self,
        prompts: Sequence[Sequence[int]],
        plans: Sequence[RequestPlan],
        progress: bool,
    ) -> list[Completion]:
        """One completion for each prompt, which has its others as alternatives."""
        together = object()
        groups = [self._requests(*parts, group=together) for parts in zip(prompts, plans, strict=True)]
        stops = [self._stops(plan.params) for plan in plans]
        parts = [
            (request, plan, one) for group, plan, one in zip(groups, plans, stops, strict=True) for request in group
        ]
        requests = [request for request, _, _ in parts]
        builders = [
            CompletionBuilder(self.vocabulary, request, 0, plan.new_reader(), one) for request, plan, one in parts
        ]
        if not progress:
            at_end = [not builder.may_end_early for builder in builders]
            requests = [replace(one, is_read_at_end=is_so) for one, is_so in zip(requests, at_end, strict=True)]
        with closing(self.engine.run(requests)) as events:
            for event in show_progress(events, builders) if progress else events:
                builders[event.index].add(event)
        results = iter([builder.result() for builder in builders])
        outputs = [[next(results) for _ in group] for group in groups]
        return [replace(first, alternatives=tuple(others)) for first, *others in outputs]

    def _require_tokenizer(self, what: str) -> None:
        if self.tokenizer is None:
            raise InvalidInputError(f"{what} needs the model's tokenizer, which only the server behind this engine has")

    def _stops(self, params: SamplingParams) -> Stops:
        return Stops(params, self._request_limits.max_stop_seconds)

    def _requests(
        self, prompt: Sequence[int], plan: RequestPlan, deadline: float | None = None, group: object = None
    ) -> list[GenerationRequest]:
        """One request for each output of a prompt."""
        params = plan.params if self.tokenizer is None else with_word_ids(plan.params, self._encoder.encode_part)
        return [
            GenerationRequest(prompt, one, plan.grammar, deadline, group=group, shown=plan.shown)
            for one in expand(params)
        ]


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


def _check_prompt_of_tools(prompt: Any, tools: ToolUse | None) -> None:
    if tools is not None and (isinstance(prompt, str) or _is_token_ids(prompt) or _is_batch(prompt)):
        raise InvalidInputError("tools need messages: a chat template has to show them")


def _params_for(params: Params, num_prompts: int) -> list[SamplingParams]:
    """One SamplingParams for each prompt."""
    if params is None or isinstance(params, SamplingParams):
        return [SamplingParams() if params is None else params] * num_prompts
    if not isinstance(params, Sequence) or not all(isinstance(one, SamplingParams) for one in params):
        raise InvalidInputError(f"params must be SamplingParams or a list of them, not {params!r:.80}")
    if len(params) != num_prompts:
        raise InvalidInputError(f"{len(params)} params for {num_prompts} prompts; give one for all or one for each")
    return list(params)


def _deadline(deadline_s: float | None) -> float | None:
    """In `time.monotonic()` seconds."""
    if deadline_s is None:
        return None
    if not isinstance(deadline_s, int | float) or math.isnan(deadline_s):
        raise InvalidInputError(f"deadline_s must be a number of seconds or None, not {deadline_s!r}")
    return time.monotonic() + deadline_s


def _is_batch(prompt: Any) -> bool:
    """True for a list of strings: prompts of their own."""
    return isinstance(prompt, Sequence) and not isinstance(prompt, str) and bool(prompt) and isinstance(prompt[0], str)


def _is_token_ids(prompt: Any) -> bool:
    return isinstance(prompt, Sequence) and bool(prompt) and isinstance(prompt[0], int)


@dataclass(frozen=True)
class _Batch:
    """All outputs of a list of prompts. prompt_of: the place in that list, for each output."""

    outputs: Outputs
    prompt_of: Sequence[int]

    def cancel(self) -> None:
        self.outputs.cancel()


Started = TypeVar("Started", Generation, _Batch)


async def _start_in_thread(start: Callable[..., Started]) -> Started:
    """What `start` returns, which may take long. A task that is cancelled meanwhile cancels what was started.

    start: called with `cancel`, an event that is set then. The thread goes on to its next checkpoint, and nobody takes
        what it returns: whichever of the two comes later sees the other one.
    """
    started: list[Started] = []
    is_left = threading.Event()

    def run() -> Started:
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


def _read(generation: Generation) -> Generator[CompletionChunk | None, None, None]:
    with generation:
        yield None
        yield from generation


def _read_indexed(batch: _Batch) -> Generator[tuple[int, CompletionChunk] | None, None, None]:
    try:
        yield None
        while (item := batch.outputs.next_chunk()) is not None:
            yield batch.prompt_of[item[0]], item[1]
    finally:
        batch.cancel()


def _is_conversation(messages: Any) -> bool:
    return not isinstance(messages, Sequence) or not messages or isinstance(messages[0], Mapping | str)
