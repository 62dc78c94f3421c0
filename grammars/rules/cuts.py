"""Which calls are recursive, so that the machine puts what comes after them on its stack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .automata import Alphabet, RuleAutomaton
from .components import components

_MANY = 2000  # calls in recursive rules; looking for the best ones to cut takes their square


class _Call(NamedTuple):
    """A call of a rule inside of a rule. target: the state after it.

    is_first: the rule can begin with it. is_bracketed: only terminals come right before it.
    """

    caller: str
    called: str
    target: int
    is_first: bool
    is_bracketed: bool


def cut_states(automata: Mapping[str, RuleAutomaton], alphabet: Alphabet) -> set[tuple[str, int]]:
    """States (rule, number) behind calls, of which every circle of calls has one, unless it only calls at rules' ends.

    Rather cut are calls right behind terminals, such as brackets: the machine then pushes and pops at those.
    """
    inner, at_end = _calls(automata, alphabet)
    group_of = _groups(automata, at_end, inner)
    recursive = [call for call in inner if group_of[call.caller] == group_of[call.called]]
    if not recursive:
        return set()
    reached: dict[str, set[str]] = {name: set(called) for name, called in at_end.items()}
    cut: set[_Call] = set()
    for call in sorted(recursive, key=lambda call: (not call.is_first, call.is_bracketed)):
        if call.is_first:
            reached[call.caller].add(call.called)
        elif (call.is_bracketed and len(recursive) > _MANY) or _leads_to(reached, call.called, call.caller):
            cut.add(call)
        else:
            reached[call.caller].add(call.called)
    while True:
        left = [call for call in inner if call not in cut]
        group_of = _groups(automata, at_end, left)
        more = [call for call in left if group_of[call.caller] == group_of[call.called]]
        if not more:
            return {(call.caller, call.target) for call in cut}
        cut.update(more)


def _calls(automata: Mapping[str, RuleAutomaton], alphabet: Alphabet) -> tuple[list[_Call], dict[str, list[str]]]:
    """The calls after which something may come in their rule, and for each rule those it calls at its end."""
    inner: list[_Call] = []
    at_end: dict[str, list[str]] = {name: [] for name in automata}
    is_terminal, called = alphabet.is_terminal, alphabet.called
    for name, automaton in automata.items():
        behind_calls = {target for edges in automaton.edges for symbol, target in edges if not is_terminal[symbol]}
        for state, edges in enumerate(automaton.edges):
            for symbol, target in edges:
                rule = called[symbol]
                if rule is None:
                    continue
                if target in automaton.finals and not automaton.edges[target]:
                    at_end[name].append(rule)
                else:
                    inner.append(_Call(name, rule, target, state == 0, state not in behind_calls))
    return inner, at_end


def _leads_to(graph: Mapping[str, set[str]], start: str, wanted: str) -> bool:
    """True when there is a path, be it of no steps."""
    found, waiting = {start}, [start]
    while waiting:
        name = waiting.pop()
        if name == wanted:
            return True
        new = graph[name] - found
        found |= new
        waiting.extend(new)
    return False


def _groups(names: Iterable[str], at_end: Mapping[str, list[str]], inner: list[_Call]) -> dict[str, int]:
    """For each rule, the number of its component in the graph of these calls."""
    called = {name: list(targets) for name, targets in at_end.items()}
    for call in inner:
        called[call.caller].append(call.called)
    groups = components(list(names), called.__getitem__)
    return {name: index for index, group in enumerate(groups) for name in group}
