"""`cached_property`: as in `functools`, without the lock that Python 3.11 holds while a value is found.

That lock is one for all objects of a class. Work that pauses while it finds such a value would keep it, and whoever
needs the same property of another object would wait, perhaps with what the paused work needs to go on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

Value = TypeVar("Value")

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property(Generic[Value]):
        """Found when it is first asked for; two threads that ask at once may each find it."""

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
