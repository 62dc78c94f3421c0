"""How long a probe waits for its tokens, alone and beside others."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .gap_causes import Causes

MAX_WORST_MS = 150.0
MAX_TIMES_IDLE = 3.0


@dataclass
class Delays:
    """firsts: seconds from asking to the first token of each text. gaps: between tokens that follow each other.

    causes: where late tokens are explained, if they are.
    """

    causes: ClassVar[Causes | None] = None

    firsts: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    _last_s: float = 0.0
    _is_first: bool = True

    def begin(self) -> None:
        """A text is asked for."""
        self._last_s, self._is_first = time.monotonic(), True

    def note(self) -> None:
        """A token came."""
        now = time.monotonic()
        (self.firsts if self._is_first else self.gaps).append(now - self._last_s)
        if self.causes is not None and not self._is_first:
            self.causes.note(self._last_s, now)
        self._last_s, self._is_first = now, False

    def add(self, other: Delays) -> None:
        """Count those of another run, too."""
        self.firsts += other.firsts
        self.gaps += other.gaps

    def figures(self) -> dict[str, Any]:
        """In milliseconds."""
        return {
            "tokens": len(self.gaps),
            "gap_p50_ms": _quantile(self.gaps, 0.5),
            "gap_p99_ms": _quantile(self.gaps, 0.99),
            "gap_worst_ms": _quantile(self.gaps, 1.0),
            "first_p50_ms": _quantile(self.firsts, 0.5),
            "first_worst_ms": _quantile(self.firsts, 1.0),
        }


def _quantile(seconds: list[float], share: float) -> float:
    """The smallest one that so many are not above."""
    if not seconds:
        return 0.0
    return round(1000 * sorted(seconds)[max(0, round(share * len(seconds)) - 1)], 2)
