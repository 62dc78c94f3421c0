"""`EngineObserver`: gets a record of each step and each request of the engine. Metrics are built on it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .finish_reason import FinishReason

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class StepRecord:
    """A step of the engine: a pass of the model, with the work before and after it.

    The four times are None for an engine that does not tell them.

    Attributes:
        num_rows: number of requests whose tokens the pass read.
        num_prefill_tokens: number of prompt tokens that the pass read, including those of requests that start again
            after they lost their pages.
        num_new_tokens: number of tokens that requests got.
        num_forced_tokens: number of these tokens that spell bytes that a grammar forced.
        num_saved_passes: number of passes of single rows that forced tokens made unnecessary.
        forward_s: seconds of the model, with its output layer.
        mask_s: seconds of filling masks. The first masks of a step are filled beside the forward, outside of total_s.
        sample_s: seconds of choosing tokens.
        total_s: seconds from the beginning of the step to its last event.
    """

    num_rows: int
    num_prefill_tokens: int
    num_new_tokens: int
    num_forced_tokens: int
    num_saved_passes: int
    forward_s: float | None
    mask_s: float | None
    sample_s: float | None
    total_s: float | None


@dataclass(frozen=True)
class RequestRecord:
    """A request that is over.

    Attributes:
        queue_s: seconds from the submission until the engine first read the prompt.
        time_to_first_token_s: seconds from the submission to the first token; None: no token.
        inter_token_s: mean seconds between tokens; None: fewer than two tokens.
        num_prompt_tokens: number of the prompt's tokens.
        num_cached_tokens: number of these tokens whose computation was cached.
        num_new_tokens: number of tokens that the request got.
        finish_reason: None: the reader ended the request: it was cancelled, or a stop string was found.
    """

    queue_s: float
    time_to_first_token_s: float | None
    inter_token_s: float | None
    num_prompt_tokens: int
    num_cached_tokens: int
    num_new_tokens: int
    finish_reason: FinishReason | None


@dataclass(frozen=True)
class CompileRecord:
    """The compilation of one request's grammar.

    Attributes:
        kind: the request's field with the grammar.
        seconds: wall time.
        was_cached: True: the grammar was in the cache.
    """

    kind: str
    seconds: float
    was_cached: bool


class EngineObserver:
    """Base class: override the methods that you need. Methods must be quick and must not raise, because two of them run
    in the engine's thread. If a method does raise, the error is logged and the engine goes on.
    """

    def on_step(self, record: StepRecord) -> None:
        """A step is done. Called in the engine's thread.

        Args:
            record: figures of the step.
        """

    def on_request_end(self, record: RequestRecord) -> None:
        """A request has ended. Called in the engine's thread.

        Args:
            record: figures of the request.
        """

    def on_compile(self, record: CompileRecord) -> None:
        """A grammar was compiled or found in the cache. Called in the thread that starts the request.

        Args:
            record: figures of the compilation.
        """


def tell(
    observers: Sequence[EngineObserver], event: Literal["on_step", "on_request_end", "on_compile"], record: Any
) -> None:
    """Call a method of every observer. Errors are logged."""
    for observer in tuple(observers):
        try:
            getattr(observer, event)(record)
        except Exception:  # an observer must not stop the engine
            log.exception("an observer failed in %s", event)
