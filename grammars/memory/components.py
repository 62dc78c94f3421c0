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
    """Where the edges of each node lead: those of node n from `targets[first_target[n]]` on."""

    first_target: Array[int64]  # of each node, and one more for the end
    targets: Array[int64]


class Visit(Struct):
    """What a search knows of a node."""

    number: int64  # nodes are numbered from 1 on when they are first met; 0: not yet
    lowest: int64  # of the nodes without a component that are known to be reached from here
    next_target: int64  # the edge that is followed next
    caller: int64  # the node from which this one was met; -1
    below: int64  # the node met before it that has no component yet, either; -1
    component: int64  # -1 while it has none


@kernel
def find_components(first_target: Array[int], targets: Array[int], visits: Array[Visit]) -> int:
    """Number the components of a graph, each after all those that it leads to, in `visits`; how many there are."""
    for node in range(len(visits)):
        visits[node].number = 0
        visits[node].component = -1
        visits[node].next_target = first_target[node]
    num_met, num_components, top = 0, 0, -1  # top: the last node met that has no component yet
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
    """Number a node; it is the last one met then."""
    visit = visits[node]
    visit.number = number
    visit.lowest = number
    visit.caller = caller
    visit.below = top
    return node


@exported
def search_components(first_target: Int64s, targets: Int64s, visits: int) -> int:
    """`find_components`, for Python. visits: the address of one for each node."""
    return find_components(first_target, targets, array_at(Visit, visits, len(first_target) - 1))


def components(nodes: Sequence[Node], following: Callable[[Node], Iterable[Node]]) -> list[list[Node]]:
    """The components, each after all those that it leads to.

    following: the nodes that a node leads to.
    """
    known = list(dict.fromkeys(nodes))
    numbers = {node: number for number, node in enumerate(known)}
    first_target, targets = [0], list[int]()
    for node in known:  # which grows meanwhile
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
    for number in np.argsort(-visits["number"]).tolist():  # the last ones that were met first
        found[of_node[number]].append(known[number])
    return found
