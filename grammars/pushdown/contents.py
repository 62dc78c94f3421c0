"""`Contents`: what local states are made of, interned in columns that the kernels read and add to."""

from __future__ import annotations

import numpy as np

from ..automaton import layout as at
from ..automaton.memory import Block, Column, address
from . import layout as pd
from .collector import Moved, Threads
from .continuations import Continuations
from .entries import intern

_Rest = tuple[Moved, Moved, tuple[int, ...], bool]


_NOTHING: _Rest = ((), (), (), False)


class Contents:
    """Those of one grammar by their numbers. rests: what they hold beside threads; 0 is nothing, 1 see layout."""

    def __init__(self, block: Block, continuations: Continuations) -> None:
        self._address, self._fields = block.address, block.fields
        self._is_deep = continuations.is_deep
        self._contents = Column(block, pd.P_CONTENTS, np.int64, 256 * pd.CONTENT_FIELDS)
        self._table = Column(block, pd.P_CONTENT_TABLE, np.int32, 1024)
        self._fields[pd.P_CONTENT_MASK] = 1023
        self._threads = Column(block, pd.P_THREADS, np.int64, 1024)
        self._work = [Column(block, field, np.int64, 64) for field in (pd.P_MOVED, pd.P_KEPT, pd.P_MERGED)]
        self._flags = Column(block, pd.P_RESTS, np.int32, 64)
        self._rests: dict[_Rest, int] = {}
        self.rests: list[_Rest] = []
        self._rest(_NOTHING)
        self.rests.append(_NOTHING)
        self._flags.reserve(1)

    def __len__(self) -> int:
        return self._contents.used // pd.CONTENT_FIELDS

    def __getitem__(self, number: int) -> Threads:
        first, count, rest = self._contents.data[number * pd.CONTENT_FIELDS :][: pd.C_REST + 1].tolist()
        numbers = self._threads.data[first : first + count].tolist()
        threads = tuple([(thread >> 32, thread & at.MASK32) for thread in numbers])
        return Threads(threads, *self.rests[rest])

    def flags(self, number: int) -> int:
        """What a content holds beside threads, as bits HAS_...."""
        return int(self._flags.data[self._contents.data[number * pd.CONTENT_FIELDS + pd.C_REST]])

    def number(self, content: Threads) -> int:
        """The number of a content."""
        threads = np.array([lexeme << 32 | continuation for lexeme, continuation in content.threads], dtype=np.int64)
        rest = self._rest(content[1:])
        number = int(intern(self._address, address(threads), len(threads), rest, 1))
        if number == pd.NEED:
            self.make_room(len(threads))
            number = int(intern(self._address, address(threads), len(threads), rest, 1))
        return number

    def add_numbers(self, numbers: list[int]) -> int:
        """Put numbers where the threads are; the place of the first."""
        return self._threads.append(np.array(numbers, dtype=np.int64))

    def set_entry(self, number: int, entry: int) -> None:
        """Note the entry of a content."""
        self._contents.data[number * pd.CONTENT_FIELDS + pd.C_ENTRY] = entry

    def make_room(self, num_threads: int) -> None:
        """Let another content with so many threads have room, and threads to work on."""
        for column in self._work:
            column.ensure(num_threads)
        self._threads.ensure(self._threads.used + num_threads)
        self._contents.ensure(self._contents.used + pd.CONTENT_FIELDS)
        if 2 * len(self) >= len(self._table.data):
            self._table.ensure(2 * len(self._table.data))
            self._fill_table()

    def _fill_table(self) -> None:
        """Hash all contents anew."""
        table, mask = self._table.data, len(self._table.data) - 1
        self._fields[pd.P_CONTENT_MASK] = mask
        table[:] = 0
        for number, key in enumerate(self._contents.data[pd.C_HASH : self._contents.used : pd.CONTENT_FIELDS].tolist()):
            place = (key >> 15) & mask
            while table[place]:
                place = (place + 1) & mask
            table[place] = number + 1

    def _rest(self, rest: _Rest) -> int:
        number = self._rests.get(rest)
        if number is None:
            number = self._rests[rest] = len(self.rests)
            self.rests.append(rest)
            documents, tokens, labels, is_complete = rest
            is_deep = any(self._is_deep[continuation] for _, continuation in documents + tokens)
            flags = pd.HAS_COMPLETE * is_complete | pd.HAS_LABELS * bool(labels)
            flags |= pd.HAS_DOCUMENTS * bool(documents) | pd.HAS_TOKENS * bool(tokens) | pd.IS_DEEP * is_deep
            place = self._flags.reserve(1)
            self._flags.data[place] = flags
        return number


class StateContents:
    """What each local state is."""

    def __init__(self, block: Block, table: Column, contents: Contents) -> None:
        self._fields, self._table, self._contents = block.fields, table, contents
        self._known: dict[int, Threads] = {}

    def __len__(self) -> int:
        return int(self._fields[pd.P_NUM_STATES])

    def __getitem__(self, state: int) -> Threads:
        known = self._known.get(state)
        if known is None:
            number = int(self._table.data[state * pd.STATE_FIELDS + pd.G_CONTENT])
            known = self._known[state] = self._contents[number]
        return known
