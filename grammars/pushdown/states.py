"""`LocalStates`: sets of threads, each a place inside a terminal and what comes after it; made when first met.

The kernels make the states and their rows. What they ask for is made here: what comes at positions of the network, the
rows of terminals, room.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..automaton import layout as at
from ..automaton.lexicon import Lexicon
from ..automaton.memory import Block, Column, address
from ..automaton.pair_table import PairTable
from ..automaton.trie import KINDS
from ..errors import LimitExceededError
from ..limits import Limits
from ..regex import algebra as lang
from ..rules.expressions import JsonDocument
from ..rules.network import Network
from ..watch import checkpoint
from . import layout as pd
from .contents import Contents, StateContents
from .continuations import Continuations
from .entries import entry_after, start_entry
from .positions import Pairs, Positions

_STATES = 256  # for which there is room at first. PERF: a guess
_WORK = 1 << 24  # steps of threads, about 10 ms
_SCRATCH = (pd.P_COLLECTED, pd.P_RESTS, pd.P_REACHED, pd.P_PATH, pd.P_OUT, pd.P_PAIRS, pd.P_LABELS)


class LocalStates:
    """The local states of one grammar on one vocabulary.

    content: what each of them is. builders: what the kernels may ask for, by number.
    """

    def __init__(self, network: Network, lexicon: Lexicon, block: Block, limits: Limits) -> None:
        self.network = network
        self._lexemes = lexicon.lexemes
        self._limits = limits
        self._address, self._fields = block.address, block.fields
        self._positions = Positions(network, lexicon.lexemes, block)
        self.continuations = Continuations(block)
        self._contents = Contents(block)
        self._rows = Column(block, pd.P_ROWS, np.int32, _STATES * 256)
        self._row_edges = Column(block, pd.P_ROW_EDGES, np.int64, _STATES * 4)
        self._loops = Column(block, pd.P_LOOPS, np.int64, _STATES)
        self._table = Column(block, pd.P_STATES, np.int32, _STATES * pd.STATE_FIELDS)
        self._action = Column(block, pd.P_ACTIONS, np.int32, 64 * pd.ACTION_FIELDS)
        self.content = StateContents(block, self._table, self._contents)
        self._returns = PairTable(block, pd.P_RETURN_KEYS, pd.P_RETURN_VALUES, pd.P_RETURN_MASK)
        self._pushes = Column(block, pd.P_PUSHES, np.int64, 16 * pd.PUSH_FIELDS)
        self._scratch = [Column(block, field, np.int64, 256) for field in _SCRATCH]
        self.builders: dict[int, Callable[[int, int], None]] = {
            pd.NEED_POSITION: lambda position, _: self._positions.build(position),
            pd.NEED_TERMINAL: lambda state, _: self.build_terminal(state),
            pd.NEED_WAYS: lambda num_ways, _: self.continuations.make_room(num_ways),
            pd.NEED_PAIRS: lambda which, _: self.make_room_for_pairs(which),
            pd.NEED_SCRATCH: lambda size, _: self.make_scratch(size),
            pd.NEED_ROOM: self.make_room,
            pd.NEED_PAUSE: lambda _a, _b: self.pause(),
        }
        self._fields[pd.P_SCRATCH_ROOM] = 256
        self._fields[pd.P_STATE_ROOM] = min(_STATES, limits.max_automaton_states)
        self._fields[pd.P_EMPTY_TEXT] = self._lexemes.state((lang.EMPTY_TEXT,), "text")
        self._fields[pd.P_KINDS] = address(KINDS)
        self._fields[pd.P_WORK] = _WORK

    @property
    def documents(self) -> list[JsonDocument]:
        """By their numbers in `Threads`."""
        return self._positions.documents

    @property
    def token_sets(self) -> list[frozenset[int]]:
        """By their numbers in `Threads`."""
        return self._positions.token_sets

    def first_of(self, position: int) -> Pairs:
        """(first state, target) of the terminals at a position."""
        return self._positions.terminals(position)

    def frame(self, frame: int) -> list[int]:
        """What a frame keeps: continuations by their labels."""
        return self._contents.numbers(frame)

    def field(self, state: int, field: int) -> int:
        """A field G_... of a state."""
        return int(self._table.data.item(state * pd.STATE_FIELDS + field))

    def set_field(self, state: int, field: int, value: int) -> None:
        """Note a segment, or a mask."""
        self._table.data[state * pd.STATE_FIELDS + field] = value

    def loops(self, state: int) -> int:
        """The kinds of bytes that leave a state as it is, whose row is made."""
        return int(self._loops.data[state])

    def start(self) -> int:
        """The entry of the empty text."""
        start, is_complete = self.network.starts[self.network.start], int(self.network.is_nullable)
        return self._served(lambda: start_entry(self._address, start, is_complete))

    def after(self, continuation: int) -> int:
        """The entry of a place where a token or a document with that continuation has ended."""
        return self._served(lambda: entry_after(self._address, continuation))

    def _served(self, kernel: Callable[[], int]) -> int:
        """What a kernel finds, when all that it asks for is built."""
        found = kernel()
        while found == pd.NEED:
            need, a, b = self._fields[at.M_NEED : at.M_NEED + 3].tolist()
            self.builders[need](a, b)
            found = kernel()
        return int(found)

    def build_terminal(self, state: int) -> None:
        """Make the row of a state of a terminal."""
        self._lexemes.text_row(state)

    def make_scratch(self, size: int) -> None:
        """Let kernels work with so many numbers."""
        for column in self._scratch:
            column.ensure(2 * size)
        self._fields[pd.P_SCRATCH_ROOM] = min([len(column.data) for column in self._scratch])

    def make_room_for_pairs(self, is_return: int) -> None:
        """Let there be more returns, or unions of continuations."""
        if is_return:
            self._returns.grow()
        else:
            self.continuations.make_room_for_unions()

    def make_room(self, num_numbers: int, wants_state: int) -> None:
        """Let there be contents with so many numbers, and more states. Raises LimitExceededError."""
        self._contents.make_room(num_numbers)
        self._action.ensure(self._action.used + pd.ACTION_FIELDS)
        self._pushes.ensure(self._pushes.used + pd.PUSH_FIELDS)
        if wants_state:
            maximum, capacity = self._limits.max_automaton_states, len(self._loops.data)
            if len(self.content) >= maximum:
                raise LimitExceededError("max_automaton_states", maximum, "states", "of one grammar's texts")
            self._rows.ensure(2 * capacity * 256)
            self._row_edges.ensure(2 * capacity * 4)
            self._table.ensure(2 * capacity * pd.STATE_FIELDS)
            self._loops.ensure(2 * capacity)
            self._fields[pd.P_STATE_ROOM] = min(2 * capacity, maximum)

    def pause(self) -> None:
        """Look at the time."""
        checkpoint()
        self._fields[pd.P_WORK] = _WORK

    def entry_state(self, entry: int) -> tuple[int, int]:
        """The local state of an entry and the frame that is pushed before, 0 for none."""
        if entry >= 0:
            return entry, 0
        place = (pd.FIRST_ACTION - entry) * pd.ACTION_FIELDS
        return int(self._action.data[place + pd.A_STATE]), int(self._action.data[place + pd.A_FRAME])
