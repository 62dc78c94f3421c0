"""`StateShare`: how many states of a vocabulary's lazy DFAs one grammar may make, so that none takes them all.

All grammars of a vocabulary share one pool of DFA states. Dynamic thresholds divide it (A. K. Choudhury, E. L. Hahne,
"Dynamic queue length thresholds for shared-memory packet switches", 1998, with their alpha = 2): a grammar may have
made twice as many states as are still free. A grammar that is alone gets two thirds; n grammars that take all they can
leave one part in 2 n + 1 free for the others. Whoever goes past its share gets the error; the others go on.
"""

from __future__ import annotations

from collections.abc import Callable

from ...errors import LimitExceededError
from .lazy_dfas import MAX_STATES, LazyDfas


class StateShare:
    """The share of one grammar's automaton. Counted between `resume` and `pause`, under the lock of the tables.

    num_states: how many states, of DFAs and of their products, whichever are more, it has made. Read it while paused.
    """

    __slots__ = ("_before", "_dfas", "_outer", "num_states")

    def __init__(self, dfas: LazyDfas) -> None:
        self._dfas = dfas
        self._before = 0
        self._outer: tuple[int, Callable[[], Exception]] | None = None  # the bound of who holds the lock further out
        self.num_states = 0

    def resume(self) -> None:
        """From now on new states are this grammar's."""
        dfas = self._dfas
        self._before = dfas.num_taken
        self._outer = dfas.bound
        may_make = max(2 * (MAX_STATES - self._before) - self.num_states, 0) // 3
        dfas.bound = self._before + may_make, self._refuse

    def pause(self) -> None:
        """From now on they are not."""
        assert self._outer is not None, "resumed before"
        self.num_states += self._dfas.num_taken - self._before
        self._dfas.bound = self._outer

    def _refuse(self) -> LimitExceededError:
        made = self.num_states + self._dfas.num_taken - self._before
        detail = f"this grammar has made {made:,} of them, twice as many as are free"
        return LimitExceededError("shared_automaton_states", MAX_STATES, "states", detail)
