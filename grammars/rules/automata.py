"""Kernels on the automata of rules: the texts of one rule but the empty one, over terminals and calls of rules.

No edge reads the empty text: where a rule or a terminal may be empty, another edge goes around it. State 0 is the first
one, which no edge leads to.

Everything lies in one array, `work`, int64, and is known by its place there. Results are added behind W_USED, and stay;
what is needed for a while is taken before W_FREE, and given back. An automaton is its number of states, its number of
edges, the edges, where each state's edges begin among them (one more at the end), and 1 for each state in which a text
may end. An edge is the number of what it reads times 2**32, plus the state after it. A graph is, likewise, where each
node's targets begin, one more at the end, and the targets.

Kernels return NO_ROOM where the work does not fit; the same is done again with a larger array.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..kernels import kernel

Work = NDArray[np.int64]

W_USED, W_FREE, W_FIRST = range(3)
NO_ROOM, TOO_LARGE = -1, -2
STATE_BITS = 32
STATE_MASK = (1 << STATE_BITS) - 1


@kernel
def has_room(work: Work, count: int) -> bool:
    """True when so many numbers can be taken or added."""
    return work[W_FREE] - work[W_USED] >= count


@kernel
def take(work: Work, count: int, value: int) -> int:
    """The place of so many numbers for a while, for which there is room, filled with a value."""
    place = work[W_FREE] - count
    work[W_FREE] = place
    for index in range(place, place + count):
        work[index] = value
    return place


@kernel
def starts_of(work: Work, automaton: int) -> int:
    """The place of an automaton's starts."""
    return automaton + 2 + work[automaton + 1]


@kernel
def finals_of(work: Work, automaton: int) -> int:
    """The place of an automaton's finals."""
    return automaton + 3 + work[automaton + 1] + work[automaton]


@kernel
def is_last(work: Work, automaton: int, state: int) -> bool:
    """True where a text can only end."""
    starts, finals = starts_of(work, automaton), finals_of(work, automaton)
    return work[finals + state] != 0 and work[starts + state] == work[starts + state + 1]


@kernel
def has_text(work: Work, automaton: int) -> bool:
    """True when there is a state in which a text may end."""
    finals, state = finals_of(work, automaton), 0
    while state < work[automaton] and not work[finals + state]:
        state += 1
    return state < work[automaton]


@kernel
def add_automaton(work: Work, num_states: int, num_edges: int, starts: int, finals: int) -> int:
    """Keep an automaton whose edges lie two behind W_USED. starts, finals: the places of the rest."""
    automaton = work[W_USED]
    work[automaton], work[automaton + 1] = num_states, num_edges
    place = automaton + 2 + num_edges
    for state in range(num_states + 1):
        work[place + state] = work[starts + state]
    for state in range(num_states):
        work[place + num_states + 1 + state] = work[finals + state]
    work[W_USED] = place + 2 * num_states + 1
    return automaton


@kernel
def take_graph(work: Work, sources: int, targets: int, count: int, num_nodes: int) -> int:
    """The graph with these edges, in their order for each node, for a while; takes 2 * num_nodes + 1 + count."""
    ordered = take(work, count, 0)
    starts = take(work, num_nodes + 1, 0)
    for index in range(count):
        work[starts + 1 + work[sources + index]] += 1
    for node in range(num_nodes):
        work[starts + node + 1] += work[starts + node]
    following = take(work, num_nodes, 0)
    for node in range(num_nodes):
        work[following + node] = work[starts + node]
    for index in range(count):
        node = work[sources + index]
        work[ordered + work[following + node]] = work[targets + index]
        work[following + node] += 1
    work[W_FREE] += num_nodes
    return starts


@kernel
def without_skips(work: Work, sketch: int, skips: int, num_old: int, first: int, last: int, max_edges: int) -> int:
    """The automaton of a sketch, a graph of edges, beside which is one of steps without text; NO_ROOM, TOO_LARGE.

    first, last: of the sketch's states, where texts begin and end. A new first state stands for `first`, not final.
    """
    free, edges, skipped = work[W_FREE], sketch + num_old + 1, skips + num_old + 1
    if not has_room(work, 8 * num_old + 16):
        return NO_ROOM
    numbers, met_at = take(work, num_old, -1), take(work, num_old, -1)
    olds, closure = take(work, num_old + 1, first), take(work, num_old, 0)
    starts, finals = take(work, num_old + 2, 0), take(work, num_old + 1, 0)
    num_new, state, used, found = 1, 0, 0, work[W_USED] + 2
    while state < num_new:
        old = work[olds + state]
        work[closure], work[met_at + old], size, done = old, state, 1, 0
        while done < size:
            old = work[closure + done]
            done += 1
            if old == last and state > 0:
                work[finals + state] = 1
            if found + used + work[sketch + old + 1] - work[sketch + old] + 2 * num_old + 4 > work[W_FREE]:
                work[W_FREE] = free
                return NO_ROOM
            for place in range(edges + work[sketch + old], edges + work[sketch + old + 1]):
                target = work[place] & STATE_MASK
                if work[numbers + target] < 0:
                    work[numbers + target], work[olds + num_new] = num_new, target
                    num_new += 1
                work[found + used] = work[place] - target + work[numbers + target]
                used += 1
            for place in range(skipped + work[skips + old], skipped + work[skips + old + 1]):
                target = work[place]
                if work[met_at + target] != state:
                    work[met_at + target], work[closure + size] = state, target
                    size += 1
        state += 1
        work[starts + state] = used
        if used > max_edges:
            work[W_FREE] = free
            return TOO_LARGE
    automaton = add_automaton(work, num_new, used, starts, finals)
    work[W_FREE] = free
    return automaton


@kernel
def trimmed(work: Work, automaton: int, is_dead: int) -> int:
    """Without the states and edges that no text of the rule uses, with equal states made one; NO_ROOM.

    is_dead: the place of 1 for each symbol that has no text, or none but the empty one.
    """
    free, num_states, num_edges = work[W_FREE], work[automaton], work[automaton + 1]
    if not has_room(work, 12 * num_states + 4 * num_edges + 32):
        return NO_ROOM
    starts, keys = starts_of(work, automaton), take(work, num_edges, 0)
    ends, same = take(work, num_states, 0), take(work, num_states, 0)
    has_dead = False
    for index in range(num_edges):
        work[keys + index] = work[automaton + 2 + index]
        has_dead |= work[is_dead + (work[keys + index] >> STATE_BITS)] != 0
    for state in range(num_states):
        work[ends + state], work[same + state] = work[starts + state + 1], state
    if has_dead:
        _drop_dead(work, automaton, is_dead, keys, ends)
    for state in range(num_states):
        work[ends + state] = _sorted(work, keys, work[starts + state], work[ends + state])
    while _merge(work, automaton, keys, ends, same):
        for state in range(num_states - 1, 0, -1):
            work[same + state] = work[same + work[same + state]]
        for state in range(num_states):
            for place in range(keys + work[starts + state], keys + work[ends + state]):
                target = work[place] & STATE_MASK
                work[place] += work[same + target] - target
            work[ends + state] = _sorted(work, keys, work[starts + state], work[ends + state])
    result = _reached(work, automaton, keys, ends)
    work[W_FREE] = free
    return result


@kernel
def _drop_dead(work: Work, automaton: int, is_dead: int, keys: int, ends: int) -> None:
    """Keep only the keys that read something that has a text, and lead to states from which a text can end."""
    free, num_states, num_edges = work[W_FREE], work[automaton], work[automaton + 1]
    starts, finals = starts_of(work, automaton), finals_of(work, automaton)
    targets, sources, count = take(work, num_edges, 0), take(work, num_edges, 0), 0
    for state in range(num_states):
        for place in range(keys + work[starts + state], keys + work[ends + state]):
            if not work[is_dead + (work[place] >> STATE_BITS)]:
                work[targets + count], work[sources + count] = work[place] & STATE_MASK, state
                count += 1
    before = take_graph(work, targets, sources, count, num_states)
    is_alive, waiting, size = take(work, num_states, 0), take(work, num_states, 0), 0
    for state in range(num_states):
        if work[finals + state]:
            work[is_alive + state], work[waiting + size] = 1, state
            size += 1
    while size:
        size -= 1
        state = work[waiting + size]
        for place in range(work[before + state], work[before + state + 1]):
            source = work[before + num_states + 1 + place]
            if not work[is_alive + source]:
                work[is_alive + source], work[waiting + size] = 1, source
                size += 1
    for state in range(num_states):
        end = work[starts + state]
        for place in range(keys + end, keys + work[ends + state]):
            is_kept = work[is_alive + (work[place] & STATE_MASK)] and not work[is_dead + (work[place] >> STATE_BITS)]
            if is_kept:
                work[keys + end] = work[place]
                end += 1
        work[ends + state] = end
    work[W_FREE] = free


@kernel
def _sorted(work: Work, keys: int, start: int, end: int) -> int:
    """Sort some keys in place, by insertion over shrinking gaps, each kept once; where they end then."""
    gap = 1
    while gap < (end - start) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for index in range(start + gap, end):
            key, place = work[keys + index], index
            while place >= start + gap and work[keys + place - gap] > key:
                work[keys + place] = work[keys + place - gap]
                place -= gap
            work[keys + place] = key
        gap //= 3
    kept = min(start + 1, end)
    for index in range(start + 1, end):
        if work[keys + index] != work[keys + kept - 1]:
            work[keys + kept] = work[keys + index]
            kept += 1
    return kept


@kernel
def _merge(work: Work, automaton: int, keys: int, ends: int, same: int) -> bool:
    """Note in `same` which states equal another one: both final or both not, the same keys. True if one was found."""
    free, num_states, size, is_found = work[W_FREE], work[automaton], 4, False
    starts, finals = starts_of(work, automaton), finals_of(work, automaton)
    while size < 2 * num_states:
        size *= 2
    table = take(work, size, -1)
    for state in range(num_states - 1, 0, -1):
        if work[same + state] != state:
            continue
        hashed = work[finals + state]
        for place in range(keys + work[starts + state], keys + work[ends + state]):
            key = work[place]
            hashed = ((hashed ^ (key & STATE_MASK)) * 0x9E3779 + (key >> STATE_BITS) * 0x85EBCB) & STATE_MASK
        place = table + (hashed >> 7) % size
        while work[place] >= 0 and not _is_same(work, automaton, keys, ends, state, work[place]):
            place = place + 1 if place + 1 < table + size else table
        if work[place] >= 0:
            work[same + state], is_found = work[place], True
        else:
            work[place] = state
    work[W_FREE] = free
    return is_found


@kernel
def _is_same(work: Work, automaton: int, keys: int, ends: int, first: int, second: int) -> bool:
    starts, finals = starts_of(work, automaton), finals_of(work, automaton)
    start, other = work[starts + first], work[starts + second]
    count = work[ends + first] - start
    if work[finals + first] != work[finals + second] or work[ends + second] - other != count:
        return False
    index = 0
    while index < count and work[keys + start + index] == work[keys + other + index]:
        index += 1
    return index == count


@kernel
def _reached(work: Work, automaton: int, keys: int, ends: int) -> int:
    """The automaton of the keys: only the states that the first one reaches, numbered anew."""
    num_old, num_new, used, state, found = work[automaton], 1, 0, 0, work[W_USED] + 2
    old_starts, old_finals = starts_of(work, automaton), finals_of(work, automaton)
    numbers, olds = take(work, num_old, -1), take(work, num_old, 0)
    starts, finals = take(work, num_old + 1, 0), take(work, num_old, 0)
    work[numbers] = 0
    while state < num_new:
        old = work[olds + state]
        work[finals + state] = work[old_finals + old]
        for place in range(keys + work[old_starts + old], keys + work[ends + old]):
            target = work[place] & STATE_MASK
            if work[numbers + target] < 0:
                work[numbers + target], work[olds + num_new] = num_new, target
                num_new += 1
            work[found + used] = work[place] - target + work[numbers + target]
            used += 1
        state += 1
        work[starts + state] = used
    return add_automaton(work, num_new, used, starts, finals)
