"""`PromptRequest`: one prompt to answer, read and compiled, as engines take it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from guided.grammars.errors import InvalidInputError
from guided.grammars.protocol import CompiledGrammar

from ..params.sampling_params import SamplingParams
from ..schemas.enforcement import Enforcement
from ..tools.plan import ToolPlan
from .expansion import expand


@dataclass(frozen=True)
class PromptRequest:
    """A prompt, and how it is answered. `RequestReader` creates it from what a caller asks.

    prompt_token_ids: the prompt.
    params: the parameters for the engine; with tools, they contain the grammar of calls.
    grammar: constrains the output if given; compiled for the engine's vocabulary.
    deadline: time of `time.monotonic()` in seconds at which it ends with DeadlineExceededError; None: no deadline.
    ended: event that may be set from any thread when no more tokens are needed (a stop was found, a client left). The
        request then leaves before the next step, frees its resources, and ends with GenerationCancelledError.
    group: identity of the caller, the same object for all outputs of one prompt. A group has at most three quarters of
        an engine's batch while other groups are there. None: a group of its own.
    is_read_at_end: no event is needed before the last one, so an engine may give several at once.
    enforcement: what the grammar enforces, if the params ask for it.
    tool_plan: how its tools are called; None without tools.
    written: output tokens that exist already; the request continues after them as if it had made them.
    written_forced: for each of them, whether the grammar had left no choice.
    pauses_at: number of output tokens at which it pauses; None: never.
    is_watched: events with log-probabilities also report their step's duration.
    ends_repetition: a repetitive text under a grammar ends as soon as it can be complete, see `repetition.py`.
    """

    prompt_token_ids: Sequence[int]
    params: SamplingParams
    grammar: CompiledGrammar | None = None
    deadline: float | None = None
    ended: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)
    group: object = field(default=None, compare=False, repr=False)
    is_read_at_end: bool = False
    tool_plan: ToolPlan | None = field(default=None, compare=False, repr=False)
    enforcement: Enforcement | None = field(default=None, compare=False, repr=False)
    written: tuple[int, ...] = ()
    written_forced: tuple[bool, ...] = ()
    pauses_at: int | None = None
    is_watched: bool = False
    ends_repetition: bool = False

    @property
    def shown(self) -> SamplingParams:
        """The params that the prompt may show: without a schema that no answer has to fit."""
        return self.params if self.tool_plan is None else self.tool_plan.shown

    def outputs(self) -> list[PromptRequest]:
        """A request for each output or particle, each with its own seed. Ending this request ends all of them."""
        params = expand(self.params)
        if len(params) == 1:
            return [self]
        group = self.ended if self.group is None else self.group
        return [replace(self, params=one, ended=_LinkedEvent(self.ended), group=group) for one in params]


def check_request(request: PromptRequest) -> None:
    """Raise InvalidInputError for an object that is no `PromptRequest`, or that lacks the grammar of its params."""
    check_is_request(request)
    if request.grammar is None and request.params.is_constrained:
        raise InvalidInputError("the request lacks the grammar of its params; make it with LLM.read")


def check_is_request(request: object) -> None:
    """Raise InvalidInputError for an object that is no `PromptRequest`."""
    if not isinstance(request, PromptRequest):
        message = f"a request must be one that LLM.read has made, not {type(request).__name__}"
        raise InvalidInputError(f"{message}; generate and chat take texts and messages")


class _LinkedEvent(threading.Event):
    """An event that is also set when another event is."""

    def __init__(self, other: threading.Event) -> None:
        super().__init__()
        self._other = other

    def is_set(self) -> bool:
        """See `threading.Event`."""
        return super().is_set() or self._other.is_set()
