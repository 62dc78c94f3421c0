"""Kernel: from the nodes of rules to the numbered positions of a network."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.arena import clear, rest, taken
from ..memory.kernel import exported, kernel
from ..memory.structs import Array
from .automata import OK, has_text, is_last, keep_automaton, symbol_of, take_graph, target_of, trim
from .cuts import mark_cuts
from .drawing import draw, find_nullable
from .left_recursion import find_first_calls, remove_left_recursion
from .structs import Automaton, NetworkWork

IS_FINAL, IS_LAST, IS_CUT = 1, 2, 4

NO_TEXT = 1
"""A result beside those of `automata`: no text exists except perhaps the empty one."""


@exported
def number_positions(address: int, max_states: int) -> int:
    """Do all steps of `build_network` that do not concern languages.

    address: address of a NetworkWork.

    Returns OK, NO_TEXT, or TOO_LARGE with the rule in `rule`. If `steps_left` are too few, it waits, and begins again
    at the next call.
    """
    work = NetworkWork.at(address)
    clear(work.arena)
    work.is_unrolling = 0
    for symbol in work.symbols:
        if symbol.called >= 0:
            symbol.is_dead = 0
    find_nullable(work)
    for rule in range(len(work.roots)):
        work.rule = rule
        outcome = draw(work, work.automata[rule], work.roots[rule], max_states)
        if outcome != OK:
            return outcome
    _drop_dead(work)
    if not has_text(work.automata[len(work.automata) - 1]):
        return NO_TEXT
    work.is_unrolling = 1
    outcome = remove_left_recursion(work, max_states)
    if outcome != OK:
        return outcome
    _loop_at_ends(work)
    _put_in_order(work)
    _number(work)
    return OK


@kernel
def _drop_dead(work: NetworkWork) -> None:
    """Trim all automata. Symbols of rules without text, except the empty one, become dead."""
    has_changed = True
    while has_changed:
        has_changed = False
        for automaton in work.automata:
            trim(work, automaton)
        for symbol in work.symbols:
            if symbol.called >= 0 and not symbol.is_dead and not has_text(work.automata[symbol.called]):
                symbol.is_dead = 1
                has_changed = True


@kernel
def _loop_at_ends(work: NetworkWork) -> None:
    """Turn rules that end with themselves into loops."""
    free = work.arena.free
    symbol_that_calls = taken(work.arena, len(work.automata), -1)
    for symbol in range(len(work.symbols)):
        if work.symbols[symbol].called >= 0:
            symbol_that_calls[work.symbols[symbol].called] = symbol
    for rule in range(len(work.automata)):
        _loop(work, work.automata[rule], symbol_that_calls[rule])
    work.arena.free = free


@kernel
def _loop(work: NetworkWork, automaton: Automaton, call: int) -> None:
    """Replace calls of the rule itself at its ends by the rule's beginning.

    call: symbol that calls the rule.
    """
    arena, free, edges, starts = work.arena, work.arena.free, automaton.edges, automaton.first_edge
    num_states, num_first, num_again = len(automaton.is_final), starts[1], 0
    for place in range(num_first, len(edges)):
        num_again += 1 if _is_again(automaton, edges[place], call) else 0
    if num_again == 0:
        return
    first_edge = taken(arena, num_states + 1, 0)
    found, used = rest(arena, len(edges) + num_again * num_first), 0
    for state in range(num_states):
        is_again = False
        for place in range(starts[state], starts[state + 1]):
            if state and _is_again(automaton, edges[place], call):
                is_again = True
            else:
                found[used] = edges[place]
                used += 1
        for place in range(num_first if is_again else 0):
            found[used] = edges[place]
            used += 1
        first_edge[state + 1] = used
    keep_automaton(arena, automaton, used, first_edge, automaton.is_final, num_states)
    arena.free = free
    trim(work, automaton)


@kernel
def _is_again(automaton: Automaton, edge: int, call: int) -> bool:
    """Return True for an edge that calls the rule where nothing can follow."""
    return symbol_of(edge) == call and is_last(automaton, target_of(edge))


@kernel
def _put_in_order(work: NetworkWork) -> None:
    """Compute `order`."""
    arena, num_rules, count, size = work.arena, len(work.automata), 0, 1
    rules = taken(arena, num_rules, num_rules - 1)
    free = arena.free
    is_used, waiting = taken(arena, num_rules, 0), taken(arena, num_rules, num_rules - 1)
    is_used[num_rules - 1] = 1
    while size:
        size -= 1
        for edge in work.automata[waiting[size]].edges:
            rule = work.symbols[symbol_of(edge)].called
            if rule >= 0 and not is_used[rule]:
                is_used[rule] = 1
                waiting[size] = rule
                size += 1
    find_first_calls(work)
    keys = taken(arena, num_rules, 0)
    for rule in range(num_rules):
        if is_used[rule]:
            keys[count] = num_rules - 1 - work.visits[rule].component
            rules[count] = rule
            count += 1
    take_graph(arena, work.members, keys, rules, count, num_rules)
    for place in range(count):
        rules[place] = work.members.targets[place]
    work.order = rules.part(0, count)
    arena.free = free


@kernel
def _number(work: NetworkWork) -> None:
    """Compute the rest of the result."""
    arena, num_positions, num_edges = work.arena, 0, 0
    for rule in work.order:
        num_positions += len(work.automata[rule].is_final)
        num_edges += len(work.automata[rule].edges)
    is_cut, flags = taken(arena, num_positions, 0), taken(arena, num_positions, 0)
    first_edge, edges = taken(arena, num_positions + 1, 0), taken(arena, num_edges, 0)
    starts, position, used = taken(arena, len(work.order), 0), 0, 0
    parallel, num_parallel = taken(arena, 2 * num_edges, 0), 0
    mark_cuts(work, is_cut)
    for place in range(len(work.order)):
        automaton, first = work.automata[work.order[place]], position
        starts[place] = first
        for state in range(len(automaton.is_final)):
            at_end = IS_LAST if is_last(automaton, state) else 0
            flags[position] = IS_FINAL * automaton.is_final[state] + at_end + IS_CUT * is_cut[position]
            position += 1
            first_edge[position] = used + automaton.first_edge[state + 1]
        for index in range(len(automaton.edges)):
            edges[used + index] = automaton.edges[index] + first
        num_parallel = _list_parallel(work, automaton, used, parallel, num_parallel)
        used += len(automaton.edges)
    work.starts = starts
    work.flags = flags
    work.first_edge = first_edge
    work.edges = edges
    work.parallel = parallel.part(0, num_parallel)


@kernel
def _list_parallel(work: NetworkWork, automaton: Automaton, first: int, parallel: Array[int], count: int) -> int:
    """Append the `parallel` edges of an automaton, and return the new count.

    first: index of the automaton's first edge among all edges.
    parallel: output; the first `count` numbers are already in use.
    """
    free, starts = work.arena.free, automaton.first_edge
    leading_to = taken(work.arena, len(automaton.is_final), -1)  # state -> an edge of a terminal that leads to it
    for state in range(len(automaton.is_final)):
        for index in range(starts[state], starts[state + 1]):
            edge = automaton.edges[index]
            other = leading_to[target_of(edge)]
            if not work.symbols[symbol_of(edge)].is_terminal:
                continue
            if other < starts[state]:
                leading_to[target_of(edge)] = index
                continue
            parallel[count] = first + other
            parallel[count + 1] = first + index
            count += 2
    work.arena.free = free
    return count
