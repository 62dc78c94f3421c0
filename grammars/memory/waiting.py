"""`wait`: a kernel ends until Python has made what it asks for."""

from __future__ import annotations

from ..kernels.ending import WaitingError


def wait() -> None:
    """End all kernels up to the exported one; its call gives None. Kernels call it (`lowering`)."""
    raise WaitingError
