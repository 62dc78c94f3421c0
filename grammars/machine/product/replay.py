"""`can_be_written`: whether a document can surely be completed, if that depends on the texts of keys or items."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from ...watch import checkpoint
from ..rules.automaton import PushdownAutomaton
from ..rules.branches import Branch
from ..tails import Tail, longer
from . import layout as ix
from .dfa import ProductDfa
from .machines import undecided
from .searches import has_left

if TYPE_CHECKING:
    from .liveness import Liveness

_State = tuple[int, int]

_FIRST_TEXTS, _NUM_TEXTS = 2, 30
"""Number of texts that are tried first, and number that are tried before all are searched. PERF: a guess."""
_MAX_CONFIGS = 1000
"""Maximum number of a document's configurations to visit, 256 bytes each: about 1 ms a configuration."""


def can_be_written(
    rules: PushdownAutomaton, live: Liveness, dfa: ProductDfa, branch: Branch, q: int, tail: Tail
) -> bool:
    """Return True if some text completes a document, tried out with the texts of keys and items.

    tail: end of the text before.

    Raises LimitExceededError if the answer stays open.
    """
    state: _State = branch
    for most in (_FIRST_TEXTS, _NUM_TEXTS):
        for text in live.goal(branch).texts(*state, q, most):
            checkpoint()
            reached = rules.step_bytes(*state, text, tail)
            if reached is not None and has_left(reached[0]):
                return True
    waiting = deque([(state, q, b"")])
    num_configs = 0
    while waiting:
        checkpoint()
        num_configs += 1
        if num_configs > _MAX_CONFIGS:
            raise undecided(_MAX_CONFIGS)
        state, q, added = waiting.popleft()
        before = longer(tail, added)
        for first, end, next_q in dfa.runs(q):
            for byte in range(first, end):
                following = rules.step_byte(*state, byte, before)
                if following is None:
                    continue
                known = live.of_branch(Branch(*following), next_q)
                if known < ix.DOUBTFUL:
                    return True
                if known != ix.LOST:
                    waiting.append((following, next_q, added + bytes([byte])))
    return False
