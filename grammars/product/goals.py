"""`Goal`: from which pairs a document of one machine can be written to its end, so that what comes after it can follow.

A goal is the question which q a document may leave behind. What was found is kept for all pairs that a search passed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..automaton import asking
from ..automaton import layout as at
from . import layout as ix
from .dfa import members
from .machines import undecided
from .searches import dive, find, known_at, recall, start, sweep
from .structs import Search, SearchEntry

if TYPE_CHECKING:
    from .machines import RunMachine, Workspace
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
        workspace: Workspace,
        summaries: Summaries,
        answer: Callable[[int], bool],
        max_pairs: int,
    ) -> None:
        self._summaries = summaries
        self._machine = machine
        self._workspace = workspace
        self._product = workspace.product
        self._answer = answer
        self._max_pairs = max_pairs
        self._search = Search()
        self._address = self._search.address
        self._num_answers = 0
        self._requests = machine.requests_with({asking.ANSWER: lambda asked: self._note_answer(asked.state)})

    @property
    def num_bytes(self) -> int:
        """Memory of its tables."""
        return self._search.num_bytes

    def known(self, code: int, stack: int, q: int) -> int:
        """What is known of a pair (CLEAN, CAPTURING, DOUBTFUL or LOST), found out if need be."""
        found: int = known_at(self._address, code, stack, q)
        if ix.CLEAN <= found <= ix.LOST:
            return found
        status = self._look(dive, code, stack, q, min(_DIVE_BUDGET, self._max_pairs))
        if status == ix.OVER_BUDGET:
            return self._set(code, stack, q, self._look_at_all(code, stack, q))
        return int(known_at(self._address, code, stack, q))

    def of_walk(self) -> list[int]:
        """What is known of the pairs that a walk has just found, found out if need be; 0 for ends of documents."""
        pairs = self._workspace.pairs().copy()  # finding out forgets them
        known = np.empty(len(pairs), dtype=np.int32)
        recall(self._product.address, self._address, known)
        is_open = (known < ix.CLEAN) | (known > ix.LOST)
        is_end = pairs["code"] == at.DONE
        for number in np.flatnonzero(is_open & ~is_end).tolist():
            code, stack, q, *_ = pairs[number].tolist()
            known[number] = self.known(code, stack, q)
        known[is_end] = 0
        found: list[int] = known.tolist()
        return found

    def _look_at_all(self, code: int, stack: int, q: int) -> int:
        """What is known of a pair after looking at all texts."""
        status = self._look(sweep, code, stack, q, min(_SWEEP_BUDGET, self._max_pairs))
        if status == ix.OVER_BUDGET:
            if not any(self._answer(exit_) for exit_ in members(self._summaries.exits(code, stack, q))):
                return ix.LOST
            if not self._summaries.has_captures:
                return ix.CLEAN
            status = self._look(sweep, code, stack, q, self._max_pairs)
        if status == ix.OVER_BUDGET:
            raise undecided(self._max_pairs)
        return self._status_of_found() if status == ix.FOUND else ix.LOST

    def texts(self, code: int, stack: int, q: int) -> Iterator[bytes]:
        """Texts that lead from a pair to the goal if captures are passed without their texts, shortest first.

        Not all: of those that differ only before a pair that they share, one. No other search may run meanwhile.
        """
        self._begin(code, stack, q, self._max_pairs)
        while self._run(sweep) == ix.FOUND:
            head = self._search.head
            last = int(self._workspace.preference[self._search.path[head].cursor])
            yield self._text_to(head) + bytes([last])
            self._search.path[head].cursor += 1  # the same search goes on behind that byte

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
            status = self._look(sweep, code, stack, q, min(_SWEEP_BUDGET, self._max_pairs))
        finally:
            self._answer = answer
            self._search.answers.data[:] = ix.UNKNOWN
        return self._summaries.exits(code, stack, q) if status == ix.OVER_BUDGET else found

    def _look(self, kernel: Callable[..., int | None], code: int, stack: int, q: int, budget: int) -> int:
        self._begin(code, stack, q, budget)
        return self._run(kernel)

    def _begin(self, code: int, stack: int, q: int, budget: int) -> None:
        start(self._address, code, stack, q, budget, int(self._machine.automaton.has_guards))

    def _run(self, kernel: Callable[..., int | None]) -> int:
        """Run a search to its end."""
        machine, product, search = self._machine, self._product, self._search

        def go_on() -> int | None:
            self._fit_answers()
            search.is_guarded = int(machine.automaton.has_guards)
            return kernel(machine.address, product.address, self._address)

        return self._requests.run(go_on)

    def _note_answer(self, q: int) -> None:
        """Find out whether a document may leave a q."""
        self._search.answers.data[q] = ix.YES if self._answer(q) else ix.NO

    def _status_of_found(self) -> int:
        """What is known of the pair where a sweep began that has found an end."""
        entry = self._entry(self._search.head)
        captures: list[int] = []
        if self._last_capture():
            captures.append(self._last_capture())
        while entry.parent >= 0:
            if entry.capture:
                captures.append(entry.capture)
            entry = self._entry(entry.parent)
        is_doubtful = len(set(captures)) < len(captures) or (captures and self._search.is_guarded)
        is_doubtful = is_doubtful or at.VERIFY in captures
        return ix.DOUBTFUL if is_doubtful else ix.CAPTURING if captures else ix.CLEAN

    def _last_capture(self) -> int:
        """The capture of the last byte of what a sweep found: the machine still has it."""
        return self._machine.captured

    def _set(self, code: int, stack: int, q: int, value: int) -> int:
        self._search.known.data["known"][find(self._address, code, stack, q)] = value
        return value

    def _text_to(self, head: int) -> bytes:
        """The bytes that led to an entry of a sweep's queue."""
        text = bytearray()
        entry = self._entry(head)
        while entry.parent >= 0:
            text.append(entry.byte)
            entry = self._entry(entry.parent)
        return bytes(text[::-1])

    def _entry(self, index: int) -> SearchEntry:
        return self._search.path[index]

    def _fit_answers(self) -> None:
        """Let there be an answer for each q."""
        num_states = self._workspace.dfa.num_states
        if num_states > self._num_answers:
            self._num_answers = max(2 * num_states, 64)
            self._search.answers.ensure(self._num_answers)
