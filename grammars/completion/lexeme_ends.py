"""`LexemeEnds`: the shortest ways to the end of a string, a number or a terminal, from the states of their automata.

A kernel searches breadth first over the bytes of rows. Among equally short ways it prefers letters and digits.
"""

from __future__ import annotations

import numpy as np

from ..machine.lexemes.lazy_dfas import MAX_STATES
from ..machine.vocabulary_tables import VocabularyTables
from ..watch import checkpoint, paced
from .kernels import EndSearch, find_ends

_MANY_ENDS = 64
_MANY_STATES = 500  # maximum number of states of one lexeme visited to find the one furthest from its end
_FIRST_STATES = 1024  # states of a search before its first checkpoint, less than a millisecond

_PLAIN = [*range(0x61, 0x7B), *range(0x30, 0x3A), *range(0x41, 0x5B)]

PREFERENCE = np.array([*_PLAIN, *[byte for byte in range(256) if byte not in _PLAIN]], dtype=np.uint8)
"""All bytes in the order in which they are tried: letters and digits first."""


class LexemeEnds:
    """The ends of one vocabulary's lexemes: `vocabulary_tables.attached(LexemeEnds)`. The caller holds its lock."""

    def __init__(self, vocabulary_tables: VocabularyTables) -> None:
        self._lazy_dfas = vocabulary_tables.lazy_dfas
        self._known: dict[int, dict[int, bytes]] = {}
        self._most: dict[int, int | None] = {}
        self._search = search = EndSearch()
        search.preference = PREFERENCE
        search.visited.ensure(MAX_STATES)
        search.ends.ensure(_MANY_ENDS)
        self._marks = np.zeros(MAX_STATES, dtype=np.int32)
        search.marks = self._marks

    def of(self, state: int) -> dict[int, bytes]:
        """Return a shortest end for each language of a lexeme, by its number; for strings with the closing quote.

        Languages whose ends are much further away than others may be left out.
        """
        found = self._known.get(state)
        if found is None:
            found = self._known[state] = self._find(state)
        return found

    def most(self, state: int) -> int | None:
        """Return the maximum number of bytes to the nearest end, from any state that a state leads to.

        None if it leads to too many states.
        """
        if state not in self._most:
            self._most[state] = self._find_most(state)
        return self._most[state]

    def _find_most(self, start: int) -> int | None:
        states, seen = [start], {start}
        for state in states:
            checkpoint()
            row = self._lazy_dfas.text_row(state)
            new = {following for following in set(row.tolist()) - seen if following >= 0}
            states += new
            seen |= new
            if len(states) > _MANY_STATES:
                return None
        return max([min(map(len, self.of(state).values())) for state in states])

    def _find(self, state: int) -> dict[int, bytes]:
        words = self._lazy_dfas.words_after(state)
        if words is not None:  # PERF: a search would make the states of half of the words
            return {0: min([word.encode() for word in paced(words)], key=len)}
        search, dfa, num_states = self._search, self._lazy_dfas.dfa, _FIRST_STATES
        visited, ends = search.visited, search.ends
        epoch = self._begin(state, num_states)
        while True:
            missing = find_ends(dfa.address, search.address)
            if missing >= 0:
                self._lazy_dfas.text_row(missing)
            elif ends.used or search.head == visited.used:
                break
            else:
                search.limit += num_states
                checkpoint()
            if search.epoch != epoch:  # another search ran while this one paused
                num_states *= 2  # get further before the next pause
                epoch = self._begin(state, num_states)
        found, origins, written = {}, visited.data["origin"], visited.data["byte"]
        for index, entry, last in ends.in_use.tolist():
            text = bytearray() if last < 0 else bytearray([last])
            while origins[entry] >= 0:
                text.append(written[entry])
                entry = origins[entry]
            found[index] = bytes(reversed(text))
        return found

    def _begin(self, state: int, num_states: int) -> int:
        """Begin a search at a state, and return its epoch. num_states: states to visit before the first checkpoint."""
        search = self._search
        search.epoch += 1
        search.head, search.visited.used, search.ends.used, search.limit = 0, 1, 0, num_states
        search.visited.data[0] = (state, -1, 0)
        self._marks[state] = search.epoch
        return int(search.epoch)
