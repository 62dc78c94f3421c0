"""What the searches and walks of an intersection share: registers, and machines that build what a kernel waits for."""

from __future__ import annotations

import weakref
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..automaton import layout as at
from ..automaton.lexicon import Lexicon
from ..automaton.memory import Block, address
from ..errors import LimitExceededError
from ..limits import Limits
from ..regex.algebra import Language
from ..watch import Watch
from . import layout as ix
from .dfa import Dfa
from .steps import enter_pairs, number_pairs

_FIRST = b'"}]:,0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.+'
_LAST = b" \n\t\r{[\\"


def _preference() -> NDArray[np.uint8]:
    """The bytes, those that end things first, those that begin things last."""
    others = [byte for byte in range(256) if byte not in _FIRST and byte not in _LAST]
    return np.array([*_FIRST, *others, *_LAST], dtype=np.uint8)


_LISTS = ((ix.X_QUEUE, ix.QUEUE_FIELDS, np.int64), (ix.X_OUT, 2, np.int32), (ix.X_EVENTS, 2, np.int32))
"""Register, width and type of what walks of tokens fill."""

_shared: weakref.WeakKeyDictionary[Lexicon, dict[int, NDArray[np.generic]]] = weakref.WeakKeyDictionary()
"""The largest lists that were made for a lexicon, by register. All walks with it use them, under its lock."""


class Registers:
    """The registers X_... of one intersection, with its regular side and the lists that walks fill."""

    def __init__(self, language: Language, lexicon: Lexicon, limits: Limits) -> None:
        self.limits = limits
        self._lexicon = lexicon
        self.block = Block(ix.NUM_FIELDS)
        self.dfa = Dfa(language, lexicon, self.block, limits.max_automaton_states)
        self.preference = _preference()
        self.block.fields[ix.X_PREFERENCE] = address(self.preference)
        self._lists: dict[int, NDArray[np.generic]] = {}
        self._make_lists(4096)
        self._make_pairs(512)

    @property
    def num_bytes(self) -> int:
        """Memory of its tables, without what all walks of the lexicon share."""
        return self.block.num_bytes + sum([self._lists[field].nbytes for field in (ix.X_PAIRS, ix.X_TABLE)])

    def watch(self) -> Watch:
        """The time for one mask or token, from now on."""
        return Watch("max_mask_seconds", self.limits.max_mask_seconds, is_of_processor=True)

    def make_room(self) -> None:
        """Let a walk go on that waits for room."""
        fields = self.block.fields
        if fields[ix.X_NUM_PAIRS] + ix.ROOM > fields[ix.X_PAIR_CAPACITY]:
            self._make_pairs(2 * int(fields[ix.X_PAIR_CAPACITY]))
        if max(fields[[ix.X_TAIL, ix.X_NUM_OUT, ix.X_NUM_EVENTS]]) + ix.ROOM > fields[ix.X_CAPACITY]:
            self._make_lists(2 * int(fields[ix.X_CAPACITY]))

    def _make_lists(self, capacity: int) -> None:
        """Let the queue and the lists of walks have so many entries."""
        shared = _shared.setdefault(self._lexicon, {})
        for field, width, dtype in _LISTS:
            if field not in shared or len(shared[field]) < capacity * width:
                shared[field] = np.zeros(capacity * width, dtype=dtype)
            self._replace(field, shared[field])
        self.block.fields[ix.X_CAPACITY] = min([len(shared[field]) // width for field, width, _ in _LISTS])

    def _make_pairs(self, capacity: int) -> None:
        """Let there be so many pairs."""
        self._replace(ix.X_PAIRS, np.zeros(capacity * ix.PAIR_FIELDS, dtype=np.int64))
        self.block.fields[ix.X_PAIR_CAPACITY] = capacity
        table = np.zeros(4 * capacity, dtype=np.int32)
        self._lists[ix.X_TABLE] = table
        self.block.fields[ix.X_TABLE] = address(table)
        self.block.fields[ix.X_TABLE_MASK] = len(table) - 1
        enter_pairs(self.block.address)

    def entry(self, index: int) -> NDArray[np.int64]:
        """An entry of the queue, int64 (QUEUE_FIELDS,)."""
        queue: NDArray[np.int64] = self._lists[ix.X_QUEUE].view(np.int64)
        return queue[index * ix.QUEUE_FIELDS : (index + 1) * ix.QUEUE_FIELDS]

    def numbers_of(self, entry: int, states: NDArray[np.int32]) -> NDArray[np.int32]:
        """The numbers of the pairs of an entry's place with each of some q. entry: its address."""
        fields = self.block.fields
        while fields[ix.X_NUM_PAIRS] + len(states) + ix.ROOM > fields[ix.X_PAIR_CAPACITY]:
            self._make_pairs(2 * int(fields[ix.X_PAIR_CAPACITY]))
        numbers = np.empty(len(states), dtype=np.int32)
        number_pairs(self.block.address, entry, address(states), len(states), address(numbers))
        return numbers

    def pairs(self) -> NDArray[np.int64]:
        """What the last walk found: int64 (pairs, PAIR_FIELDS), valid until the next one."""
        count = int(self.block.fields[ix.X_NUM_PAIRS])
        return self._lists[ix.X_PAIRS].view(np.int64)[: count * ix.PAIR_FIELDS].reshape(-1, ix.PAIR_FIELDS)

    def tokens(self) -> NDArray[np.int32]:
        """The nodes whose tokens the last walk found, with their pairs: int32 (., 2), valid until the next one."""
        return self._pairs_of(ix.X_OUT, ix.X_NUM_OUT)

    def events(self) -> NDArray[np.int32]:
        """The nodes with events of the last walk, with their pairs: int32 (., 2), valid until the next one."""
        return self._pairs_of(ix.X_EVENTS, ix.X_NUM_EVENTS)

    def _pairs_of(self, field: int, count: int) -> NDArray[np.int32]:
        number = int(self.block.fields[count])
        return self._lists[field].view(np.int32)[: 2 * number].reshape(-1, 2)

    def _replace(self, field: int, table: NDArray[np.generic]) -> None:
        old = self._lists.get(field)
        if old is not None and old is not table:
            table[: len(old)] = old
        self._lists[field] = table
        self.block.fields[field] = address(table)


class Served(Protocol):
    """An automaton whose kernels wait for things."""

    @property
    def block(self) -> Block: ...

    @property
    def has_guards(self) -> bool: ...

    def _serve(self, watch: Watch | None) -> None: ...


class RunMachine:
    """An automaton, and the building of what kernels that run it wait for."""

    def __init__(self, automaton: Served, registers: Registers) -> None:
        self.automaton = automaton
        self._registers = registers
        self._nodes = next(column for column in automaton.block.columns if column.field == at.M_NODES)

    def serve(self, need: int, watch: Watch) -> None:
        """Build what a kernel waits for."""
        if need == ix.NEED_ROW:
            with watch:
                self._registers.dfa.build_row(int(self._registers.block.fields[ix.X_NEED_A]))
        else:
            self.automaton._serve(watch)

    def top_frame(self, stack: int) -> tuple[int, int]:
        """The frame on top of a stack that is not empty, and the stack without it."""
        node = int(self._nodes.data[stack])
        return node & at.MASK32, node >> 32


def undecided(max_pairs: int) -> LimitExceededError:
    """The error of a search that did not come to an end."""
    detail = "looking for a text that all of the grammars allow"
    return LimitExceededError("max_automaton_states", max_pairs, "states", detail)
