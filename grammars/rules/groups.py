"""Kernels: groups of rules that lead to each other, as `components` finds them.

The automata of all rules are known by the place of a table of their places (see `automata`).
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..kernels import kernel
from .automata import NO_ROOM, STATE_BITS, W_FREE, Work, has_room, starts_of, take


@kernel
def take_groups(work: Work, graph: int, num_nodes: int) -> int:
    """The number of each node's group, higher than those of groups that it leads to; takes num_nodes. NO_ROOM."""
    if not has_room(work, 6 * num_nodes + 16):
        return NO_ROOM
    group_of = take(work, num_nodes, -1)
    free = work[W_FREE]
    index, low, following = take(work, num_nodes, -1), take(work, num_nodes, 0), take(work, num_nodes, 0)
    path, waiting = take(work, num_nodes, 0), take(work, num_nodes + 1, 0)
    num_met, num_groups, size = 0, 0, 0
    for node in range(num_nodes):
        work[following + node] = work[graph + node]
    for root in range(num_nodes):
        if work[index + root] >= 0:
            continue
        work[waiting], depth = root, 1
        while depth:
            node = work[waiting + depth - 1]
            if work[index + node] < 0:
                work[index + node] = work[low + node] = num_met
                work[path + size] = node
                num_met, size = num_met + 1, size + 1
            if work[following + node] < work[graph + node + 1]:
                other = work[graph + num_nodes + 1 + work[following + node]]
                work[following + node] += 1
                if work[index + other] < 0:
                    work[waiting + depth] = other
                    depth += 1
                elif work[group_of + other] < 0:
                    work[low + node] = min(work[low + node], work[index + other])
                continue
            depth -= 1
            if depth:
                below = work[waiting + depth - 1]
                work[low + below] = min(work[low + below], work[low + node])
            if work[low + node] == work[index + node]:
                while work[group_of + node] < 0:
                    size -= 1
                    work[group_of + work[path + size]] = num_groups
                num_groups += 1
    work[W_FREE] = free
    return group_of


@kernel
def take_first_calls(work: Work, automata: int, num_rules: int, called: int) -> int:
    """The graph of the rules that rules can begin with. NO_ROOM. called: of each symbol the rule, or -1."""
    count = 0
    for rule in range(num_rules):
        count += work[starts_of(work, work[automata + rule]) + 1]
    if not has_room(work, count + num_rules + 1):
        return NO_ROOM
    take(work, count, 0)
    graph, used = take(work, num_rules + 1, 0), 0
    for rule in range(num_rules):
        automaton = work[automata + rule]
        for place in range(automaton + 2, automaton + 2 + work[starts_of(work, automaton) + 1]):
            callee = work[called + (work[place] >> STATE_BITS)]
            if callee >= 0:
                work[graph + num_rules + 1 + used] = callee
                used += 1
        work[graph + rule + 1] = used
    return graph
