"""`TokenGraph`: exact distances, in tokens, from each state of a finite automaton over tokens to the end of the text.

For backends with tables over tokens as automata. Making a graph visits all states that a text can reach.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

from ..bitset import Bitmask, allowed_token_ids, bit
from ..watch import checkpoint

StateT = TypeVar("StateT", bound=Hashable)


class TokenGraph(Generic[StateT]):
    """The distances of one automaton.

    start: the state at the start of a text.
    following: function from a state to {token id: state} for the tokens that may come; ids from vocab_size on do not
        count.
    is_final: function from a state to True if the text may end in it.
    vocab_size: number of tokens.
    """

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
        """Return the fewest tokens from a state to the end; None when no tokens lead there."""
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
        """Clear the tokens of a mask that would need more than `budget` further tokens; True if any was cleared.

        row: int32, shape (W,); changed in place. Tokens without a transition, such as end tokens, stay.
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
    """Return how many tokens each state that `start` leads to needs, without the states that can't reach the end."""
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
