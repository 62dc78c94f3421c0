"""`Lifetime`: ends things that refer to each other in circles as soon as nobody uses them."""

from __future__ import annotations

from typing import Protocol


class Ending(Protocol):
    """What refers to itself in circles."""

    def dismantle(self) -> None:
        """Let everything go; it can't be used any more."""


class Lifetime:
    """Dismantles things when its last owner lets it go. Who uses them holds it; they themselves must not.

    Without that, frames, places and formulas would wait for the garbage collector, and its full rounds over everything
    that a process holds cost more than making them did.
    other: ends right after the thing. after: ends later than this one.
    """

    __slots__ = ("_after", "_other", "_thing")

    def __init__(self, thing: Ending, other: Ending | None = None, *, after: Lifetime | None = None) -> None:
        self._thing, self._other, self._after = thing, other, after

    def __del__(self) -> None:
        self._thing.dismantle()
        if self._other is not None:
            self._other.dismantle()
