"""The interface between `guided.LLM` (and through it the server) and whatever runs the model.

An engine takes token ids and gives token ids. It knows grammars only as compiled objects, and no text: prompts are
rendered and outputs decoded by `guided.llm`.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from guided.grammars.errors import InvalidInputError
from guided.grammars.vocabulary import Vocabulary

from ..errors import ContextLengthError
from ..output.finish_reason import FinishReason
from ..output.token_logprobs import TokenLogprobs
from ..processors.settings import ProcessorSettings
from ..requests.request import Request

if TYPE_CHECKING:
    import torch

    from .observer import EngineObserver
    from .stats import EngineStats

Sink = Callable[["TokenEvent"], None]


@dataclass(frozen=True, slots=True)
class ToldUsage:
    """Counts of tokens, as the server that has the tokens tells them. num_thinking_tokens: of num_new_tokens."""

    num_prompt_tokens: int
    num_new_tokens: int
    num_cached_tokens: int = 0
    num_thinking_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """What an engine over texts was sent, where others have a token.

    text: new characters of the answer, with calls of tools in the engine's own syntax. thinking: of what was thought
    before it. logprobs: of the tokens that they are made of. usage: on the last event, where it is known. stopped_by:
    on the last event, the stop token that ended the text on the other side.
    """

    text: str = ""
    thinking: str = ""
    logprobs: tuple[TokenLogprobs, ...] = ()
    usage: ToldUsage | None = None
    stopped_by: str | int | None = None


class StepTimes(NamedTuple):
    """What one step of the engine took, for all its rows. Seconds. mask_s: filling masks. forward_s: the model."""

    mask_s: float
    forward_s: float


@dataclass(frozen=True, slots=True)
class TokenRun:
    """Tokens that an output got one after the other, without events of their own. num_forced: how many of them were."""

    token_ids: Sequence[int]
    num_forced: int


@dataclass(slots=True)
class TokenEvent:
    """One step of one request; nobody changes it. PERF: a frozen one takes 1.4 us longer to make, for each token.

    index: of the request, as it was submitted; in `run` its position in the list.
    token_id: the new token, or None when the request ends without one (an error).
    is_forced: the grammar had already determined every byte of this token.
    finish_reason: set on a request's last event: "stop" (an end-of-sequence or stop token, or a grammar's text after
        which only its end could follow), "length" (max_new_tokens or the context is used up), "error".
    error: what went wrong, with finish_reason "error".
    logprobs: of the new token, where the request's params ask for them.
    prompt_logprobs: of the prompt's tokens (None for the first), on the first event of a request that asks for them.
    returned: (1, W) on the CPU, what the token was drawn from: the model's logits, and its hidden state behind them, as
    far as the request's params ask for them. prompt_returned: (P, W), of the prompt's tokens, on the first event.
    num_cached_tokens: of the prompt, how many were found computed; on a request's first event.
    time_s: `time.perf_counter()` when it was made.
    is_thinking: the token belongs to a block of thinking, which is no part of the text and not the grammar's business.
    min_new_tokens_overruled: the grammar allowed only the end, which min_new_tokens forbade; the grammar won.
    fits_grammar: on a last event: the text up to here is one of the grammar's; False without a grammar.
    closed_in_budget: up to here the budget has cut the text: at some step the token drawn without it would have been
        another one. On a last event with "stop" the text is whole all the same.
    ended_repetition: the text repeated itself, so its budget became what its end takes (`Request.ends_repetition`).
    piece: what an engine over texts was sent, in place of a token.
    is_pause: on a last event: the request ends here only because of `Request.pauses_at`.
    weight, grammar_logprob: on an output's last event, where it is a particle: see `Completion`.
    times: of the step that drew the token, where `Request.is_watched`.
    run: the tokens before this one that made no event; only of requests with `is_read_at_end`, see `Engine.submit`.
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
    is_thinking: bool = False
    num_cached_tokens: int = 0
    fits_grammar: bool = False
    closed_in_budget: bool = False
    ended_repetition: bool = False
    time_s: float = field(default_factory=time.perf_counter)
    piece: Piece | None = None
    is_pause: bool = False
    weight: float | None = None
    grammar_logprob: float | None = None
    times: StepTimes | None = None
    run: TokenRun | None = None


class Engine(ABC):
    """Runs a model.

    unstretched_context_tokens: the context from which the model's positions were stretched, where its config tells: it
        reads best within that.
    processor_settings: what its operator lets requests send as custom processors; None: registered names and objects.
    can_resume: it takes requests that have `written` something and pause, and has `submit_particles`.
    returns_tensors: it can give hidden states and logits.
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
        """Where the model's weights are."""

    @property
    @abstractmethod
    def dtype(self) -> torch.dtype:
        """What the model computes in."""

    @property
    def failure(self) -> Exception | None:
        """Why it can run nothing any more, until it is loaded anew; None while all is well."""
        return None

    @abstractmethod
    def check(self, request: Request, where: str = "the prompt") -> None:
        """Raise what is wrong with a request; nothing is started. where: how messages call its prompt.

        Raises InvalidInputError for an empty prompt or an id that is no token, ContextLengthError for a prompt without
        room for an answer, VocabularyMismatchError for a grammar compiled for another vocabulary.
        """

    def check_prompt(self, prompt: Sequence[int], where: str) -> None:
        """The part of `check` that is about the prompt alone, and the same for every engine."""
        if not prompt:
            raise InvalidInputError(f"{where} has no tokens; give at least one")
        if not all(isinstance(token_id, int) for token_id in prompt):
            raise InvalidInputError(f"{where} has token ids that are not integers")
        if min(prompt) < 0 or max(prompt) >= self.vocabulary.size:
            raise InvalidInputError(f"{where} has ids outside the vocabulary's 0..{self.vocabulary.size - 1}")
        if len(prompt) >= self.max_context_tokens:
            raise ContextLengthError(len(prompt), self.max_context_tokens, where)

    @abstractmethod
    def submit(self, request: Request, sink: Sink, index: int = 0, *, is_bounded: bool = True) -> None:
        """Start a request that `check` found right; from any thread. Its events go to `sink`.

        sink: called in the engine's thread with each event; must be quick and must not raise. The last event has a
            finish_reason; none follows after `request.ended` was seen. Where nobody reads before the end
            (`request.is_read_at_end`), an event may have those before it as its `run`.
        index: what its events carry.
        is_bounded: it counts for, and is refused by, the bound on waiting requests.
        Raises QueueFullError, and EngineStoppedError after `shutdown`.
        """

    def submit_particles(
        self, outputs: Sequence[Request], sink: Sink, first_index: int, *, is_bounded: bool = True
    ) -> None:
        """`submit` for a request with `SamplingParams.particles`, all or none. outputs: its `Request.outputs`.

        sink: gets all events once the last output has ended, those of an output one after the other; their indices
            begin with first_index.
        """
        raise NotImplementedError

    @abstractmethod
    def shutdown(self) -> None:
        """End every request with EngineStoppedError and stop the engine's thread. May be called again."""

    @abstractmethod
    def get_stats(self) -> EngineStats:
        """What it does and has done; from any thread."""

    @abstractmethod
    def add_observer(self, observer: EngineObserver) -> None:
        """Tell `observer` of every step and every request that ends from now on."""

    def run(self, requests: Sequence[Request]) -> Generator[TokenEvent, None, None]:
        """Continue all prompts and yield an event for each new token as it is made; several runs may be active.

        All requests are checked before this returns, with the errors of `check`; they start on the first `next`.
        Rows finish one by one. Closing the generator stops the work.
        """
        for i, request in enumerate(requests):
            self.check(request, "the prompt" if len(requests) == 1 else f"prompt {i}")
        return self._run(list(requests))

    def _run(self, requests: list[Request]) -> Generator[TokenEvent, None, None]:
        events: SimpleQueue[TokenEvent] = SimpleQueue()
        unfinished = set(range(len(requests)))
        try:
            for i, request in enumerate(requests):
                self.submit(request, events.put, i, is_bounded=False)
            while unfinished:
                event = events.get()
                yield event
                if event.finish_reason is not None:
                    unfinished.discard(event.index)
                if events.empty():  # those that their reader ended give no further event
                    unfinished = {i for i in unfinished if not requests[i].ended.is_set()}
        finally:
            for i in unfinished:
                requests[i].ended.set()
