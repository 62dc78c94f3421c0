"""Kernels: left recursion, direct and indirect, made loops. The language of each rule stays the same.

Where rules of a group begin with each other, a text of one of them is a text of some rule of the group that begins
with something else, then what follows it in a rule that begins with that rule, and so on. That is regular, if calls
count as letters: the automaton of a rule draws just this. Rules that may be empty hide no left recursion here: the
automata have no edges that read nothing.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..kernels import kernel
from .automata import (
    NO_ROOM,
    STATE_BITS,
    STATE_MASK,
    TOO_LARGE,
    W_FREE,
    Work,
    finals_of,
    has_room,
    starts_of,
    take,
    take_graph,
    trimmed,
    without_skips,
)
from .groups import take_first_calls, take_groups


@kernel
def remove_left_recursion(
    work: Work, automata: int, num_rules: int, called: int, is_dead: int, max_states: int
) -> tuple[int, int]:
    """Let no rule begin with itself, in the table. 0; or NO_ROOM, TOO_LARGE, and the rule that is."""
    free = work[W_FREE]
    calls = take_first_calls(work, automata, num_rules, called)
    group_of = take_groups(work, calls, num_rules) if calls >= 0 else NO_ROOM
    if group_of < 0 or not has_room(work, 5 * num_rules + 16):
        return NO_ROOM, 0
    numbers, results = take(work, num_rules, 0), take(work, num_rules, 0)
    for rule in range(num_rules):
        work[numbers + rule] = rule
    members, place_of = take_graph(work, group_of, numbers, num_rules, num_rules), take(work, num_rules, -1)
    for rule in range(num_rules):
        group = work[group_of + rule]
        first, size = members + num_rules + 1 + work[members + group], work[members + group + 1] - work[members + group]
        is_recursive, automaton = size > 1, work[automata + rule]
        for place in range(work[calls + rule], work[calls + rule + 1]):
            is_recursive |= work[calls + num_rules + 1 + place] == rule
        if is_recursive:
            for place in range(size):
                work[place_of + work[first + place]] = place
            automaton = _unrolled(work, automata, rule, first, size, place_of, called, max_states)
            for place in range(size):
                work[place_of + work[first + place]] = -1
            automaton = trimmed(work, automaton, is_dead) if automaton >= 0 else automaton
            if automaton < 0:
                return automaton, rule
        work[results + rule] = automaton
    for rule in range(num_rules):
        work[automata + rule] = work[results + rule]
    work[W_FREE] = free
    return 0, 0


@kernel
def _unrolled(
    work: Work, automata: int, wanted: int, group: int, size: int, place_of: int, called: int, max_states: int
) -> int:
    """The automaton of one rule of a group that begin with each other. NO_ROOM, TOO_LARGE.

    group: the place of its rules, `size` of them. place_of: of each rule in its group, -1 for others. The sketch's
    states: the first one, one for the end of each rule of the group, then the states of each but its first one.
    """
    free, num_states, num_edges, num_ends = work[W_FREE], 1 + size, 0, 0
    for index in range(size):
        automaton = work[automata + work[group + index]]
        num_states += work[automaton] - 1
        num_ends += work[automaton]
        num_edges += work[automaton + 1]
    if num_states > max_states:
        return TOO_LARGE
    if not has_room(work, 6 * num_edges + 3 * num_ends + 4 * num_states + 16):
        return NO_ROOM
    sources, edges, used = take(work, num_edges, 0), take(work, num_edges, 0), 0
    skip_sources, skips = take(work, num_edges + num_ends, 0), take(work, num_edges + num_ends, 0)
    num_skips, base = 0, size
    for index in range(size):
        automaton = work[automata + work[group + index]]
        starts, finals = starts_of(work, automaton), finals_of(work, automaton)
        for state in range(work[automaton]):
            for place in range(work[starts + state], work[starts + state + 1]):
                edge = work[automaton + 2 + place]
                callee, target = work[called + (edge >> STATE_BITS)], base + (edge & STATE_MASK)
                if state == 0 and callee >= 0 and work[place_of + callee] >= 0:
                    work[skip_sources + num_skips], work[skips + num_skips] = 1 + work[place_of + callee], target
                    num_skips += 1
                else:
                    work[sources + used] = base + state if state else 0
                    work[edges + used] = edge >> STATE_BITS << STATE_BITS | target
                    used += 1
            if work[finals + state]:
                work[skip_sources + num_skips], work[skips + num_skips] = base + state, 1 + index
                num_skips += 1
        base += work[automaton] - 1
    sketch = take_graph(work, sources, edges, used, num_states)
    skipped = take_graph(work, skip_sources, skips, num_skips, num_states)
    last = 1 + work[place_of + wanted]
    automaton = without_skips(work, sketch, skipped, num_states, 0, last, 10 * max_states)
    work[W_FREE] = free
    return automaton
