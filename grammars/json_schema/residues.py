"""`Residues`: a set of decimal numbers that is told by their remainders, as an automaton over digits with few states.

What several multiples come to together depends on the remainder by their least common multiple. Remainders after which
the same digits lead to the same are one state (E. Moore, Gedanken-experiments on sequential machines, 1956), so there
are as many as the set needs, not as many as its assertions have together.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_DIGITS = np.arange(10)
_MOST = 1 << 62


class Residues:
    """The numbers with at most `places` digits after the point whose digits, read as one integer, have certain
    remainders; `has_others`: and all that need more places. To be had from `residues`.

    A state stands for the remainders of the digits so far that may be followed by the same; 0 is that of no digits.
    It can be used in the place of a `Grid`.
    """

    fraction = True

    def __init__(self, accepted: NDArray[np.bool_], places: int, has_others: bool) -> None:
        """accepted: for each remainder, whether it is one of those; the numbers that there are decide the modulus."""
        self.modulus, self.places, self.has_others = len(accepted), places, has_others
        self._remainders = np.flatnonzero(accepted)
        state_of, steps = _minimal(accepted)
        self._steps = steps.tobytes()
        self._steps_of = memoryview(self._steps).cast("i")
        first = np.zeros(len(steps), np.int64)
        first[state_of] = np.arange(len(accepted))
        self._accepts = accepted[first]
        self._reached = [self._accepts]  # for so many free digits, from which states a number of the set can follow

    def after(self, state: int, digit: int) -> int:
        """The state after one more digit."""
        return self._steps_of[10 * state + digit]

    def fits(self, state: int, missing: int) -> bool:
        """Whether a number is in the set whose digits end so many places early."""
        for _ in range(missing):
            state = self.after(state, 0)
        return bool(self._accepts[state])

    def reaches(self, state: int, free_digits: int) -> bool:
        """True when so many digits, each of them any digit, can lead to a number of the set."""
        reached = self._reached
        while len(reached) <= free_digits:
            if reached[-1].all():
                return True
            after: NDArray[np.bool_] = reached[-1][np.frombuffer(self._steps, np.int32).reshape(-1, 10)]
            reached.append(np.logical_or.reduce(after, axis=1))
        return bool(reached[free_digits][state])

    def at_least(self, integer: int) -> int:
        """The first digits of a number of the set from some digits on."""
        rounds, remainder = divmod(integer, self.modulus)
        index = int(np.searchsorted(self._remainders, remainder))
        is_next = index == len(self._remainders)
        return (rounds + is_next) * self.modulus + int(self._remainders[0 if is_next else index])

    def at_most(self, integer: int) -> int:
        """The last digits of a number of the set up to some digits; below 0 where there are none from 0 on."""
        rounds, remainder = divmod(integer, self.modulus)
        index = int(np.searchsorted(self._remainders, remainder, "right")) - 1
        return (rounds - (index < 0)) * self.modulus + int(self._remainders[index])


@lru_cache(maxsize=256)
def residues(accepted: bytes, places: int, has_others: bool) -> Residues:
    """Those of a set. accepted: a byte for each remainder, 0 or 1. Equal arguments give the same object."""
    return Residues(np.frombuffer(accepted, np.bool_), places, has_others)


def _minimal(accepted: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The state of each remainder, and int32 (states, 10): the state after a digit."""
    modulus = len(accepted)
    following = (10 * np.arange(modulus)[:, None] + _DIGITS) % modulus
    states, count = accepted.astype(np.int64), 0
    while True:
        states = _numbered([states, *states[following].T])
        if states.max() + 1 == count:
            break
        count = int(states.max()) + 1
    order = np.arange(count)
    order[[0, states[0]]] = order[[states[0], 0]]  # the state of no digits is 0
    states = order[states]
    steps = np.empty((count, 10), np.int32)
    steps[states] = states[following]
    return states, steps


def _numbered(columns: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """For each row of some columns of small numbers a number: the same for equal rows."""
    found, count = columns[0], int(columns[0].max()) + 1
    base = count
    for column in columns[1:]:
        if count > _MOST // base:
            found = np.unique(found, return_inverse=True)[1]
            count = int(found.max()) + 1
        found, count = found * base + column, count * base
    return np.unique(found, return_inverse=True)[1]
