"""`LocalStates`: sets of items, each a state of a terminal and the GSS node after it; made when first met.

The kernels make the states and their rows. This class serves their requests: the closures at positions of the network,
and rows of terminals that Python must make. Other modules read here which items a state has.

A GSS node describes the text after the current terminal, as a set of GSS edges. There are three kinds of edges. A
position of the network with a GSS node: the rest of the position's rule, then what the node describes. END: the whole
text is complete. A label: the GSS node that the top frame of the stack keeps under that number. Each position occurs
once in a set: the nodes after it are united, which gives the same language.
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
from .positions import Pairs, RulePositions
from .structs import Rules

_STATES = 512  # number of states with room at first. PERF: a guess
_WORK = 1 << 24  # steps of items, about 10 ms


class LocalItems(NamedTuple):
    """A local state, taken apart. All pairs are in ascending order.

    items: pairs (state of a terminal, with the bits of layout.py; GSS node).
    documents: pairs (number of a symbol, GSS node) of JSON documents that may begin.
    tokens: pairs (number of a symbol, GSS node) of sets of tokens that the grammar names by id.
    labels: labels of the frame's GSS nodes that go on here.
    is_complete: True if the text may end here.
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
        self._item_sets: dict[int, LocalItems] = {}
        self.positions = RulePositions(network, vocabulary_tables.lazy_dfas, rules)
        most = limits.max_automaton_states
        rules.states.bound(
            lambda: most, lambda: LimitExceededError("max_automaton_states", most, "states", "of one grammar's texts")
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

    def item_set(self, state: int) -> LocalItems:
        """Return the parts of a local state."""
        known = self._item_sets.get(state)
        if known is None:
            known = self._item_sets[state] = self._item_set_of(self._states.data["content"].item(state))
        return known

    def _item_set_of(self, content: int) -> LocalItems:
        """Return the parts of a content that is a local state."""
        beside: dict[int, list[tuple[int, int]]] = {}
        for number in self.numbers(self._rules.contents.data["rest"].item(content)):
            pair = (number >> 32 & pd.NUMBER_BITS, number & at.MASK32)
            beside.setdefault(number >> pd.KIND_SHIFT, []).append(pair)
        return LocalItems(
            tuple([(item >> 32, item & at.MASK32) for item in self.numbers(content)]),
            tuple(beside.get(pd.DOCUMENT, ())),
            tuple(beside.get(pd.TOKENS, ())),
            tuple([label for label, _ in beside.get(pd.LABEL, ())]),
            pd.COMPLETE in beside,
        )

    def document(self, number: int) -> JsonDocument:
        """Return a document by its number in an `LocalItems`."""
        symbol = self.network.symbols[number]
        assert isinstance(symbol, JsonDocument)
        return symbol

    def token_ids(self, number: int) -> frozenset[int]:
        """Return a set of tokens by its number in an `LocalItems`."""
        symbol = self.network.symbols[number]
        assert isinstance(symbol, TokenRef)
        return symbol.token_ids

    def numbers(self, content: int) -> list[int]:
        """Return the numbers of a content. The numbers of a frame are the GSS nodes that it keeps, by their labels."""
        contents = self._rules.contents.data
        first, count = contents["first"].item(content), contents["count"].item(content)
        numbers: list[int] = self._rules.numbers.data[first : first + count].tolist()
        return numbers

    @property
    def num_gss_nodes(self) -> int:
        """Number of GSS nodes; their numbers are 0 to this number - 1. GSS node 0 is {END}."""
        return self._rules.gss_nodes.used

    def gss_edges(self, gss_node: int) -> Pairs:
        """Return pairs (position, GSS node after its rule), ascending. END and labels are negative, with a meaningless
        0.
        """
        gss_nodes = self._rules.gss_nodes.data
        first, count = gss_nodes["first"].item(gss_node), gss_nodes["count"].item(gss_node)
        numbers = self._rules.gss_edges.data[first : first + count].tolist()
        return tuple([(number >> 32, number & at.MASK32) for number in numbers])

    def is_beside(self, state: int) -> bool:
        """Return True if a JSON document or other text may begin in a state, or the grammar names a token by its id."""
        return bool(self._states.data["is_beside"].item(state))

    def start(self) -> int:
        """Return the entry of the empty text."""
        start, is_complete = self.network.starts[self.network.start], int(self.network.is_nullable)
        entry: int = self._requests.run_inside(lambda: start_entry(self._address, start, is_complete))
        return entry

    def after(self, gss_node: int) -> int:
        """Return the entry of the configuration after a token or document that a GSS node follows."""
        entry: int = self._requests.run_inside(lambda: entry_after(self._address, gss_node))
        return entry

    def make_terminals(self) -> None:
        """Make the first states of the terminals that a closure asked for."""
        self.positions.make_terminals(self._rules.closure.missing.in_use.tolist())

    def look_at_the_watch(self) -> None:
        """Check the time limit; kernels ask for this now and then."""
        checkpoint()
        self._rules.work_left = _WORK
