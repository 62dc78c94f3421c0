"""`Network`: a grammar as the machine runs it: numbered positions, with edges over terminals and calls of rules.

No rule begins with itself, no rule and no terminal on an edge reads the empty text (a terminal whose language has it is
meant without), and from every position the end of its rule can be reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import GrammarError, UnsatisfiableError
from ..limits import Limits
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..regex.charset import CharSet
from .automata import RuleAutomaton, Sketch, Symbol, trimmed
from .components import components
from .cuts import cut_states
from .expressions import (
    Choice,
    Expression,
    JsonDocument,
    Repeat,
    RuleGraph,
    RuleRef,
    Sequence,
    Terminal,
    TokenRef,
)
from .left_recursion import first_calls, without_left_recursion
from .prepare import prepare

START = ""
"""The name of the rule that a whole text is of. No rule of a grammar has it: `build_network` adds it."""


@dataclass(frozen=True)
class Position:
    """What may come at one place of a rule. Targets are positions of the same rule.

    terminals: languages; calls: rules, by their place in `Network.starts`; documents, tokens: as in the grammar.
    is_final: the rule may end here. is_last: and nothing else can come. is_cut: where a call returns to that may lie
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


@dataclass(frozen=True)
class Network:
    """positions: of all rules. starts: the first position of each rule, callers before the rules they begin with.

    names: of the rules. start: the rule of whole texts. is_nullable: the empty text belongs to the grammar.
    """

    positions: tuple[Position, ...]
    starts: tuple[int, ...]
    names: tuple[str, ...]
    start: int
    is_nullable: bool


def build_network(graph: RuleGraph, limits: Limits, characters: CharSet | None = None) -> Network:
    """The network of a grammar. characters: those that texts may hold; None: all. Raises what `prepare` raises."""
    prepared = prepare(graph, limits, characters)
    if START in prepared.rules:
        raise GrammarError("a rule has an empty name; name it")
    rules = {**prepared.rules, START: prepared.start}
    nullable = _nullable(rules)
    automata = {name: _draw(name, rule, nullable, limits) for name, rule in rules.items()}
    automata = _trim(automata, limits)
    if not automata[START].finals:
        if START not in nullable:
            raise UnsatisfiableError("no text belongs to this grammar")
        return Network((_EMPTY_POSITION,), (0,), (START,), 0, True)
    for change in (without_left_recursion, _with_loops_at_ends):
        changed = change(automata, limits.max_automaton_states)
        automata = {
            name: automaton if automaton is automata[name] else trimmed(automaton, lambda _: True)
            for name, automaton in changed.items()
        }
    return _number(_reachable(automata), START in nullable)


_EMPTY_POSITION = Position((), (), (), (), False, False)


def _nullable(rules: Mapping[str, Expression]) -> set[str]:
    """The rules that have the empty text."""
    found: set[str] = set()

    def check(expression: Expression) -> bool:
        match expression:
            case Terminal(language):
                return language.nullable
            case RuleRef(name):
                return name in found
            case Sequence(parts):
                return all(map(check, parts))
            case Choice(options):
                return any(map(check, options))
            case Repeat(child, low, _):
                return low == 0 or check(child)
        return False

    num_found = -1
    while num_found != len(found):
        num_found = len(found)
        found.update([name for name, rule in rules.items() if name not in found and check(rule)])
    return found


def _draw(name: str, rule: Expression, nullable: set[str], limits: Limits) -> RuleAutomaton:
    sketch = Sketch(limits.max_automaton_states, f"of rule {name!r}" if name else "of the grammar")
    start, end = sketch.new_state(), sketch.new_state()
    sketch.draw(rule, start, end)
    for state, edges in enumerate(sketch.edges):
        for symbol, target in edges:
            is_empty = (isinstance(symbol, Terminal) and symbol.language.nullable) or (
                isinstance(symbol, RuleRef) and symbol.name in nullable
            )
            if is_empty:
                sketch.skips[state].append(target)
    return sketch.without_skips(start, [end])


def _trim(automata: Mapping[str, RuleAutomaton], limits: Limits) -> dict[str, RuleAutomaton]:
    """Each automaton without what no text uses."""
    known: dict[Symbol, bool] = {}
    result = dict(automata)

    def has_text(symbol: Symbol) -> bool:
        if isinstance(symbol, RuleRef):
            return bool(result[symbol.name].finals)
        if isinstance(symbol, Terminal) and symbol not in known:
            rest = lang.difference(symbol.language, lang.EMPTY_TEXT) if symbol.language.nullable else symbol.language
            known[symbol] = not lang.is_empty(rest, limits.max_automaton_states)
        return known.get(symbol, True)

    while True:
        num_without = sum([not automaton.finals for automaton in result.values()])
        result = {name: trimmed(automaton, has_text) for name, automaton in result.items()}
        if sum([not automaton.finals for automaton in result.values()]) == num_without:
            return result


def _with_loops_at_ends(automata: Mapping[str, RuleAutomaton], _: int) -> dict[str, RuleAutomaton]:
    """Rules that end with themselves become loops."""
    return {name: _loop_at_end(name, automaton) for name, automaton in automata.items()}


def _loop_at_end(name: str, automaton: RuleAutomaton) -> RuleAutomaton:
    edges, finals = automaton.edges, automaton.finals
    again = {(RuleRef(name), state) for state in finals if not edges[state]}
    if all(again.isdisjoint(group) for group in edges[1:]):
        return automaton
    looped = [edges[0]]
    for group in edges[1:]:
        kept = [edge for edge in group if edge not in again]
        looped.append(kept if len(kept) == len(group) else list(dict.fromkeys([*kept, *edges[0]])))
    return RuleAutomaton(looped, finals)


def _reachable(automata: Mapping[str, RuleAutomaton]) -> dict[str, RuleAutomaton]:
    """The rules that the start uses, in the order in which they are found."""
    found = {START: automata[START]}
    waiting = [START]
    while waiting:
        for called in _calls(automata[waiting.pop()]):
            if called not in found:
                found[called] = automata[called]
                waiting.append(called)
    return found


def _calls(automaton: RuleAutomaton) -> list[str]:
    symbols = dict.fromkeys([symbol for edges in automaton.edges for symbol, _ in edges])
    return [symbol.name for symbol in symbols if isinstance(symbol, RuleRef)]


def _number(automata: Mapping[str, RuleAutomaton], is_nullable: bool) -> Network:
    groups = components(list(reversed(list(automata))), lambda name: first_calls(automata[name]))
    order = [name for group in reversed(groups) for name in group]
    cuts = cut_states(automata)
    first: dict[str, int] = {}
    num_positions = 0
    for name in order:
        first[name] = num_positions
        num_positions += len(automata[name].edges)
    numbers = {name: index for index, name in enumerate(order)}
    positions = []
    for name in order:
        automaton = automata[name]
        for state, edges in enumerate(automaton.edges):
            shifted = [(symbol, first[name] + target) for symbol, target in edges]
            is_cut = (name, state) in cuts
            positions.append(_position(shifted, numbers, state in automaton.finals, is_cut))
    starts = tuple([first[name] for name in order])
    return Network(tuple(positions), starts, tuple(order), numbers[START], is_nullable)


def _position(edges: list[tuple[Symbol, int]], numbers: Mapping[str, int], is_final: bool, is_cut: bool) -> Position:
    languages: dict[int, list[Language]] = {}
    for symbol, target in edges:
        if isinstance(symbol, Terminal):
            languages.setdefault(target, []).append(symbol.language)
    return Position(
        tuple([(lang.union(*group), target) for target, group in languages.items()]),
        tuple([(numbers[symbol.name], target) for symbol, target in edges if isinstance(symbol, RuleRef)]),
        tuple([(symbol, target) for symbol, target in edges if isinstance(symbol, JsonDocument)]),
        tuple([(symbol.token_ids, target) for symbol, target in edges if isinstance(symbol, TokenRef)]),
        is_final,
        is_cut,
    )
