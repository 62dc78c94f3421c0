"""`Engine`: the interface between `guided.LLM`, and through it the server, and the code that runs a model.

An engine takes and gives token ids. Grammars come to the engine as compiled objects. The engine knows no text:
`guided.llm` renders prompts and decodes outputs.
"""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from guided.grammars.errors import InvalidInputError, VocabularyMismatchError
from guided.grammars.vocabulary import Vocabulary

from ..errors import ContextLengthError, EngineFailureError, GenerationCancelledError, RequestFieldError
from ..processors.settings import ProcessorSettings
from ..requests.finish_reason import FinishReason
from ..requests.request import PromptRequest
from .token_logprobs import TokenLogprobs

if TYPE_CHECKING:
    import torch

    from ..requests.observer import EngineObserver
    from .stats import EngineStats

log = logging.getLogger(__name__)

Sink = Callable[["TokenEvent"], None]


@dataclass(frozen=True, slots=True)
class ToldUsage:
    """Token counts of one output, as another server or engine reports them.

    num_thinking_tokens: the part of num_new_tokens that is thinking.
    """

    num_prompt_tokens: int
    num_new_tokens: int
    num_cached_tokens: int = 0
    num_thinking_tokens: int = 0


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of text from an engine that gives texts instead of tokens, such as "openai".

    text: new characters of the answer, with tool calls in the engine's own syntax.
    thinking: new characters of the thinking before the answer.
    logprobs: log-probabilities of the piece's tokens; () if the other server does not tell them.
    usage: numbers of tokens, on the last event; None: not known.
    stopped_by: the stop token that ended the text on the other server, on the last event; else None.
    """

    text: str = ""
    thinking: str = ""
    logprobs: tuple[TokenLogprobs, ...] = ()
    usage: ToldUsage | None = None
    stopped_by: str | int | None = None


class StepTimes(NamedTuple):
    """Times of one step of the engine, for all its rows, in seconds. mask_s: filling masks. forward_s: the model."""

    mask_s: float
    forward_s: float


@dataclass(frozen=True, slots=True)
class TokenRun:
    """Consecutive tokens of an output without events of their own. num_forced: number of them that were forced."""

    token_ids: Sequence[int]
    num_forced: int


@dataclass(slots=True)
class TokenEvent:
    """A step of a request. Nobody may change the event. PERF: making a frozen event takes 1.4 us longer for each token.

    index: index of the request, as given to `submit`; in `run` its position in the list.
    token_id: the new token; None: the request ends without one (an error), or `piece` stands for it.
    is_forced: True: the grammar had already determined every byte of the token.
    finish_reason: on a request's last event, else None. "stop": an end-of-sequence or stop token came, or the grammar
        allowed only the end. "length": max_new_tokens or the context is used up. "error": see `error`.
    error: the error, with finish_reason "error".
    logprobs: log-probabilities of the token, if the request asks for them.
    prompt_logprobs: those of the prompt's tokens (None for the first), on the first event, if the request asks for
        them.
    returned: (1, W) tensor on the CPU, if the request asks for it: the token's logits, then the model's hidden state.
    prompt_returned: (P, W), the same for the prompt's tokens, on the first event.
    min_new_tokens_overruled: True: the grammar allowed only the end, so the text ends before min_new_tokens.
    num_cached_tokens: number of prompt tokens whose computation was cached, on the first event.
    fits_grammar: on the last event: True if the text up to here fits its grammar; False without a grammar.
    closed_in_budget: True: the budget has cut the text so far: at some step another token would have been drawn without
        it. On a last event with "stop" the text is complete all the same.
    ended_repetition: True: the text repeated itself, so its budget was cut to its shortest end
        (`PromptRequest.ends_repetition`).
    time_s: `time.perf_counter()` when the event was made.
    piece: the new text, from an engine that gives texts.
    is_pause: on the last event: True if the request ends only because of `PromptRequest.pauses_at`.
    weight, grammar_logprob: on the last event of a particle: see `Completion`.
    times: times of the step that drew the token, if `PromptRequest.is_watched`.
    is_thought: True: the token belongs to a block of thinking, see `ThinkingState`.
    run: earlier tokens that this event reports, too; only for requests with `is_read_at_end`, see `Engine.submit`.
    """

    index: int
    token_id: int | None
    is_forced: bool = False
    finish_reason: FinishReason | None = None
    error: Exception | None = None
    logprobs: TokenLogprobs | None = None
    prompt_logprobs: tuple[TokenLogprobs | None, ...] | None = None
    returned: torch.Tensor | None = None
    prompt_returned: torch.Tensor | None = None
    min_new_tokens_overruled: bool = False
    num_cached_tokens: int = 0
    fits_grammar: bool = False
    closed_in_budget: bool = False
    ended_repetition: bool = False
    time_s: float = field(default_factory=time.perf_counter)
    piece: TextPiece | None = None
    is_pause: bool = False
    weight: float | None = None
    grammar_logprob: float | None = None
    times: StepTimes | None = None
    is_thought: bool = False
    run: TokenRun | None = None


def give_sink_error(sink: Sink, request: PromptRequest, event: TokenEvent, error: Exception) -> None:
    """End a request whose sink raised an error for an event. The sink gets the error as its last event.

    Engines call this in the `except` block, and call the sink no more.
    """
    log.exception("the sink of a request failed; the request ends")
    request.ended.set()
    try:
        sink(_failed(event.index, EngineFailureError("the sink of a request", error)))
    except Exception:
        log.exception("the sink of a request failed again; it misses its last event")


def cancelled(index: int) -> TokenEvent:
    """The last event of a request whose `ended` was set. index: index of the request's events."""
    return _failed(index, GenerationCancelledError())


def _failed(index: int, error: Exception) -> TokenEvent:
    return TokenEvent(index, None, finish_reason="error", error=error)


class Engine(ABC):
    """Runs a model.

    model_name: name of the model.
    vocabulary: the model's tokens.
    max_context_tokens: maximum number of tokens of prompt and output together.
    unstretched_context_tokens: the model's original context, if its config says that positions were stretched from it:
        the model reads best within it. None: not stretched.
    processor_settings: the custom processors that requests may send; None: registered names and objects.
    can_resume: True: the engine supports `PromptRequest.written`, pauses and `submit_particles`.
    returns_tensors: True: the engine can return hidden states and logits.
    """

    model_name: str
    vocabulary: Vocabulary
    max_context_tokens: int
    unstretched_context_tokens: int | None = None
    processor_settings: ProcessorSettings | None = None
    can_resume = False
    returns_tensors = False

    @property
    @abstractmethod
    def device(self) -> torch.device:
        """The device with the model's weights."""

    @property
    @abstractmethod
    def dtype(self) -> torch.dtype:
        """The dtype of the model's computations."""

    @property
    def failure(self) -> Exception | None:
        """The error that makes the engine useless until it is loaded again; None: the engine works."""
        return None

    @abstractmethod
    def check(self, request: PromptRequest, where: str = "the prompt") -> None:
        """Check a request without starting it. where: name of its prompt in messages.

        Raises InvalidInputError for an empty prompt or an id that is no token. Raises ContextLengthError for a prompt
        without room for an answer, and VocabularyMismatchError for a grammar compiled for another vocabulary.
        """

    def check_prompt(self, prompt: Sequence[int], where: str) -> None:
        """The part of `check` that concerns only the prompt; the same for every engine.

        Raises InvalidInputError and ContextLengthError.
        """
        if not prompt:
            raise InvalidInputError(f"{where} has no tokens; give at least one")
        if not all(isinstance(token_id, int) for token_id in prompt):
            raise InvalidInputError(f"{where} has token ids that are not integers")
        if min(prompt) < 0 or max(prompt) >= self.vocabulary.size:
            raise InvalidInputError(f"{where} has ids outside the vocabulary's 0..{self.vocabulary.size - 1}")
        if len(prompt) >= self.max_context_tokens:
            raise ContextLengthError(len(prompt), self.max_context_tokens, where)

    def check_tokens(self, request: PromptRequest, where: str) -> None:
        """The part of `check` that concerns the prompt and the grammar's vocabulary; the same for every engine that
        takes tokens.

        Raises InvalidInputError, ContextLengthError and VocabularyMismatchError.
        """
        self.check_prompt(request.prompt_token_ids, where)
        own, grammar = self.vocabulary, request.grammar
        if grammar is not None and grammar.vocabulary is not own and grammar.vocabulary != own:
            other = grammar.vocabulary
            raise VocabularyMismatchError(
                f"the grammar's vocabulary has {other.size} tokens (fingerprint {other.fingerprint[:12]}), "
                f"the model's {own.size} ({own.fingerprint[:12]}); compile it for the model's"
            )
        if grammar is not None and not own.eos_token_ids:
            raise InvalidInputError(
                "the model names no end-of-sequence token, so a grammar can't end the text; "
                "set eos_token_id in its generation_config.json"
            )

    @abstractmethod
    def submit(self, request: PromptRequest, sink: Sink, index: int = 0, *, is_bounded: bool = True) -> None:
        """Start a request that has passed `check`. May be called from any thread.

        The engine sets `TokenEvent.is_thought` for the tokens that `thinking_of(request, vocabulary)` tells apart from
        the text (`guided/engines/thinking.py`). The reader of the events does not look for them itself.

        sink: function that the engine's thread calls with each event; it must be quick. The last event has a
            finish_reason, and always comes. After the engine has seen `request.ended`, the only further event is the
            last one, with GenerationCancelledError. If the sink raises, its last event has that error. With
            `request.is_read_at_end`, an event may contain earlier tokens as its `run`.
        index: the index of the request's events.
        is_bounded: True: the limit of waiting requests applies, and the request counts towards it.
        Raises QueueFullError, and EngineStoppedError after `shutdown`.
        """

    def submit_particles(
        self, outputs: Sequence[PromptRequest], sink: Sink, first_index: int, *, is_bounded: bool = True
    ) -> None:
        """Like `submit`, for a request with `SamplingParams.particles`. Starts all outputs or none.

        outputs: the request's `PromptRequest.outputs`.
        sink: gets all events after the last output has ended, output by output.
        first_index: index of the first output's events.
        Also raises RequestFieldError if the engine can't run particles, see `can_resume`.
        """
        raise RequestFieldError("particles need the engine 'transformers'", "particles")

    @abstractmethod
    def shutdown(self) -> None:
        """End all requests with EngineStoppedError and stop the engine's thread. May be called several times."""

    @abstractmethod
    def get_stats(self) -> EngineStats:
        """The engine's present figures and sums. May be called from any thread."""

    @abstractmethod
    def add_observer(self, observer: EngineObserver) -> None:
        """Report every step, and every request that ends, to `observer` from now on."""

    def run(self, requests: Sequence[PromptRequest]) -> Generator[TokenEvent, None, None]:
        """Continue all prompts and yield an event for each new token. Several runs may be active at once.

        The method checks all requests before it returns, and raises the errors of `check`. The requests start at the
        first `next`, and end one by one. A request whose `ended` is set ends without a further event. Closing the
        generator ends all its requests.
        """
        for i, request in enumerate(requests):
            self.check(request, "the prompt" if len(requests) == 1 else f"prompt {i}")
        return self._run(list(requests))

    def _run(self, requests: list[PromptRequest]) -> Generator[TokenEvent, None, None]:
        events: SimpleQueue[TokenEvent] = SimpleQueue()
        unfinished = set(range(len(requests)))
        try:
            for i, request in enumerate(requests):
                self.submit(request, events.put, i, is_bounded=False)
            while unfinished:
                event = events.get()
                if event.finish_reason is not None:
                    unfinished.discard(event.index)
                if not isinstance(event.error, GenerationCancelledError):
                    yield event
        finally:
            for i in unfinished:
                requests[i].ended.set()
