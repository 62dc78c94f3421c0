"""`RuleAutomaton`: the texts of one rule but the empty one, as an automaton over terminals and calls of rules.

No edge reads the empty text: where a rule or a terminal may be empty, another edge goes around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ..errors import LimitExceededError
from .expressions import Choice, Expression, JsonDocument, Repeat, RuleRef, Sequence, Terminal, TokenRef

Symbol = Terminal | RuleRef | JsonDocument | TokenRef
Edge = tuple[Symbol, int]


@dataclass
class RuleAutomaton:
    """State 0 is the first one, which no edge leads to. edges: per state. finals: states in which a text may end."""

    edges: list[list[Edge]]
    finals: set[int]


@dataclass
class Sketch:
    """An automaton being drawn, in which steps without text are still there."""

    max_states: int
    detail: str
    edges: list[list[Edge]] = field(default_factory=list)
    skips: list[list[int]] = field(default_factory=list)

    def new_state(self) -> int:
        """Another state. Raises LimitExceededError."""
        if len(self.edges) >= self.max_states:
            raise LimitExceededError("max_automaton_states", self.max_states, "states", self.detail)
        self.edges.append([])
        self.skips.append([])
        return len(self.edges) - 1

    def draw(self, expression: Expression, start: int, end: int) -> None:
        """Let the texts of an expression lead from a state to another."""
        match expression:
            case Sequence(parts):
                for part in parts[:-1]:
                    middle = self.new_state()
                    self.draw(part, start, middle)
                    start = middle
                self.draw(parts[-1], start, end)
            case Choice(options):
                for option in options:
                    self.draw(option, start, end)
            case Repeat(child, low, high):
                self._draw_repeat(child, low, high, start, end)
            case _:
                self.edges[start].append((expression, end))

    def _draw_repeat(self, child: Expression, low: int, high: int | None, start: int, end: int) -> None:
        for _ in range(low):
            following = self.new_state()
            self.draw(child, start, following)
            start = following
        if high is None:
            loop = self.new_state()
            self.skips[start].append(loop)
            self.draw(child, loop, loop)
            start = loop
        else:
            for _ in range(high - low):
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
                if target not in numbers:
                    numbers[target] = len(automaton.edges)
                    closure = self._closure(target)
                    if not ends.isdisjoint(closure):
                        automaton.finals.add(numbers[target])
                    automaton.edges.append(self._edges_from(closure))
                    waiting.append(automaton.edges[-1])
                edges[place] = (symbol, numbers[target])
        return automaton

    def _closure(self, state: int) -> list[int]:
        """The states that are reached without text, itself included."""
        found = {state: None}
        waiting = [state]
        while waiting:
            for target in self.skips[waiting.pop()]:
                if target not in found:
                    found[target] = None
                    waiting.append(target)
        return list(found)

    def _edges_from(self, states: Iterable[int]) -> list[Edge]:
        return list(dict.fromkeys([edge for state in states for edge in self.edges[state]]))


def trimmed(automaton: RuleAutomaton, has_text: Callable[[Symbol], bool]) -> RuleAutomaton:
    """Without the states and edges that no text of the rule uses, and with equal states made one.

    has_text: whether a symbol has a text that is not empty.
    """
    edges = [[edge for edge in group if has_text(edge[0])] for group in automaton.edges]
    before: list[list[int]] = [[] for _ in edges]
    for state, group in enumerate(edges):
        for _, target in group:
            before[target].append(state)
    alive = set(automaton.finals)
    waiting = list(alive)
    while waiting:
        for state in before[waiting.pop()]:
            if state not in alive:
                alive.add(state)
                waiting.append(state)
    edges = [[edge for edge in group if edge[1] in alive] for group in edges]
    return _reached(_merged(RuleAutomaton(edges, automaton.finals)))


def _merged(automaton: RuleAutomaton) -> RuleAutomaton:
    """Equal states made one: those that are both final or both not, with the same edges."""
    edges, finals = automaton.edges, automaton.finals
    while True:
        first: dict[tuple[bool, frozenset[Edge]], int] = {}
        same = [0] + [
            first.setdefault((state in finals, frozenset(edges[state])), state) for state in range(1, len(edges))
        ]
        if all(other == state for state, other in enumerate(same) if edges[state] or state in finals):
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
