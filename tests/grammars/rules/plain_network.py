"""What the kernels of `rules` do, with sets and dictionaries: the network of rules that are prepared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from guided.grammars.memory.components import components
from guided.grammars.rules.expressions import Choice, CountedRepeat, Expression, RuleRef, Sequence, Terminal
from guided.grammars.rules.program import Symbol

Edge = tuple[int, int]
"""Number of a symbol, and the state after it."""

PlainPosition = tuple[tuple[Edge, ...], bool, bool]
"""Edges to positions, is_final, is_cut."""


@dataclass
class Automaton:
    """edges: of each state; finals: states in which a text may end."""

    edges: list[list[Edge]]
    finals: set[int]

    def is_last(self, state: int) -> bool:
        return state in self.finals and not self.edges[state]


@dataclass
class Sketch:
    """An automaton in which steps without text are still there."""

    edges: list[list[Edge]] = field(default_factory=list)
    skips: list[list[int]] = field(default_factory=list)

    def new_state(self) -> int:
        self.edges.append([])
        self.skips.append([])
        return len(self.edges) - 1


class PlainNetwork:
    """rules: prepared ones, the start last. symbols: what edges read. dead: terminals that have no text but the empty
    one. positions: PlainPositions or, where there is no text but the empty one, nothing."""

    def __init__(self, rules: Mapping[str, Expression], symbols: list[Symbol], dead: set[int]) -> None:
        self._rules, self._symbols, self._dead = rules, symbols, set(dead)
        self._names = list(rules)
        self._nullable = self._find_nullable()
        self.is_nullable = self._names[-1] in self._nullable
        self.positions: list[PlainPosition] = []
        self.starts: list[int] = []
        self.names: list[str] = []
        automata = {name: self._drawn(rule) for name, rule in rules.items()}
        self._drop_dead(automata)
        if automata[self._names[-1]].finals:
            automata = {name: self._unrolled(name, automata) for name in self._names}
            automata = {name: self._looped(name, automaton) for name, automaton in automata.items()}
            self._number(automata)

    def called(self, symbol: int) -> str | None:
        """The rule that a symbol calls."""
        found = self._symbols[symbol]
        return found.name if isinstance(found, RuleRef) else None

    def _find_nullable(self) -> set[str]:
        found: set[str] = set()
        while True:
            more = {name for name, rule in self._rules.items() if _is_nullable(rule, found)}
            if more == found:
                return found
            found = more

    def _drawn(self, rule: Expression) -> Automaton:
        sketch = Sketch()
        start, end = sketch.new_state(), sketch.new_state()
        self._draw(sketch, rule, start, end)
        return _without_skips(sketch, start, end)

    def _draw(self, sketch: Sketch, expression: Expression, start: int, end: int) -> None:
        tasks = []
        if isinstance(expression, Sequence):
            for part in expression.parts[:-1]:
                tasks.append((part, start, sketch.new_state()))
                start = tasks[-1][2]
            tasks.append((expression.parts[-1], start, end))
        elif isinstance(expression, Choice):
            tasks = [(option, start, end) for option in expression.options]
        elif isinstance(expression, CountedRepeat):
            for _ in range(expression.low):
                tasks.append((expression.child, start, sketch.new_state()))
                start = tasks[-1][2]
            if expression.high is None:
                sketch.skips[start].append(sketch.new_state())
                start = sketch.skips[start][-1]
                tasks.append((expression.child, start, start))
            else:
                for _ in range(expression.high - expression.low):
                    sketch.skips[start].append(end)
                    tasks.append((expression.child, start, sketch.new_state()))
                    start = tasks[-1][2]
            sketch.skips[start].append(end)
        else:
            sketch.edges[start].append((self._symbols.index(expression), end))
            if _is_nullable(expression, self._nullable):
                sketch.skips[start].append(end)
        for task in tasks:
            self._draw(sketch, *task)

    def _trimmed(self, automaton: Automaton) -> Automaton:
        edges = [[edge for edge in group if edge[0] not in self._dead] for group in automaton.edges]
        alive = set(automaton.finals)
        while more := {
            state for state, group in enumerate(edges) if state not in alive and any(edge[1] in alive for edge in group)
        }:
            alive |= more
        keys = [{edge for edge in group if edge[1] in alive} for group in edges]
        same = list(range(len(keys)))
        while True:
            keys = [{(symbol, same[target]) for symbol, target in group} for group in keys]
            highest = {(state in automaton.finals, frozenset(keys[state])): state for state in range(1, len(keys))}
            merged = [0] + [highest[state in automaton.finals, frozenset(keys[state])] for state in range(1, len(keys))]
            if merged == same:
                break
            same = merged
        numbers, order = {0: 0}, [0]
        for state in order:
            for _, target in sorted(keys[state]):
                if target not in numbers:
                    numbers[target] = len(order)
                    order.append(target)
        new = [[(symbol, numbers[target]) for symbol, target in sorted(keys[state])] for state in order]
        return Automaton(new, {numbers[state] for state in automaton.finals if state in numbers})

    def _drop_dead(self, automata: dict[str, Automaton]) -> None:
        num_dead = -1
        while num_dead < len(self._dead):
            num_dead = len(self._dead)
            for name, automaton in automata.items():
                automata[name] = self._trimmed(automaton)
            for symbol in range(len(self._symbols)):
                name = self.called(symbol)
                if name is not None and not automata[name].finals:
                    self._dead.add(symbol)

    def _first_calls(self, automaton: Automaton) -> list[str]:
        return [name for symbol, _ in automaton.edges[0] if (name := self.called(symbol)) is not None]

    def _unrolled(self, wanted: str, automata: dict[str, Automaton]) -> Automaton:
        first_calls = {name: self._first_calls(automaton) for name, automaton in automata.items()}
        group = next(group for group in components(self._names, first_calls.__getitem__) if wanted in group)
        if len(group) == 1 and wanted not in first_calls[wanted]:
            return automata[wanted]
        sketch = Sketch()
        start = sketch.new_state()
        group.sort(key=self._names.index)
        done = {name: sketch.new_state() for name in group}
        for name in group:
            states = [start, *[sketch.new_state() for _ in automata[name].edges[1:]]]
            for state, edges in enumerate(automata[name].edges):
                for symbol, target in edges:
                    called = self.called(symbol)
                    if state == 0 and called in group:
                        sketch.skips[done[called]].append(states[target])
                    else:
                        sketch.edges[states[state]].append((symbol, states[target]))
            for state in automata[name].finals:
                sketch.skips[states[state]].append(done[name])
        return self._trimmed(_without_skips(sketch, start, done[wanted]))

    def _looped(self, name: str, automaton: Automaton) -> Automaton:
        edges: list[list[Edge]] = []
        for state, group in enumerate(automaton.edges):
            again = [edge for edge in group if self.called(edge[0]) == name and automaton.is_last(edge[1])]
            if again and state:
                edges.append([edge for edge in group if edge not in again] + automaton.edges[0])
            else:
                edges.append(group)
        return automaton if edges == automaton.edges else self._trimmed(Automaton(edges, automaton.finals))

    def _number(self, automata: dict[str, Automaton]) -> None:
        used, waiting = {self._names[-1]}, [self._names[-1]]
        for name in waiting:
            called = {self.called(symbol) for group in automata[name].edges for symbol, _ in group} - used - {None}
            used |= called
            waiting += sorted(called)
        first_calls = {name: self._first_calls(automaton) for name, automaton in automata.items()}
        groups = components(self._names, first_calls.__getitem__)
        self.names = [
            name for group in reversed(groups) for name in sorted(group, key=self._names.index) if name in used
        ]
        first = 0
        for name in self.names:
            self.starts.append(first)
            first += len(automata[name].edges)
        cuts = self._cuts({name: automata[name] for name in self.names})
        for name, first in zip(self.names, self.starts, strict=True):
            for state, group in enumerate(automata[name].edges):
                edges = tuple([(symbol, first + target) for symbol, target in group])
                self.positions.append((edges, state in automata[name].finals, (name, state) in cuts))

    def _cuts(self, automata: dict[str, Automaton]) -> set[tuple[str, int]]:
        """States (rule, number) behind calls, of which every circle of calls has one."""
        inner: list[tuple[int, str, str, int]] = []  # rank, caller, called, state after it
        at_end: list[tuple[str, str]] = []
        for name, automaton in automata.items():
            behind = {edge[1] for group in automaton.edges for edge in group if not self._is_terminal(edge[0])}
            for state, group in enumerate(automaton.edges):
                for symbol, target in group:
                    called = self.called(symbol)
                    if called is not None and automaton.is_last(target):
                        at_end.append((name, called))
                    elif called is not None:
                        inner.append((2 * (state > 0) + (state not in behind), name, called, target))
        recursive = _recursive(inner, at_end + [call[1:3] for call in inner])
        cut, known = [], list(at_end)  # known: calls that are not cut
        for call in sorted(recursive, key=lambda call: call[0]):
            rank, caller, called, _ = call
            if rank >= 2 and caller in _reached_from(called, known):
                cut.append(call)
            else:
                known.append((caller, called))
        while True:
            left = [call for call in inner if call not in cut]
            more = _recursive(left, at_end + [call[1:3] for call in left])
            if not more:
                return {(caller, target) for _, caller, _, target in cut}
            cut += more

    def _is_terminal(self, symbol: int) -> bool:
        return isinstance(self._symbols[symbol], Terminal)


def _is_nullable(expression: Expression, rules: set[str]) -> bool:
    match expression:
        case Terminal(language):
            return language.nullable
        case RuleRef(name):
            return name in rules
        case Sequence(parts):
            return all(_is_nullable(part, rules) for part in parts)
        case Choice(options):
            return any(_is_nullable(option, rules) for option in options)
        case CountedRepeat(child, low, _):
            return low == 0 or _is_nullable(child, rules)
    return False


def _without_skips(sketch: Sketch, start: int, end: int) -> Automaton:
    """State 0 of it stands for `start`, which may be met again as another one."""
    olds, numbers = [start], dict[int, int]()
    automaton = Automaton([], set())
    for number, old in enumerate(olds):
        closure = [old]
        for state in closure:
            closure += [target for target in dict.fromkeys(sketch.skips[state]) if target not in closure]
        edges = []
        for symbol, target in [edge for state in closure for edge in sketch.edges[state]]:
            if target not in numbers:
                numbers[target] = len(olds)
                olds.append(target)
            edges.append((symbol, numbers[target]))
        automaton.edges.append(edges)
        if number and end in closure:
            automaton.finals.add(number)
    return automaton


def _recursive(calls: list[tuple[int, str, str, int]], graph: list[tuple[str, str]]) -> list[tuple[int, str, str, int]]:
    """The calls that lead back to their rule along a graph."""
    return [call for call in calls if call[1] in _reached_from(call[2], graph)]


def _reached_from(start: str, graph: list[tuple[str, str]]) -> set[str]:
    found = {start}
    while more := {called for caller, called in graph if caller in found} - found:
        found |= more
    return found
