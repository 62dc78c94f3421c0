"""How a kernel ends early: it waits for Python, or a table is full.

All running kernels then end, as by an exception, up to the exported kernel that Python called; numba adds the checks. A
full table grows, and the exported kernel is called again. Kernels therefore ask for room before all changes that must
not happen twice. If a kernel waits, the call returns None.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol

WAITING, FULL = 50, 51
"""Status numbers of compiled kernels that wait, or that found a full table."""


class Grower(Protocol):
    """A struct whose tables can grow."""

    def grow(self) -> None:
        """Make the room that a kernel wants."""


class WaitingError(Exception):
    """A kernel waits until Python has served its request."""


class TableFullError(Exception):
    """A table is full. owner: the struct that has it; None for kernels compiled in this process, see `find_full`."""

    def __init__(self, owner: Grower | None = None) -> None:
        super().__init__("a table has no room")
        self.owner = owner


class _Running(threading.local):
    """Tells whether this thread is running an exported kernel."""

    inside = False


_running = _Running()


def restarting(function: Callable[..., Any], find_full: Callable[[], Grower] | None = None) -> Callable[..., Any]:
    """Wrap an exported kernel that is no C function: full tables grow and the call is repeated; waiting returns
    None.
    """

    @wraps(function)
    def call(*args: Any) -> Any:
        if _running.inside:
            return function(*args)
        while True:
            _running.inside = True
            try:
                return function(*args)
            except WaitingError:
                return None
            except TableFullError as error:
                full = error.owner or (find_full() if find_full is not None else None)
            finally:
                _running.inside = False
            assert full is not None
            full.grow()

    return call
