"""`anew_after_fork`: what a forked process makes anew, as it has none of the other threads.

What they held would stay held in it, and what they were making would never be made there.
"""

from __future__ import annotations

import os
import weakref
from typing import Any, TypeVar

_Lock = TypeVar("_Lock")
_KNOWN: weakref.WeakSet[Any] = weakref.WeakSet()


def anew_after_fork(lock: _Lock) -> _Lock:
    """The same lock of `threading`, or whatever else has their method `_at_fork_reinit`. A forked process calls it, so
    that nobody has the lock there."""
    _KNOWN.add(lock)
    return lock


def _start_anew() -> None:
    for known in list(_KNOWN):
        known._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
