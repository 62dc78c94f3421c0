"""Kernels that find recursive calls, so that the machine puts the positions after them on its stack."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.arena import taken
from ..memory.components import find_components
from ..memory.kernel import kernel
from ..memory.structs import Array
from .automata import is_last, spend, symbol_of, take_graph, target_of
from .structs import NetworkWork

_AT_END, _AT_BEGINNING, _BEHIND_CALL, _BEHIND_TERMINAL, _NUM_RANKS = range(5)
"""Ranks of calls. AT_END: nothing follows the call. AT_BEGINNING: its rule can begin with it. BEHIND_CALL: a call may
stand right before it. BEHIND_TERMINAL: only terminals do.
"""

_MANY = 2000  # calls in recursive rules; choosing the best cuts takes time quadratic in their number


@kernel
def mark_cuts(work: NetworkWork, is_cut: Array[int]) -> None:
    """Mark positions after calls, so that every cycle of calls has a marked one. Cycles of calls at rules' ends need
    none.

    Calls right behind terminals, such as brackets, are preferred: the machine then pushes and pops there.
    is_cut: for each state of the rules in `order`, one rule after the other: 0 on entry, set to 1 for marked positions.
    """
    arena, calls, free = work.arena, work.calls, work.arena.free
    num_rules, num_edges = len(work.automata), 0
    for rule in work.order:
        num_edges += len(work.automata[rule].edges)
    calls.ensure(num_edges)
    _list_calls(work)
    num_recursive = _mark_recursive(work)
    last_left = taken(arena, num_rules, -1)  # rule -> its last call that is certainly left uncut
    for rank in range(_AT_END, _NUM_RANKS if num_recursive else _AT_END):
        for index in range(calls.used):
            call = calls[index]
            if call.rank != rank or (rank > _AT_END and not call.is_recursive):
                continue
            is_one_of_many = rank == _BEHIND_TERMINAL and num_recursive > _MANY
            if is_one_of_many or (rank >= _BEHIND_CALL and _leads_to(work, last_left, call.called, call.caller)):
                call.is_left = 0
            else:
                call.next_left = last_left[call.caller]
                last_left[call.caller] = index
    while num_recursive:
        spend(work, num_rules + calls.used)
        num_recursive = _mark_recursive(work)
        for index in range(calls.used):
            calls[index].is_left -= calls[index].is_recursive
    for index in range(calls.used):
        if not calls[index].is_left:
            is_cut[calls[index].target] = 1
    arena.free = free


@kernel
def _list_calls(work: NetworkWork) -> None:
    """List all calls of the rules in `order`."""
    arena, calls, free, first = work.arena, work.calls, work.arena.free, 0
    calls.used = 0
    for rule in work.order:
        automaton = work.automata[rule]
        num_states = len(automaton.is_final)
        is_behind_call = taken(arena, num_states, 0)
        for edge in automaton.edges:
            if not work.symbols[symbol_of(edge)].is_terminal:
                is_behind_call[target_of(edge)] = 1
        for state in range(num_states):
            for place in range(automaton.first_edge[state], automaton.first_edge[state + 1]):
                edge = automaton.edges[place]
                called, target = work.symbols[symbol_of(edge)].called, target_of(edge)
                if called >= 0:
                    call = calls[calls.used]
                    calls.used += 1
                    call.caller = rule
                    call.called = called
                    call.target = first + target
                    call.is_left = 1
                    call.rank = _BEHIND_CALL if is_behind_call[state] else _BEHIND_TERMINAL
                    if is_last(automaton, target):
                        call.rank = _AT_END
                    elif state == 0:
                        call.rank = _AT_BEGINNING
        first += num_states
        arena.free = free


@kernel
def _mark_recursive(work: NetworkWork) -> int:
    """Mark the recursive calls, and return their number."""
    arena, calls, visits, free = work.arena, work.calls, work.visits, work.arena.free
    count, num_recursive = 0, 0
    callers, called = taken(arena, calls.used, 0), taken(arena, calls.used, 0)
    for index in range(calls.used):
        if calls[index].is_left:
            callers[count] = calls[index].caller
            called[count] = calls[index].called
            count += 1
    take_graph(arena, work.left_calls, callers, called, count, len(visits))
    find_components(work.left_calls.first_target, work.left_calls.targets, visits)
    for index in range(calls.used):
        call = calls[index]
        is_inside = visits[call.caller].component == visits[call.called].component
        call.is_recursive = 1 if is_inside and call.is_left and call.rank != _AT_END else 0
        num_recursive += call.is_recursive
    arena.free = free
    return num_recursive


@kernel
def _leads_to(work: NetworkWork, last_left: Array[int], start: int, wanted: int) -> bool:
    """Return True if uncut calls form a path, possibly of no steps, from one rule to another."""
    arena, calls, free, num_rules = work.arena, work.calls, work.arena.free, len(last_left)
    is_found, waiting, size, is_there = taken(arena, num_rules, 0), taken(arena, num_rules, start), 1, False
    is_found[start] = 1
    spend(work, num_rules)
    while size and not is_there:
        size -= 1
        is_there = waiting[size] == wanted
        index = last_left[waiting[size]]
        while index >= 0:
            other = calls[index].called
            if not is_found[other]:
                is_found[other] = 1
                waiting[size] = other
                size += 1
            index = calls[index].next_left
    arena.free = free
    return is_there
