"""Left recursion, direct and indirect, made loops. The language of each rule stays the same.

Where rules of a group begin with each other, a text of one of them is a text of some rule of the group that begins
with something else, then what follows it in a rule that begins with that rule, and so on. That is regular, if calls
count as letters: the automaton of a rule draws just this. Rules that may be empty hide no left recursion here: the
automata have no edges that read nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from .automata import Edge, RuleAutomaton, Sketch
from .components import components
from .expressions import RuleRef


def without_left_recursion(rules: Mapping[str, RuleAutomaton], max_states: int) -> dict[str, RuleAutomaton]:
    """The same rules, none of which can begin with itself. Raises LimitExceededError."""
    result = dict(rules)
    for group in components(list(rules), lambda name: first_calls(rules[name])):
        if len(group) > 1 or group[0] in first_calls(rules[group[0]]):
            members = {name: rules[name] for name in group}
            for name in group:
                result[name] = _unrolled(name, members, max_states)
    return result


def first_calls(automaton: RuleAutomaton) -> list[str]:
    """The rules that a rule can begin with."""
    return [symbol.name for symbol, _ in automaton.edges[0] if isinstance(symbol, RuleRef)]


def _unrolled(wanted: str, group: Mapping[str, RuleAutomaton], max_states: int) -> RuleAutomaton:
    """The automaton of one rule of a group that begin with each other."""
    sketch = Sketch(max_states, f"of rule {wanted!r} without its left recursion")
    start = sketch.new_state()
    done = {name: sketch.new_state() for name in group}
    for name, automaton in group.items():
        states = [start, *[sketch.new_state() for _ in automaton.edges[1:]]]
        for state, edges in enumerate(automaton.edges):
            for symbol, target in edges:
                if state == 0 and isinstance(symbol, RuleRef) and symbol.name in group:
                    sketch.skips[done[symbol.name]].append(states[target])
                else:
                    edge: Edge = (symbol, states[target])
                    sketch.edges[states[state]].append(edge)
        for state in automaton.finals:
            sketch.skips[states[state]].append(done[name])
    return sketch.without_skips(start, [done[wanted]])
