"""`Network`: a grammar as the machine runs it: numbered positions, with edges over terminals and calls of rules.

No rule begins with itself, no rule and no terminal on an edge reads the empty text (a terminal whose language has it is
meant without), and from every position the end of its rule can be reached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..errors import GrammarError, LimitExceededError, UnsatisfiableError
from ..limits import Limits
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..regex.charset import CharSet
from .automata import OK, STATE_BITS, STATE_MASK
from .expressions import JsonDocument, RuleGraph, RuleRef, Terminal
from .numbering import IS_CUT, IS_FINAL, NO_TEXT, number_positions
from .prepare import prepare
from .program import Program, Symbol
from .structs import Work

START = ""
"""The name of the rule that a whole text is of. No rule of a grammar has it: `build_network` adds it."""

_ROOM = 128  # numbers of the kernel's work for a node, at first; mostly some 40 are used


class Position(NamedTuple):
    """What may come at one place of a rule. Targets are positions of the same rule.

    terminals: languages; calls: rules, by their place in `Network.starts`; documents, tokens: as in the grammar.
    is_final: the rule may end here. is_cut: where a call returns to that may lie
    inside a text of the same rule; along the calls of a text, all but boundedly many of the positions are such.
    """

    terminals: tuple[tuple[Language, int], ...]
    calls: tuple[tuple[int, int], ...]
    documents: tuple[tuple[JsonDocument, int], ...]
    tokens: tuple[tuple[frozenset[int], int], ...]
    is_final: bool
    is_cut: bool

    @property
    def is_last(self) -> bool:
        """True when the rule can only end here."""
        return self.is_final and not (self.terminals or self.calls or self.documents or self.tokens)


class Positions(Sequence[Position]):
    """Positions by number, each made when it is first asked for.

    flags: of each as bits IS_FINAL, IS_LAST, IS_CUT. first_edges, edges: see `structs.Work`. symbols: by number.
    rules: names of rules -> their places in `Network.starts`.
    """

    def __init__(
        self,
        flags: list[int],
        first_edges: list[int],
        edges: list[int],
        symbols: list[Symbol],
        rules: Mapping[str, int],
    ) -> None:
        self.flags = flags
        self._first_edges, self._edges = first_edges, edges
        self._symbols, self._rules = symbols, rules
        self._made: dict[int, Position] = {}

    def __len__(self) -> int:
        return len(self.flags)

    def __getitem__(self, number: Any) -> Any:
        position = self._made.get(number)
        if position is None:
            if not 0 <= number < len(self):
                raise IndexError(number)
            position = self._made[number] = self._make(number)
        return position

    def edges(self, number: int) -> list[tuple[int, int]]:
        """The edges of a position: numbers of symbols, and the position after each."""
        edges = self._edges[self._first_edges[number] : self._first_edges[number + 1]]
        return [(edge >> STATE_BITS, edge & STATE_MASK) for edge in edges]

    def _make(self, number: int) -> Position:
        languages: dict[int, list[Language]] = {}
        calls: list[tuple[int, int]] = []
        documents: list[tuple[JsonDocument, int]] = []
        tokens: list[tuple[frozenset[int], int]] = []
        for symbol_number, target in self.edges(number):
            symbol = self._symbols[symbol_number]
            if isinstance(symbol, Terminal):
                languages.setdefault(target, []).append(symbol.language)
            elif isinstance(symbol, RuleRef):
                calls.append((self._rules[symbol.name], target))
            elif isinstance(symbol, JsonDocument):
                documents.append((symbol, target))
            else:
                tokens.append((symbol.token_ids, target))
        terminals = [
            (group[0] if len(group) == 1 else lang.union(*group), target) for target, group in languages.items()
        ]
        flags = self.flags[number]
        is_final, is_cut = bool(flags & IS_FINAL), bool(flags & IS_CUT)
        return Position(tuple(terminals), tuple(calls), tuple(documents), tuple(tokens), is_final, is_cut)


@dataclass(frozen=True)
class Network:
    """positions: of all rules. starts: the first position of each rule, callers before the rules they begin with.

    names: of the rules. start: the rule of whole texts. is_nullable: the empty text belongs to the grammar.
    """

    positions: Positions
    starts: tuple[int, ...]
    names: tuple[str, ...]
    start: int
    is_nullable: bool


def build_network(graph: RuleGraph, limits: Limits, characters: CharSet | None = None) -> Network:
    """The network of a grammar. characters: those that texts may hold; None: all. Raises what `prepare` raises."""
    prepared = prepare(graph, limits, characters)
    if START in prepared.rules:
        raise GrammarError("a rule has an empty name; name it")
    program = Program({**prepared.rules, START: prepared.start})
    symbols, max_states = program.symbol_structs(limits), limits.max_automaton_states
    work = Work(program.nodes, program.roots, symbols, _ROOM * len(program.nodes))
    outcome = number_positions(work.address, max_states)
    is_nullable = bool(work.is_nullable[len(program.names) - 1])
    if outcome == NO_TEXT and not is_nullable:
        raise UnsatisfiableError("no text belongs to this grammar")
    if outcome == NO_TEXT:
        return Network(Positions([0], [0, 0], [], [], {}), (0,), (START,), 0, True)
    if outcome != OK:
        where = f"of rule {program.names[work.rule]!r}" if program.names[work.rule] else "of the grammar"
        where += " without its left recursion" * work.is_unrolling
        raise LimitExceededError("max_automaton_states", max_states, "states", where)
    list_of = work.arena.list_of
    names = [program.names[rule] for rule in list_of(work.order)]
    rules = {name: place for place, name in enumerate(names)}
    flags, first_edges, edges = list_of(work.flags), list_of(work.first_edge), list_of(work.edges)
    positions = Positions(flags, first_edges, edges, program.symbols, rules)
    return Network(positions, tuple(list_of(work.starts)), tuple(names), rules[START], is_nullable)
