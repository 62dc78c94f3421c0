"""`EngineObserver`: told what the engine did, step by step and request by request; metrics are built on it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..output.finish_reason import FinishReason

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class StepRecord:
    """One pass of the model and what belongs to it. Times are seconds.

    num_rows: requests that the pass read tokens for. num_prefill_tokens: of prompts (and of requests that start again
    after they gave their pages back). num_new_tokens: that requests got, num_forced_tokens of them spelled from bytes
    that a grammar forced. num_saved_passes: rows' passes that forced tokens did without.
    forward_s: the model, with its output layer. mask_s: filling masks; the first ones of a step run beside the forward,
    so they are no part of total_s. sample_s: choosing tokens. total_s: from the step's beginning to its last event. All
    four are None for an engine that does not tell.
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
    """One request that is over. Times are seconds.

    queue_s: until it was first read. time_to_first_token_s: since it was submitted; None where there was no token.
    inter_token_s: mean time between tokens; None with fewer than two. num_cached_tokens: of the prompt, found computed.
    finish_reason: None where its reader ended it (it was cancelled, or a stop string was found).
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
    """One request's grammar. kind: the field that gave it. seconds: of wall time. was_cached: it was there already."""

    kind: str
    seconds: float
    was_cached: bool


class EngineObserver:
    """Override what you want to know. Methods must be quick and not raise: two of them run in the engine's thread.

    What one raises all the same is logged, and the engine goes on.
    """

    def on_step(self, record: StepRecord) -> None:
        """A step is done; in the engine's thread."""

    def on_request_end(self, record: RequestRecord) -> None:
        """A request is over; in the engine's thread."""

    def on_compile(self, record: CompileRecord) -> None:
        """A request's grammar is there; in the thread of the one who started it."""


def tell(
    observers: Sequence[EngineObserver], event: Literal["on_step", "on_request_end", "on_compile"], record: Any
) -> None:
    """Call a method of every observer; what one raises is logged."""
    for observer in tuple(observers):
        try:
            getattr(observer, event)(record)
        except Exception:  # whoever watches must not stop what they watch
            log.exception("an observer failed in %s", event)
