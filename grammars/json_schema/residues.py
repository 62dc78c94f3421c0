"""`Residues`: a set of decimal numbers that depends only on remainders, as an automaton over digits with few states.

The truth of several `multipleOf` depends on the remainder modulo their least common multiple. Remainders that no
further digits distinguish are one state (E. Moore, Gedanken-experiments on sequential machines, 1956). The set mostly
has fewer states than remainders.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_DIGITS = np.arange(10)
_MOST = 1 << 62


class Residues:
    """A set of numbers, which can stand for a `Grid`. Create it with `residues`.

    The set has numbers with at most `places` digits after the point, if the digits, read as one integer, have one of
    the accepted remainders. With `has_others`, it also has all numbers that need more places.
    A state stands for equivalent remainders of the digits so far; state 0 is the one before the first digit.
    """

    fraction = True

    def __init__(self, accepted: NDArray[np.bool_], places: int, has_others: bool) -> None:
        """accepted: for each remainder, whether the set has its numbers; the length is the modulus."""
        self.modulus, self.places, self.has_others = len(accepted), places, has_others
        self._remainders = np.flatnonzero(accepted)
        state_of, steps = _minimal(accepted)
        self._steps = steps.tobytes()
        self._steps_of = memoryview(self._steps).cast("i")
        first = np.zeros(len(steps), np.int64)
        first[state_of] = np.arange(len(accepted))
        self._accepts = accepted[first]
        self._reached = [self._accepts]  # [number of free digits][state]: whether they can lead to a number of the set

    def after(self, state: int, digit: int) -> int:
        """The state after one more digit."""
        return self._steps_of[10 * state + digit]

    def fits(self, state: int, missing: int) -> bool:
        """True if the set has the number when `missing` more digits, all 0, are added to its text."""
        for _ in range(missing):
            state = self.after(state, 0)
        return bool(self._accepts[state])

    def reaches(self, state: int, free_digits: int) -> bool:
        """True if some digits can lead to a number of the set. free_digits: number of these digits."""
        reached = self._reached
        while len(reached) <= free_digits:
            if reached[-1].all():
                return True
            after: NDArray[np.bool_] = reached[-1][np.frombuffer(self._steps, np.int32).reshape(-1, 10)]
            reached.append(np.logical_or.reduce(after, axis=1))
        return bool(reached[free_digits][state])

    def at_least(self, integer: int) -> int:
        """The smallest integer from `integer` on with an accepted remainder."""
        rounds, remainder = divmod(integer, self.modulus)
        index = int(np.searchsorted(self._remainders, remainder))
        is_next = index == len(self._remainders)
        return (rounds + is_next) * self.modulus + int(self._remainders[0 if is_next else index])

    def at_most(self, integer: int) -> int:
        """The largest integer up to `integer` with an accepted remainder; it may be negative."""
        rounds, remainder = divmod(integer, self.modulus)
        index = int(np.searchsorted(self._remainders, remainder, "right")) - 1
        return (rounds - (index < 0)) * self.modulus + int(self._remainders[index])


@lru_cache(maxsize=256)
def residues(accepted: bytes, places: int, has_others: bool) -> Residues:
    """The `Residues` of a set. Equal arguments give the same object while it is cached.

    accepted: one byte for each remainder, 0 or 1.
    places, has_others: as in `Residues`.
    """
    return Residues(np.frombuffer(accepted, np.bool_), places, has_others)


def _minimal(accepted: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """(state of each remainder, int32 (states, 10): the state after each digit)."""
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
    """Numbers the rows of some columns: equal rows get equal numbers, from 0 on. columns: arrays of small numbers."""
    found, count = columns[0], int(columns[0].max()) + 1
    base = count
    for column in columns[1:]:
        if count > _MOST // base:
            found = np.unique(found, return_inverse=True)[1]
            count = int(found.max()) + 1
        found, count = found * base + column, count * base
    return np.unique(found, return_inverse=True)[1]
