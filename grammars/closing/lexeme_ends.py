"""`LexemeEnds`: the shortest ways to the end of a string, a number or a terminal, from the states of their automata.

Breadth first over the bytes of rows, in a kernel. Of equally short ways it finds one through letters and digits.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np

from ..automaton import layout as at
from ..automaton.lexemes import MAX_STATES, Lexemes
from ..automaton.memory import address, kernel, load8, load32, load64, store32, store64
from ..watch import checkpoint

# What a search works with: int64.
_HEAD, _TAIL, _EPOCH, _NUM_ENDS, _LIMIT, _STATES, _ORIGINS, _BYTES, _MARKS, _ENDS, _PREFERENCE = range(11)
_MANY_ENDS = 64
_MANY_STATES = 500  # of one lexeme are looked at for the one that is furthest from its end
_UNKNOWN = 1 << 30
_MORE = 64  # states that are looked at after the first end, for the ends of other languages


@kernel
def _visit(work: int, state: int, origin: int, byte: int) -> None:
    if load32(load64(work, _MARKS), state) != load64(work, _EPOCH):
        store32(load64(work, _MARKS), state, load64(work, _EPOCH))
        tail = load64(work, _TAIL)
        store32(load64(work, _STATES), tail, state)
        store32(load64(work, _ORIGINS), tail, origin)
        store32(load64(work, _BYTES), tail, byte)
        store64(work, _TAIL, tail + 1)


@kernel
def _note(work: int, index: int, entry: int, byte: int) -> None:
    """Note the first end of a language. byte: the last one, -1 where the text ends without."""
    ends, count = load64(work, _ENDS), load64(work, _NUM_ENDS)
    for number in range(count):
        if load32(ends, 3 * number) == index:
            return
    if count < _MANY_ENDS:
        store32(ends, 3 * count, index)
        store32(ends, 3 * count + 1, entry)
        store32(ends, 3 * count + 2, byte)
        store64(work, _NUM_ENDS, count + 1)
        if count == 0:
            store64(work, _LIMIT, load64(work, _TAIL) + _MORE)


@kernel
def find_ends(lexicon: int, work: int) -> int:
    """Go on with a search: -1 when it is done, else the state whose row must be made first."""
    preference = load64(work, _PREFERENCE)
    while load64(work, _HEAD) < load64(work, _TAIL) and load64(work, _HEAD) < load64(work, _LIMIT):
        entry = load64(work, _HEAD)
        state = load32(load64(work, _STATES), entry)
        accepted = load32(load64(lexicon, at.L_STATES), state * at.STATE_FIELDS + at.D_ACCEPT)
        if accepted >= 0:
            _note(work, accepted, entry, -1)
        rows = load64(lexicon, at.L_ROWS)
        if load32(rows, state * 256) == at.UNBUILT:
            return state
        for index in range(256):
            byte = load8(preference, index)
            following = load32(rows, state * 256 + byte)
            if following >= 0:
                _visit(work, following, entry, byte)
            elif following <= at.FIRST_END:
                _note(work, at.FIRST_END - following, entry, byte)
        store64(work, _HEAD, entry + 1)
    return -1


class LexemeEnds:
    """Of one lexicon. Called under its lock."""

    def __init__(self, lexicon_address: int, lexemes: Lexemes) -> None:
        self._lexicon = lexicon_address
        self._lexemes = lexemes
        self._known: dict[int, dict[int, bytes]] = {}
        self._most: dict[int, int | None] = {}
        plain = [*range(0x61, 0x7B), *range(0x30, 0x3A), *range(0x41, 0x5B)]
        self._preference = np.array([*plain, *[byte for byte in range(256) if byte not in plain]], dtype=np.uint8)
        self._tables = [np.zeros(MAX_STATES, dtype=np.int32) for _ in range(4)]
        self._ends = np.zeros(3 * _MANY_ENDS, dtype=np.int32)
        self._work = np.zeros(11, dtype=np.int64)
        self._work[_STATES : _MARKS + 1] = [address(table) for table in self._tables]
        self._work[_ENDS], self._work[_PREFERENCE] = address(self._ends), address(self._preference)

    def of(self, state: int) -> dict[int, bytes]:
        """A shortest end for each language of a lexeme, by its number: of strings with the closing quote.

        Languages whose ends are much further than those of others may be left out.
        """
        found = self._known.get(state)
        if found is None:
            found = self._known[state] = self._find(state)
        return found

    def most(self, state: int) -> int | None:
        """The most bytes that are needed to the nearest end from any state that a state leads to.

        None where it leads to too many states.
        """
        if state not in self._most:
            self._most[state] = self._find_most(state)
        return self._most[state]

    def _find_most(self, start: int) -> int | None:
        states, numbers = [start], {start: 0}
        rows = []
        for state in states:
            row = self._lexemes.text_row(state).copy()
            rows.append(row)
            for target in np.unique(row[row >= 0]).tolist():
                if target not in numbers:
                    numbers[target] = len(states)
                    states.append(target)
            if len(states) > _MANY_STATES:
                return None
        table = np.stack(rows)
        needs = np.where((table <= at.FIRST_END).any(axis=1), 1, _UNKNOWN)
        needs[[self._lexemes.may_end(state) for state in states]] = 0
        number_of = np.full(max(states) + 1, len(states), dtype=np.int64)
        number_of[states] = np.arange(len(states))
        following = np.where(table >= 0, number_of[np.maximum(table, 0)], len(states))
        while True:
            checkpoint()
            nearest = np.append(needs, _UNKNOWN)[following].min(axis=1) + 1
            if (nearest >= needs).all():
                return int(needs.max())
            needs = np.minimum(needs, nearest)

    def _find(self, state: int) -> dict[int, bytes]:
        states, origins, written, _ = self._tables
        work = self._work
        work[_EPOCH] += 1
        work[_HEAD], work[_TAIL], work[_NUM_ENDS], work[_LIMIT] = 0, 1, 0, MAX_STATES
        states[0], origins[0] = state, -1
        self._tables[3][state] = work[_EPOCH]
        while (missing := find_ends(self._lexicon, address(work))) >= 0:
            self._lexemes.text_row(missing)
        found = {}
        for index, entry, last in self._ends[: 3 * int(work[_NUM_ENDS])].reshape(-1, 3).tolist():
            text = bytearray() if last < 0 else bytearray([last])
            while origins[entry] >= 0:
                text.append(written[entry])
                entry = origins[entry]
            found[index] = bytes(reversed(text))
        return found
