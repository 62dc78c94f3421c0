"""The interface between `guided.LLM` (and through it the server) and whatever runs the model.

An engine takes token ids and gives token ids. It knows grammars only as compiled objects, and no text: prompts are
rendered and outputs decoded by `guided.llm`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from guided.grammars.backends.base import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary

from ..sampling_params import SamplingParams

if TYPE_CHECKING:
    import torch

FinishReason = Literal["stop", "length", "error"]


@dataclass(frozen=True)
class GenerationRequest:
    """One prompt to continue. grammar: constrains the output when given; compiled for the engine's vocabulary."""

    prompt_token_ids: Sequence[int]
    params: SamplingParams
    grammar: CompiledGrammar | None = None


@dataclass(frozen=True)
class TokenEvent:
    """One step of one request.

    index: position of the request in the batch given to `run`.
    token_id: the new token, or None when the request ends without one (an error).
    is_forced: the grammar had already determined every byte of this token.
    finish_reason: set on a request's last event: "stop" (an end-of-sequence token, not part of the text), "length"
        (max_new_tokens or the context is used up), "error".
    error: what went wrong, with finish_reason "error".
    """

    index: int
    token_id: int | None
    is_forced: bool = False
    finish_reason: FinishReason | None = None
    error: Exception | None = None


class Engine(ABC):
    """Runs a model."""

    model_name: str
    vocabulary: Vocabulary
    max_context_tokens: int

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
