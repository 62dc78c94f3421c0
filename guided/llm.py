"""`LLM`: a language model with its tokenizer, ready for text, chats and typed extraction, with or without a grammar."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, TypeVar, cast, overload

from guided.grammars.backends.base import CompiledGrammar
from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits
from guided.grammars.vocabulary import Vocabulary

from .completion import Completion, CompletionChunk
from .completion_builder import CompletionBuilder, chunks_of
from .embedded import model_path
from .engine.base import Engine, GenerationRequest
from .engine.registry import engine_factory
from .errors import ModelNotFoundError
from .extract import Extraction, ExtractionTarget, extraction_messages, extraction_params, unwrap
from .processors.settings import ProcessorSettings
from .progress import show_progress
from .prompting import Messages, PromptEncoder
from .request_expansion import expand, with_word_ids
from .request_grammars import RequestGrammars
from .sampling_params import ENDINGS, SamplingParams
from .schema_types import to_json_schema

T = TypeVar("T")

Params = SamplingParams | Sequence[SamplingParams] | None


class LLM:
    """A model that completes prompts.

    model: None is the small model in the package; or a folder with Hugging Face files; or a model name of the hub (the
        local cache first, then the network); or a loaded `transformers` model, which is put into evaluation mode.
    engine: name of a registered engine; "transformers" runs on one machine.
    tokenizer: the loaded tokenizer of a loaded model, or a folder or name when it is not with the model.
    device: "auto" (CUDA where there is one, else the CPU) or a torch device. dtype: "auto" (the model's own; float32 on
        a CPU), "float32", "bfloat16" or "float16". Both are for models loaded by name.
    backend: name of the grammar backend; None is the default one.
    limits: what compiling one grammar may cost; None is `Limits()`.
    processor_settings: whether requests may bring serialised logit processors; None: they may not.

    One call runs at a time; the iterator of `stream` counts as running until it is used up or closed.
    Raises ModelNotFoundError, UnsupportedModelError, UnknownEngineError, UnknownBackendError or TokenizerError.
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
    ) -> None:
        load = engine_factory(engine)
        loaded = load(_embedded_model() if model is None else model, tokenizer=tokenizer, device=device, dtype=dtype)
        self.engine: Engine = loaded.engine
        self.engine.processor_settings = processor_settings
        self.tokenizer = loaded.tokenizer
        self.model_name = "embedded" if model is None else loaded.engine.model_name
        self.vocabulary = loaded.engine.vocabulary
        self.max_context_tokens = loaded.engine.max_context_tokens
        self._encoder = PromptEncoder(loaded.tokenizer, self.vocabulary)
        self._limits = limits
        self._grammars = RequestGrammars(self.vocabulary, backend, self._encoder.json_whitespace, limits)

    def count_tokens(self, text: str) -> int:
        """How many tokens `generate` reads for this prompt."""
        return len(self._encoder.encode_text(text))

    def compile(self, params: SamplingParams) -> CompiledGrammar | None:
        """The grammar of `params`, None without a constraint. The last ones are kept; raises what compiling raises."""
        return self._grammars.get(params)

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
        grammars = self._compile_all(all_params, grammar)
        encoded = [self._encoder.encode_text(text) for text in texts]
        completions = self._complete(encoded, all_params, grammars, progress)
        return completions[0] if isinstance(prompts, str) else completions

    @overload
    def chat(
        self,
        messages: Messages,
        params: Params = None,
        *,
        grammar: CompiledGrammar | None = None,
        progress: bool = False,
    ) -> Completion: ...

    @overload
    def chat(
        self,
        messages: Sequence[Messages],
        params: Params = None,
        *,
        grammar: CompiledGrammar | None = None,
        progress: bool = False,
    ) -> list[Completion]: ...

    def chat(
        self,
        messages: Messages | Sequence[Messages],
        params: Params = None,
        *,
        grammar: CompiledGrammar | None = None,
        progress: bool = False,
    ) -> Completion | list[Completion]:
        """Answer one conversation ([{"role": ..., "content": ...}, ...]) or several; otherwise like `generate`.

        The chat template gets the JSON schema of the request's params as `response_schema`. Special tokens inside
        messages are plain text there (see `guided.prompting`).
        """
        is_one = _is_conversation(messages)
        conversations = cast("list[Messages]", [messages] if is_one else list(messages))
        all_params = _params_for(params, len(conversations))
        grammars = self._compile_all(all_params, grammar)
        pairs = zip(conversations, all_params, strict=True)
        encoded = [self._encode_chat(conversation, one) for conversation, one in pairs]
        completions = self._complete(encoded, all_params, grammars, progress)
        return completions[0] if is_one else completions

    def stream(
        self, prompt: str | Messages, params: SamplingParams | None = None, *, grammar: CompiledGrammar | None = None
    ) -> Generator[CompletionChunk, None, None]:
        """Like `generate` (for a string) or `chat` (for messages), piece by piece as the text is made.

        With n > 1 the pieces of all outputs come as they are made; `CompletionChunk.index` tells them apart, and each
        output has its own last chunk. Bad input raises here, before the first chunk. Closing the iterator stops the
        generation.
        """
        params = SamplingParams() if params is None else params
        grammars = self._compile_all([params], grammar)
        encoded = self._encoder.encode_text(prompt) if isinstance(prompt, str) else self._encode_chat(prompt, params)
        requests = self._requests(encoded, params, grammars[0])
        builders = [CompletionBuilder(self.vocabulary, request, index) for index, request in enumerate(requests)]
        return chunks_of(builders, self.engine.run(requests))

    @overload
    def extract(  # type: ignore[overload-overlap]  # as above
        self,
        texts: str,
        schema_type: type[T],
        *,
        params: SamplingParams | None = None,
        instructions: str | None = None,
        progress: bool = False,
    ) -> T: ...

    @overload
    def extract(
        self,
        texts: Sequence[str],
        schema_type: type[T],
        *,
        params: SamplingParams | None = None,
        instructions: str | None = None,
        progress: bool = False,
    ) -> list[T]: ...

    @overload
    def extract(
        self,
        texts: str | Sequence[str],
        schema_type: Any,
        *,
        params: SamplingParams | None = None,
        instructions: str | None = None,
        progress: bool = False,
    ) -> Any: ...

    def extract(
        self,
        texts: str | Sequence[str],
        schema_type: Any,
        *,
        params: SamplingParams | None = None,
        instructions: str | None = None,
        progress: bool = False,
    ) -> Any:
        """Read one text or several into instances of a type (or into plain data, for a JSON Schema).

        schema_type: a Pydantic model, dataclass, TypedDict or Enum; or a JSON Schema as dict, bool or JSON text.
        params: without a constraint; None is greedy, with all of the context.
        instructions: what to look for, in words, beside the schema.
        Raises the errors of `generate`, IncompleteOutputError for a document that is cut off, and OutputValidationError
        for one that the type's own rules refuse. With several texts the first failure raises: use `extract_detailed`
        to get the others.
        """
        results = self.extract_detailed(texts, schema_type, params=params, instructions=instructions, progress=progress)
        return unwrap(results) if isinstance(results, Extraction) else [unwrap(result) for result in results]

    def extract_detailed(
        self,
        texts: str | Sequence[str],
        schema_type: Any,
        *,
        params: SamplingParams | None = None,
        instructions: str | None = None,
        progress: bool = False,
    ) -> Extraction[Any] | list[Extraction[Any]]:
        """Like `extract`, with the data, the check and the completion of each text; a bad output is not raised."""
        if isinstance(schema_type, str):
            schema_type = to_json_schema(schema_type, self._limits)
        target: ExtractionTarget[Any] = ExtractionTarget(schema_type)
        listed = _listed(texts, "texts")
        all_params = [extraction_params(params, target.schema)] * len(listed)
        grammars = self._compile_all(all_params, None)
        shows_schema = self._encoder.shows_schema
        conversations = [
            extraction_messages(text, instructions, target.schema, shows_schema=shows_schema) for text in listed
        ]
        thinking = all_params[0].thinking if all_params else None
        encoded = [
            self._encoder.encode_chat(conversation, target.schema, thinking=thinking) for conversation in conversations
        ]
        completions = self._complete(encoded, all_params, grammars, progress)
        extractions = [target.read(completion) for completion in completions]
        return extractions[0] if isinstance(texts, str) else extractions

    def __repr__(self) -> str:
        return f"LLM({self.model_name!r}, max_context_tokens={self.max_context_tokens})"

    def _encode_chat(self, messages: Messages, params: SamplingParams) -> list[int]:
        """The ids of a chat. Its schema must have been compiled: a chat template can't stand a schema that is none."""
        schema = None if params.json_schema is None else to_json_schema(params.json_schema, self._limits)
        return self._encoder.encode_chat(messages, schema, thinking=params.thinking)

    def _compile_all(
        self, params: Sequence[SamplingParams], grammar: CompiledGrammar | None
    ) -> list[CompiledGrammar | None]:
        """The grammar of each request: the caller's, or the one of its params."""
        fields = ("ignore_eos", *ENDINGS)
        if grammar is not None and any(
            one.is_constrained or any(getattr(one, name) for name in fields) for one in params
        ):
            raise InvalidInputError(f"grammar= excludes a constraint, {', '.join(fields)} in params")
        distinct = {id(one): one for one in params}
        compiled = {key: self.compile(one) if grammar is None else grammar for key, one in distinct.items()}
        return [compiled[id(one)] for one in params]

    def _complete(
        self,
        prompts: Sequence[Sequence[int]],
        params: Sequence[SamplingParams],
        grammars: Sequence[CompiledGrammar | None],
        progress: bool,
    ) -> list[Completion]:
        """One completion for each prompt, which has its others as alternatives."""
        groups = [self._requests(*parts) for parts in zip(prompts, params, grammars, strict=True)]
        requests = [request for group in groups for request in group]
        builders = [CompletionBuilder(self.vocabulary, request) for request in requests]
        with closing(self.engine.run(requests)) as events:
            for event in show_progress(events, builders) if progress else events:
                builders[event.index].add(event)
        results = iter([builder.result() for builder in builders])
        outputs = [[next(results) for _ in group] for group in groups]
        return [replace(first, alternatives=tuple(others)) for first, *others in outputs]

    def _requests(
        self, prompt: Sequence[int], params: SamplingParams, grammar: CompiledGrammar | None
    ) -> list[GenerationRequest]:
        """One request for each output of a prompt."""
        params = with_word_ids(params, self._encoder.encode_part)
        return [GenerationRequest(prompt, one, grammar) for one in expand(params)]


def _embedded_model() -> str:
    folder = model_path()
    if not (folder / "config.json").is_file():
        raise ModelNotFoundError(f"the embedded model is not in {folder}; reinstall guided or give LLM(model=...)")
    return os.fspath(folder)


def _listed(texts: str | Sequence[str], name: str) -> list[str]:
    if not isinstance(texts, Sequence):
        raise InvalidInputError(f"{name} must be a string or a list of strings, not {type(texts).__name__}")
    return [texts] if isinstance(texts, str) else list(texts)


def _params_for(params: Params, num_prompts: int) -> list[SamplingParams]:
    """One SamplingParams for each prompt."""
    if params is None or isinstance(params, SamplingParams):
        return [SamplingParams() if params is None else params] * num_prompts
    if len(params) != num_prompts:
        raise InvalidInputError(f"{len(params)} params for {num_prompts} prompts; give one for all or one for each")
    return list(params)


def _is_conversation(messages: Any) -> bool:
    return not isinstance(messages, Sequence) or not messages or isinstance(messages[0], Mapping | str)
