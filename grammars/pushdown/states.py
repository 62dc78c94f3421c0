"""`LocalStates`: sets of threads, each a place inside a terminal and what comes after it; made when first met.

The kernels of `rows` make the states and their rows as far as they can. What they ask for is made here: what goes on
after a continuation, frames to push, what a pop leads to.
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
from ..regex.algebra import Language
from ..rules.expressions import JsonDocument
from ..rules.network import Network
from ..watch import checkpoint
from . import layout as pd
from .collector import Collector, Threads
from .contents import Contents, StateContents
from .continuations import Continuations
from .entries import entry_of

_WORK = 1 << 24  # steps of threads, about 10 ms


class _Relabel:
    """Replaces what comes after recursive calls by labels. kept: what the labels stand for."""

    def __init__(self, continuations: Continuations) -> None:
        self._continuations = continuations
        self._labels: dict[int, int] = {}
        self._known: dict[int, int] = {}

    @property
    def kept(self) -> tuple[int, ...]:
        return tuple(self._labels)

    def __call__(self, continuation: int) -> int:
        return self._continuations.relabelled(continuation, self._label_of, self._known)

    def _label_of(self, continuation: int) -> int:
        return self._labels.setdefault(continuation, len(self._labels))


class LocalStates:
    """The local states of one grammar on one vocabulary. documents, token_sets: by their numbers in `Threads`.

    content: what each of them is. builders: what the kernels may ask for, by number.
    """

    def __init__(self, network: Network, lexicon: Lexicon, block: Block, limits: Limits) -> None:
        self._network = network
        self._lexemes = lexicon.lexemes
        self._limits = limits
        self._address, self._fields = block.address, block.fields
        self._continuations = Continuations(network, block)
        self._contents = Contents(block, self._continuations)
        self._rows = Column(block, pd.P_ROWS, np.int32, 64 * 256)
        self._loops = Column(block, pd.P_LOOPS, np.int64, 64)
        self._table = Column(block, pd.P_STATES, np.int32, 64 * pd.STATE_FIELDS)
        self._action = Column(block, pd.P_ACTIONS, np.int32, 64 * pd.ACTION_FIELDS)
        self.content = StateContents(block, self._table, self._contents)
        self._returns = PairTable(block, pd.P_RETURN_KEYS, pd.P_RETURN_VALUES, pd.P_RETURN_MASK)
        self._pushes = Column(block, pd.P_PUSHES, np.int64, 16 * pd.PUSH_FIELDS)
        self._frame_numbers: dict[tuple[int, ...], int] = {(): 0}
        self.frames: list[tuple[int, ...]] = [()]
        self._first: dict[int, tuple[tuple[int, int], ...]] = {}
        self.documents: list[JsonDocument] = []
        self.token_sets: list[frozenset[int]] = []
        self._document_numbers: dict[JsonDocument, int] = {}
        self._token_numbers: dict[frozenset[int], int] = {}
        self.builders: dict[int, Callable[[int, int], None]] = {
            pd.NEED_RETURN: self.build_return,
            pd.NEED_TERMINAL: lambda state, _: self.build_terminal(state),
            pd.NEED_UNION: self.unite,
            pd.NEED_LEFT: lambda continuation, _: self.leave(continuation),
            pd.NEED_ENTRY: lambda content, _: self.build_entry(content),
            pd.NEED_PUSH: lambda content, _: self.build_push(content),
            pd.NEED_ROOM: self.make_room,
            pd.NEED_PAUSE: lambda _a, _b: self.pause(),
        }
        self._fields[pd.P_STATE_ROOM] = min(64, limits.max_automaton_states)
        self._fields[pd.P_EMPTY_TEXT] = self._first_state(lang.EMPTY_TEXT)
        self._fields[pd.P_KINDS] = address(KINDS)
        self._fields[pd.P_WORK] = _WORK

    def flags(self, state: int) -> int:
        """What a state holds beside threads, as bits HAS_...."""
        return self._contents.flags(int(self._table.data[state * pd.STATE_FIELDS + pd.G_CONTENT]))

    def loops(self, state: int) -> int:
        """The kinds of bytes that leave a state as it is, whose row is made."""
        return int(self._loops.data[state])

    def start(self) -> int:
        """The entry of the empty text."""
        start = self._network.starts[self._network.start]
        collector = Collector(self)
        collector.add_position(start, self._continuations.end)
        if self._network.is_nullable:
            collector.is_complete = True
        return self._entry(self._contents.number(collector.finish()))

    def after(self, continuation: int) -> int:
        """The entry of a place where a token or a document with that continuation has ended."""
        if self._continuations.left(continuation) < 0:
            self.leave(continuation)
        return self._entry(self._continuations.left(continuation))

    def leave(self, continuation: int) -> None:
        """Find what goes on after a continuation."""
        collector = Collector(self)
        collector.leave(continuation)
        self._continuations.set_left(continuation, self._contents.number(collector.finish()))

    def unite(self, first: int, second: int) -> None:
        """Make the union of two continuations."""
        self._continuations.union(first, second)

    def build_terminal(self, state: int) -> None:
        """Make the row of a state of a terminal."""
        self._lexemes.text_row(state)

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
        self._returns.insert(state, frame, self._entry(self._contents.number(collector.finish())))

    def build_push(self, number: int) -> None:
        """Find the frame that is pushed before threads with the continuations of a content, and theirs then."""
        relabel = _Relabel(self._continuations)
        replaced = [relabel(continuation) for _, continuation in self._contents[number].threads]
        place = self._pushes.append(np.array((self._frame(relabel.kept), self._contents.add_numbers(replaced))))
        self._contents.set_entry(number, place // pd.PUSH_FIELDS)

    def build_entry(self, number: int) -> None:
        """Find the frame that is pushed before a content, and the state that it then is."""
        content, relabel = self._contents[number], _Relabel(self._continuations)
        threads, documents, tokens = [
            tuple([(key, relabel(continuation)) for key, continuation in part]) for part in content[:3]
        ]
        shallow = Threads(threads, documents, tokens, (), content.is_complete)
        state, _ = self.entry_state(self._entry(self._contents.number(shallow)))
        place = self._action.append(np.array((self._frame(relabel.kept), state), dtype=np.int32))
        self._contents.set_entry(number, pd.FIRST_ACTION - place // pd.ACTION_FIELDS)

    def _frame(self, kept: tuple[int, ...]) -> int:
        """The number of a frame."""
        frame = self._frame_numbers.get(kept)
        if frame is None:
            frame = self._frame_numbers[kept] = len(self.frames)
            self.frames.append(kept)
        return frame

    def make_room(self, num_threads: int, wants_state: int) -> None:
        """Let there be contents with so many threads, and more states. Raises LimitExceededError."""
        self._contents.make_room(num_threads)
        self._action.ensure(self._action.used + pd.ACTION_FIELDS)
        if wants_state:
            maximum, capacity = self._limits.max_automaton_states, len(self._loops.data)
            if len(self.content) >= maximum:
                raise LimitExceededError("max_automaton_states", maximum, "states", "of one grammar's texts")
            self._rows.ensure(2 * capacity * 256)
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

    def set_segment(self, state: int, segment: int) -> None:
        """Note a segment."""
        self._table.data[state * pd.STATE_FIELDS + pd.G_SEGMENT] = segment

    def _entry(self, content: int) -> int:
        """The entry of a content."""
        entry = int(entry_of(self._address, content))
        while entry == pd.NEED:
            need, a, b = self._fields[at.M_NEED : at.M_NEED + 3].tolist()
            self.builders[need](a, b)
            entry = int(entry_of(self._address, content))
        return entry

    def _first_state(self, language: Language) -> int:
        """The state before a text of a language."""
        return self._lexemes.state((language,), "text")

    def first_of(self, position: int) -> tuple[tuple[int, int], ...]:
        """(first state, target) of the terminals at a position."""
        found = self._first.get(position)
        if found is None:
            terminals = self._network.positions[position].terminals
            found = tuple([(self._first_state(language), target) for language, target in terminals])
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
