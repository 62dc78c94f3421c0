"""`EchoEngine`: answers with the prompt's own text, token by token. For tests of protocols and clients without a model.

Use it by its name: `LLM(engine="echo")` or `guided serve --engine echo`. The engine reads a model's tokenizer and
config, but no weights. Special tokens, such as those of a chat template, are not echoed. The text ends after the
prompt's last token. There is only one token at each step, so penalties, biases and filters change nothing. The engine
can't follow grammars, score prompts or think. With `separate_thinking`, blocks of thinking in the echo are told apart.
"""

from __future__ import annotations

import asyncio
import os
import time
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from guided.grammars.errors import GuidedError, InvalidInputError
from guided.grammars.vocabulary import Vocabulary

from ...requests.observer import EngineObserver
from ...requests.request import PromptRequest
from ..base import Engine, Sink, TokenEvent, ToldUsage
from ..factory import EngineOptions, LoadedEngine, refuse_engine_args
from ..jobs import EngineJob, JobLoop
from ..settings import EngineSettings
from ..stats import EngineCounters, EngineStats
from ..thinking import thinking_of
from ..token_logprobs import TokenLogprob, TokenLogprobs
from .loading import load_text_side
from .transformers import max_context_tokens

if TYPE_CHECKING:
    import torch

WATCH_S = 0.02  # seconds between two searches for requests without readers or past their deadlines


def load_echo_engine(model: Any, options: EngineOptions) -> LoadedEngine:
    """Load an `EchoEngine` with the tokenizer of a model.

    model: a folder or hub name.
    options: device and dtype must be "auto", because there are no weights. `limits` is ignored: there are no grammars.
    Raises InvalidInputError for other arguments, and the errors of loading a tokenizer.
    """
    refuse_engine_args(options.engine_args, "echo")
    if not isinstance(model, str | os.PathLike) or options.tokenizer is not None:
        raise InvalidInputError("the echo engine takes a model's folder or hub name, and no tokenizer beside it")
    if options.device != "auto" or options.dtype != "auto":
        raise InvalidInputError("the echo engine has no weights; leave out device and dtype")
    loaded_tokenizer, vocabulary, config = load_text_side(os.fspath(model))
    engine = EchoEngine(vocabulary, max_context_tokens(config, os.fspath(model)), options.settings)
    engine.processor_settings = options.processor_settings
    return LoadedEngine(engine, loaded_tokenizer)


class EchoEngine(Engine):
    """Echoes prompts of one vocabulary.

    vocabulary: the tokens.
    max_context_tokens: maximum number of tokens of prompt and echo together.
    settings: only `max_batch_size` and `max_waiting_requests` are used.
    """

    model_name = "echo"

    def __init__(self, vocabulary: Vocabulary, max_context_tokens: int, settings: EngineSettings | None = None) -> None:
        self.vocabulary = vocabulary
        self.max_context_tokens = max_context_tokens
        self._loop = EchoLoop(EngineSettings() if settings is None else settings)
        self._finalizer = weakref.finalize(self, self._loop.stop)  # the loop's thread does not refer to the engine

    @property
    def device(self) -> torch.device:
        """See `Engine.device`."""
        import torch

        return torch.device("cpu")

    @property
    def dtype(self) -> torch.dtype:
        """See `Engine.dtype`."""
        import torch

        return torch.float32

    def check(self, request: PromptRequest, where: str = "the prompt") -> None:
        """See `Engine.check`."""
        self.check_prompt(request.prompt_token_ids, where)
        params = request.params
        if request.grammar is not None:
            raise InvalidInputError("the echo engine can't follow a grammar; leave out the constraint and tools")
        if params.prompt_logprobs is not None or params.thinking or params.thinking_budget is not None:
            raise InvalidInputError("the echo engine neither scores prompts nor thinks; leave these fields out")

    def submit(self, request: PromptRequest, sink: Sink, index: int = 0, *, is_bounded: bool = True) -> None:
        """See `Engine.submit`."""
        room = self.max_context_tokens - len(request.prompt_token_ids)
        self._loop.submit(EchoJob(request, sink, index, self.vocabulary, room, is_bounded=is_bounded))

    def get_stats(self) -> EngineStats:
        """See `Engine.get_stats`."""
        return self._loop.stats

    def add_observer(self, observer: EngineObserver) -> None:
        """See `Engine.add_observer`."""
        self._loop.observers.append(observer)

    def shutdown(self) -> None:
        """See `Engine.shutdown`."""
        self._loop.stop()


class EchoJob(EngineJob):
    """The echo of one prompt.

    room: maximum number of tokens of the echo.
    Other arguments as in `EngineJob`.
    """

    def __init__(
        self, request: PromptRequest, sink: Sink, index: int, vocabulary: Vocabulary, room: int, *, is_bounded: bool
    ) -> None:
        super().__init__(request, sink, index, is_bounded=is_bounded)
        self._vocabulary = vocabulary
        self._room = room
        self._num_tokens = 0

    @property
    def usage(self) -> ToldUsage:
        """See `EngineJob.usage`."""
        return ToldUsage(len(self.request.prompt_token_ids), self._num_tokens)

    def events(self) -> Iterator[TokenEvent]:
        """The tokens; the last one has a finish reason. Raises InvalidInputError for a prompt without text."""
        params, prompt, vocabulary = self.request.params, self.request.prompt_token_ids, self._vocabulary
        thinking, stops = thinking_of(self.request, vocabulary), frozenset(params.stop_token_ids or ())
        num_left = self._room if params.max_new_tokens is None else min(self._room, params.max_new_tokens)
        texts = [token_id for token_id in prompt if vocabulary.tokens[token_id] is not None]
        token_ids = [*texts, *sorted(vocabulary.eos_token_ids)[:1]]
        if not token_ids:  # the prompt has only special tokens, and the vocabulary no end-of-sequence token
            raise InvalidInputError("the echo engine found no text in the prompt")
        for number, token_id in enumerate(token_ids[:num_left], start=1):
            is_end = token_id in stops or number == len(token_ids)
            self.finish_reason = "stop" if is_end else "length" if number == num_left else None
            self._num_tokens = number
            yield TokenEvent(
                self.index,
                token_id,
                finish_reason=self.finish_reason,
                logprobs=None if params.logprobs is None else self._logprobs(token_id, params.logprobs),
                is_thought=thinking is not None and thinking.accept_token(token_id),
            )
            if is_end:
                return

    def _logprobs(self, token_id: int, num_top: int) -> TokenLogprobs:
        """Log-probabilities that make this token certain."""
        text, is_special = self._vocabulary.written(token_id), self._vocabulary.tokens[token_id] is None
        alone = TokenLogprob(token_id, text, is_special, 0.0)
        return TokenLogprobs(token_id, text, is_special, 0.0, rank=1, top=(alone,) if num_top else ())


class EchoLoop(JobLoop[EchoJob]):
    """Runs echoes, `max_batch_size` at once."""

    def __init__(self, settings: EngineSettings) -> None:
        self._places = asyncio.Semaphore(settings.max_batch_size)
        running, waiting = settings.max_batch_size, settings.max_waiting_requests
        super().__init__("guided-echo", running, waiting, WATCH_S, EngineCounters())

    async def _run(self, job: EchoJob) -> None:
        async with self._places:
            job.begun_s = time.perf_counter()
            try:
                for event in job.events():
                    must_end, error = job.must_end(time.monotonic())
                    if error is not None:
                        raise error
                    if must_end:
                        job.finish_reason = None
                        return
                    job.give(event)
                    await asyncio.sleep(0)
            except GuidedError as error:
                job.finish_reason = None
                job.fail(error)
