"""`OutputReader`: one output's events become chunks, and end where a stop does, also where nobody waits for them."""

from __future__ import annotations

import logging
from collections.abc import Callable

from guided.grammars.errors import GuidedError

from ..engine.base import TokenEvent
from ..errors import EngineFailureError
from .builder import CompletionBuilder
from .completion import CompletionChunk

log = logging.getLogger(__name__)


class OutputReader:
    """Takes the events of one output as they come: the engine's thread calls `take`, and finds what ends the text.

    builder: of the output. give: called with each chunk, in their order.
    """

    def __init__(self, builder: CompletionBuilder, give: Callable[[CompletionChunk], None]) -> None:
        self.builder = builder
        self._give = give

    def take(self, event: TokenEvent) -> None:
        """Read an event. Never raises: what goes wrong ends the output with an error."""
        try:
            chunk = self.builder.add(event)
        except Exception as error:
            if not isinstance(error, GuidedError):
                log.exception("an output could not be read")
                error = EngineFailureError("the reader of an output", error)
            chunk = self.builder.fail(error, event.time_s)
        if chunk is not None:
            self._give(chunk)
