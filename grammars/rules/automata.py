"""`RuleAutomaton`: the texts of one rule but the empty one, as an automaton over terminals and calls of rules.

No edge reads the empty text: where a rule or a terminal may be empty, another edge goes around it. What edges read is
numbered by an `Alphabet`, which all rules of a grammar share.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Set
from dataclasses import dataclass, field

from ..errors import LimitExceededError
from .expressions import Choice, Expression, JsonDocument, Repeat, RuleRef, Sequence, Terminal, TokenRef

Symbol = Terminal | RuleRef | JsonDocument | TokenRef
Edge = tuple[int, int]
"""Number of a symbol, and the state after it."""


class Alphabet:
    """What the edges of a grammar's rules read, by numbers.

    symbols: by number. called: the name of the rule that a symbol calls; None where it calls none. is_terminal: whether
    it is a Terminal. is_nullable: whether it has the empty text. nullable: the rules that have it.
    """

    def __init__(self, nullable: Set[str]) -> None:
        self.symbols: list[Symbol] = []
        self.called: list[str | None] = []
        self.is_terminal: list[bool] = []
        self.is_nullable: list[bool] = []
        self._nullable = nullable
        self._numbers: dict[Hashable, int] = {}

    def number(self, symbol: Symbol) -> int:
        """The number of a symbol, which is new if it was not there."""
        kind = type(symbol)
        key: Hashable = symbol
        if kind is Terminal:
            key = symbol.language  # type: ignore[union-attr]
        elif kind is RuleRef:
            key = symbol.name  # type: ignore[union-attr]
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.symbols)
            self.symbols.append(symbol)
            self.called.append(symbol.name if isinstance(symbol, RuleRef) else None)
            self.is_terminal.append(isinstance(symbol, Terminal))
            self.is_nullable.append(self._has_empty(symbol))
        return number

    def _has_empty(self, symbol: Symbol) -> bool:
        if isinstance(symbol, Terminal):
            return symbol.language.nullable
        return isinstance(symbol, RuleRef) and symbol.name in self._nullable


@dataclass(slots=True)
class RuleAutomaton:
    """State 0 is the first one, which no edge leads to. edges: per state. finals: states in which a text may end."""

    edges: list[list[Edge]]
    finals: set[int]

    def first_calls(self, alphabet: Alphabet) -> list[str]:
        """The rules that this one can begin with."""
        called = alphabet.called
        return [name for symbol, _ in self.edges[0] if (name := called[symbol]) is not None]


@dataclass(slots=True)
class Sketch:
    """An automaton being drawn, in which steps without text are still there."""

    alphabet: Alphabet
    max_states: int
    detail: str
    edges: list[list[Edge]] = field(default_factory=list)
    skips: list[list[int]] = field(default_factory=list)

    def new_state(self) -> int:
        """Another state. Raises LimitExceededError."""
        state = len(self.edges)
        if state >= self.max_states:
            raise LimitExceededError("max_automaton_states", self.max_states, "states", self.detail)
        self.edges.append([])
        self.skips.append([])
        return state

    def draw(self, expression: Expression, start: int, end: int) -> None:
        """Let the texts of an expression lead from a state to another."""
        if isinstance(expression, Sequence):
            for part in expression.parts[:-1]:
                middle = self.new_state()
                self.draw(part, start, middle)
                start = middle
            self.draw(expression.parts[-1], start, end)
        elif isinstance(expression, Choice):
            for option in expression.options:
                self.draw(option, start, end)
        elif isinstance(expression, Repeat):
            self._draw_repeat(expression, start, end)
        else:
            symbol = self.alphabet.number(expression)
            self.edges[start].append((symbol, end))
            if self.alphabet.is_nullable[symbol]:
                self.skips[start].append(end)

    def _draw_repeat(self, repeat: Repeat, start: int, end: int) -> None:
        child = repeat.child
        for _ in range(repeat.low):
            following = self.new_state()
            self.draw(child, start, following)
            start = following
        if repeat.high is None:
            loop = self.new_state()
            self.skips[start].append(loop)
            self.draw(child, loop, loop)
            start = loop
        else:
            for _ in range(repeat.high - repeat.low):
                self.skips[start].append(end)
                following = self.new_state()
                self.draw(child, start, following)
                start = following
        self.skips[start].append(end)

    def without_skips(self, start: int, finals: Iterable[int]) -> RuleAutomaton:
        """The automaton, where `start` becomes a new first state that is not final."""
        ends = set(finals)
        numbers: dict[int, int] = {}
        automaton = RuleAutomaton([self._edges_from(self._closure(start))], set())
        waiting = [automaton.edges[0]]
        num_edges = 0
        while waiting:
            edges = waiting.pop()
            num_edges += len(edges)
            if num_edges > 10 * self.max_states:
                raise LimitExceededError("max_automaton_states", self.max_states, "states", self.detail)
            for place, (symbol, target) in enumerate(edges):
                number = numbers.get(target)
                if number is None:
                    number = numbers[target] = len(automaton.edges)
                    closure = self._closure(target)
                    if not ends.isdisjoint(closure):
                        automaton.finals.add(number)
                    automaton.edges.append(self._edges_from(closure))
                    waiting.append(automaton.edges[-1])
                edges[place] = (symbol, number)
        return automaton

    def _closure(self, state: int) -> list[int]:
        """The states that are reached without text, itself included."""
        if not self.skips[state]:
            return [state]
        found = {state: None}
        waiting = [state]
        while waiting:
            for target in self.skips[waiting.pop()]:
                if target not in found:
                    found[target] = None
                    waiting.append(target)
        return list(found)

    def _edges_from(self, states: list[int]) -> list[Edge]:
        if len(states) == 1:
            return list(dict.fromkeys(self.edges[states[0]]))
        return list(dict.fromkeys([edge for state in states for edge in self.edges[state]]))


def trimmed(automaton: RuleAutomaton, without: Set[int] = frozenset()) -> RuleAutomaton:
    """Without the states and edges that no text of the rule uses, and with equal states made one.

    without: symbols that have no text, or none but the empty one.
    """
    edges = automaton.edges
    if without and any(edge[0] in without for group in edges for edge in group):
        edges = _alive([[edge for edge in group if edge[0] not in without] for group in edges], automaton.finals)
    merged = _merged(RuleAutomaton(edges, automaton.finals))
    if merged.edges is automaton.edges and len({target for group in edges for _, target in group}) == len(edges) - 1:
        return automaton
    return _reached(merged)


def _alive(edges: list[list[Edge]], finals: set[int]) -> list[list[Edge]]:
    """The edges to states from which a text can end."""
    before: list[list[int]] = [[] for _ in edges]
    for state, group in enumerate(edges):
        for _, target in group:
            before[target].append(state)
    alive = set(finals)
    waiting = list(alive)
    while waiting:
        for state in before[waiting.pop()]:
            if state not in alive:
                alive.add(state)
                waiting.append(state)
    return [[edge for edge in group if edge[1] in alive] for group in edges]


def _merged(automaton: RuleAutomaton) -> RuleAutomaton:
    """Equal states made one: those that are both final or both not, with the same edges."""
    edges, finals = automaton.edges, automaton.finals
    while True:
        first: dict[tuple[bool, frozenset[Edge]], int] = {}
        same = [0]
        for state in range(1, len(edges)):
            same.append(first.setdefault((state in finals, frozenset(edges[state])), state))
        if len(first) == len(edges) - 1:
            return RuleAutomaton(edges, finals)
        merged = [list(dict.fromkeys([(symbol, same[target]) for symbol, target in group])) for group in edges]
        if merged == edges:
            return RuleAutomaton(edges, finals)
        edges = merged


def _reached(automaton: RuleAutomaton) -> RuleAutomaton:
    """Only the states that the first one reaches, numbered anew."""
    numbers = {0: 0}
    order = [0]
    for state in order:
        for _, target in automaton.edges[state]:
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
    edges = [[(symbol, numbers[target]) for symbol, target in automaton.edges[state]] for state in order]
    return RuleAutomaton(edges, {numbers[state] for state in automaton.finals if state in numbers})
