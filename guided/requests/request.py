"""`Request`: one prompt to answer, read and compiled, as an engine takes it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from guided.grammars.errors import InvalidInputError
from guided.grammars.protocol import CompiledGrammar

from ..params.sampling_params import SamplingParams
from ..tools.plan import ToolPlan
from .expansion import expand


@dataclass(frozen=True)
class Request:
    """One prompt, and how it is answered. `RequestReader` makes it of what a caller asks.

    params: as the engine runs them; where tools may be called, the grammar of calls is in them.
    grammar: constrains the output when given; compiled for the engine's vocabulary.
    deadline: `time.monotonic()` seconds at which it ends with DeadlineExceededError; None: it may take any time.
    ended: set, from any thread, when no more tokens are needed (a stop string was found, a client left). The request
        then leaves before the next step, frees all that it holds and gives no further event.
    group: the same object for requests that were asked for together, such as the outputs of one prompt. When places are
        scarce, each group has as many as the others. None: it is alone.
    is_read_at_end: no event is wanted before the last one; an engine may give several at once.
    tool_plan: how its tools are called; None where none may be.
    written: tokens of the output that are there already: it goes on behind them, as if it had made them.
    written_forced: of each of them, whether its grammar had left no choice.
    pauses_at: it ends with so many tokens of output though it could go on; None: it goes on.
    ends_repetition: a text under a grammar that repeats itself ends as soon as it can be whole, see `repetition.py`.
    is_watched: its events say how long their steps took, where they have log-probabilities.
    """

    prompt_token_ids: Sequence[int]
    params: SamplingParams
    grammar: CompiledGrammar | None = None
    deadline: float | None = None
    ended: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)
    group: object = field(default=None, compare=False, repr=False)
    is_read_at_end: bool = False
    tool_plan: ToolPlan | None = field(default=None, compare=False, repr=False)
    written: tuple[int, ...] = ()
    written_forced: tuple[bool, ...] = ()
    pauses_at: int | None = None
    is_watched: bool = False
    ends_repetition: bool = False

    @property
    def shown(self) -> SamplingParams:
        """What the prompt says of the answer: of no schema that no answer has to fit."""
        return self.params if self.tool_plan is None else self.tool_plan.shown

    def outputs(self) -> list[Request]:
        """A request for each of its outputs or particles, with a seed of its own; what ends this one ends all."""
        params = expand(self.params)
        if len(params) == 1:
            return [self]
        group = self.ended if self.group is None else self.group
        return [replace(self, params=one, ended=_LinkedEvent(self.ended), group=group) for one in params]


def check_request(request: object) -> None:
    """Raises InvalidInputError for what is no `Request`."""
    if not isinstance(request, Request):
        message = f"a request must be one that LLM.read has made, not {type(request).__name__}"
        raise InvalidInputError(f"{message}; generate and chat take texts and messages")


class _LinkedEvent(threading.Event):
    """Set by itself, or with another one."""

    def __init__(self, other: threading.Event) -> None:
        super().__init__()
        self._other = other

    def is_set(self) -> bool:
        """See `threading.Event`."""
        return super().is_set() or self._other.is_set()
