"""`PerLoop`: a value for each event loop, which is freed with the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Value = TypeVar("Value")


class PerLoop(Generic[Value]):
    """The values of all loops. make: creates the value of a loop when a task first asks for it."""

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make = make
        self._values: WeakKeyDictionary[asyncio.AbstractEventLoop, Value] = WeakKeyDictionary()

    def present(self) -> Value:
        """The value of the running loop."""
        loop = asyncio.get_running_loop()
        found = self._values.get(loop)
        if found is None:
            found = self._values[loop] = self._make()
        return found
