"""Kernel: from the nodes of rules to the numbered positions of a network."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..kernels import exported, kernel
from ..kernels.arrays import Int64Rows, Int64s
from .automata import (
    NO_ROOM,
    STATE_BITS,
    STATE_MASK,
    W_FIRST,
    W_FREE,
    W_USED,
    Work,
    add_automaton,
    finals_of,
    has_room,
    has_text,
    is_last,
    starts_of,
    take,
    take_graph,
    trimmed,
)
from .cuts import mark_cuts
from .drawing import drawn, take_nullable, take_sizes
from .groups import take_first_calls, take_groups
from .left_recursion import remove_left_recursion

Y_CALLED, Y_TERMINAL, Y_NULLABLE, Y_DEAD, SYMBOL_FIELDS = range(5)
"""Fields of a symbol: the rule it calls, or -1; 1 for terminals, for those that may be empty, those that must be."""

IS_FINAL, IS_LAST, IS_CUT = 1, 2, 4

FOUND, NOTHING, DRAWING, UNROLLING = range(4)
"""How it went, or where NO_ROOM or TOO_LARGE come from."""


@exported
def number_positions(
    work: Int64s, nodes: Int64Rows, roots: Int64s, symbols: Int64Rows, max_states: int
) -> tuple[int, int, int, int, int, int]:
    """All of `build_network` but languages. The start is the last rule.

    nodes: (N, 4), see `drawing`. roots: (R), the node of each rule. symbols: (Y, SYMBOL_FIELDS).
    Returns how it went: FOUND, or NOTHING where there is no text but the empty one, with 1 if the start has that; or
    DRAWING, UNROLLING with NO_ROOM or TOO_LARGE, and the rule. With FOUND: how many positions, edges and rules there
    are; at the end of `work`, from the place in W_FREE on: flags of positions (P), where their edges begin (P + 1),
    edges (E), the symbol times 2**32 plus the target; the first position of each rule (R), and which rule it is (R).
    """
    num_rules, num_symbols = len(roots), len(symbols)
    work[W_USED], work[W_FREE] = W_FIRST, len(work)
    if not has_room(work, SYMBOL_FIELDS * num_symbols + num_rules):
        return DRAWING, NO_ROOM, 0, 0, 0, 0
    automata, facts = take(work, num_rules, 0), take(work, SYMBOL_FIELDS * num_symbols, 0)
    for symbol in range(num_symbols):
        for field in range(SYMBOL_FIELDS):
            work[facts + field * num_symbols + symbol] = symbols[symbol, field]
    called, is_nullable = facts + Y_CALLED * num_symbols, facts + Y_NULLABLE * num_symbols
    is_terminal, is_dead = facts + Y_TERMINAL * num_symbols, facts + Y_DEAD * num_symbols
    is_start_nullable = _note_nullable(work, nodes, roots, called, is_nullable, num_symbols)
    sizes = take_sizes(work, nodes) if is_start_nullable >= 0 else NO_ROOM
    if sizes < 0:
        return DRAWING, NO_ROOM, 0, 0, 0, 0
    for rule in range(num_rules):
        automaton = drawn(work, nodes, roots[rule], sizes, is_nullable, max_states)
        if automaton < 0:
            return DRAWING, automaton, rule, 0, 0, 0
        work[automata + rule] = automaton
    if _drop_dead(work, automata, num_rules, called, num_symbols, is_dead) < 0:
        return DRAWING, NO_ROOM, 0, 0, 0, 0
    if not has_text(work, work[automata + num_rules - 1]):
        return NOTHING, is_start_nullable, 0, 0, 0, 0
    problem, rule = remove_left_recursion(work, automata, num_rules, called, is_dead, max_states)
    if problem < 0:
        return UNROLLING, problem, rule, 0, 0, 0
    if _loop_at_ends(work, automata, num_rules, called, num_symbols, is_dead) < 0:
        return DRAWING, NO_ROOM, 0, 0, 0, 0
    count, rules = _take_in_order(work, automata, num_rules, called)
    num_positions, num_edges = 0, 0
    for place in range(rules, rules + count):
        num_positions += work[work[automata + work[place]]]
        num_edges += work[work[automata + work[place]] + 1]
    if rules < 0 or not has_room(work, 3 * num_positions + num_edges + 3 * num_rules + 2 * count + 1):
        return DRAWING, NO_ROOM, 0, 0, 0, 0
    places, left, is_cut = take(work, num_rules, -1), take(work, count, 0), take(work, num_positions, 0)
    for place in range(count):
        work[places + work[rules + place]], work[left + place] = place, work[automata + work[rules + place]]
    for symbol in range(num_symbols):
        if work[called + symbol] >= 0:
            work[called + symbol] = work[places + work[called + symbol]]
    if mark_cuts(work, left, count, called, is_terminal, is_cut) < 0:
        return DRAWING, NO_ROOM, 0, 0, 0, 0
    result = take(work, 2 * num_positions + 1 + num_edges + 2 * count, 0)
    _write(work, left, rules, count, is_cut, num_positions, num_edges, result)
    return FOUND, is_start_nullable, 0, num_positions, num_edges, count


@kernel
def _note_nullable(work: Work, nodes: Work, roots: Work, called: int, is_nullable: int, num_symbols: int) -> int:
    """Set is_nullable of symbols that call rules; that of the start. NO_ROOM."""
    of_rules = take_nullable(work, nodes, roots, called, is_nullable)
    if of_rules < 0:
        return NO_ROOM
    for symbol in range(num_symbols):
        if work[called + symbol] >= 0:
            work[is_nullable + symbol] = work[of_rules + work[called + symbol]]
    return work[of_rules + len(roots) - 1]


@kernel
def _drop_dead(work: Work, automata: int, num_rules: int, called: int, num_symbols: int, is_dead: int) -> int:
    """Let automata be without what no text uses. Rules that have no text but the empty one: dead symbols. NO_ROOM."""
    has_changed = True
    while has_changed:
        has_changed = False
        for rule in range(num_rules):
            automaton = trimmed(work, work[automata + rule], is_dead)
            if automaton < 0:
                return NO_ROOM
            work[automata + rule] = automaton
        for symbol in range(num_symbols):
            rule = work[called + symbol]
            if rule >= 0 and not work[is_dead + symbol] and not has_text(work, work[automata + rule]):
                work[is_dead + symbol], has_changed = 1, True
    return 0


@kernel
def _loop_at_ends(work: Work, automata: int, num_rules: int, called: int, num_symbols: int, is_dead: int) -> int:
    """Let rules that end with themselves have loops. NO_ROOM."""
    if not has_room(work, num_rules):
        return NO_ROOM
    symbol_of = take(work, num_rules, -1)
    for symbol in range(num_symbols):
        if work[called + symbol] >= 0:
            work[symbol_of + work[called + symbol]] = symbol
    for rule in range(num_rules):
        automaton = work[automata + rule]
        looped = _looped(work, automaton, work[symbol_of + rule])
        if looped != automaton and looped >= 0:
            looped = trimmed(work, looped, is_dead)
        if looped < 0:
            return NO_ROOM
        work[automata + rule] = looped
    work[W_FREE] += num_rules
    return 0


@kernel
def _looped(work: Work, automaton: int, call: int) -> int:
    """With the rule's beginning in the place of calls of the rule itself at its ends; the same if there is none.

    call: the symbol that calls it. NO_ROOM.
    """
    free, num_states, num_edges, num_again = work[W_FREE], work[automaton], work[automaton + 1], 0
    starts, edges = starts_of(work, automaton), automaton + 2
    num_first = work[starts + 1]
    for place in range(edges + num_first, edges + num_edges):
        num_again += 1 if _is_again(work, automaton, work[place], call) else 0
    if num_again == 0:
        return automaton
    if not has_room(work, num_edges + num_again * num_first + 3 * num_states + 8):
        return NO_ROOM
    new_starts, found, used = take(work, num_states + 1, 0), work[W_USED] + 2, 0
    for state in range(num_states):
        is_again = False
        for place in range(edges + work[starts + state], edges + work[starts + state + 1]):
            if state and _is_again(work, automaton, work[place], call):
                is_again = True
            else:
                work[found + used] = work[place]
                used += 1
        for place in range(edges, edges + num_first if is_again else edges):
            work[found + used] = work[place]
            used += 1
        work[new_starts + state + 1] = used
    looped = add_automaton(work, num_states, used, new_starts, finals_of(work, automaton))
    work[W_FREE] = free
    return looped


@kernel
def _is_again(work: Work, automaton: int, edge: int, call: int) -> bool:
    """True for an edge that calls a rule where nothing can come after it."""
    return edge >> STATE_BITS == call and is_last(work, automaton, edge & STATE_MASK)


@kernel
def _take_in_order(work: Work, automata: int, num_rules: int, called: int) -> tuple[int, int]:
    """How many rules the start uses, and their place, each before those that it begins with. NO_ROOM as the place."""
    if not has_room(work, 6 * num_rules + 2):
        return 0, NO_ROOM
    rules = take(work, num_rules, num_rules - 1)
    free = work[W_FREE]
    is_used, keys, waiting, size, count = take(work, num_rules, 0), take(work, num_rules, 0), rules, 1, 0
    work[is_used + num_rules - 1] = 1
    while size:
        size -= 1
        automaton = work[automata + work[waiting + size]]
        for place in range(automaton + 2, automaton + 2 + work[automaton + 1]):
            rule = work[called + (work[place] >> STATE_BITS)]
            if rule >= 0 and not work[is_used + rule]:
                work[is_used + rule], work[waiting + size] = 1, rule
                size += 1
    calls = take_first_calls(work, automata, num_rules, called)
    group_of = take_groups(work, calls, num_rules) if calls >= 0 else NO_ROOM
    if group_of < 0 or not has_room(work, 3 * num_rules + 1):
        return 0, NO_ROOM
    for rule in range(num_rules):
        if work[is_used + rule]:
            work[keys + count], work[rules + count] = num_rules - 1 - work[group_of + rule], rule
            count += 1
    ordered = take_graph(work, keys, rules, count, num_rules) + num_rules + 1
    for place in range(count):
        work[rules + place] = work[ordered + place]
    work[W_FREE] = free
    return count, rules


@kernel
def _write(
    work: Work, automata: int, rules: int, count: int, is_cut: int, num_positions: int, num_edges: int, result: int
) -> None:
    """Write the result of `number_positions`."""
    flags, starts, edges = result, result + num_positions, result + 2 * num_positions + 1
    firsts, position, used = edges + num_edges, 0, 0
    for rule in range(count):
        automaton, first = work[automata + rule], position
        of_rule, finals = starts_of(work, automaton), finals_of(work, automaton)
        work[firsts + rule], work[firsts + count + rule] = first, work[rules + rule]
        for state in range(work[automaton]):
            at_end = IS_LAST if is_last(work, automaton, state) else 0
            work[flags + position] = IS_FINAL * work[finals + state] + at_end + IS_CUT * work[is_cut + position]
            position += 1
            work[starts + position] = used + work[of_rule + state + 1]
        for index in range(work[automaton + 1]):
            work[edges + used + index] = work[automaton + 2 + index] + first
        used += work[automaton + 1]
