"""`LocalStates`: sets of items, each a state of a terminal and what comes after it; made when first met.

The kernels make the states and their rows. What they ask for is made here: what comes at positions of the network, and
the rows of those terminals that Python must make. Who looks at states from above reads here what they are made of.

What comes after the text being read is a GSS node, a set of GSS edges. An edge is a position of the network, to be read
to the end of its rule, with the GSS node after that; or END (the whole text is complete); or a label: what the frame on
top of the stack keeps under that number. Each position occurs once in a set: what comes after it is united, which is
the same language.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import LimitExceededError
from ...limits import Limits
from ...regex import algebra as lang
from ...rules.expressions import JsonDocument, TokenRef
from ...rules.network import Network
from ...watch import checkpoint
from .. import layout as at
from ..requests import Requests
from ..vocabulary_tables import VocabularyTables
from . import layout as pd
from .entries import entry_after, start_entry
from .gss_edges import add_end
from .numbers import add_nothing
from .positions import Pairs, Positions
from .structs import Rules

_STATES = 512  # for which there is room at first. PERF: a guess
_WORK = 1 << 24  # steps of items, about 10 ms


class ItemSet(NamedTuple):
    """A local state. items: (state of a terminal, with the bits of layout.py, GSS node); documents: (number of a
    symbol, GSS node) of JSON documents that may begin; tokens: the same of sets of tokens. labels: the frame's GSS
    nodes that go on here. All ascend.

    is_complete: the text may end here.
    """

    items: Pairs
    documents: Pairs
    tokens: Pairs
    labels: tuple[int, ...]
    is_complete: bool


class LocalStates:
    """The local states of one grammar on one vocabulary."""

    def __init__(
        self, network: Network, vocabulary_tables: VocabularyTables, rules: Rules, requests: Requests, limits: Limits
    ) -> None:
        self.network = network
        self._rules, self._address, self._states = rules, rules.address, rules.states
        self._requests = requests
        self._item_sets: dict[int, ItemSet] = {}
        self.positions = Positions(network, vocabulary_tables.lazy_dfas, rules)
        most = limits.max_automaton_states
        rules.states.bound(
            most, lambda: LimitExceededError("max_automaton_states", most, "states", "of one grammar's texts")
        )
        for table in (rules.states, rules.row_edges, rules.loops):
            table.ensure(min(_STATES, most))
        rules.rows.replace(np.empty(min(_STATES, most), rules.rows.dtype))
        end, nothing = add_end(rules.address), add_nothing(rules.address)
        assert (end, nothing) == (pd.END, 0)
        rules.empty_text = vocabulary_tables.lazy_dfas.state((lang.EMPTY_TEXT,), "text")
        rules.work_left = _WORK

    def __len__(self) -> int:
        return self._states.used

    def item_set(self, state: int) -> ItemSet:
        """What a local state is."""
        known = self._item_sets.get(state)
        if known is None:
            known = self._item_sets[state] = self._item_set_of(self._states.data["content"].item(state))
        return known

    def _item_set_of(self, content: int) -> ItemSet:
        """A content as a local state."""
        beside: dict[int, list[tuple[int, int]]] = {}
        for number in self.numbers(self._rules.contents.data["rest"].item(content)):
            pair = (number >> 32 & pd.NUMBER_BITS, number & at.MASK32)
            beside.setdefault(number >> pd.KIND_SHIFT, []).append(pair)
        return ItemSet(
            tuple([(item >> 32, item & at.MASK32) for item in self.numbers(content)]),
            tuple(beside.get(pd.DOCUMENT, ())),
            tuple(beside.get(pd.TOKENS, ())),
            tuple([label for label, _ in beside.get(pd.LABEL, ())]),
            pd.COMPLETE in beside,
        )

    def document(self, number: int) -> JsonDocument:
        """A document by its number in an `ItemSet`."""
        symbol = self.network.symbols[number]
        assert isinstance(symbol, JsonDocument)
        return symbol

    def token_ids(self, number: int) -> frozenset[int]:
        """A set of tokens by its number in an `ItemSet`."""
        symbol = self.network.symbols[number]
        assert isinstance(symbol, TokenRef)
        return symbol.token_ids

    def numbers(self, content: int) -> list[int]:
        """The numbers of a content. Those of a frame are the GSS nodes that it keeps, by their labels."""
        contents = self._rules.contents.data
        first, count = contents["first"].item(content), contents["count"].item(content)
        numbers: list[int] = self._rules.numbers.data[first : first + count].tolist()
        return numbers

    @property
    def num_gss_nodes(self) -> int:
        """How many GSS nodes there are. Their numbers are below; 0 is {END}."""
        return self._rules.gss_nodes.used

    def gss_edges(self, gss_node: int) -> Pairs:
        """(position, GSS node after its rule), ascending; END and labels are negative, with a 0 without meaning."""
        gss_nodes = self._rules.gss_nodes.data
        first, count = gss_nodes["first"].item(gss_node), gss_nodes["count"].item(gss_node)
        numbers = self._rules.gss_edges.data[first : first + count].tolist()
        return tuple([(number >> 32, number & at.MASK32) for number in numbers])

    def is_beside(self, state: int) -> bool:
        """True when JSON documents may begin in a state, or tokens count by their ids."""
        return bool(self._states.data["is_beside"].item(state))

    def start(self) -> int:
        """The entry of the empty text."""
        start, is_complete = self.network.starts[self.network.start], int(self.network.is_nullable)
        entry: int = self._requests.run_inside(lambda: start_entry(self._address, start, is_complete))
        return entry

    def after(self, gss_node: int) -> int:
        """The entry of a configuration where a token or a document with that GSS node has ended."""
        entry: int = self._requests.run_inside(lambda: entry_after(self._address, gss_node))
        return entry

    def make_terminals(self) -> None:
        """Make the first states of terminals that a closure asks for."""
        self.positions.make_terminals(self._rules.closure.missing.in_use.tolist())

    def look_at_the_watch(self) -> None:
        """Closures ask for it, now and then."""
        checkpoint()
        self._rules.work_left = _WORK
