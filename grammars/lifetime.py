"""`Lifetime`: ends things that refer to each other in circles as soon as nobody uses them."""

from __future__ import annotations

from collections.abc import Callable


class Lifetime:
    """Calls `ends` when its last owner lets it go. Who uses the things holds it; they themselves must not.

    Without that, frames, places and formulas would wait for the garbage collector, and its full rounds over everything
    that a process holds cost more than making them did.
    after: ends later than this one.
    """

    __slots__ = ("_after", "_ends")

    def __init__(self, *ends: Callable[[], None], after: Lifetime | None = None) -> None:
        self._ends = ends
        self._after = after

    def __del__(self) -> None:
        for end in self._ends:
            end()
