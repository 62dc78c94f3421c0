"""`Lifetime`: ends objects that form reference cycles as soon as nobody uses them."""

from __future__ import annotations

from typing import Protocol


class Dismantled(Protocol):
    """An object that is part of reference cycles."""

    def dismantle(self) -> None:
        """Drop all references. The object can't be used afterwards."""


class Lifetime:
    """Dismantles an object when the last owner of this `Lifetime` lets it go. Users of the object hold the `Lifetime`;
    the object itself must not.

    Otherwise frames, places and formulas would wait for the garbage collector. A full round of the collector walks all
    objects of the process, and costs more than making those objects did.

    thing: object to dismantle.
    other: object to dismantle right after it, or None.
    after: a `Lifetime` that must end later than this one, or None.
    """

    __slots__ = ("_after", "_other", "_thing")

    def __init__(self, thing: Dismantled, other: Dismantled | None = None, *, after: Lifetime | None = None) -> None:
        self._thing, self._other, self._after = thing, other, after

    def __del__(self) -> None:
        self._thing.dismantle()
        if self._other is not None:
            self._other.dismantle()
