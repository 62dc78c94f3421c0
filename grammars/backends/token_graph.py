"""`TokenGraph`: how many tokens lead from each state of a finite automaton over tokens to its end. Exact.

For backends whose automata are tables over tokens. All states that can be reached are looked at when the first
question is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

from ..bitset import Bitmask, allowed_token_ids, bit
from ..watch import checkpoint

StateT = TypeVar("StateT", bound=Hashable)


class TokenGraph(Generic[StateT]):
    """following: token id -> state, of the tokens that may come in a state; ids from vocab_size on do not count.
    is_final: whether the text may end in it."""

    def __init__(
        self,
        start: StateT,
        following: Callable[[StateT], Mapping[int, StateT]],
        is_final: Callable[[StateT], bool],
        vocab_size: int,
    ) -> None:
        self._following = following
        self._vocab_size = vocab_size
        self._distances = _distances(start, self._states_after, is_final)
        self._most = max(self._distances.values())

    def _states_after(self, state: StateT) -> set[StateT]:
        return {after for token_id, after in self._following(state).items() if token_id < self._vocab_size}

    def completion(self, state: StateT) -> list[int] | None:
        """The fewest tokens from a state to the end; None where no tokens lead there."""
        if state not in self._distances:
            return None
        token_ids = []
        while self._distances[state]:
            nearer = self._distances[state] - 1
            token_id, state = next(
                (token_id, after)
                for token_id, after in self._following(state).items()
                if token_id < self._vocab_size and self._distances.get(after) == nearer
            )
            token_ids.append(token_id)
        return token_ids

    def restrict(self, row: Bitmask, state: StateT, budget: int) -> bool:
        """Clear the tokens of a mask after which more than `budget` tokens are needed; whether any was cleared.

        row: int32 (W,), changed in place; tokens that lead nowhere, such as those that end a text, stay.
        """
        if budget >= self._most or self._distances.get(state, budget + 2) > budget + 1:
            return False
        following, is_restricted = self._following(state), False
        for token_id in allowed_token_ids(row, self._vocab_size).tolist():
            after = following.get(token_id)
            if after is not None and self._distances.get(after, budget + 1) > budget:
                row[token_id >> 5] &= ~bit(token_id)
                is_restricted = True
        return is_restricted


def _distances(
    start: StateT, states_after: Callable[[StateT], set[StateT]], is_final: Callable[[StateT], bool]
) -> dict[StateT, int]:
    """How many tokens are needed from each state that `start` leads to; those without a way to the end are left out."""
    before: dict[StateT, set[StateT]] = {start: set()}
    waiting = [start]
    for state in waiting:
        checkpoint()
        for after in states_after(state):
            if after not in before:
                before[after] = set()
                waiting.append(after)
            before[after].add(state)
    layer, distance = [state for state in before if is_final(state)], 0
    distances: dict[StateT, int] = {}
    while layer:
        distances.update(dict.fromkeys(layer, distance))
        layer = list({earlier for state in layer for earlier in before[state] if earlier not in distances})
        distance += 1
    return distances
