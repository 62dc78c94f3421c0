"""How often work comes to a checkpoint, at which it gives way to others."""

from __future__ import annotations

from guided.grammars.watch import Watch


class Counted(Watch):
    """How many checkpoints there were."""

    def __init__(self) -> None:
        super().__init__("none", 1e9)
        self.count = 0

    def check(self) -> None:
        """One more."""
        self.count += 1
