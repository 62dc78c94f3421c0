"""`Network`: a grammar as the machine runs it: numbered positions, with edges over terminals and calls of rules.

No rule begins with itself, no rule and no terminal on an edge reads the empty text (a terminal whose language has it is
meant without), and from every position the end of its rule can be reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import GrammarError, UnsatisfiableError
from ..limits import Limits
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..regex.charset import CharSet
from .automata import Alphabet, Edge, RuleAutomaton, Sketch, trimmed
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
)
from .left_recursion import without_left_recursion
from .prepare import prepare

START = ""
"""The name of the rule that a whole text is of. No rule of a grammar has it: `build_network` adds it."""


class Position(NamedTuple):
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
    alphabet = Alphabet(nullable)
    automata = {name: _draw(name, rule, alphabet, limits) for name, rule in rules.items()}
    automata = _trim(automata, alphabet, limits)
    if not automata[START].finals:
        if START not in nullable:
            raise UnsatisfiableError("no text belongs to this grammar")
        return Network((_EMPTY_POSITION,), (0,), (START,), 0, True)
    for change in (without_left_recursion, _with_loops_at_ends):
        changed = change(automata, alphabet, limits.max_automaton_states)
        automata = {
            name: automaton if automaton is automata[name] else trimmed(automaton)
            for name, automaton in changed.items()
        }
    return _number(_reachable(automata, alphabet), alphabet, START in nullable)


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


def _draw(name: str, rule: Expression, alphabet: Alphabet, limits: Limits) -> RuleAutomaton:
    sketch = Sketch(alphabet, limits.max_automaton_states, f"of rule {name!r}" if name else "of the grammar")
    start, end = sketch.new_state(), sketch.new_state()
    sketch.draw(rule, start, end)
    return sketch.without_skips(start, [end])


def _trim(automata: Mapping[str, RuleAutomaton], alphabet: Alphabet, limits: Limits) -> dict[str, RuleAutomaton]:
    """Each automaton without what no text uses."""
    without = {
        number
        for number, symbol in enumerate(alphabet.symbols)
        if isinstance(symbol, Terminal) and not _has_more_than_empty(symbol.language, limits)
    }
    result, num_without = dict(automata), -1
    while num_without < len(without):
        num_without = len(without)
        result = {name: trimmed(automaton, without) for name, automaton in result.items()}
        for number, name in enumerate(alphabet.called):
            if name is not None and not result[name].finals:
                without.add(number)
    return result


def _has_more_than_empty(language: Language, limits: Limits) -> bool:
    """True if the language has a text that is not empty."""
    if not language.nullable:
        return not lang.is_empty(language, limits.max_automaton_states)
    if isinstance(language, lang.Repeat):  # of nothing that is empty itself: PERF: 2 us instead of 20
        return _has_more_than_empty(language.child, limits)
    return not lang.is_empty(lang.difference(language, lang.EMPTY_TEXT), limits.max_automaton_states)


def _with_loops_at_ends(automata: Mapping[str, RuleAutomaton], alphabet: Alphabet, _: int) -> dict[str, RuleAutomaton]:
    """Rules that end with themselves become loops."""
    numbers = {name: number for number, name in enumerate(alphabet.called) if name is not None}
    return {name: _loop_at_end(numbers.get(name), automaton) for name, automaton in automata.items()}


def _loop_at_end(call: int | None, automaton: RuleAutomaton) -> RuleAutomaton:
    """call: the symbol that calls the rule itself; None if there is none."""
    if call is None:
        return automaton
    edges, finals = automaton.edges, automaton.finals
    again = {(call, state) for state in finals if not edges[state]}
    if not again or all(again.isdisjoint(group) for group in edges[1:]):
        return automaton
    looped = [edges[0]]
    for group in edges[1:]:
        kept = [edge for edge in group if edge not in again]
        looped.append(kept if len(kept) == len(group) else list(dict.fromkeys([*kept, *edges[0]])))
    return RuleAutomaton(looped, finals)


def _reachable(automata: Mapping[str, RuleAutomaton], alphabet: Alphabet) -> dict[str, RuleAutomaton]:
    """The rules that the start uses, in the order in which they are found."""
    found = {START: automata[START]}
    waiting = [START]
    while waiting:
        symbols = dict.fromkeys([symbol for edges in automata[waiting.pop()].edges for symbol, _ in edges])
        for symbol in symbols:
            called = alphabet.called[symbol]
            if called is not None and called not in found:
                found[called] = automata[called]
                waiting.append(called)
    return found


def _number(automata: Mapping[str, RuleAutomaton], alphabet: Alphabet, is_nullable: bool) -> Network:
    first_calls = {name: automaton.first_calls(alphabet) for name, automaton in automata.items()}
    groups = components(list(reversed(list(automata))), first_calls.__getitem__)
    order = [name for group in reversed(groups) for name in group]
    cuts = cut_states(automata, alphabet)
    first: dict[str, int] = {}
    num_positions = 0
    for name in order:
        first[name] = num_positions
        num_positions += len(automata[name].edges)
    rules = {name: index for index, name in enumerate(order)}
    positions = []
    for name in order:
        automaton = automata[name]
        for state, edges in enumerate(automaton.edges):
            is_cut = (name, state) in cuts
            positions.append(_position(edges, first[name], rules, alphabet, state in automaton.finals, is_cut))
    starts = tuple([first[name] for name in order])
    return Network(tuple(positions), starts, tuple(order), rules[START], is_nullable)


def _position(
    edges: list[Edge], first: int, rules: Mapping[str, int], alphabet: Alphabet, is_final: bool, is_cut: bool
) -> Position:
    """first: the position of the rule's first state."""
    languages: dict[int, list[Language]] = {}
    calls: list[tuple[int, int]] = []
    documents: list[tuple[JsonDocument, int]] = []
    tokens: list[tuple[frozenset[int], int]] = []
    for number, state in edges:
        symbol, target = alphabet.symbols[number], first + state
        if isinstance(symbol, Terminal):
            languages.setdefault(target, []).append(symbol.language)
        elif isinstance(symbol, RuleRef):
            calls.append((rules[symbol.name], target))
        elif isinstance(symbol, JsonDocument):
            documents.append((symbol, target))
        else:
            tokens.append((symbol.token_ids, target))
    terminals = [(group[0] if len(group) == 1 else lang.union(*group), target) for target, group in languages.items()]
    return Position(tuple(terminals), tuple(calls), tuple(documents), tuple(tokens), is_final, is_cut)
