"""Kernels: what GSS nodes have behind recursive calls, replaced by labels; and labels by what a frame keeps.

Both go through a GSS node depth first. What one became is noted with the epoch, so that all that is changed for one
frame shares it.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import asking
from ..automaton import layout as at
from ..memory.kernel import kernel
from ..memory.structs import Array
from . import layout as pd
from .gss_edges import gss_edges_of, intern_gss_node, new_gss_edges, single, sort_united
from .numbers import numbers_of
from .structs import RuleMachine


@kernel
def new_epoch(machine: RuleMachine) -> None:
    """Forget what GSS nodes became, and their labels."""
    machine.epoch += 1
    machine.relabelling.labels.used = 0


@kernel
def relabelled(machine: RuleMachine, gss_node: int) -> int:
    """With what comes after the positions behind recursive calls replaced by labels; the old labels too.

    `machine.relabelling.labels`: what they stand for.
    """
    return _changed(machine, gss_node, 0)


@kernel
def substituted(machine: RuleMachine, gss_node: int, frame: int) -> int:
    """With the labels replaced by what a frame keeps under them."""
    return _changed(machine, gss_node, frame)


@kernel
def _changed(machine: RuleMachine, gss_node: int, frame: int) -> int:
    """frame: 0 for `relabelled`."""
    epoch, work, gss_nodes = machine.epoch, machine.relabelling, machine.gss_nodes.span()
    if gss_nodes[gss_node].known_in == epoch:
        return gss_nodes[gss_node].known
    path, size, depth = work.path.span(), 0, 1
    path[0].gss_node = gss_node
    path[0].next_gss_edge = 0
    path[0].first = 0
    while depth:
        entry = path[depth - 1]
        here, index, first = gss_nodes[entry.gss_node], entry.next_gss_edge, entry.first
        if machine.work_left <= 0:
            asking.ask(machine.request, asking.PAUSE)
        if index == here.count:
            here.known = _finish(machine, work.gss_edges.span().part(first, size - first))
            here.known_in = epoch
            size, depth = first, depth - 1
            continue
        gss_edge = machine.gss_edges[here.first + index]
        below = _below(machine, gss_edge, frame)
        if below >= 0:
            work.path.ensure(depth + 1)
            path[depth].gss_node = below
            path[depth].next_gss_edge = 0
            path[depth].first = size
            depth += 1
            continue
        size = _add_gss_edge(machine, gss_edge, size, frame)
        entry.next_gss_edge = index + 1
    return gss_nodes[gss_node].known


@kernel
def _below(machine: RuleMachine, gss_edge: int, frame: int) -> int:
    """The GSS node that must be changed before an edge can be; DEAD for none."""
    position, then = gss_edge >> 32, gss_edge & at.MASK32
    if position < 0 or machine.gss_nodes[then].known_in == machine.epoch:
        return pd.DEAD
    if frame == 0 and machine.positions[position].flags & pd.IS_CUT:
        return pd.DEAD
    return then


@kernel
def _add_gss_edge(machine: RuleMachine, gss_edge: int, size: int, frame: int) -> int:
    """Add what an edge becomes to the changed edges, of which there are `size`; how many there are then."""
    position, then, out = gss_edge >> 32, gss_edge & at.MASK32, machine.relabelling.gss_edges.span()
    is_label = position <= pd.FIRST_LABEL
    kept = numbers_of(machine, frame)[pd.FIRST_LABEL - position] if is_label and frame else 0
    count = machine.gss_nodes[kept].count if is_label and frame else 1
    machine.relabelling.gss_edges.ensure(size + count)
    machine.work_left -= 8 * count
    if is_label and frame:
        gss_edges = gss_edges_of(machine, kept)
        for index in range(count):
            out[size + index] = gss_edges[index]
        return size + count
    if is_label:
        position = pd.FIRST_LABEL - _label_of(machine, single(machine, position, 0))
    elif position >= 0 and frame == 0 and machine.positions[position].flags & pd.IS_CUT:
        if then != pd.END:
            then = single(machine, pd.FIRST_LABEL - _label_of(machine, then), 0)
    elif position >= 0:
        then = machine.gss_nodes[then].known
    out[size] = position << 32 | then
    return size + 1


@kernel
def _label_of(machine: RuleMachine, gss_node: int) -> int:
    """The label of a GSS node, in this epoch."""
    fields, labels = machine.gss_nodes[gss_node], machine.relabelling.labels
    if fields.label_in == machine.epoch:
        return fields.label
    label = labels.reserve(1)
    labels[label] = gss_node
    fields.label_in = machine.epoch
    fields.label = label
    return label


@kernel
def _finish(machine: RuleMachine, gss_edges: Array[int]) -> int:
    """The GSS node of edges in any order, in which positions may come more than once."""
    num_kept = sort_united(machine, gss_edges, len(gss_edges))
    new = new_gss_edges(machine, num_kept)
    for index in range(num_kept):
        new[index] = gss_edges[index]
    return intern_gss_node(machine, num_kept)
