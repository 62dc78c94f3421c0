"""What the searches and walks of an intersection share: tables, and machines that build what a kernel waits for."""

from __future__ import annotations

import weakref
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..automaton import layout as at
from ..automaton.lexicon import Lexicon
from ..automaton.structs import DocumentMachine, Machine
from ..errors import LimitExceededError
from ..limits import Limits
from ..memory.structs import Table
from ..regex.algebra import Language
from ..watch import Watch
from . import layout as ix
from .dfa import Dfa
from .steps import enter_pairs, number_pairs
from .structs import Intersection

_FIRST = b'"}]:,0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.+'
_LAST = b" \n\t\r{[\\"


def _preference() -> NDArray[np.uint8]:
    """The bytes, those that end things first, those that begin things last."""
    others = [byte for byte in range(256) if byte not in _FIRST and byte not in _LAST]
    return np.array([*_FIRST, *others, *_LAST], dtype=np.uint8)


_LISTS = ("queue", "tokens", "events")
"""The tables of an intersection that walks of tokens fill."""

_shared: weakref.WeakKeyDictionary[Lexicon, dict[str, NDArray[np.void]]] = weakref.WeakKeyDictionary()
"""The largest of these that were made for a lexicon. All walks with it use them, under its lock."""


class Workspace:
    """What all walks and searches of one intersection use: `intersection`, its tables; `dfa`, its regular side."""

    def __init__(self, language: Language, lexicon: Lexicon, limits: Limits) -> None:
        self.limits = limits
        self._lexicon = lexicon
        self.intersection = Intersection()
        self.dfa = Dfa(language, lexicon, self.intersection, limits.max_automaton_states)
        self.preference = _preference()
        self.intersection.preference = self.preference
        self._make_lists(4096)
        self._make_pairs(512)

    @property
    def num_bytes(self) -> int:
        """Memory of its tables, without what all walks of the lexicon share."""
        return self.intersection.num_bytes - sum([self._list(name).data.nbytes for name in _LISTS])

    def watch(self) -> Watch:
        """The time for one mask or token, from now on."""
        return Watch("max_mask_seconds", self.limits.max_mask_seconds, is_of_processor=True)

    def make_room(self) -> None:
        """Let a walk go on that waits for room."""
        pairs, lists = self.intersection.pairs, [self._list(name) for name in _LISTS]
        if pairs.used + ix.ROOM > pairs.capacity:
            self._make_pairs(2 * pairs.capacity)
        if any(table.used + ix.ROOM > table.capacity for table in lists):
            self._make_lists(2 * min(table.capacity for table in lists))

    def _make_lists(self, capacity: int) -> None:
        """Let the queue and the lists of walks have so many entries."""
        shared = _shared.setdefault(self._lexicon, {})
        for name in _LISTS:
            table = self._list(name)
            if name not in shared or len(shared[name]) < capacity:
                shared[name] = np.zeros(capacity, table.dtype)
            if table.data is not shared[name]:
                shared[name][: len(table.data)] = table.data
                table.replace(shared[name])

    def _list(self, name: str) -> Table[Any]:
        table: Table[Any] = getattr(self.intersection, name)
        return table

    def _make_pairs(self, capacity: int) -> None:
        """Let there be so many pairs."""
        self.intersection.pairs.ensure(capacity)
        self.intersection.pair_index.replace(np.zeros(4 * capacity, dtype=np.int32))
        enter_pairs(self.intersection.address)

    def numbers_of(self, states: NDArray[np.int32]) -> NDArray[np.int32]:
        """The numbers of the pairs of the place at the head of a walk's queue with each of some q."""
        pairs = self.intersection.pairs
        while pairs.used + len(states) + ix.ROOM > pairs.capacity:
            self._make_pairs(2 * pairs.capacity)
        numbers = np.empty(len(states), dtype=np.int32)
        number_pairs(self.intersection.address, states, numbers)
        return numbers

    def pairs(self) -> NDArray[np.void]:
        """What the last walk found: rows of `Pair`, valid until the next one."""
        return _in_use(self.intersection.pairs)

    def tokens(self) -> NDArray[np.void]:
        """The nodes whose tokens the last walk found, with their pairs: rows of `Arrival`, valid until the next one."""
        return _in_use(self.intersection.tokens)

    def events(self) -> NDArray[np.void]:
        """The nodes with events of the last walk, with their pairs: rows of `Arrival`, valid until the next one."""
        return _in_use(self.intersection.events)


def _in_use(table: Table[Any]) -> NDArray[np.void]:
    return table.data[: table.used]


class Served(Protocol):
    """An automaton whose kernels wait for things."""

    @property
    def machine(self) -> Machine: ...

    @property
    def has_guards(self) -> bool: ...

    def _serve(self, watch: Watch | None) -> None: ...


class RunMachine:
    """An automaton, and the building of what kernels that run it wait for. address: of its machine."""

    def __init__(self, automaton: Served, workspace: Workspace) -> None:
        self.automaton = automaton
        self.address = automaton.machine.address
        self._workspace = workspace
        self._nodes = automaton.machine.nodes

    def serve(self, need: int, watch: Watch) -> None:
        """Build what a kernel waits for."""
        if need == ix.NEED_ROW:
            with watch:
                self._workspace.dfa.build_row(self._workspace.intersection.argument)
        else:
            self.automaton._serve(watch)

    def top_frame(self, stack: int) -> tuple[int, int]:
        """The frame on top of a stack that is not empty, and the stack without it."""
        node: int = self._nodes.data.item(stack)
        return node & at.MASK32, node >> 32

    @property
    def captured(self) -> int:
        """Of a machine of documents: the last capture that was passed without its text."""
        machine = self.automaton.machine
        assert isinstance(machine, DocumentMachine)
        return machine.captured


def undecided(max_pairs: int) -> LimitExceededError:
    """The error of a search that did not come to an end."""
    detail = "looking for a text that all of the grammars allow"
    return LimitExceededError("max_automaton_states", max_pairs, "states", detail)
