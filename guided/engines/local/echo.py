"""`EchoEngine`: answers with the prompt's own text, token by token. For tests of protocols and clients without a model.

Use it by its name: `LLM(engine="echo")` or `guided serve --engine echo`. The engine reads a model's tokenizer and
config, but no weights. Special tokens, such as those of a chat template, are not echoed. The text ends after the
prompt's last token. There is only one token at each step, so penalties, biases and filters change nothing. The engine
can't follow grammars, score prompts or think. With `separate_thinking`, blocks of thinking in the echo are told apart.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from guided.grammars.errors import InvalidInputError
from guided.grammars.vocabulary import Vocabulary

from ...errors import DeadlineExceededError, EngineStoppedError, QueueFullError
from ...requests.observer import EngineObserver, RequestRecord, tell
from ...requests.request import PromptRequest
from ..base import Engine, Sink, TokenEvent, cancelled, give_sink_error
from ..factory import EngineOptions, LoadedEngine, refuse_engine_args
from ..settings import EngineSettings
from ..stats import EngineStats
from ..thinking import thinking_of
from ..token_logprobs import TokenLogprob, TokenLogprobs
from .loading import load_text_side
from .transformers import max_context_tokens

if TYPE_CHECKING:
    import torch

THREAD_NAME = "guided-echo"


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
    """Echoes prompts of one vocabulary, each request in a thread of its own.

    vocabulary: the tokens.
    max_context_tokens: maximum number of tokens of prompt and echo together.
    settings: only `max_batch_size` and `max_waiting_requests` are used.
    """

    model_name = "echo"

    def __init__(self, vocabulary: Vocabulary, max_context_tokens: int, settings: EngineSettings | None = None) -> None:
        self.vocabulary = vocabulary
        self.max_context_tokens = max_context_tokens
        self._settings = EngineSettings() if settings is None else settings
        self._pool = ThreadPoolExecutor(self._settings.max_batch_size, THREAD_NAME)
        self._lock = threading.Lock()
        self._is_stopped = False
        self._num_unfinished = self._num_requests = self._num_tokens = self._num_prompt_tokens = 0
        self._observers: list[EngineObserver] = []

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
        bound = self._settings.max_waiting_requests
        with self._lock:
            if self._is_stopped:
                raise EngineStoppedError
            if is_bounded and bound is not None and self._num_unfinished >= bound + self._settings.max_batch_size:
                raise QueueFullError(bound)
            self._num_unfinished += 1
            self._num_requests += 1
            self._num_prompt_tokens += len(request.prompt_token_ids)
            self._pool.submit(self._answer, request, sink, index, time.monotonic())

    def get_stats(self) -> EngineStats:
        """See `Engine.get_stats`."""
        with self._lock:
            num_active = min(self._num_unfinished, self._settings.max_batch_size)
            return EngineStats(
                active_requests=num_active,
                waiting_requests=self._num_unfinished - num_active,
                total_requests=self._num_requests,
                tokens_generated=self._num_tokens,
                num_prompt_tokens=self._num_prompt_tokens,
            )

    def add_observer(self, observer: EngineObserver) -> None:
        """See `Engine.add_observer`."""
        self._observers.append(observer)

    def shutdown(self) -> None:
        """See `Engine.shutdown`. From one of the engine's own threads it does not wait for their end."""
        with self._lock:
            self._is_stopped = True
        self._pool.shutdown(wait=not threading.current_thread().name.startswith(THREAD_NAME))

    def _answer(self, request: PromptRequest, sink: Sink, index: int, submitted_s: float) -> None:
        began_s, num_tokens, last = time.monotonic(), 0, None
        for made in self._events(request, index):
            is_left = request.ended.is_set()
            event = cancelled(index) if is_left else made
            is_last = event.finish_reason is not None
            num_tokens += event.token_id is not None
            last = None if is_left else event.finish_reason
            if is_last:  # before the sink sees it, which then finds the request ended
                self._end(num_tokens)
            try:
                sink(event)
            except Exception as error:  # noqa: BLE001 - a fault of a sink ends its own request only
                if not is_last:
                    self._end(num_tokens)
                give_sink_error(sink, request, event, error)
                break
            if is_last:
                break
        record = RequestRecord(
            began_s - submitted_s, began_s - submitted_s, None, len(request.prompt_token_ids), 0, num_tokens, last
        )
        tell(self._observers, "on_request_end", record)

    def _end(self, num_tokens: int) -> None:
        with self._lock:
            self._num_unfinished -= 1
            self._num_tokens += num_tokens

    def _events(self, request: PromptRequest, index: int) -> Iterator[TokenEvent]:
        """The tokens of a request; the last event has a finish reason."""
        params, prompt, thinking = request.params, request.prompt_token_ids, thinking_of(request, self.vocabulary)
        stops, room = frozenset(params.stop_token_ids or ()), self.max_context_tokens - len(prompt)
        num_left = room if params.max_new_tokens is None else min(room, params.max_new_tokens)
        texts = [token_id for token_id in prompt if self.vocabulary.tokens[token_id] is not None]
        token_ids = [*texts, *sorted(self.vocabulary.eos_token_ids)[:1]]
        error: Exception | None = None
        if not token_ids:  # the prompt has only special tokens, and the vocabulary no end-of-sequence token
            error = InvalidInputError("the echo engine found no text in the prompt")
        for number, token_id in enumerate(token_ids, start=1):
            if request.deadline is not None and time.monotonic() >= request.deadline:
                error = DeadlineExceededError()
            elif self._is_stopped:
                error = EngineStoppedError()
            if error is not None:
                break
            is_end = token_id in stops or number == len(token_ids)
            logprobs = None if params.logprobs is None else self._logprobs(token_id, params.logprobs)
            reason = "stop" if is_end else "length" if number >= num_left else None
            is_thought = thinking is not None and thinking.accept_token(token_id)
            yield TokenEvent(index, token_id, finish_reason=reason, logprobs=logprobs, is_thought=is_thought)  # type: ignore[arg-type]
            if reason is not None:
                return
        yield TokenEvent(index, None, finish_reason="error", error=error)

    def _logprobs(self, token_id: int, num_top: int) -> TokenLogprobs:
        """Log-probabilities that make this token certain."""
        text, is_special = self.vocabulary.written(token_id), self.vocabulary.tokens[token_id] is None
        alone = TokenLogprob(token_id, text, is_special, 0.0)
        return TokenLogprobs(token_id, text, is_special, 0.0, rank=1, top=(alone,) if num_top else ())
