"""Kernels: which calls are recursive, so that the machine puts what comes after them on its stack."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..kernels import kernel
from .automata import (
    NO_ROOM,
    STATE_BITS,
    STATE_MASK,
    W_FREE,
    Work,
    has_room,
    is_last,
    starts_of,
    take,
    take_graph,
)
from .groups import take_groups

_MANY = 2000  # calls in recursive rules; looking for the best ones to cut takes their square
_CALLER, _CALLED, _TARGET, _RANK, _IS_LEFT, _IS_RECURSIVE, _NEXT, _FIELDS = range(8)
"""Fields of a call. _TARGET: the position after it. _RANK: 0 where the rule can begin with it, else 2, and one more
where only terminals come right before it; _AT_END where nothing can come after it. _IS_LEFT: it is not cut.
_IS_RECURSIVE: something can come after it, and it leads back to its rule by calls that are left. _NEXT: of the calls of
its rule that are known to be left, the one before it; -1 for none."""
_AT_END = -1


@kernel
def mark_cuts(work: Work, automata: int, num_rules: int, called: int, is_terminal: int, is_cut: int) -> int:
    """Note positions behind calls, of which every circle of calls has one, unless it only calls at rules' ends.

    Rather cut are calls right behind terminals, such as brackets: the machine then pushes and pops at those. NO_ROOM.
    called, is_terminal: of each symbol. is_cut: the place of 0 for each state, rule by rule; it becomes 1.
    """
    free, num_edges, num_states = work[W_FREE], 0, 0
    for rule in range(num_rules):
        num_states += work[work[automata + rule]]
        num_edges += work[work[automata + rule] + 1]
    if not has_room(work, (_FIELDS + 4) * num_edges + num_states + 12 * num_rules + 32):
        return NO_ROOM
    calls = take(work, _FIELDS * num_edges, 1)
    end = _list_calls(work, automata, num_rules, called, is_terminal, calls)
    num_recursive = _mark_recursive(work, calls, end, num_rules)
    heads = take(work, num_rules, -1)  # of each rule the last call that is known to be left
    for rank in range(_AT_END, 4 if num_recursive else _AT_END):
        for call in range(calls, end, _FIELDS):
            if work[call + _RANK] != rank or (rank >= 0 and not work[call + _IS_RECURSIVE]):
                continue
            caller, callee = work[call + _CALLER], work[call + _CALLED]
            is_one_of_many = rank == 3 and num_recursive > _MANY
            if is_one_of_many or (rank >= 2 and _leads_to(work, heads, num_rules, callee, caller)):
                work[call + _IS_LEFT] = 0
            else:
                work[call + _NEXT], work[heads + caller] = work[heads + caller], call
    while num_recursive:
        num_recursive = _mark_recursive(work, calls, end, num_rules)
        for call in range(calls, end, _FIELDS):
            work[call + _IS_LEFT] -= work[call + _IS_RECURSIVE]
    for call in range(calls, end, _FIELDS):
        if not work[call + _IS_LEFT]:
            work[is_cut + work[call + _TARGET]] = 1
    work[W_FREE] = free
    return 0


@kernel
def _list_calls(work: Work, automata: int, num_rules: int, called: int, is_terminal: int, calls: int) -> int:
    """Write all calls of the rules, from a place on; where they end."""
    free, call, first = work[W_FREE], calls, 0
    for rule in range(num_rules):
        automaton = work[automata + rule]
        starts, num_states = starts_of(work, automaton), work[automaton]
        is_behind_call = take(work, num_states, 0)
        for place in range(automaton + 2, automaton + 2 + work[automaton + 1]):
            if not work[is_terminal + (work[place] >> STATE_BITS)]:
                work[is_behind_call + (work[place] & STATE_MASK)] = 1
        for state in range(num_states):
            for place in range(work[starts + state], work[starts + state + 1]):
                edge = work[automaton + 2 + place]
                callee, target = work[called + (edge >> STATE_BITS)], edge & STATE_MASK
                if callee >= 0:
                    rank = (2 if state else 0) + 1 - work[is_behind_call + state]
                    work[call + _CALLER], work[call + _CALLED], work[call + _TARGET] = rule, callee, first + target
                    work[call + _RANK] = _AT_END if is_last(work, automaton, target) else rank
                    call += _FIELDS
        first += num_states
        work[W_FREE] = free
    return call


@kernel
def _mark_recursive(work: Work, calls: int, end: int, num_rules: int) -> int:
    """Set _IS_RECURSIVE of all calls; how many it is true of."""
    free, count, num_recursive = work[W_FREE], 0, 0
    num_calls = (end - calls) // _FIELDS
    callers, callees = take(work, num_calls, 0), take(work, num_calls, 0)
    for call in range(calls, end, _FIELDS):
        if work[call + _IS_LEFT]:
            work[callers + count], work[callees + count] = work[call + _CALLER], work[call + _CALLED]
            count += 1
    graph = take_graph(work, callers, callees, count, num_rules)
    group_of = take_groups(work, graph, num_rules)
    for call in range(calls, end, _FIELDS):
        is_inside = work[group_of + work[call + _CALLER]] == work[group_of + work[call + _CALLED]]
        is_recursive = is_inside and work[call + _IS_LEFT] and work[call + _RANK] != _AT_END
        work[call + _IS_RECURSIVE] = 1 if is_recursive else 0
        num_recursive += work[call + _IS_RECURSIVE]
    work[W_FREE] = free
    return num_recursive


@kernel
def _leads_to(work: Work, heads: int, num_rules: int, start: int, wanted: int) -> bool:
    """True when there is a path along the calls that are known to be left, be it of no steps."""
    free, size, is_there = work[W_FREE], 1, False
    is_found, waiting = take(work, num_rules, 0), take(work, num_rules, start)
    work[is_found + start] = 1
    while size and not is_there:
        size -= 1
        rule = work[waiting + size]
        is_there = rule == wanted
        call = work[heads + rule]
        while call >= 0:
            other = work[call + _CALLED]
            if not work[is_found + other]:
                work[is_found + other], work[waiting + size] = 1, other
                size += 1
            call = work[call + _NEXT]
    work[W_FREE] = free
    return is_there
