"""Lets a failing logit processor end its request: it writes to the request's parameters, which the scheduler reads.

The processor and the scheduler see the same object if the model runs in the engine's process, as on one GPU. Elsewhere
(several workers, the server on CPUs) processors that may fail are refused, see `processor_checks.py`.
"""

from __future__ import annotations

import logging
from typing import Any

_FAILURE = "guided_failure"

log = logging.getLogger(__name__)


def note_failure(params: Any, reason: str) -> None:
    """Record that the request with these parameters can't continue. params: a `SamplingParams`, changed in place."""
    if params.extra_args is not None:
        # replaced, not changed, since the n outputs of a prompt share the dict
        params.extra_args = {_FAILURE: reason, **params.extra_args}


def end_if_failed(request: Any) -> bool:
    """Return True, and set `stop_reason`, for a request that `note_failure` was called for."""
    reason = request.sampling_params.extra_args.get(_FAILURE)
    if reason is None:
        return False
    end_with(request, reason)
    return True


def end_with(request: Any, reason: str) -> None:
    """Record why a request ends, where its user can read it."""
    request.stop_reason = reason
    log.error("request %s ends: %s", request.request_id, reason)
