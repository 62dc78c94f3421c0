"""`cached_property`: like the one in `functools`, but without the lock that Python 3.11 holds while computing a value.

Python's lock is shared by all objects of a class. A thread that pauses while it computes a value would keep that lock.
Threads that need the property of another object would wait, perhaps holding something that the paused thread needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

Value = TypeVar("Value")

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property(Generic[Value]):
        """Computed on first access. Two threads that access it at the same time may each compute the value."""

        def __init__(self, find: Callable[[Any], Value]) -> None:
            self._find = find
            self.__doc__ = find.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self._name] = self._find(instance)
            return value
