"""`LocalStates`: sets of items, each a state of a terminal and what comes after it; made when first met.

The kernels make the states and their rows. What they ask for is made here: what comes at positions of the network, and
the rows of those terminals that Python must make.
"""

from __future__ import annotations

from ..automaton import asking
from ..automaton.requests import Handler, Requests
from ..automaton.vocabulary_tables import VocabularyTables
from ..errors import LimitExceededError
from ..limits import Limits
from ..regex import algebra as lang
from ..rules.expressions import JsonDocument
from ..rules.network import Network
from ..watch import checkpoint
from .contents import Contents
from .entries import entry_after, start_entry
from .gss_nodes import GssNodes
from .positions import Pairs, Positions
from .structs import RuleMachine

_STATES = 256  # for which there is room at first. PERF: a guess
_WORK = 1 << 24  # steps of items, about 10 ms


class LocalStates:
    """The local states of one grammar on one vocabulary.

    content: what each of them is. requests: serves the kernels of the machine; whoever else can adds to `handlers`.
    """

    def __init__(
        self, network: Network, vocabulary_tables: VocabularyTables, machine: RuleMachine, limits: Limits
    ) -> None:
        self.network = network
        self._lazy_dfas = vocabulary_tables.lazy_dfas
        self._machine, self._address, self._states = machine, machine.address, machine.states
        self._positions = Positions(network, vocabulary_tables.lazy_dfas, machine)
        self.gss_nodes = GssNodes(machine)
        most = limits.max_automaton_states
        machine.states.bound(
            most, lambda: LimitExceededError("max_automaton_states", most, "states", "of one grammar's texts")
        )
        for table in (machine.states, machine.rows, machine.row_edges, machine.loops):
            table.ensure(min(_STATES, most))
        machine.actions.ensure(64)
        machine.pushes.ensure(16)
        self.content = Contents(machine)
        self.handlers: dict[int, Handler] = {
            asking.POSITION: lambda asked: self._positions.build(asked.position),
            asking.ROW: lambda asked: self._lazy_dfas.build_row(asked.state),
            asking.PAUSE: lambda _: self._look_at_the_watch(),
        }
        self.requests = Requests(machine.request, self.handlers, limits)
        machine.empty_text = vocabulary_tables.lazy_dfas.state((lang.EMPTY_TEXT,), "text")
        machine.work_left = _WORK

    @property
    def documents(self) -> list[JsonDocument]:
        """By their numbers in `ItemSet`."""
        return self._positions.documents

    @property
    def token_sets(self) -> list[frozenset[int]]:
        """By their numbers in `ItemSet`."""
        return self._positions.token_sets

    def first_of(self, position: int) -> Pairs:
        """(first state, target) of the terminals at a position."""
        return self._positions.terminals(position)

    def frame(self, frame: int) -> list[int]:
        """What a frame keeps: GSS nodes by their labels."""
        return self.content.numbers(frame)

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

    def start(self) -> int:
        """The entry of the empty text."""
        start, is_complete = self.network.starts[self.network.start], int(self.network.is_nullable)
        entry: int = self.requests.run_inside(lambda: start_entry(self._address, start, is_complete))
        return entry

    def after(self, gss_node: int) -> int:
        """The entry of a configuration where a token or a document with that GSS node has ended."""
        entry: int = self.requests.run_inside(lambda: entry_after(self._address, gss_node))
        return entry

    def _look_at_the_watch(self) -> None:
        checkpoint()
        self._machine.work_left = _WORK
