"""Kernels on the automata of rules: they make automata from sketches, and trim them.

Kernels that may exceed a limit return OK or TOO_LARGE.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.arena import Arena, kept, make_room, rest, taken
from ..memory.components import Graph
from ..memory.kernel import kernel
from ..memory.sorting import sort
from ..memory.structs import Array
from ..memory.waiting import wait
from .structs import Automaton, NetworkWork

OK, TOO_LARGE = 0, -1
STATE_BITS = 32
STATE_MASK = (1 << STATE_BITS) - 1


@kernel
def spend(work: NetworkWork, steps: int) -> None:
    """Count steps. When no steps are left, the exported kernel ends, so that Python looks at the time limit."""
    work.steps_left -= steps
    if work.steps_left < 0:
        wait()


@kernel
def edge_of(symbol: int, target: int) -> int:
    """Return the edge that reads a symbol and leads to a state."""
    return symbol << STATE_BITS | target


@kernel
def symbol_of(edge: int) -> int:
    """Return the symbol that an edge reads."""
    return edge >> STATE_BITS


@kernel
def target_of(edge: int) -> int:
    """Return the state that an edge leads to."""
    return edge & STATE_MASK


@kernel
def is_last(automaton: Automaton, state: int) -> bool:
    """Return True if a text can only end in this state."""
    return automaton.is_final[state] != 0 and automaton.first_edge[state] == automaton.first_edge[state + 1]


@kernel
def has_text(automaton: Automaton) -> bool:
    """Return True if a text may end in some state."""
    num_final = 0
    for is_final in automaton.is_final:
        num_final += is_final
    return num_final > 0


@kernel
def keep_automaton(
    arena: Arena, automaton: Automaton, num_edges: int, first_edge: Array[int], is_final: Array[int], num_states: int
) -> None:
    """Give an automaton the edges at the beginning of the arena's rest, and copies of the other arrays."""
    automaton.edges = kept(arena, num_edges)
    starts, finals = kept(arena, num_states + 1), kept(arena, num_states)
    for state in range(num_states):
        starts[state] = first_edge[state]
        finals[state] = is_final[state]
    starts[num_states] = first_edge[num_states]
    automaton.first_edge = starts
    automaton.is_final = finals


@kernel
def take_graph(
    arena: Arena, graph: Graph, sources: Array[int], targets: Array[int], count: int, num_nodes: int
) -> None:
    """Give a graph `count` edges, keeping their order for each node. Takes 2 * num_nodes + 1 + count numbers."""
    ordered, first_target = taken(arena, count, 0), taken(arena, num_nodes + 1, 0)
    graph.targets = ordered
    graph.first_target = first_target
    for index in range(count):
        first_target[sources[index] + 1] += 1
    for node in range(num_nodes):
        first_target[node + 1] += first_target[node]
    free = arena.free
    following = taken(arena, num_nodes, 0)
    for node in range(num_nodes):
        following[node] = first_target[node]
    for index in range(count):
        node = sources[index]
        ordered[following[node]] = targets[index]
        following[node] += 1
    arena.free = free


@kernel
def without_skips(work: NetworkWork, automaton: Automaton, last: int, max_edges: int) -> int:
    """Give an automaton the texts of the sketch, without its skips. Returns OK or TOO_LARGE.

    last: state of the sketch where texts end; they begin in state 0.

    The automaton's first state stands for state 0 before anything is read, and is not final.
    """
    arena, sketch, skips = work.arena, work.sketch, work.skips
    spend(work, len(sketch.first_target) + len(sketch.targets) + len(skips.targets))
    num_old, free = len(sketch.first_target) - 1, arena.free
    number_of, met_from = taken(arena, num_old, -1), taken(arena, num_old, -1)
    olds, closure = taken(arena, num_old + 1, 0), taken(arena, num_old, 0)
    first_edge, is_final = taken(arena, num_old + 2, 0), taken(arena, num_old + 1, 0)
    edges = rest(arena, 0)
    num_new, state, used = 1, 0, 0
    while state < num_new:
        closure[0] = olds[state]
        met_from[olds[state]] = state
        size, done = 1, 0
        while done < size:
            old = closure[done]
            done += 1
            if old == last and state > 0:
                is_final[state] = 1
            make_room(arena, used + sketch.first_target[old + 1] - sketch.first_target[old])
            for place in range(sketch.first_target[old], sketch.first_target[old + 1]):
                edge = sketch.targets[place]
                target = target_of(edge)
                if number_of[target] < 0:
                    number_of[target] = num_new
                    olds[num_new] = target
                    num_new += 1
                edges[used] = edge_of(symbol_of(edge), number_of[target])
                used += 1
            for place in range(skips.first_target[old], skips.first_target[old + 1]):
                other = skips.targets[place]
                if met_from[other] != state:
                    met_from[other] = state
                    closure[size] = other
                    size += 1
        state += 1
        first_edge[state] = used
        if used > max_edges:
            arena.free = free
            return TOO_LARGE
    keep_automaton(arena, automaton, used, first_edge, is_final, num_new)
    arena.free = free
    return OK


@kernel
def trim(work: NetworkWork, automaton: Automaton) -> None:
    """Remove states and edges that no text of the rule uses, and merge equal states."""
    arena, first_edge = work.arena, automaton.first_edge
    free, num_states, num_edges = arena.free, len(automaton.is_final), len(automaton.edges)
    edges, has_dead = taken(arena, num_edges, 0), False
    ends, same_as = taken(arena, num_states, 0), taken(arena, num_states, 0)
    for index in range(num_edges):
        edges[index] = automaton.edges[index]
        has_dead |= work.symbols[symbol_of(edges[index])].is_dead != 0
    for state in range(num_states):
        ends[state] = first_edge[state + 1]
        same_as[state] = state
    if has_dead:
        _drop_dead(work, automaton, edges, ends)
    _merge_in_order(arena, automaton, edges, ends, same_as)
    is_found = True
    while is_found:
        spend(work, num_states + num_edges)
        for state in range(num_states):
            _redirect(automaton, edges, ends, same_as, state)
        is_found = _find_same(arena, automaton, edges, ends, same_as)
        for state in range(num_states - 1, 0, -1):
            same_as[state] = same_as[same_as[state]]
    _keep_reached(arena, automaton, edges, ends)
    arena.free = free


@kernel
def _merge_in_order(
    arena: Arena, automaton: Automaton, edges: Array[int], ends: Array[int], same_as: Array[int]
) -> None:
    """Note in `same_as` which states equal another one, each after the states that its edges lead to.

    States that a loop leads back to may be left for `_find_same`. PERF: this is one pass, while `_find_same` needs a
    round for each edge up to an end. With it alone, a rule with two equal tails of 9,000 calls took 12 s.
    """
    first_edge, free, num_states, capacity = automaton.first_edge, arena.free, len(same_as), 2
    while capacity < 2 * num_states:
        capacity *= 2
    known, next_known = taken(arena, capacity, -1), taken(arena, num_states, -1)
    path, cursors = taken(arena, num_states, 0), taken(arena, num_states, -1)
    for start in range(num_states):
        if cursors[start] >= 0:
            continue
        path[0] = start
        cursors[start] = first_edge[start]
        depth = 1
        while depth:
            state = path[depth - 1]
            place = cursors[state]
            if place == ends[state]:
                depth -= 1
                _redirect(automaton, edges, ends, same_as, state)
                if state:  # no edge leads to the first state
                    _merge_known(automaton, edges, ends, same_as, known, next_known, state)
                continue
            cursors[state] = place + 1
            target = target_of(edges[place])
            if cursors[target] < 0:
                path[depth] = target
                cursors[target] = first_edge[target]
                depth += 1
    highest = path
    for state in range(num_states):
        highest[same_as[state]] = state
    for state in range(num_states):
        same_as[state] = highest[same_as[state]]
    arena.free = free


@kernel
def _redirect(automaton: Automaton, edges: Array[int], ends: Array[int], same_as: Array[int], state: int) -> None:
    """Lead the edges of a state to the states that others equal."""
    for place in range(automaton.first_edge[state], ends[state]):
        edges[place] = edge_of(symbol_of(edges[place]), same_as[target_of(edges[place])])
    ends[state] = _sort_edges(edges, automaton.first_edge[state], ends[state])


@kernel
def _merge_known(
    automaton: Automaton,
    edges: Array[int],
    ends: Array[int],
    same_as: Array[int],
    known: Array[int],
    next_known: Array[int],
    state: int,
) -> None:
    """Note the equal state that is known, or make this state known.

    known: hash -> the newest state with that hash. next_known: state -> the next one with the same hash.
    """
    hashed = _hash_of(automaton, edges, ends, state)
    slot = (hashed ^ hashed >> 13) & (len(known) - 1)
    other = known[slot]
    while other >= 0 and not _is_same(automaton, edges, ends, state, other):
        other = next_known[other]
    if other >= 0:
        same_as[state] = other
    else:
        next_known[state] = known[slot]
        known[slot] = state


@kernel
def _drop_dead(work: NetworkWork, automaton: Automaton, edges: Array[int], ends: Array[int]) -> None:
    """Drop the edges whose symbol has no text, and the edges to states that lead to no end of a text.

    edges: edges of all states, changed in place.
    ends: end of each state's edges, changed in place.
    """
    arena, symbols, before = work.arena, work.symbols, work.before
    free, num_states, num_edges = arena.free, len(automaton.is_final), len(edges)
    targets, sources, count = taken(arena, num_edges, 0), taken(arena, num_edges, 0), 0
    for state in range(num_states):
        for place in range(automaton.first_edge[state], ends[state]):
            if not symbols[symbol_of(edges[place])].is_dead:
                targets[count] = target_of(edges[place])
                sources[count] = state
                count += 1
    take_graph(arena, before, targets, sources, count, num_states)
    is_alive, waiting, size = taken(arena, num_states, 0), taken(arena, num_states, 0), 0
    for state in range(num_states):
        if automaton.is_final[state]:
            is_alive[state] = 1
            waiting[size] = state
            size += 1
    while size:
        size -= 1
        state = waiting[size]
        for place in range(before.first_target[state], before.first_target[state + 1]):
            source = before.targets[place]
            if not is_alive[source]:
                is_alive[source] = 1
                waiting[size] = source
                size += 1
    for state in range(num_states):
        end = automaton.first_edge[state]
        for place in range(end, ends[state]):
            edge = edges[place]
            if is_alive[target_of(edge)] and not symbols[symbol_of(edge)].is_dead:
                edges[end] = edge
                end += 1
        ends[state] = end
    arena.free = free


@kernel
def _sort_edges(edges: Array[int], start: int, end: int) -> int:
    """Sort some edges in place without duplicates, and return their new end."""
    sort(edges.part(start, end - start), end - start)
    kept_end = min(start + 1, end)
    for index in range(start + 1, end):
        if edges[index] != edges[kept_end - 1]:
            edges[kept_end] = edges[index]
            kept_end += 1
    return kept_end


@kernel
def _find_same(arena: Arena, automaton: Automaton, edges: Array[int], ends: Array[int], same_as: Array[int]) -> bool:
    """Note states that equal another one: both final or both not, with the same edges. Returns True if one was found.

    Only states of equal hash are compared; sorting by hashes makes them neighbours.
    """
    free, count, is_found = arena.free, 0, False
    hashed = taken(arena, len(same_as), 0)
    for state in range(1, len(same_as)):
        if same_as[state] == state:
            hashed[count] = _hash_of(automaton, edges, ends, state) << STATE_BITS | state
            count += 1
    sort(hashed, count)
    end = count
    for index in range(count - 1, -1, -1):
        if hashed[index] >> STATE_BITS != hashed[end - 1] >> STATE_BITS:
            end = index + 1
        state = hashed[index] & STATE_MASK
        for place in range(end - 1, index, -1):
            other = hashed[place] & STATE_MASK
            if same_as[other] == other and _is_same(automaton, edges, ends, state, other):
                same_as[state] = other
                is_found = True
                break
    arena.free = free
    return is_found


@kernel
def _hash_of(automaton: Automaton, edges: Array[int], ends: Array[int], state: int) -> int:
    """Return a hash of 31 bits for a state."""
    hashed = automaton.is_final[state]
    for place in range(automaton.first_edge[state], ends[state]):
        edge = edges[place]
        hashed = ((hashed ^ target_of(edge)) * 0x9E3779 + symbol_of(edge) * 0x85EBCB) & STATE_MASK
    return hashed >> 1


@kernel
def _is_same(automaton: Automaton, edges: Array[int], ends: Array[int], first: int, second: int) -> bool:
    start, other = automaton.first_edge[first], automaton.first_edge[second]
    count = ends[first] - start
    if automaton.is_final[first] != automaton.is_final[second] or ends[second] - other != count:
        return False
    index = 0
    while index < count and edges[start + index] == edges[other + index]:
        index += 1
    return index == count


@kernel
def _keep_reached(arena: Arena, automaton: Automaton, edges: Array[int], ends: Array[int]) -> None:
    """Keep only the states that the first one reaches, and renumber them."""
    old_starts, old_finals, num_old = automaton.first_edge, automaton.is_final, len(automaton.is_final)
    number_of, olds = taken(arena, num_old, -1), taken(arena, num_old, 0)
    first_edge, is_final = taken(arena, num_old + 1, 0), taken(arena, num_old, 0)
    found, num_new, used, state = rest(arena, len(edges)), 1, 0, 0
    number_of[0] = 0
    while state < num_new:
        old = olds[state]
        is_final[state] = old_finals[old]
        for place in range(old_starts[old], ends[old]):
            target = target_of(edges[place])
            if number_of[target] < 0:
                number_of[target] = num_new
                olds[num_new] = target
                num_new += 1
            found[used] = edge_of(symbol_of(edges[place]), number_of[target])
            used += 1
        state += 1
        first_edge[state] = used
    keep_automaton(arena, automaton, used, first_edge, is_final, num_new)
