"""Kernels: the automata of rules drawn from their expressions, which are nodes of numbers (see `program`)."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.arena import taken
from ..memory.kernel import kernel
from .automata import TOO_LARGE, edge_of, take_graph, without_skips
from .structs import REPEAT, SEQUENCE, SYMBOL, Automaton, Node, Work

_MANY = 1 << 31


@kernel
def find_nullable(work: Work) -> None:
    """Note which nodes, rules and symbols have the empty text."""
    has_changed = True
    while has_changed:
        has_changed = False
        for rule in range(len(work.roots)):
            root = work.roots[rule]
            for node in range(work.nodes[root].end - 1, root - 1, -1):
                work.facts[node].is_nullable = _is_nullable(work, node)
            if work.facts[root].is_nullable != work.is_nullable[rule]:
                work.is_nullable[rule] = 1
                has_changed = True
    for symbol in work.symbols:
        if symbol.called >= 0:
            symbol.is_nullable = work.is_nullable[symbol.called]


@kernel
def _is_nullable(work: Work, index: int) -> int:
    """1 for a node that has the empty text, as far as is known of rules and of the nodes after it."""
    node, facts = work.nodes[index], work.facts
    if node.kind == SYMBOL:
        symbol = work.symbols[node.symbol]
        return work.is_nullable[symbol.called] if symbol.called >= 0 else symbol.is_nullable
    if node.kind == REPEAT:
        return 1 if node.low == 0 else facts[index + 1].is_nullable
    usual, part = 1 if node.kind == SEQUENCE else 0, index + 1
    while part < node.end and facts[part].is_nullable == usual:
        part = work.nodes[part].end
    return usual if part == node.end else 1 - usual


@kernel
def find_sizes(work: Work) -> None:
    """For each node how many states, edges and skips drawing it adds at most, no more than _MANY."""
    for index in range(len(work.nodes) - 1, -1, -1):
        node, facts, times = work.nodes[index], work.facts[index], 1
        facts.num_states = 0
        facts.num_edges = 0
        facts.num_skips = 0
        if node.kind == SYMBOL:
            facts.num_edges = 1
            facts.num_skips = 1
            continue
        if node.kind == SEQUENCE:
            facts.num_states = node.num_parts - 1
        elif node.kind == REPEAT:
            times = _num_parts(node)
            facts.num_states = times
            facts.num_skips = times + 1
        part = index + 1
        while part < node.end:
            of_part = work.facts[part]
            facts.num_states = min(facts.num_states + times * of_part.num_states, _MANY)
            facts.num_edges = min(facts.num_edges + times * of_part.num_edges, _MANY)
            facts.num_skips = min(facts.num_skips + times * of_part.num_skips, _MANY)
            part = work.nodes[part].end


@kernel
def _num_parts(node: Node) -> int:
    """How many nodes are drawn for one that is no symbol."""
    if node.kind != REPEAT:
        return node.num_parts
    return node.low + 1 if node.high < 0 else node.high


@kernel
def draw(work: Work, automaton: Automaton, root: int, max_states: int) -> int:
    """Draw the automaton of a rule. OK, TOO_LARGE."""
    arena, facts, free = work.arena, work.facts[root], work.arena.free
    num_states, max_edges, max_skips = 2 + facts.num_states, facts.num_edges, facts.num_skips
    if num_states > max_states or max_edges > 10 * max_states:
        return TOO_LARGE
    work.pending.ensure(max_edges + 1)
    sources, edges, num_edges = taken(arena, max_edges, 0), taken(arena, max_edges, 0), 0
    skip_sources, skips, num_skips = taken(arena, max_skips, 0), taken(arena, max_skips, 0), 0
    state = 2  # the next new one; the rule is drawn from 0 to 1
    _wait(work, 0, root, 0, 1)
    work.pending.used = 1
    while work.pending.used:
        work.pending.used -= 1
        entry = work.pending[work.pending.used]
        index, start, end = entry.node, entry.before, entry.after
        node = work.nodes[index]
        if node.kind == SYMBOL:
            sources[num_edges] = start
            edges[num_edges] = edge_of(node.symbol, end)
            num_edges += 1
            if work.symbols[node.symbol].is_nullable:
                skip_sources[num_skips] = start
                skips[num_skips] = end
                num_skips += 1
            continue
        count, part, first_waiting = _num_parts(node), index + 1, work.pending.used
        for number in range(count):
            before, after = start, end
            if node.kind == REPEAT or (node.kind == SEQUENCE and number < count - 1):
                after = state
                start = state
                state += 1
            if node.kind == REPEAT and number >= node.low:
                skip_sources[num_skips] = before
                skips[num_skips] = end if node.high >= 0 else after
                num_skips += 1
                before = before if node.high >= 0 else after
            _wait(work, first_waiting + count - 1 - number, part, before, after)
            part = part if node.kind == REPEAT else work.nodes[part].end
        work.pending.used = first_waiting + count
        if node.kind == REPEAT:
            skip_sources[num_skips] = start
            skips[num_skips] = end
            num_skips += 1
    take_graph(arena, work.sketch, sources, edges, num_edges, num_states)
    take_graph(arena, work.skips, skip_sources, skips, num_skips, num_states)
    outcome = without_skips(work, automaton, 1, 10 * max_states)
    arena.free = free
    return outcome


@kernel
def _wait(work: Work, place: int, node: int, before: int, after: int) -> None:
    """Let a node be drawn between two states. place: among those that wait."""
    entry = work.pending[place]
    entry.node = node
    entry.before = before
    entry.after = after
