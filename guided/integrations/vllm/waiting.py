"""Waits while all requests wait for grammars, so that compiling threads get the interpreter and results are seen at
once.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from typing import Any

WAIT_S = 0.002
"""Seconds of one wait; other events (a new request, a client that leaves) are delayed by as much."""
_MANY = 32


def wait_for_a_grammar(scheduler: Any) -> None:
    """Wait briefly for a grammar if no request can continue before its grammar is compiled.

    scheduler: vLLM's scheduler, with our backend.
    PERF: a thread gets the interpreter only after 5 ms from a thread that never pauses. Without waiting, each
    compilation was delayed by that at its start and at every later pause of its thread.
    """
    deferred = scheduler.deferred_waiting
    if not deferred or scheduler.get_request_counts()[1] > len(deferred):
        return
    waiting = [_grammar_of(request) for request in islice(deferred, _MANY)]
    futures = [one for one in waiting if isinstance(one, Future) and not one.done()]
    if len(futures) == len(waiting):
        wait(futures, WAIT_S, FIRST_COMPLETED)


def _grammar_of(request: Any) -> Any:
    """A future until the grammar is made and seen; None if the request has none."""
    asked = request.structured_output_request
    return None if asked is None else asked._grammar
