"""The interface between `guided.LLM` (and through it the server) and whatever runs the model.

An engine takes token ids and gives token ids. It knows grammars only as compiled objects, and no text: prompts are
rendered and outputs decoded by `guided.llm`.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from guided.grammars.backends.base import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary

from ..processors.settings import ProcessorSettings
from ..sampling_params import SamplingParams
from ..token_logprobs import TokenLogprobs

if TYPE_CHECKING:
    import torch

FinishReason = Literal["stop", "length", "error"]


@dataclass(frozen=True)
class GenerationRequest:
    """One prompt to continue.

    grammar: constrains the output when given; compiled for the engine's vocabulary.
    ended: set by whoever reads the events when no more tokens are needed (a stop string was found). The request then
        leaves its batch before the next step and gives no further event.
    """

    prompt_token_ids: Sequence[int]
    params: SamplingParams
    grammar: CompiledGrammar | None = None
    ended: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)


@dataclass(frozen=True)
class TokenEvent:
    """One step of one request.

    index: position of the request in the batch given to `run`.
    token_id: the new token, or None when the request ends without one (an error).
    is_forced: the grammar had already determined every byte of this token.
    finish_reason: set on a request's last event: "stop" (an end-of-sequence or stop token), "length" (max_new_tokens or
        the context is used up), "error".
    error: what went wrong, with finish_reason "error".
    logprobs: of the new token, where the request's params ask for them.
    prompt_logprobs: of the prompt's tokens (None for the first), on the first event of a request that asks for them.
    is_thinking: the token belongs to a block of thinking, which is no part of the text and not the grammar's business.
    min_new_tokens_overruled: the grammar allowed only the end, which min_new_tokens forbade; the grammar won.
    """

    index: int
    token_id: int | None
    is_forced: bool = False
    finish_reason: FinishReason | None = None
    error: Exception | None = None
    logprobs: TokenLogprobs | None = None
    prompt_logprobs: tuple[TokenLogprobs | None, ...] | None = None
    min_new_tokens_overruled: bool = False
    is_thinking: bool = False


class Engine(ABC):
    """Runs a model.

    processor_settings: what its operator lets requests send as custom processors; None: registered names and objects.
    """

    model_name: str
    vocabulary: Vocabulary
    max_context_tokens: int
    processor_settings: ProcessorSettings | None = None

    @property
    @abstractmethod
    def device(self) -> torch.device:
        """Where the model's weights are."""

    @property
    @abstractmethod
    def dtype(self) -> torch.dtype:
        """What the model computes in."""

    @abstractmethod
    def run(self, requests: Sequence[GenerationRequest]) -> Generator[TokenEvent, None, None]:
        """Continue all prompts as one batch and yield an event for each new token as it is made.

        Rows finish one by one. Closing the generator stops the work. One `run` at a time per engine.

        All requests are checked before this returns. Raises InvalidInputError for an empty prompt or an id that is no
        token, ContextLengthError for a prompt without room for an answer, VocabularyMismatchError for a grammar
        compiled for another vocabulary; and EngineBusyError, on the first `next`, while another run is not finished.
        """
