"""`Goal`: from which pairs a document of one machine can be written to its end, so that what comes after it can follow.

A goal is the question which q a document may leave behind. What was found is kept for all pairs that a search passed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..automaton import layout as at
from ..automaton.memory import Block, address
from . import layout as ix
from .dfa import members
from .machines import undecided
from .searches import dive, find, recall, start, sweep

if TYPE_CHECKING:
    from .machines import Registers, RunMachine
    from .summaries import Summaries

_DIVE_BUDGET = 2000
"""Pairs that a search for one text visits before all texts are looked at. PERF: a guess."""
_SWEEP_BUDGET = 5000
"""Pairs that a search of all texts visits before containers are summed up, which is slower. PERF: a guess."""


class Goal:
    """The pairs of one document machine. answer: whether a document may leave a q."""

    def __init__(
        self,
        machine: RunMachine,
        registers: Registers,
        summaries: Summaries,
        answer: Callable[[int], bool],
        max_pairs: int,
    ) -> None:
        self._summaries = summaries
        self._machine = machine
        self._registers = registers
        self._answer = answer
        self._max_pairs = max_pairs
        self._block = Block(ix.NUM_GOAL_FIELDS)
        self._fields = self._block.fields
        self._tables: dict[int, NDArray[np.generic]] = {}
        self._keep(ix.G_ANSWERS, np.zeros(64, dtype=np.int32))
        self._make_room(1024)

    @property
    def num_bytes(self) -> int:
        """Memory of its tables."""
        return sum([table.nbytes for table in self._tables.values()])

    def known(self, code: int, stack: int, q: int) -> int:
        """What is known of a pair (CLEAN, CAPTURING, DOUBTFUL or LOST), found out if need be."""
        place = find(self._block.address, code, stack, q)
        found = int(self._tables[ix.G_VALUES][place])
        if ix.CLEAN <= found <= ix.LOST:
            return found
        status = self._search(dive, code, stack, q, min(_DIVE_BUDGET, self._max_pairs))
        if status == ix.OVER_BUDGET:
            return self._set(code, stack, q, self._look_at_all(code, stack, q))
        return int(self._tables[ix.G_VALUES][find(self._block.address, code, stack, q)])

    def of_walk(self) -> list[int]:
        """What is known of the pairs that a walk has just found, found out if need be; 0 for ends of documents."""
        pairs = self._registers.pairs().copy()  # finding out forgets them
        known = np.empty(len(pairs), dtype=np.int32)
        recall(self._registers.block.address, self._block.address, address(known))
        is_open = (known < ix.CLEAN) | (known > ix.LOST)
        is_end = pairs[:, 0] == at.DONE
        for number in np.flatnonzero(is_open & ~is_end).tolist():
            code, stack, q = pairs[number, :3].tolist()
            known[number] = self.known(code, stack, q)
        known[is_end] = 0
        found: list[int] = known.tolist()
        return found

    def _look_at_all(self, code: int, stack: int, q: int) -> int:
        """What is known of a pair after looking at all texts."""
        status = self._search(sweep, code, stack, q, min(_SWEEP_BUDGET, self._max_pairs))
        if status == ix.OVER_BUDGET:
            if not any(self._answer(exit_) for exit_ in members(self._summaries.exits(code, stack, q))):
                return ix.LOST
            if not self._summaries.has_captures:
                return ix.CLEAN
            status = self._search(sweep, code, stack, q, self._max_pairs)
        if status == ix.OVER_BUDGET:
            raise undecided(self._max_pairs)
        return self._status_of_found() if status == ix.FOUND else ix.LOST

    def texts(self, code: int, stack: int, q: int) -> Iterator[bytes]:
        """Texts that lead from a pair to the goal if captures are passed without their texts, shortest first.

        Not all: of those that differ only before a pair that they share, one. No other search may run meanwhile.
        """
        self._begin(code, stack, q, self._max_pairs)
        while self._run(sweep) == ix.FOUND:
            head = int(self._fields[ix.G_HEAD])
            entry = self._entry(head)
            yield self._text_to(head) + bytes([int(self._registers.preference[entry[3]])])
            self._entry(head)[3] += 1  # the same search goes on behind that byte

    def exits(self, code: int, stack: int, q: int, enough: Callable[[int], bool]) -> int:
        """All q that documents may leave when they go on from a pair, as the bits of an int.

        enough: whether no other can come. Raises LimitExceededError.
        """
        found = 0

        def note(exit_: int) -> bool:
            nonlocal found
            found |= 1 << exit_
            return enough(found)

        answer, self._answer = self._answer, note
        try:
            status = self._search(sweep, code, stack, q, min(_SWEEP_BUDGET, self._max_pairs))
        finally:
            self._answer = answer
            self._answers[:] = ix.UNKNOWN
        return self._summaries.exits(code, stack, q) if status == ix.OVER_BUDGET else found

    def _search(self, kernel: Callable[..., int], code: int, stack: int, q: int, budget: int) -> int:
        self._begin(code, stack, q, budget)
        return self._run(kernel)

    def _begin(self, code: int, stack: int, q: int, budget: int) -> None:
        self._fields[ix.G_BUDGET] = budget
        self._fields[ix.G_GUARDED] = int(self._machine.automaton.has_guards)
        start(self._block.address, code, stack, q)

    def _run(self, kernel: Callable[..., int]) -> int:
        """Run a search, with what it waits for, to its end."""
        machine, registers = self._machine, self._registers
        watch = None
        while True:
            self._fit_answers()
            status = kernel(machine.automaton.block.address, registers.block.address, self._block.address)
            if status != ix.WAITING:
                return int(status)
            need = int(registers.block.fields[ix.X_NEED])
            if need == ix.NEED_ANSWER:
                q = int(registers.block.fields[ix.X_NEED_A])
                self._answers[q] = ix.YES if self._answer(q) else ix.NO
            elif need == ix.NEED_ROOM:
                self._make_room(2 * int(self._fields[ix.G_CAPACITY]))
            else:
                watch = watch or registers.watch()
                machine.serve(need, watch)
                self._fields[ix.G_GUARDED] = int(machine.automaton.has_guards)

    def _status_of_found(self) -> int:
        """What is known of the pair where a sweep began that has found an end."""
        entry = self._entry(int(self._fields[ix.G_HEAD]))
        captures: list[int] = []
        if self._last_capture():
            captures.append(self._last_capture())
        while entry[6] >= 0:
            if entry[4]:
                captures.append(int(entry[4]))
            entry = self._entry(int(entry[6]))
        is_doubtful = len(set(captures)) < len(captures) or (captures and self._fields[ix.G_GUARDED])
        is_doubtful = is_doubtful or at.VERIFY in captures
        return ix.DOUBTFUL if is_doubtful else ix.CAPTURING if captures else ix.CLEAN

    def _last_capture(self) -> int:
        """The capture of the last byte of what a sweep found: register M_CAPTURED still has it."""
        return int(self._machine.automaton.block.fields[at.M_CAPTURED])

    def _set(self, code: int, stack: int, q: int, value: int) -> int:
        place = find(self._block.address, code, stack, q)
        self._tables[ix.G_VALUES][place] = value
        return value

    def _text_to(self, head: int) -> bytes:
        """The bytes that led to an entry of a sweep's queue."""
        text = bytearray()
        entry = self._entry(head)
        while entry[6] >= 0:
            text.append(int(entry[7]))
            entry = self._entry(int(entry[6]))
        return bytes(text[::-1])

    def _entry(self, index: int) -> NDArray[np.int64]:
        path: NDArray[np.int64] = self._tables[ix.G_PATH].view(np.int64)
        return path[index * ix.PATH_FIELDS : (index + 1) * ix.PATH_FIELDS]

    @property
    def _answers(self) -> NDArray[np.int32]:
        return self._tables[ix.G_ANSWERS].view(np.int32)

    def _fit_answers(self) -> None:
        """Let there be an answer for each q."""
        num_states = self._registers.dfa.num_states
        if num_states > len(self._answers):
            grown = np.zeros(2 * num_states, dtype=np.int32)
            grown[: len(self._answers)] = self._answers
            self._keep(ix.G_ANSWERS, grown)

    def _make_room(self, capacity: int) -> None:
        """Room for so many pairs in the path and the log, and twice as many in the table at least."""
        old_path, old_log = self._tables.get(ix.G_PATH), self._tables.get(ix.G_LOG)
        path = np.zeros(capacity * ix.PATH_FIELDS, dtype=np.int64)
        log = np.zeros(capacity, dtype=np.int32)
        self._fields[ix.G_CAPACITY] = capacity
        count = int(self._fields[ix.G_NUM_LOG])
        places: list[int] = []
        if old_path is not None and old_log is not None:
            path[: len(old_path)] = old_path
            places = old_log[:count].tolist()
        moved = self._grow_table()
        log[:count] = [moved.get(place, place) for place in places]
        depth = int(self._fields[ix.G_DEPTH])
        entries = path.reshape(-1, ix.PATH_FIELDS)
        entries[:depth, 5] = [moved.get(place, place) for place in entries[:depth, 5].tolist()]
        self._keep(ix.G_PATH, path)
        self._keep(ix.G_LOG, log)

    def _grow_table(self) -> dict[int, int]:
        """A table with room; where the pairs were and where they are now."""
        count = int(self._fields[ix.G_COUNT])
        old_keys, old_values = self._tables.get(ix.G_KEYS), self._tables.get(ix.G_VALUES)
        if old_keys is not None and 4 * (count + ix.ROOM) < len(old_keys) // 2:
            return {}
        size = 4096
        while size < 8 * (count + ix.ROOM):
            size *= 2
        self._keep(ix.G_KEYS, np.zeros(2 * size, dtype=np.int64))
        self._keep(ix.G_VALUES, np.zeros(size, dtype=np.int32))
        self._fields[ix.G_MASK] = size - 1
        moved: dict[int, int] = {}
        if old_keys is not None and old_values is not None:
            values = self._tables[ix.G_VALUES]
            for place in np.flatnonzero(old_values).tolist():
                code, key = int(old_keys[2 * place]), int(old_keys[2 * place + 1])
                new = int(find(self._block.address, code, key >> 32, key & at.MASK32))
                values[new] = old_values[place]
                moved[place] = new
        return moved

    def _keep(self, field: int, table: NDArray[np.generic]) -> None:
        self._tables[field] = table
        self._fields[field] = address(table)
