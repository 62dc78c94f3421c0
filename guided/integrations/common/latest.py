"""`Latest`: a bounded cache that an engine's process keeps for its whole life."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)
ValueT = TypeVar("ValueT")


class Latest(Generic[KeyT, ValueT]):
    """The latest results by their keys. Any thread may use it.

    maximum: number of results; above it, the least recently used one is removed.
    """

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._found: dict[KeyT, ValueT] = {}
        self._lock = threading.Lock()

    def get(self, key: KeyT) -> ValueT | None:
        """The result of a key, which becomes the newest; None if there is none."""
        with self._lock:
            if key in self._found:
                self._found[key] = self._found.pop(key)
            return self._found.get(key)

    def put(self, key: KeyT, value: ValueT) -> None:
        """Add a result as the newest."""
        with self._lock:
            self._found.pop(key, None)
            self._found[key] = value
            if len(self._found) > self._maximum:
                del self._found[next(iter(self._found))]

    def values(self) -> list[ValueT]:
        """All results, oldest first."""
        with self._lock:
            return list(self._found.values())
