"""Kernels that draw the automata of rules from their expressions, which are nodes of numbers (see `program`)."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.kernel import kernel
from .automata import TOO_LARGE, edge_of, spend, take_graph, without_skips
from .structs import REPEAT, SEQUENCE, SYMBOL, Automaton, DrawnEdges, ExpressionNode, NetworkWork


@kernel
def find_nullable(work: NetworkWork) -> None:
    """Mark the nodes, rules and symbols that have the empty text."""
    has_changed = True
    while has_changed:
        has_changed = False
        spend(work, len(work.nodes))
        for rule in range(len(work.roots)):
            root = work.roots[rule]
            for node in range(work.nodes[root].end - 1, root - 1, -1):
                work.has_empty[node] = _is_nullable(work, node)
            if work.has_empty[root] != work.is_nullable[rule]:
                work.is_nullable[rule] = 1
                has_changed = True
    for symbol in work.symbols:
        if symbol.called >= 0:
            symbol.is_nullable = work.is_nullable[symbol.called]


@kernel
def _is_nullable(work: NetworkWork, index: int) -> int:
    """Return 1 for a node that has the empty text, as far as rules and the nodes after it are known."""
    node, has_empty = work.nodes[index], work.has_empty
    if node.kind == SYMBOL:
        symbol = work.symbols[node.symbol]
        return work.is_nullable[symbol.called] if symbol.called >= 0 else symbol.is_nullable
    if node.kind == REPEAT:
        return 1 if node.low == 0 else has_empty[index + 1]
    usual, part = 1 if node.kind == SEQUENCE else 0, index + 1
    while part < node.end and has_empty[part] == usual:
        part = work.nodes[part].end
    return usual if part == node.end else 1 - usual


@kernel
def _num_parts(node: ExpressionNode) -> int:
    """Return the number of nodes to draw for a node that is no symbol."""
    if node.kind != REPEAT:
        return node.num_parts
    return node.low + 1 if node.high < 0 else node.high


@kernel
def draw(work: NetworkWork, automaton: Automaton, root: int, max_states: int) -> int:
    """Draw the automaton of a rule. Returns OK or TOO_LARGE."""
    arena, drawn, skips, free = work.arena, work.drawn, work.drawn_skips, work.arena.free
    drawn.sources.used, drawn.targets.used = 0, 0
    skips.sources.used, skips.targets.used = 0, 0
    state = 2  # number of the next new state; the rule is drawn from state 0 to 1
    work.pending.ensure(1)
    _wait(work, 0, root, 0, 1)
    work.pending.used = 1
    while work.pending.used:
        work.pending.used -= 1
        entry = work.pending[work.pending.used]
        index, start, end = entry.node, entry.before, entry.after
        node = work.nodes[index]
        if state > max_states or (node.kind == SYMBOL and drawn.targets.used == 10 * max_states):
            return TOO_LARGE
        if node.kind == SYMBOL:
            _add(drawn, start, edge_of(node.symbol, end))
            if work.symbols[node.symbol].is_nullable:
                _add(skips, start, end)
            continue
        count, part, first_waiting = _num_parts(node), index + 1, work.pending.used
        if node.kind == REPEAT and state + count > max_states:
            return TOO_LARGE
        work.pending.ensure(first_waiting + count)
        for number in range(count):
            before, after = start, end
            if node.kind == REPEAT or (node.kind == SEQUENCE and number < count - 1):
                after = state
                start = state
                state += 1
            if node.kind == REPEAT and number >= node.low:
                _add(skips, before, end if node.high >= 0 else after)
                before = before if node.high >= 0 else after
            _wait(work, first_waiting + count - 1 - number, part, before, after)
            part = part if node.kind == REPEAT else work.nodes[part].end
        work.pending.used = first_waiting + count
        if node.kind == REPEAT:
            _add(skips, start, end)
    take_graph(arena, work.sketch, drawn.sources.span(), drawn.targets.span(), drawn.targets.used, state)
    take_graph(arena, work.skips, skips.sources.span(), skips.targets.span(), skips.targets.used, state)
    outcome = without_skips(work, automaton, 1, 10 * max_states)
    arena.free = free
    return outcome


@kernel
def _add(edges: DrawnEdges, source: int, target: int) -> None:
    """Add an edge or a skip to the drawn ones."""
    edges.sources[edges.sources.reserve(1)] = source
    edges.targets[edges.targets.reserve(1)] = target


@kernel
def _wait(work: NetworkWork, place: int, node: int, before: int, after: int) -> None:
    """Queue a node to be drawn between two states. place: index in the queue."""
    entry = work.pending[place]
    entry.node = node
    entry.before = before
    entry.after = after
