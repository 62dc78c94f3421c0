"""`LocalStates`: sets of threads, each a place inside a terminal and what comes after it; made when first met.

The kernels make the states and their rows. What they ask for is made here: what comes at positions of the network, the
rows of terminals, room.
"""

from __future__ import annotations

from collections.abc import Callable

from ..automaton.lexicon import Lexicon
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
from .structs import RuleMachine

_STATES = 256  # for which there is room at first. PERF: a guess
_WORK = 1 << 24  # steps of threads, about 10 ms
_SCRATCH = 256  # numbers of each kind to work with, at first


class LocalStates:
    """The local states of one grammar on one vocabulary.

    content: what each of them is. builders: what the kernels may ask for, by number.
    """

    def __init__(self, network: Network, lexicon: Lexicon, machine: RuleMachine, limits: Limits) -> None:
        self.network = network
        self._lexemes = lexicon.lexemes
        self._limits = limits
        self._machine, self._address, self._states = machine, machine.address, machine.states
        closure, relabelling = machine.closure, machine.relabelling
        of_closures = (closure.threads, closure.rests, closure.reached, closure.waiting)
        of_labels = (relabelling.path, relabelling.ways, relabelling.labels)
        self._scratch = (*of_closures, *of_labels, machine.missing_unions)
        for numbers in self._scratch:
            numbers.ensure(_SCRATCH)
        self._positions = Positions(network, lexicon.lexemes, machine)
        self.continuations = Continuations(machine)
        self._contents = Contents(machine)
        self._of_states = (machine.states, machine.rows, machine.row_edges, machine.loops)
        for table in self._of_states:
            table.ensure(_STATES)
        machine.actions.ensure(64)
        machine.pushes.ensure(16)
        self.content = StateContents(machine, self._contents)
        self.builders: dict[int, Callable[[int, int], None]] = {
            pd.NEED_POSITION: lambda position, _: self._positions.build(position),
            pd.NEED_TERMINAL: lambda state, _: self.build_terminal(state),
            pd.NEED_WAYS: lambda num_ways, _: self.continuations.make_room(num_ways),
            pd.NEED_PAIRS: lambda which, _: self.make_room_for_pairs(which),
            pd.NEED_SCRATCH: lambda size, _: self.make_scratch(size),
            pd.NEED_ROOM: self.make_room,
            pd.NEED_PAUSE: lambda _a, _b: self.pause(),
        }
        machine.state_room = min(_STATES, limits.max_automaton_states)
        machine.empty_text = self._lexemes.state((lang.EMPTY_TEXT,), "text")
        machine.work_left = _WORK

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

    def is_complete(self, state: int) -> bool:
        """True when the text may end in a state."""
        return bool(self._states.data["is_complete"].item(state))

    def is_beside(self, state: int) -> bool:
        """True when JSON documents may begin in a state, or tokens count by their ids."""
        return bool(self._states.data["is_beside"].item(state))

    def mask(self, state: int) -> int:
        """What is known of a state's mask, see `LocalState`."""
        return int(self._states.data["mask"].item(state))

    def set_mask(self, state: int, value: int) -> None:
        """Note what is known of it."""
        self._states.data["mask"][state] = value

    def loops(self, state: int) -> int:
        """The kinds of bytes that leave a state as it is, whose row is made."""
        return int(self._machine.loops.data.item(state))

    def start(self) -> int:
        """The entry of the empty text."""
        start, is_complete = self.network.starts[self.network.start], int(self.network.is_nullable)
        return self._served(lambda: start_entry(self._address, start, is_complete))

    def after(self, continuation: int) -> int:
        """The entry of a place where a token or a document with that continuation has ended."""
        return self._served(lambda: entry_after(self._address, continuation))

    def _served(self, kernel: Callable[[], int]) -> int:
        """What a kernel finds, when all that it asks for is built."""
        found, request = kernel(), self._machine.request
        while found == pd.NEED:
            self.builders[request.need](request.first, request.second)
            found = kernel()
        return int(found)

    def build_terminal(self, state: int) -> None:
        """Make the row of a state of a terminal."""
        self._lexemes.text_row(state)

    def make_scratch(self, size: int) -> None:
        """Let kernels work with so many numbers."""
        for numbers in self._scratch:
            numbers.ensure(2 * size)

    def make_room_for_pairs(self, is_return: int) -> None:
        """Let there be more returns, or unions of continuations."""
        if is_return:
            self._machine.returns.grow()
        else:
            self.continuations.make_room_for_unions()

    def make_room(self, num_numbers: int, wants_state: int) -> None:
        """Let there be contents with so many numbers, and more states. Raises LimitExceededError."""
        machine = self._machine
        self._contents.make_room(num_numbers)
        machine.actions.ensure(machine.actions.used + 1)
        machine.pushes.ensure(machine.pushes.used + 1)
        if wants_state:
            maximum, capacity = self._limits.max_automaton_states, machine.states.capacity
            if len(self.content) >= maximum:
                raise LimitExceededError("max_automaton_states", maximum, "states", "of one grammar's texts")
            for table in self._of_states:
                table.ensure(2 * capacity)
            machine.state_room = min(2 * capacity, maximum)

    def pause(self) -> None:
        """Look at the time."""
        checkpoint()
        self._machine.work_left = _WORK

    def entry_state(self, entry: int) -> tuple[int, int]:
        """The local state of an entry and the frame that is pushed before, 0 for none."""
        if entry >= 0:
            return entry, 0
        action = self._machine.actions[pd.FIRST_ACTION - entry]
        return action.state, action.frame
