"""Strongly connected components of a graph (Tarjan, 1972), without recursion."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from ..kernels.arrays import Int64s
from .kernel import exported, kernel
from .layout import dtype_of
from .rows import array_at
from .structs import Array, Struct, address_of, int64

Node = TypeVar("Node", bound=Hashable)


class Graph(Struct):
    """A directed graph: the edges of node n lead to `targets[first_target[n]]` and the following nodes."""

    first_target: Array[int64]  # for each node, and one more entry for the end
    targets: Array[int64]


class Visit(Struct):
    """A search's knowledge of a node."""

    number: int64  # order of discovery, from 1 on; 0: not discovered yet
    lowest: int64  # smallest number among the reachable nodes without a component
    next_target: int64  # the next edge to follow
    caller: int64  # node from which this one was discovered; -1 for none
    below: int64  # the previously discovered node without a component; -1 for none
    component: int64  # number of the component; -1 while unknown


@kernel
def find_components(first_target: Array[int], targets: Array[int], visits: Array[Visit]) -> int:
    """Number the components of a graph in `visits`, each after all components that it leads to. Returns their
    number.
    """
    for node in range(len(visits)):
        visits[node].number = 0
        visits[node].component = -1
        visits[node].next_target = first_target[node]
    num_met, num_components, top = 0, 0, -1  # top: the last discovered node without a component
    for root in range(len(visits)):
        if visits[root].number:
            continue
        num_met += 1
        top = _meet(visits, root, -1, num_met, top)
        node = root
        while node >= 0:
            visit = visits[node]
            if visit.next_target < first_target[node + 1]:
                target = targets[visit.next_target]
                visit.next_target += 1
                if visits[target].number == 0:
                    num_met += 1
                    top = _meet(visits, target, node, num_met, top)
                    node = target
                elif visits[target].component < 0:
                    visit.lowest = min(visit.lowest, visits[target].number)
                continue
            if visit.lowest == visit.number:
                while visit.component < 0:
                    visits[top].component = num_components
                    top = visits[top].below
                num_components += 1
            node = visit.caller
            if node >= 0:
                visits[node].lowest = min(visits[node].lowest, visit.lowest)
    return num_components


@kernel
def _meet(visits: Array[Visit], node: int, caller: int, number: int, top: int) -> int:
    """Number a newly discovered node, and return it as the new top."""
    visit = visits[node]
    visit.number = number
    visit.lowest = number
    visit.caller = caller
    visit.below = top
    return node


@exported
def search_components(first_target: Int64s, targets: Int64s, visits: int) -> int:
    """`find_components`, for Python. visits: address of one `Visit` for each node."""
    return find_components(first_target, targets, array_at(Visit, visits, len(first_target) - 1))


def components(nodes: Sequence[Node], following: Callable[[Node], Iterable[Node]]) -> list[list[Node]]:
    """Return the components of a graph, each after all components that it leads to.

    nodes: nodes to start from.
    following: function that returns the nodes that a node leads to.
    """
    known = list(dict.fromkeys(nodes))
    numbers = {node: number for number, node in enumerate(known)}
    first_target, targets = [0], list[int]()
    for node in known:  # `known` grows meanwhile
        for target in following(node):
            number = numbers.setdefault(target, len(known))
            if number == len(known):
                known.append(target)
            targets.append(number)
        first_target.append(len(targets))
    if len(known) == 1:
        return [known]
    visits = np.zeros(len(known), dtype_of(Visit))
    graph = np.array(first_target, np.int64), np.array(targets, np.int64)
    num_components = search_components(*graph, address_of(visits))
    found: list[list[Node]] = [[] for _ in range(num_components)]
    of_node = visits["component"].tolist()
    for number in np.argsort(-visits["number"]).tolist():  # nodes discovered last come first
        found[of_node[number]].append(known[number])
    return found
