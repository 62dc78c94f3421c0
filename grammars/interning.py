"""`Interned`: tables with one object for each key, for as long as somebody uses the object."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from .forks import anew_after_fork

T = TypeVar("T")


class Interned(Generic[T]):
    """A weak table: keys and their objects. Several threads may use it.

    A key should name other objects of the table by numbers. With the objects themselves in the key, the table would
    keep alive every object that its own parts lead back to. The garbage collector skips keys of texts and numbers.
    PERF: a `WeakValueDictionary` takes 0.7 to 2 us more for each object.
    """

    def __init__(self) -> None:
        self._refs: dict[Hashable, _Ref[T]] = {}
        self._find = self._refs.get
        self._on_end = self._forget  # one bound method for all references
        self._lock = anew_after_fork(threading.RLock())  # reentrant: an object may end while its thread holds the lock

    def __len__(self) -> int:
        return len(self._refs)

    def known(self, key: Hashable) -> T | None:
        """Return the object with this key; None when there is none."""
        found = self._find(key)
        return None if found is None else found()

    def add(self, key: Hashable, make: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        """Return the object with this key. Makes it with `make(*arguments)` if no other thread has made one."""
        with self._lock:
            ref = self._find(key)
            found = None if ref is None else ref()
            if found is None:
                found = make(*arguments)
                ref = self._refs[key] = _Ref(found, self._on_end)
                ref.key = key
        return found

    def _forget(self, ref: _Ref[T]) -> None:
        """Remove an object that was freed, unless its key already has a new one."""
        with self._lock:
            if self._refs.get(ref.key) is ref:
                del self._refs[ref.key]


class _Ref(weakref.ref[T]):
    """A weak reference to an object. key: the object's key."""

    __slots__ = ("key",)
    key: Hashable
