"""How a logits processor that fails ends its request: it says so in the request's parameters, the scheduler reads it.

Both see the same object where the model runs in the engine's process, as it does on one GPU. Elsewhere (several
workers, the server on CPUs) processors that may fail are refused, see `processor_checks.py`.
"""

from __future__ import annotations

import logging
from typing import Any

_FAILURE = "guided_failure"

log = logging.getLogger(__name__)


def note_failure(params: Any, reason: str) -> None:
    """The request of these parameters can't go on. params: a `SamplingParams`, changed in place."""
    if params.extra_args is not None:
        params.extra_args = {_FAILURE: reason, **params.extra_args}  # not in place: the n outputs of a prompt share it


def end_if_failed(request: Any) -> bool:
    """True for a request that `note_failure` was called for; its `stop_reason` says why then."""
    reason = request.sampling_params.extra_args.get(_FAILURE)
    if reason is None:
        return False
    end_with(request, reason)
    return True


def end_with(request: Any, reason: str) -> None:
    """Say why a request ends, where its user can read it."""
    request.stop_reason = reason
    log.error("request %s ends: %s", request.request_id, reason)
