"""`LocalStates`: sets of threads, each a place inside a terminal and what comes after it; made when first met.

What is built is published in the columns that the kernels read: rows, frames to push, what a pop leads to.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..automaton.lexicon import Lexicon
from ..automaton.memory import Block, Column
from ..automaton.pair_table import PairTable
from ..automaton.trie import KINDS, ODD, WIDE
from ..errors import LimitExceededError
from ..limits import Limits
from ..rules.expressions import JsonDocument
from ..rules.network import Network
from . import layout as pd
from .collector import Collector, Moved, Threads
from .continuations import Continuations
from .terminals import MUST_END, Run, Terminals

_ALL_KINDS = int(np.bitwise_or.reduce(KINDS))


class LocalStates:
    """The local states of one grammar on one vocabulary. documents, token_sets: by their numbers in `Threads`."""

    def __init__(self, network: Network, lexicon: Lexicon, block: Block, limits: Limits) -> None:
        self._network = network
        self._terminals = Terminals(lexicon.lexemes)
        self._limits = limits
        self._continuations = Continuations(network)
        self._rows = Column(block, pd.P_ROWS, np.int32, 64 * 256)
        self._rows.data[:] = pd.UNBUILT
        self._loops = Column(block, pd.P_LOOPS, np.int64, 64)
        self._table = Column(block, pd.P_STATES, np.int32, 64 * pd.STATE_FIELDS)
        self._action = Column(block, pd.P_ACTIONS, np.int32, 64 * pd.ACTION_FIELDS)
        self._returns = PairTable(block, pd.P_RETURN_KEYS, pd.P_RETURN_VALUES, pd.P_RETURN_MASK)
        self._numbers: dict[Threads, int] = {}
        self.content: list[Threads] = []
        self._actions: dict[tuple[int, int], int] = {}
        self._frame_numbers: dict[tuple[int, ...], int] = {(): 0}
        self.frames: list[tuple[int, ...]] = [()]
        self._settled: dict[Moved, int] = {}
        self._left: dict[int, Threads] = {}
        self._first: dict[int, tuple[tuple[int, int], ...]] = {}
        self.documents: list[JsonDocument] = []
        self.token_sets: list[frozenset[int]] = []
        self._document_numbers: dict[JsonDocument, int] = {}
        self._token_numbers: dict[frozenset[int], int] = {}

    def start(self) -> int:
        """The entry of the empty text."""
        start = self._network.starts[self._network.start]
        collector = Collector(self)
        collector.add_position(start, self._continuations.end)
        if self._network.is_nullable:
            collector.is_complete = True
        return self._entry(collector.finish())

    def after(self, continuation: int) -> int:
        """The entry of a place where a token or a document with that continuation has ended."""
        collector = Collector(self)
        collector.leave(continuation)
        return self._entry(collector.finish())

    def build_row(self, state: int) -> None:
        """Make the row of a local state."""
        threads, settled = self.content[state].threads, self._settled
        known_runs = self._terminals.known_runs
        moves: list[tuple[int, int, Moved]]
        if len(threads) == 1:
            lexeme, continuation = threads[0]
            runs = known_runs.get(lexeme) or self._terminals.runs(lexeme)
            moves = [(first, end, ((target, continuation),)) for first, end, target in runs]
        else:
            moves = self._moves([(known_runs.get(lexeme) or self._terminals.runs(lexeme), c) for lexeme, c in threads])
        entries = []
        for _, _, moved in moves:
            entry = settled.get(moved)
            if entry is None:
                entry = settled[moved] = self._settle(moved)
            entries.append(entry)
        rows, start = self._rows.data, state * 256
        rows[start : start + 256] = pd.DEAD
        for (first, end, _), entry in zip(moves, entries, strict=True):
            rows[start + first : start + end] = entry
        if state in entries:
            self._loops.data[state] = self._loops_of(state, self._rows.data[start : start + 256])

    @staticmethod
    def _moves(threads: list[tuple[tuple[Run, ...], int]]) -> list[tuple[int, int, Moved]]:
        """Runs of bytes (first, last + 1) with what they make of threads, each with its terminal's runs."""
        edges = sorted({edge for runs, _ in threads for run in runs for edge in run[:2]})
        places = {edge: place for place, edge in enumerate(edges)}
        cells: list[list[tuple[int, int]]] = [[] for _ in edges]
        for runs, continuation in threads:
            for first, end, target in runs:
                moved = (target, continuation)
                place, last = places[first], places[end]
                while place < last:
                    cells[place].append(moved)
                    place += 1
        moves: list[tuple[int, int, Moved]] = []
        for place, cell in enumerate(cells):
            if cell:
                if len(cell) > 1:
                    cell.sort()
                moves.append((edges[place], edges[place + 1], tuple(cell)))
        return moves

    def build_return(self, state: int, frame: int) -> None:
        """What a state that returns becomes when a frame is popped."""
        content, kept = self.content[state], self.frames[frame]
        known: dict[int, int] = {}
        replace = self._continuations.substituted
        collector = Collector(self)
        for parts, target in (
            (content.threads, collector.threads),
            (content.documents, collector.documents),
            (content.tokens, collector.tokens),
        ):
            for number, continuation in parts:
                collector.unite(target, number, replace(continuation, kept, known))
        collector.is_complete = content.is_complete
        for label in content.labels:
            collector.leave(kept[label])
        self._returns.insert(state, frame, self._entry(collector.finish()))

    def entry_state(self, entry: int) -> tuple[int, int]:
        """The local state of an entry and the frame that is pushed before, 0 for none."""
        if entry >= 0:
            return entry, 0
        place = (pd.FIRST_ACTION - entry) * pd.ACTION_FIELDS
        return int(self._action.data[place + pd.A_STATE]), int(self._action.data[place + pd.A_FRAME])

    def segment(self, state: int) -> int:
        """The segment of a state; -1 when it is not built."""
        return int(self._table.data[state * pd.STATE_FIELDS + pd.G_SEGMENT])

    def set_segment(self, state: int, segment: int) -> None:
        """Note a segment."""
        self._table.data[state * pd.STATE_FIELDS + pd.G_SEGMENT] = segment

    def _settle(self, moved: Moved) -> int:
        """The entry of what threads have become by a byte."""
        ends, unite = self._terminals.ends, self._continuations.union
        threads: dict[int, int] = {}
        ended: int | None = None
        for lexeme, continuation in moved:
            end = ends[lexeme]
            if end != MUST_END:
                known = threads.get(lexeme)
                threads[lexeme] = continuation if known is None else unite(known, continuation)
            if end:
                ended = continuation if ended is None else unite(ended, continuation)
        if ended is None:  # where no thread was deep before, none is now
            return self._number(Threads(tuple(sorted(threads.items())), (), (), (), False))
        following = self._left.get(ended)
        if following is None:
            collector = Collector(self)
            collector.leave(ended)
            following = self._left[ended] = collector.finish()
        if not threads:
            return self._entry(following)
        for lexeme, continuation in following.threads:
            known = threads.get(lexeme)
            threads[lexeme] = continuation if known is None else unite(known, continuation)
        return self._entry(following._replace(threads=tuple(sorted(threads.items()))))

    def _entry(self, content: Threads) -> int:
        """The entry of a row that leads to threads: frames are pushed, or will be popped, as they need."""
        if content.labels:
            return self._action_of(0, self._number(content))
        if not self._is_deep(content):
            state = self._number(content)
            return self._action_of(0, state) if content.documents else state
        labels: dict[int, int] = {}
        known: dict[int, int] = {}

        def label_of(continuation: int) -> int:
            return labels.setdefault(continuation, len(labels))

        def relabelled(part: Moved) -> Moved:
            relabel = self._continuations.relabelled
            return tuple([(number, relabel(continuation, label_of, known)) for number, continuation in part])

        threads, documents, tokens = (
            relabelled(content.threads),
            relabelled(content.documents),
            relabelled(content.tokens),
        )
        state = self._number(Threads(threads, documents, tokens, (), content.is_complete))
        kept = tuple(labels)
        frame = self._frame_numbers.get(kept)
        if frame is None:
            frame = self._frame_numbers[kept] = len(self.frames)
            self.frames.append(kept)
        return self._action_of(frame, state)

    def _is_deep(self, content: Threads) -> bool:
        """True when a frame must be pushed."""
        is_deep = self._continuations.is_deep
        for part in content[:3]:
            for _, continuation in part:
                if is_deep[continuation]:
                    return True
        return False

    def _action_of(self, frame: int, state: int) -> int:
        action = self._actions.get((frame, state))
        if action is None:
            place = self._action.append(np.array((frame, state), dtype=np.int32))
            action = self._actions[frame, state] = pd.FIRST_ACTION - place // pd.ACTION_FIELDS
        return action

    def _number(self, content: Threads) -> int:
        state = self._numbers.get(content)
        if state is None:
            state = len(self.content)
            if state >= self._limits.max_automaton_states:
                maximum = self._limits.max_automaton_states
                raise LimitExceededError("max_automaton_states", maximum, "states", "of one grammar's texts")
            self._numbers[content] = state
            self.content.append(content)
            if state * 256 >= len(self._rows.data):
                self._grow()
            table, start = self._table.data, state * pd.STATE_FIELDS
            table[start + pd.G_RETURNS] = bool(content.labels)
            table[start + pd.G_COMPLETE] = content.is_complete
            table[start + pd.G_SEGMENT] = -1
            table[start + pd.G_DOCUMENTS] = bool(content.documents)
        return state

    def _grow(self) -> None:
        """Twice the room for local states."""
        capacity = len(self._rows.data) // 256
        self._rows.ensure(2 * capacity * 256)
        self._rows.data[capacity * 256 :] = pd.UNBUILT
        self._table.ensure(2 * capacity * pd.STATE_FIELDS)
        self._loops.ensure(2 * capacity)

    def _loops_of(self, state: int, row: NDArray[np.int32]) -> int:
        """The kinds of bytes that leave a state between characters as it is; 0 inside of one."""
        threads = self.content[state].threads
        if not all(self._terminals.is_between(lexeme) for lexeme, _ in threads):
            return 0
        changed = int(np.bitwise_or.reduce(KINDS[row[:128] != state], initial=0))
        wide, moved = WIDE | ODD, []
        for lexeme, continuation in threads:
            if any(end > 128 for _, end, _ in self._terminals.runs(lexeme)):
                wide &= self._terminals.loops(lexeme)
                moved.append((lexeme, continuation))
        is_same = wide & WIDE and moved and self._settled.get(tuple(moved)) == state
        return _ALL_KINDS & ~changed | (wide if is_same else 0)

    def first_of(self, position: int) -> tuple[tuple[int, int], ...]:
        """(first state, target) of the terminals at a position."""
        found = self._first.get(position)
        if found is None:
            terminals = self._network.positions[position].terminals
            found = tuple([(self._terminals.first(language), target) for language, target in terminals])
            self._first[position] = found
        return found

    def document_number(self, document: JsonDocument) -> int:
        """The number of a document."""
        number = self._document_numbers.setdefault(document, len(self.documents))
        if number == len(self.documents):
            self.documents.append(document)
        return number

    def token_number(self, token_ids: frozenset[int]) -> int:
        """The number of a set of tokens."""
        number = self._token_numbers.setdefault(token_ids, len(self.token_sets))
        if number == len(self.token_sets):
            self.token_sets.append(token_ids)
        return number

    @property
    def network(self) -> Network:
        """What they are states of."""
        return self._network

    @property
    def continuations(self) -> Continuations:
        """Those of the threads."""
        return self._continuations
