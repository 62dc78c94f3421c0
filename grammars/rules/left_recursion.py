"""Kernels that turn left recursion, direct and indirect, into loops. The language of each rule stays the same.

Rules of one component begin with each other. Example: `a: b "x" | "y"` and `b: a "z"`. A text of such a rule begins
with an alternative that calls no rule of the component first (`"y"`). Then come rests of rules, any number of times.
Each is the rest of a rule that begins with the rule read so far (`"z"` of b, then `"x"` of a). If calls count as
letters, these texts are a regular language, which the automaton of a rule reads. Rules that may be empty hide no left
recursion here: the automata have no edges that read nothing.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.arena import taken
from ..memory.components import find_components
from ..memory.kernel import kernel
from ..memory.structs import Array
from .automata import OK, TOO_LARGE, edge_of, symbol_of, take_graph, target_of, trim, without_skips
from .structs import Automaton, NetworkWork


@kernel
def find_first_calls(work: NetworkWork) -> None:
    """Find the rules that each rule can begin with, and the components of that relation.

    The memory that it takes from the arena stays taken.
    """
    arena, num_rules, count, used = work.arena, len(work.automata), 0, 0
    for automaton in work.automata:
        count += automaton.first_edge[1]
    targets, first_target = taken(arena, count, 0), taken(arena, num_rules + 1, 0)
    for rule in range(num_rules):
        automaton = work.automata[rule]
        for place in range(automaton.first_edge[1]):
            called = work.symbols[symbol_of(automaton.edges[place])].called
            if called >= 0:
                targets[used] = called
                used += 1
        first_target[rule + 1] = used
    work.first_calls.targets = targets
    work.first_calls.first_target = first_target
    find_components(first_target, targets, work.visits)


@kernel
def remove_left_recursion(work: NetworkWork, max_states: int) -> int:
    """Remove left recursion from all rules. Returns OK, or TOO_LARGE with the rule in `work.rule`."""
    arena, members, num_rules, free = work.arena, work.members, len(work.automata), work.arena.free
    find_first_calls(work)
    component_of, numbers = taken(arena, num_rules, 0), taken(arena, num_rules, 0)
    for rule in range(num_rules):
        component_of[rule] = work.visits[rule].component
        numbers[rule] = rule
    take_graph(arena, members, component_of, numbers, num_rules, num_rules)
    slot_of = taken(arena, num_rules, -1)
    for rule in range(num_rules):
        _copy(work.automata[rule], work.unrolled[rule])
        if _begins_with_itself(work, rule):
            first = members.first_target[component_of[rule]]
            size = members.first_target[component_of[rule] + 1] - first
            outcome = _unroll(work, rule, members.targets.part(first, size), slot_of, max_states)
            if outcome != OK:
                work.rule = rule
                return outcome
            trim(work, work.unrolled[rule])
    for rule in range(num_rules):
        _copy(work.unrolled[rule], work.automata[rule])
    arena.free = free
    return OK


@kernel
def _copy(source: Automaton, target: Automaton) -> None:
    """Copy an automaton."""
    target.edges = source.edges
    target.first_edge = source.first_edge
    target.is_final = source.is_final


@kernel
def _begins_with_itself(work: NetworkWork, rule: int) -> bool:
    """Return True if a rule can begin with a call of itself, directly or through other rules."""
    calls, component, is_recursive = work.first_calls, work.visits[rule].component, False
    for place in range(calls.first_target[rule], calls.first_target[rule + 1]):
        is_recursive |= work.visits[calls.targets[place]].component == component
    return is_recursive


@kernel
def _unroll(work: NetworkWork, wanted: int, group: Array[int], slot_of: Array[int], max_states: int) -> int:
    """Make the automaton of a rule without left recursion. Returns OK or TOO_LARGE.

    group: rules of its component.
    slot_of: -1 for each rule, also afterwards.

    The sketch's first state is followed by a state for the end of each rule of the group. Then come all states of the
    rules except their first ones.
    """
    arena, size, free = work.arena, len(group), work.arena.free
    num_states, num_edges, num_ends = 1 + size, 0, 0
    for rule in group:
        automaton = work.automata[rule]
        num_states += len(automaton.is_final) - 1
        num_ends += len(automaton.is_final)
        num_edges += len(automaton.edges)
    if num_states > max_states:
        return TOO_LARGE
    sources, edges, used = taken(arena, num_edges, 0), taken(arena, num_edges, 0), 0
    skip_sources, skips = taken(arena, num_edges + num_ends, 0), taken(arena, num_edges + num_ends, 0)
    for index in range(size):
        slot_of[group[index]] = index
    num_skips, base = 0, size
    for index in range(size):
        automaton = work.automata[group[index]]
        for state in range(len(automaton.is_final)):
            for place in range(automaton.first_edge[state], automaton.first_edge[state + 1]):
                edge = automaton.edges[place]
                called, target = work.symbols[symbol_of(edge)].called, base + target_of(edge)
                if state == 0 and called >= 0 and slot_of[called] >= 0:
                    skip_sources[num_skips] = 1 + slot_of[called]
                    skips[num_skips] = target
                    num_skips += 1
                else:
                    sources[used] = base + state if state else 0
                    edges[used] = edge_of(symbol_of(edge), target)
                    used += 1
            if automaton.is_final[state]:
                skip_sources[num_skips] = base + state
                skips[num_skips] = 1 + index
                num_skips += 1
        base += len(automaton.is_final) - 1
    last = 1 + slot_of[wanted]
    for rule in group:
        slot_of[rule] = -1
    take_graph(arena, work.sketch, sources, edges, used, num_states)
    take_graph(arena, work.skips, skip_sources, skips, num_skips, num_states)
    outcome = without_skips(work, work.unrolled[wanted], last, 10 * max_states)
    arena.free = free
    return outcome
