"""`wait`: ends a kernel until Python has served its request."""

from __future__ import annotations

from ..kernels.ending import WaitingError


def wait() -> None:
    """End all kernels up to the exported one, whose call returns None. Kernels call this (`lowering`)."""
    raise WaitingError
