"""Where all requests wait for grammars: their threads get the interpreter, and what is done is seen at once."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from typing import Any

WAIT_S = 0.002
"""At a time: whatever else comes in the meantime (a request, a client that leaves) waits as long."""
_MANY = 32


def wait_for_a_grammar(scheduler: Any) -> None:
    """Where none of the requests can go on before its grammar is made, wait a moment for one that is.

    scheduler: vLLM's, with our backend.

    PERF: a thread that wants the interpreter gets it from one that never stops after 5 ms. So long it took until a
    grammar was begun, and as long each time that its thread had let go of the interpreter for a moment.
    """
    deferred = scheduler.deferred_waiting
    if not deferred or scheduler.get_request_counts()[1] > len(deferred):
        return
    waiting = [_grammar_of(request) for request in islice(deferred, _MANY)]
    futures = [one for one in waiting if isinstance(one, Future) and not one.done()]
    if len(futures) == len(waiting):
        wait(futures, WAIT_S, FIRST_COMPLETED)


def _grammar_of(request: Any) -> Any:
    """A future until it is made and seen; None where the request has none."""
    asked = request.structured_output_request
    return None if asked is None else asked._grammar
