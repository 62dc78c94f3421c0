"""What the searches and walks of an intersection share: registers, and machines that build what a kernel waits for."""

from __future__ import annotations

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
from .steps import enter_pairs

_FIRST = b'"}]:,0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.+'
_LAST = b" \n\t\r{[\\"


def _preference() -> NDArray[np.uint8]:
    """The bytes, those that end things first, those that begin things last."""
    others = [byte for byte in range(256) if byte not in _FIRST and byte not in _LAST]
    return np.array([*_FIRST, *others, *_LAST], dtype=np.uint8)


class Registers:
    """The registers X_... of one intersection, with its regular side and the lists that walks fill."""

    def __init__(self, language: Language, lexicon: Lexicon, limits: Limits) -> None:
        self._limits = limits
        self.block = Block(ix.NUM_FIELDS)
        self.dfa = Dfa(language, lexicon, self.block, limits.max_automaton_states)
        self.preference = _preference()
        self.block.fields[ix.X_PREFERENCE] = address(self.preference)
        self._lists: dict[int, NDArray[np.generic]] = {}
        self.make_room(4096)

    @property
    def num_bytes(self) -> int:
        """Memory of its tables."""
        return self.block.num_bytes + sum([table.nbytes for table in self._lists.values()])

    def watch(self) -> Watch:
        """The time for one mask or token, from now on."""
        return Watch("max_mask_seconds", self._limits.max_mask_seconds, is_of_processor=True)

    def make_room(self, capacity: int) -> None:
        """Let the queue and the lists of walks have so many entries."""
        widths = ((ix.X_QUEUE, ix.QUEUE_FIELDS), (ix.X_PAIRS, ix.PAIR_FIELDS))
        for field, width in widths:
            self._enlarge(field, np.zeros(capacity * width, dtype=np.int64))
        for field in (ix.X_OUT, ix.X_EVENTS):
            self._enlarge(field, np.zeros(2 * capacity, dtype=np.int32))
        self.block.fields[ix.X_CAPACITY] = capacity
        table = np.zeros(4 * capacity, dtype=np.int32)
        self._lists[ix.X_TABLE] = table
        self.block.fields[ix.X_TABLE] = address(table)
        self.block.fields[ix.X_TABLE_MASK] = len(table) - 1
        enter_pairs(self.block.address)

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

    def _enlarge(self, field: int, table: NDArray[np.generic]) -> None:
        old = self._lists.get(field)
        if old is not None:
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
