"""Left recursion, direct and indirect, made loops. The language of each rule stays the same.

Where rules of a group begin with each other, a text of one of them is a text of some rule of the group that begins
with something else, then what follows it in a rule that begins with that rule, and so on. That is regular, if calls
count as letters: the automaton of a rule draws just this. Rules that may be empty hide no left recursion here: the
automata have no edges that read nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from .automata import Alphabet, RuleAutomaton, Sketch
from .components import components


def without_left_recursion(
    rules: Mapping[str, RuleAutomaton], alphabet: Alphabet, max_states: int
) -> dict[str, RuleAutomaton]:
    """The same rules, none of which can begin with itself. Raises LimitExceededError."""
    result = dict(rules)
    first_calls = {name: automaton.first_calls(alphabet) for name, automaton in rules.items()}
    for group in components(list(rules), first_calls.__getitem__):
        if len(group) > 1 or group[0] in first_calls[group[0]]:
            members = {name: rules[name] for name in group}
            for name in group:
                result[name] = _unrolled(name, members, alphabet, max_states)
    return result


def _unrolled(wanted: str, group: Mapping[str, RuleAutomaton], alphabet: Alphabet, max_states: int) -> RuleAutomaton:
    """The automaton of one rule of a group that begin with each other."""
    sketch = Sketch(alphabet, max_states, f"of rule {wanted!r} without its left recursion")
    start = sketch.new_state()
    done = {name: sketch.new_state() for name in group}
    for name, automaton in group.items():
        states = [start, *[sketch.new_state() for _ in automaton.edges[1:]]]
        for state, edges in enumerate(automaton.edges):
            for symbol, target in edges:
                called = alphabet.called[symbol]
                if state == 0 and called is not None and called in group:
                    sketch.skips[done[called]].append(states[target])
                else:
                    sketch.edges[states[state]].append((symbol, states[target]))
        for state in automaton.finals:
            sketch.skips[states[state]].append(done[name])
    return sketch.without_skips(start, [done[wanted]])
