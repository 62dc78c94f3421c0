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
    after: ends later than this one.
    """

    __slots__ = ("_after", "_things")

    def __init__(self, *things: Ending, after: Lifetime | None = None) -> None:
        self._things = things
        self._after = after

    def __del__(self) -> None:
        for thing in self._things:
            thing.dismantle()
