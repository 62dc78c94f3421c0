"""`DistanceBound`: an upper bound on the tokens needed to finish from any configuration seen so far.

When the budget exceeds it, no search is needed. It is found from what masks and steps have made, each part once; so it
has to be looked at again when more was made.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..errors import LimitExceededError

FAR = 1 << 60


class DistanceBound(ABC):
    """Of one automaton. Called under the lock of the vocabulary tables.

    most: no configuration that a token of a mask leads to needs more tokens, when nothing is new; FAR where that is not
    known.
    """

    def __init__(self) -> None:
        self.most = 0

    @property
    def is_new(self) -> bool:
        """True when something was made since the last look that may change what is found."""
        return self.most < FAR and self._has_more()

    def find(self) -> int:
        """`most`, after a look at what is new."""
        if self.is_new:
            try:
                self.most = min(FAR, self._find())
            except LimitExceededError as error:
                if error.unit == "seconds":  # of this moment: another time it may be found
                    raise
                self.most = FAR
        return self.most

    @abstractmethod
    def _has_more(self) -> bool:
        """Whether there is something that was not looked at yet."""

    @abstractmethod
    def _find(self) -> int:
        """See `find`."""


class KnownBound(DistanceBound):
    """A bound that is known from the start."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def _has_more(self) -> bool:
        return False

    def _find(self) -> int:
        return self.most
