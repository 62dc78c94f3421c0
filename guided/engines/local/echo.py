"""`EchoEngine`: answers with the prompt's own text, token by token. For tests of protocols and clients without a model.

Use it by its name: `LLM(engine="echo")` or `guided serve --engine echo`. The engine reads a model's tokenizer and
config, but no weights. It does not echo special tokens, such as those of a chat template, and ends the text after the
last token. There is only one token at each step, so penalties, biases and filters change nothing. The engine can't
follow grammars, score prompts or think.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections import deque
from typing import TYPE_CHECKING, Any

from guided.grammars.errors import InvalidInputError
from guided.grammars.vocabulary import Vocabulary

from ...errors import DeadlineExceededError, EngineStoppedError, QueueFullError
from ...requests.finish_reason import FinishReason
from ...requests.observer import EngineObserver, RequestRecord, StepRecord, tell
from ...requests.request import PromptRequest
from ..base import Engine, Sink, TokenEvent
from ..factory import EngineOptions, LoadedEngine, refuse_engine_args
from ..settings import EngineSettings
from ..stats import EngineCounters, EngineStats
from ..token_logprobs import TokenLogprob, TokenLogprobs
from .loading import load_text_side
from .transformers import max_context_tokens

if TYPE_CHECKING:
    import torch


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
    """Echoes prompts of one vocabulary. Each step, in the engine's own thread, gives every running request one token.

    vocabulary: the tokens.
    max_context_tokens: maximum number of tokens of prompt and echo together.
    settings: only `max_batch_size` and `max_waiting_requests` are used.
    """

    model_name = "echo"

    def __init__(self, vocabulary: Vocabulary, max_context_tokens: int, settings: EngineSettings | None = None) -> None:
        self.vocabulary = vocabulary
        self.max_context_tokens = max_context_tokens
        self._loop = _EchoLoop(vocabulary, EngineSettings() if settings is None else settings)
        self._finalizer = weakref.finalize(self, self._loop.stop)  # the thread refers to the loop, not to the engine

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
        self._loop.submit(_Echo(request, sink, index, self.vocabulary, room), is_bounded=is_bounded)

    def get_stats(self) -> EngineStats:
        """See `Engine.get_stats`."""
        return self._loop.stats

    def add_observer(self, observer: EngineObserver) -> None:
        """See `Engine.add_observer`."""
        self._loop.observers.append(observer)

    def shutdown(self) -> None:
        """See `Engine.shutdown`."""
        self._loop.stop()


class _Echo:
    """One request with the tokens that it still has to echo. room: number of tokens left in the context."""

    def __init__(self, request: PromptRequest, sink: Sink, index: int, vocabulary: Vocabulary, room: int) -> None:
        params = request.params
        self.request = request
        self.submitted_s = time.monotonic()
        self.first_s: float | None = None
        self.num_new_tokens = 0
        self._sink = sink
        self._index = index
        self._vocabulary = vocabulary
        self._stop_token_ids = frozenset(params.stop_token_ids or ())
        self._num_left = room if params.max_new_tokens is None else min(room, params.max_new_tokens)
        texts = [token_id for token_id in request.prompt_token_ids if vocabulary.tokens[token_id] is not None]
        self._token_ids = deque([*texts, *sorted(vocabulary.eos_token_ids)[:1]])

    def step(self) -> FinishReason | None:
        """Give one token to the sink. Returns the finish reason if it is the last one, else None."""
        if self.request.deadline is not None and time.monotonic() >= self.request.deadline:
            return self.fail(DeadlineExceededError())
        if not self._token_ids:  # the prompt has only special tokens, and the vocabulary no end-of-sequence token
            return self.fail(InvalidInputError("the echo engine found no text in the prompt"))
        token_id = self._token_ids.popleft()
        self.num_new_tokens += 1
        self.first_s = time.monotonic() if self.first_s is None else self.first_s
        reason: FinishReason | None = None
        if token_id in self._stop_token_ids or not self._token_ids:
            reason = "stop"
        elif self.num_new_tokens >= self._num_left:
            reason = "length"
        logprobs = None if self.request.params.logprobs is None else self._logprobs(token_id)
        self._sink(TokenEvent(self._index, token_id, finish_reason=reason, logprobs=logprobs))
        return reason

    def fail(self, error: Exception) -> FinishReason:
        """End the request with an error."""
        self._sink(TokenEvent(self._index, None, finish_reason="error", error=error))
        return "error"

    def _logprobs(self, token_id: int) -> TokenLogprobs:
        """Log-probabilities in which this token is certain."""
        text, is_special = self._vocabulary.written(token_id), self._vocabulary.tokens[token_id] is None
        alone = TokenLogprob(token_id, text, is_special, 0.0)
        return TokenLogprobs(
            token_id, text, is_special, 0.0, rank=1, top=(alone,) if self.request.params.logprobs else ()
        )


class _EchoLoop:
    """The engine's thread. It starts with the first request and ends with `stop`."""

    def __init__(self, vocabulary: Vocabulary, settings: EngineSettings) -> None:
        self.observers: list[EngineObserver] = []
        self._settings = settings
        self._waiting: deque[_Echo] = deque()
        self._running: list[_Echo] = []
        self._counters = EngineCounters()
        self._changed = threading.Condition()
        self._is_stopped = False
        self._thread: threading.Thread | None = None

    @property
    def stats(self) -> EngineStats:
        """See `Engine.get_stats`."""
        counters = self._counters
        return EngineStats(
            active_requests=len(self._running),
            waiting_requests=len(self._waiting),
            total_requests=counters.total_requests,
            tokens_generated=counters.num_new_tokens,
            num_steps=counters.num_steps,
            num_prompt_tokens=counters.num_prompt_tokens,
        )

    def submit(self, echo: _Echo, *, is_bounded: bool) -> None:
        """Add a request. Raises QueueFullError and EngineStoppedError."""
        with self._changed:
            if self._is_stopped:
                raise EngineStoppedError
            bound = self._settings.max_waiting_requests
            num_places = max(0, self._settings.max_batch_size - len(self._running))
            if is_bounded and bound is not None and len(self._waiting) >= bound + num_places:
                raise QueueFullError(bound)
            self._counters.total_requests += 1
            self._counters.num_prompt_tokens += len(echo.request.prompt_token_ids)
            self._waiting.append(echo)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="guided-echo", daemon=True)
                self._thread.start()
            self._changed.notify()

    def stop(self) -> None:
        """End all requests and the thread, and wait for its end."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        while self._take_in():
            self._step()
        for echo in [*self._running, *self._waiting]:
            if not echo.request.ended.is_set():
                echo.fail(EngineStoppedError())

    def _take_in(self) -> bool:
        """Move waiting requests into free places; sleep while there are no requests. Returns False after `stop`."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_stopped or self._waiting or self._running)
            while self._waiting and len(self._running) < self._settings.max_batch_size:
                self._running.append(self._waiting.popleft())
            return not self._is_stopped

    def _step(self) -> None:
        start_s = time.monotonic()
        num_before = self._counters.num_new_tokens
        num_rows = len(self._running)
        self._running = [echo for echo in self._running if self._goes_on(echo, start_s)]
        self._counters.num_steps += 1
        num_new = self._counters.num_new_tokens - num_before
        record = StepRecord(num_rows, 0, num_new, 0, 0, 0.0, 0.0, 0.0, time.monotonic() - start_s)
        tell(self.observers, "on_step", record)

    def _goes_on(self, echo: _Echo, start_s: float) -> bool:
        is_cancelled = echo.request.ended.is_set()
        reason = None if is_cancelled else echo.step()
        self._counters.num_new_tokens += not is_cancelled and reason != "error"
        if not is_cancelled and reason is None:
            return True
        first_s = None if echo.first_s is None else echo.first_s - echo.submitted_s
        num_prompt_tokens = len(echo.request.prompt_token_ids)
        queue_s = start_s - echo.submitted_s
        record = RequestRecord(queue_s, first_s, None, num_prompt_tokens, 0, echo.num_new_tokens, reason)
        tell(self.observers, "on_request_end", record)
        return False
