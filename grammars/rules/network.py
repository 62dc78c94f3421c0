"""`Network`: a grammar in the machine's form: numbered positions, with edges over terminals and calls of rules.

No rule begins with itself. No rule and no terminal on an edge reads the empty text; a terminal whose language has the
empty text is meant without it. From every position the end of its rule can be reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import GrammarError, LimitExceededError, UnsatisfiableError
from ..limits import Limits
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..regex.charset import CharSet
from ..watch import checkpoint
from .automata import OK, STATE_BITS, STATE_MASK
from .counts import with_counts_apart
from .expressions import JsonDocument, RuleGraph, RuleRef, Terminal
from .numbering import IS_CUT, IS_FINAL, NO_TEXT, number_positions
from .prepare import prepare
from .program import Program, Symbol
from .structs import NetworkWork

START = ""
"""Name of the rule for whole texts. Grammars have no rule with this name: `build_network` adds it."""

_ROOM = 32  # numbers of the kernel's working memory for each node, at first; mostly about 10 are used
_STEPS = 20_000_000  # steps of the kernel before the first look at the time limit: about 0.2 s


class RulePosition(NamedTuple):
    """The edges at one place of a rule. Targets are positions of the same rule.

    terminals: languages.
    calls: rules, by their index in `Network.starts`.
    documents, tokens: as in the grammar.
    is_final: True if the rule may end here.
    is_cut: True for positions after calls that may lie inside a text of the same rule. Only boundedly many positions
        along the calls of a text are no cuts.
    """

    terminals: tuple[tuple[Language, int], ...]
    calls: tuple[tuple[int, int], ...]
    documents: tuple[tuple[JsonDocument, int], ...]
    tokens: tuple[tuple[frozenset[int], int], ...]
    is_final: bool
    is_cut: bool

    @property
    def is_last(self) -> bool:
        """True if the rule can only end here."""
        return self.is_final and not (self.terminals or self.calls or self.documents or self.tokens)


@dataclass(frozen=True, eq=False)
class Network:
    """symbols: number -> the symbol that edges read.
    rules: name -> number; callers come before the rules that they begin with.
    starts: first position of each rule.
    flags, first_edges, edges, parallel: see `structs.NetworkWork`.
    is_nullable: True if the empty text belongs to the grammar.
    may_count: True if long counts are terminals of their own.
    """

    symbols: Sequence[Symbol]
    rules: Mapping[str, int]
    starts: Sequence[int]
    flags: NDArray[np.int64]
    first_edges: NDArray[np.int64]
    edges: NDArray[np.int64]
    parallel: NDArray[np.int64]
    is_nullable: bool
    may_count: bool
    _positions: dict[int, RulePosition] = field(default_factory=dict)

    @property
    def start(self) -> int:
        """The rule of whole texts."""
        return self.rules[START]

    def edges_at(self, position: int) -> list[tuple[int, int]]:
        """Return the edges of a position: numbers of symbols, and the position after each."""
        edges = self.edges[self.first_edges[position] : self.first_edges[position + 1]].tolist()
        return [(edge >> STATE_BITS, edge & STATE_MASK) for edge in edges]

    @property
    def positions(self) -> Iterator[RulePosition]:
        """All positions, each made on first access."""
        return map(self.position, range(len(self.flags)))

    def position(self, number: int) -> RulePosition:
        """Return a position by its number."""
        found = self._positions.get(number)
        if found is None:
            found = self._positions[number] = self._make(number)
        return found

    def _make(self, number: int) -> RulePosition:
        languages: dict[int, list[Language]] = {}
        calls: list[tuple[int, int]] = []
        documents: list[tuple[JsonDocument, int]] = []
        tokens: list[tuple[frozenset[int], int]] = []
        for symbol_number, target in self.edges_at(number):
            symbol = self.symbols[symbol_number]
            if isinstance(symbol, Terminal):
                languages.setdefault(target, []).append(symbol.language)
            elif isinstance(symbol, RuleRef):
                calls.append((self.rules[symbol.name], target))
            elif isinstance(symbol, JsonDocument):
                documents.append((symbol, target))
            else:
                tokens.append((symbol.token_ids, target))
        terminals = [(lang.union(*group), target) for target, group in languages.items()]
        flags = int(self.flags[number])
        is_final, is_cut = bool(flags & IS_FINAL), bool(flags & IS_CUT)
        return RulePosition(tuple(terminals), tuple(calls), tuple(documents), tuple(tokens), is_final, is_cut)


def _number(work: NetworkWork, max_states: int) -> int:
    """Do the work of the kernels, with a checkpoint after each try, and more steps for the next one."""
    steps = _STEPS
    while True:
        work.steps_left = steps
        outcome: int | None = number_positions(work.address, max_states)
        if outcome is not None:
            return outcome
        checkpoint()
        steps *= 2  # the kernel begins again


def build_network(
    graph: RuleGraph, limits: Limits, characters: CharSet | None = None, *, may_count: bool = True
) -> Network:
    """Build the network of a grammar.

    graph: the grammar's rules.
    limits: bounds on its cost.
    characters: characters that texts may contain; None: all.
    may_count: True (default) if the machine that runs it can count (`counts`).

    Raises what `prepare` raises.
    """
    prepared = prepare(graph, limits, characters)
    if START in prepared.rules:
        raise GrammarError("a rule has an empty name; name it")
    rules = {**prepared.rules, START: prepared.start}
    program = Program(with_counts_apart(rules) if may_count else rules)
    symbols, max_states = program.symbol_structs(limits), limits.max_automaton_states
    work = NetworkWork(program.nodes, program.roots, symbols, _ROOM * len(program.nodes))
    outcome = _number(work, max_states)
    is_nullable = bool(work.is_nullable[len(program.names) - 1])
    if outcome == NO_TEXT and not is_nullable:
        raise UnsatisfiableError("no text belongs to this grammar")
    if outcome == NO_TEXT:
        none = np.zeros(2, np.int64)
        return Network((), {START: 0}, (0,), none[:1], none, none[:0], none[:0], True, may_count)
    if outcome != OK:
        where = f"of rule {program.names[work.rule]!r}" if program.names[work.rule] else "of the grammar"
        where += " without its left recursion" * work.is_unrolling
        raise LimitExceededError("max_automaton_states", max_states, "states", where)
    order, starts, flags, first_edges, edges, parallel = [
        work.arena.copy_of(part)
        for part in (work.order, work.starts, work.flags, work.first_edge, work.edges, work.parallel)
    ]
    numbers = {program.names[rule]: place for place, rule in enumerate(order.tolist())}
    found = (starts.tolist(), flags, first_edges, edges, parallel, is_nullable, may_count)
    return Network(program.symbols, numbers, *found)
