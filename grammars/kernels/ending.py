"""How a kernel ends before it is done: it waits for Python, or a table has no room.

Both end all kernels up to the exported one that Python called, as an exception does, and none of them looks for it.
Where a table has no room it grows, and the exported kernel is called again: so kernels only ask for room before they
change what can't be done twice. Where a kernel waits, the call gives None.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol

WAITING, FULL = 50, 51
"""What compiled kernels return then."""


class Grower(Protocol):
    """A struct whose tables can grow."""

    def grow(self) -> None:
        """Make the room that a kernel wants."""


class WaitingError(Exception):
    """Python must make something first."""


class TableFullError(Exception):
    """A table has no room. owner: what has it; None where kernels are compiled in this process, see `find_full`."""

    def __init__(self, owner: Grower | None = None) -> None:
        super().__init__("a table has no room")
        self.owner = owner


class _Running(threading.local):
    """Whether this thread runs an exported kernel that has not ended."""

    inside = False


_running = _Running()


def restarting(function: Callable[..., Any], find_full: Callable[[], Grower] | None = None) -> Callable[..., Any]:
    """An exported kernel that is no C: lets tables grow and calls it again; gives None where it waits."""

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
