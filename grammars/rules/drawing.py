"""Kernels: the automata of rules drawn from their expressions, which are nodes of numbers (see `program`)."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..kernels import kernel
from .automata import (
    NO_ROOM,
    STATE_BITS,
    TOO_LARGE,
    W_FREE,
    Work,
    has_room,
    take,
    take_graph,
    without_skips,
)

SYMBOL, SEQUENCE, CHOICE, REPEAT = range(4)
N_KIND, N_FIRST, N_SECOND, N_END = range(4)
"""Fields of a node. N_FIRST: a symbol's number, how many parts or options there are, the least count; N_SECOND: the
highest count, -1: no bound. N_END: the node after its own ones, which come right after it in their order."""

_STATES, _EDGES, _SKIPS = range(3)
_MANY = 1 << 31


@kernel
def take_nullable(work: Work, nodes: Work, roots: Work, called: int, is_nullable: int) -> int:
    """1 for each rule that has the empty text; takes a number for each. NO_ROOM.

    called, is_nullable: of each symbol the rule or -1; 1 for terminals that have the empty text.
    """
    num_rules, has_changed = len(roots), True
    if not has_room(work, num_rules + len(nodes)):
        return NO_ROOM
    of_rules = take(work, num_rules, 0)
    is_empty = take(work, len(nodes), 0)
    while has_changed:
        has_changed = False
        for rule in range(num_rules):
            for node in range(nodes[roots[rule], N_END] - 1, roots[rule] - 1, -1):
                kind, first = nodes[node, N_KIND], nodes[node, N_FIRST]
                if kind == SYMBOL:
                    callee = work[called + first]
                    work[is_empty + node] = work[of_rules + callee] if callee >= 0 else work[is_nullable + first]
                elif kind == REPEAT:
                    work[is_empty + node] = 1 if first == 0 else work[is_empty + node + 1]
                else:
                    usual, part = 1 if kind == SEQUENCE else 0, node + 1
                    while part < nodes[node, N_END] and work[is_empty + part] == usual:
                        part = nodes[part, N_END]
                    work[is_empty + node] = usual if part == nodes[node, N_END] else 1 - usual
            if work[is_empty + roots[rule]] != work[of_rules + rule]:
                work[of_rules + rule], has_changed = 1, True
    work[W_FREE] += len(nodes)
    return of_rules


@kernel
def take_sizes(work: Work, nodes: Work) -> int:
    """For each node how many states, edges and skips drawing it adds at most, no more than _MANY. NO_ROOM."""
    if not has_room(work, 3 * len(nodes)):
        return NO_ROOM
    sizes = take(work, 3 * len(nodes), 0)
    for node in range(len(nodes) - 1, -1, -1):
        kind, times, size = nodes[node, N_KIND], 1, sizes + 3 * node
        if kind == SYMBOL:
            work[size + _EDGES] = work[size + _SKIPS] = 1
            continue
        if kind == SEQUENCE:
            work[size + _STATES] = nodes[node, N_FIRST] - 1
        elif kind == REPEAT:
            times = _num_parts(nodes, node)
            work[size + _STATES], work[size + _SKIPS] = times, times + 1
        part = node + 1
        while part < nodes[node, N_END]:
            for field in range(3):
                work[size + field] = min(work[size + field] + times * work[sizes + 3 * part + field], _MANY)
            part = nodes[part, N_END]
    return sizes


@kernel
def _num_parts(nodes: Work, node: int) -> int:
    """How many nodes are drawn for one that is no symbol."""
    first, second = nodes[node, N_FIRST], nodes[node, N_SECOND]
    if nodes[node, N_KIND] != REPEAT:
        return first
    return first + 1 if second < 0 else second


@kernel
def drawn(work: Work, nodes: Work, root: int, sizes: int, is_nullable: int, max_states: int) -> int:
    """The automaton of a rule. NO_ROOM, TOO_LARGE. is_nullable: of each symbol."""
    free, num_states = work[W_FREE], 2 + work[sizes + 3 * root + _STATES]
    max_edges, max_skips = work[sizes + 3 * root + _EDGES], work[sizes + 3 * root + _SKIPS]
    if num_states > max_states or max_edges > 10 * max_states:
        return TOO_LARGE
    if not has_room(work, 6 * max_edges + 3 * max_skips + 5 * num_states + 16):
        return NO_ROOM
    sources, edges, num_edges = take(work, max_edges, 0), take(work, max_edges, 0), 0
    skip_sources, skips, num_skips = take(work, max_skips, 0), take(work, max_skips, 0), 0
    waiting, depth, state = take(work, 3 * max_edges + 3, 0), 1, 2  # nodes, the state before and the one after each
    work[waiting], work[waiting + 1], work[waiting + 2] = root, 0, 1
    while depth:
        depth -= 1
        entry = waiting + 3 * depth
        node, start, end = work[entry], work[entry + 1], work[entry + 2]
        kind, first, is_bounded = nodes[node, N_KIND], nodes[node, N_FIRST], nodes[node, N_SECOND] >= 0
        if kind == SYMBOL:
            work[sources + num_edges], work[edges + num_edges] = start, first << STATE_BITS | end
            num_edges += 1
            if work[is_nullable + first]:
                work[skip_sources + num_skips], work[skips + num_skips] = start, end
                num_skips += 1
            continue
        count, part = _num_parts(nodes, node), node + 1
        for index in range(count):
            before, after = start, end
            if kind == REPEAT or (kind == SEQUENCE and index < count - 1):
                after = start = state
                state += 1
            if kind == REPEAT and index >= first:
                work[skip_sources + num_skips], work[skips + num_skips] = before, end if is_bounded else after
                num_skips += 1
                before = before if is_bounded else after
            entry = waiting + 3 * (depth + count - 1 - index)
            work[entry], work[entry + 1], work[entry + 2] = part, before, after
            part = part if kind == REPEAT else nodes[part, N_END]
        depth += count
        if kind == REPEAT:
            work[skip_sources + num_skips], work[skips + num_skips] = start, end
            num_skips += 1
    sketch = take_graph(work, sources, edges, num_edges, num_states)
    skipped = take_graph(work, skip_sources, skips, num_skips, num_states)
    automaton = without_skips(work, sketch, skipped, num_states, 0, 1, 10 * max_states)
    work[W_FREE] = free
    return automaton
