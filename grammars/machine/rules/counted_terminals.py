"""`CountedTerminals`: terminals whose units the machine can count, with the DFA states of their bases.

Units are counted if the base's DFA shows that counting is exact. There are two cases. The DFA is in the same state
after each unit. Or units are characters, and in every state a text can grow by one character.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...regex.algebra import Language
from ...rules.counts import Count, count_of
from .. import layout as at
from ..lexemes.lazy_dfas import LazyDfas
from . import layout as pd
from .structs import Rules

_MOST_STATES = 10_000  # maximum number of DFA states of a unit, 10 us each; larger units are not counted
_MAX_COUNT = 1 << 22


@dataclass(frozen=True, slots=True)
class Counted:
    """A counted terminal.

    count: its base and bounds.
    number: number of its counter.
    state: the lexeme (upper 32 bits) of an item that begins: DFA state, counter's number + 1, FRESH and ENOUGH.
    needed: maximum number of units that a state of the base needs to an end.
    """

    count: Count
    number: int
    state: int
    needed: int


class CountedTerminals:
    """The counted terminals of one grammar on one vocabulary."""

    def __init__(self, lazy_dfas: LazyDfas, rules: Rules) -> None:
        self._lazy_dfas = lazy_dfas
        self._rules = rules
        self._known: dict[Language, Counted | None] = {}
        self._by_number: list[Counted] = []
        self._languages: list[Language] = []

    def of(self, language: Language) -> Counted | None:
        """Return a terminal as a counted one; None if it is read with separate states for each count."""
        if language not in self._known:
            count = count_of(language)
            self._known[language] = None if count is None else self._make(language, count)
        return self._known[language]

    def of_item(self, lexeme: int) -> Counted | None:
        """Return the counted terminal of an item; None if the item's terminal is not counted.

        lexeme: upper 32 bits of the item, see `Counted.state`.
        """
        number = ((lexeme & pd.COUNTER_BITS) >> pd.COUNTER_SHIFT) - 1
        return None if number < 0 else self._by_number[number]

    def make_uncounted(self, number: int) -> None:
        """Make the first state of a counted terminal with separate states for each count."""
        state = self._lazy_dfas.state((self._languages[number],), "text")
        self._rules.counters.data["plain"][number] = state

    def _make(self, language: Language, count: Count) -> Counted | None:
        if max(count.low, count.high or 0) > _MAX_COUNT or len(self._by_number) == pd.MAX_COUNTERS:
            return None
        start = self._lazy_dfas.state((count.base,), "text")
        states = self._reached(start)
        if states is None:
            return None
        accepting = [state for state in states if self._lazy_dfas.may_end(state)]
        if count.is_of_characters:
            needed = self._note_shortest(states)
            if needed is None or (count.low and not self._may_grow(states, accepting)):
                return None
        elif accepting != [start]:
            return None
        else:
            needed = 1
        boundary, high = -1 if count.is_of_characters else start, -1 if count.high is None else count.high
        number = self._rules.counters.reserve(1)
        counter = self._rules.counters[number]
        counter.low, counter.high, counter.boundary, counter.plain = count.low, high, boundary, -1
        enough = pd.ENOUGH if count.low <= 1 else 0
        state = start | (number + 1) << pd.COUNTER_SHIFT | pd.FRESH | enough
        found = Counted(count, number, state, needed)
        self._by_number.append(found)
        self._languages.append(language)
        return found

    def _reached(self, start: int) -> dict[int, list[int]] | None:
        """Return the states of a DFA, each with the targets of its bytes; None if there are more than _MOST_STATES."""
        found: dict[int, list[int]] = {}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            if state not in found:
                targets = np.unique(self._lazy_dfas.text_row(state))
                found[state] = targets[targets >= 0].tolist()
                waiting += found[state]
                if len(found) > _MOST_STATES:
                    return None
        return found

    def _note_shortest(self, states: dict[int, list[int]]) -> int | None:
        """Store in each state the exact number of characters that it needs to an end. Returns the maximum.

        Returns None if some state has no end. Searches breadth first, backwards from the ends; a character begins only
        in states between characters.
        """
        dfas = self._lazy_dfas
        before: dict[int, list[int]] = {}
        for state, targets in states.items():
            for target in targets:
                before.setdefault(target, []).append(state)
        shortest: dict[int, int] = {}
        distance, here = 0, [state for state in states if dfas.may_end(state)]
        while here:
            following: list[int] = []
            while here:
                state = here.pop()
                if state in shortest:
                    continue
                shortest[state] = distance
                for source in before.get(state, ()):
                    (following if dfas.is_between(source) else here).append(source)
            distance, here = distance + 1, following
        if len(shortest) < len(states):
            return None
        dfas.dfa.states.data["shortest"][list(shortest)] = np.array(list(shortest.values()), np.int32)
        return max(shortest.values()) + 1

    def _may_grow(self, states: dict[int, list[int]], accepting: list[int]) -> bool:
        """Return True if each accepting state can reach another accepting state with one more character.

        All lengths from the shortest on are then possible from every state (by induction over the length).
        """
        dfas, ends = self._lazy_dfas, set(accepting)
        for state in accepting:
            waiting, seen = list(states[state]), set[int]()
            while waiting:
                target = waiting.pop()
                if target in ends:
                    break
                if target not in seen and not dfas.is_between(target):
                    seen.add(target)
                    waiting += states[target]
            else:
                return False
        return True


def dfa_state_of_lexeme(lexeme: int) -> int:
    """Return the DFA state of an item's terminal. lexeme: upper 32 bits of the item, see `Counted.state`."""
    return lexeme & (at.MAX_STATES - 1)
