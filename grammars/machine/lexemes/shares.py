"""`StateShare`: how many states of a vocabulary's lazy DFAs one grammar may make, so that none takes them all.

All grammars of a vocabulary share one pool of DFA states. Dynamic thresholds divide it (A. K. Choudhury, E. L. Hahne,
"Dynamic queue length thresholds for shared-memory packet switches", 1998, with their alpha = 2). A grammar may own
twice as many states as are still free, so a lone grammar gets two thirds. If n grammars take all they can, one part in
2 n + 1 stays free for others. A grammar that exceeds its share gets the error; the others go on.
"""

from __future__ import annotations

from ...errors import LimitExceededError
from .lazy_dfas import MAX_STATES, LazyDfas, Share


class StateShare:
    """The share of one grammar's automaton. States count between `resume` and `pause`, under the lock of the tables.

    num_states: number of states that the grammar has made, of DFAs or of products, whichever is more. Valid while
        paused.
    """

    __slots__ = ("_before", "_dfas", "_outer", "_pool", "num_states")

    def __init__(self, dfas: LazyDfas) -> None:
        self._dfas, self._pool = dfas, dfas.pool
        self._before = 0
        self._outer: Share | None = None  # share of an outer holder of the lock
        self.num_states = 0

    def resume(self) -> None:
        """Count new states as this grammar's from now on."""
        self._before = self._dfas.num_taken
        self._outer, self._pool.share = self._pool.share, self

    def pause(self) -> None:
        """Stop counting new states as this grammar's."""
        self._pool.share = self._outer
        self.num_states += self._dfas.num_taken - self._before

    @property
    def most_states(self) -> int:
        """Maximum number of states in the pool while this grammar makes some."""
        return self._before + max(2 * (MAX_STATES - self._before) - self.num_states, 0) // 3

    def too_many(self) -> LimitExceededError:
        """Make the error that this grammar gets for one state more."""
        made = self.num_states + self._dfas.num_taken - self._before
        detail = f"this grammar has made {made:,} of them, twice as many as are free"
        return LimitExceededError("shared_automaton_states", MAX_STATES, "states", detail)
