"""`anew_after_fork`: locks and other state that a forked process must make again.

A forked process has only one thread. Locks that other threads held would stay held, and nothing would finish the work
that they had begun.
"""

from __future__ import annotations

import os
import weakref
from typing import Any, TypeVar

_Lock = TypeVar("_Lock")
_KNOWN: weakref.WeakSet[Any] = weakref.WeakSet()


def anew_after_fork(lock: _Lock) -> _Lock:
    """Register a lock of `threading`, or any object with their method `_at_fork_reinit`, and return it.

    A forked process calls that method, so that the lock is free there.
    """
    _KNOWN.add(lock)
    return lock


def _start_anew() -> None:
    for known in list(_KNOWN):
        known._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
