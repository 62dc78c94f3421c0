"""Kernels that replace the GSS nodes behind recursive calls by labels, and labels by the nodes that a frame keeps.

Both kernels go through a GSS node depth first. The result for each node is kept with the epoch, so that all changes for
one frame share it.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from ...memory.structs import Array
from .. import asking
from .. import layout as at
from . import layout as pd
from .gss_edges import gss_edges_of, intern_gss_node, new_gss_edges, single, sort_united
from .numbers import numbers_of
from .structs import Rules


@kernel
def new_epoch(rules: Rules) -> None:
    """Forget the results and labels of GSS nodes."""
    rules.epoch += 1
    rules.relabelling.labels.used = 0


@kernel
def relabelled(rules: Rules, gss_node: int) -> int:
    """Return a GSS node whose nodes behind recursive calls, and whose old labels, are replaced by new labels.

    `rules.relabelling.labels` receives the replaced nodes.
    """
    return _changed(rules, gss_node, 0)


@kernel
def substituted(rules: Rules, gss_node: int, frame: int) -> int:
    """Return a GSS node whose labels are replaced by the nodes that a frame keeps under them."""
    return _changed(rules, gss_node, frame)


@kernel
def _changed(rules: Rules, gss_node: int, frame: int) -> int:
    """Return a changed GSS node. frame: 0 for `relabelled`, else the frame of `substituted`."""
    epoch, work, gss_nodes = rules.epoch, rules.relabelling, rules.gss_nodes.span()
    if gss_nodes[gss_node].known_in == epoch:
        return gss_nodes[gss_node].known
    path, size, depth = work.path.span(), 0, 1
    path[0].gss_node = gss_node
    path[0].next_gss_edge = 0
    path[0].first = 0
    while depth:
        entry = path[depth - 1]
        here, index, first = gss_nodes[entry.gss_node], entry.next_gss_edge, entry.first
        if rules.work_left <= 0:
            asking.ask(rules.request, asking.PAUSE)
        if index == here.count:
            here.known = _finish(rules, work.gss_edges.span().part(first, size - first))
            here.known_in = epoch
            size, depth = first, depth - 1
            continue
        gss_edge = rules.gss_edges[here.first + index]
        below = _below(rules, gss_edge, frame)
        if below >= 0:
            work.path.ensure(depth + 1)
            path[depth].gss_node = below
            path[depth].next_gss_edge = 0
            path[depth].first = size
            depth += 1
            continue
        size = _add_gss_edge(rules, gss_edge, size, frame)
        entry.next_gss_edge = index + 1
    return gss_nodes[gss_node].known


@kernel
def _below(rules: Rules, gss_edge: int, frame: int) -> int:
    """Return the GSS node that must be changed before an edge can be; DEAD if there is none."""
    position, then = gss_edge >> 32, gss_edge & at.MASK32
    if position < 0 or rules.gss_nodes[then].known_in == rules.epoch:
        return pd.DEAD
    if frame == 0 and rules.positions[position].flags & pd.IS_CUT:
        return pd.DEAD
    return then


@kernel
def _add_gss_edge(rules: Rules, gss_edge: int, size: int, frame: int) -> int:
    """Append the changed form of an edge to the `size` changed edges, and return the new size."""
    position, then, out = gss_edge >> 32, gss_edge & at.MASK32, rules.relabelling.gss_edges.span()
    is_label = position <= pd.FIRST_LABEL
    kept = numbers_of(rules, frame)[pd.FIRST_LABEL - position] if is_label and frame else 0
    count = rules.gss_nodes[kept].count if is_label and frame else 1
    rules.relabelling.gss_edges.ensure(size + count)
    rules.work_left -= 8 * count
    if is_label and frame:
        gss_edges = gss_edges_of(rules, kept)
        for index in range(count):
            out[size + index] = gss_edges[index]
        return size + count
    if is_label:
        position = pd.FIRST_LABEL - _label_of(rules, single(rules, position, 0))
    elif position >= 0 and frame == 0 and rules.positions[position].flags & pd.IS_CUT:
        if then != pd.END:
            then = single(rules, pd.FIRST_LABEL - _label_of(rules, then), 0)
    elif position >= 0:
        then = rules.gss_nodes[then].known
    out[size] = position << 32 | then
    return size + 1


@kernel
def _label_of(rules: Rules, gss_node: int) -> int:
    """Return the label of a GSS node in this epoch; a new one if it has none."""
    fields, labels = rules.gss_nodes[gss_node], rules.relabelling.labels
    if fields.label_in == rules.epoch:
        return fields.label
    label = labels.reserve(1)
    labels[label] = gss_node
    fields.label_in = rules.epoch
    fields.label = label
    return label


@kernel
def _finish(rules: Rules, gss_edges: Array[int]) -> int:
    """Return the GSS node of some edges. Their order does not matter, and positions may repeat."""
    num_kept = sort_united(rules, gss_edges, len(gss_edges))
    new = new_gss_edges(rules, num_kept)
    for index in range(num_kept):
        new[index] = gss_edges[index]
    return intern_gss_node(rules, num_kept)
