"""Kernels: what continuations have behind recursive calls, replaced by labels; and labels by what a frame keeps.

Both go through a continuation depth first. What one became is noted with the epoch, so that all that is changed for one
frame shares it.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.asking import ask_for_pause
from ..memory.kernel import kernel
from ..memory.sorting import sort
from ..memory.structs import Array
from . import layout as pd
from .numbers import numbers_of
from .structs import RuleMachine
from .ways import intern_ways, new_ways, single, union, ways_of


@kernel
def new_epoch(machine: RuleMachine) -> None:
    """Forget what continuations became, and their labels."""
    machine.epoch += 1
    machine.relabelling.labels.used = 0


@kernel
def relabelled(machine: RuleMachine, continuation: int) -> int:
    """With what comes after the positions behind recursive calls replaced by labels; the old labels too.

    `machine.relabelling.labels`: what they stand for.
    """
    return _changed(machine, continuation, 0)


@kernel
def substituted(machine: RuleMachine, continuation: int, frame: int) -> int:
    """With the labels replaced by what a frame keeps under them."""
    return _changed(machine, continuation, frame)


@kernel
def _changed(machine: RuleMachine, continuation: int, frame: int) -> int:
    """frame: 0 for `relabelled`."""
    epoch, work, continuations = machine.epoch, machine.relabelling, machine.continuations.span()
    if continuations[continuation].known_in == epoch:
        return continuations[continuation].known
    path, size, depth = work.path.span(), 0, 1
    path[0].continuation = continuation
    path[0].next_way = 0
    path[0].first = 0
    while depth:
        entry = path[depth - 1]
        here, index, first = continuations[entry.continuation], entry.next_way, entry.first
        if machine.work_left <= 0:
            ask_for_pause(machine)
        if index == here.count:
            here.known = _finish(machine, work.ways.span().part(first, size - first))
            here.known_in = epoch
            size, depth = first, depth - 1
            continue
        way = machine.ways[here.first + index]
        below = _below(machine, way, frame)
        if below >= 0:
            work.path.ensure(depth + 1)
            path[depth].continuation = below
            path[depth].next_way = 0
            path[depth].first = size
            depth += 1
            continue
        size = _add_way(machine, way, size, frame)
        entry.next_way = index + 1
    return continuations[continuation].known


@kernel
def _below(machine: RuleMachine, way: int, frame: int) -> int:
    """The continuation that must be changed before a way can be; DEAD for none."""
    position, then = way >> 32, way & at.MASK32
    if position < 0 or machine.continuations[then].known_in == machine.epoch:
        return pd.DEAD
    if frame == 0 and machine.positions[position].flags & pd.IS_CUT:
        return pd.DEAD
    return then


@kernel
def _add_way(machine: RuleMachine, way: int, size: int, frame: int) -> int:
    """Add what a way becomes to the changed ways, of which there are `size`; how many there are then."""
    position, then, out = way >> 32, way & at.MASK32, machine.relabelling.ways.span()
    is_label = position <= pd.FIRST_LABEL
    kept = numbers_of(machine, frame)[pd.FIRST_LABEL - position] if is_label and frame else 0
    count = machine.continuations[kept].count if is_label and frame else 1
    machine.relabelling.ways.ensure(size + count)
    machine.work_left -= 8 * count
    if is_label and frame:
        ways = ways_of(machine, kept)
        for index in range(count):
            out[size + index] = ways[index]
        return size + count
    if is_label:
        position = pd.FIRST_LABEL - _label_of(machine, single(machine, position, 0))
    elif position >= 0 and frame == 0 and machine.positions[position].flags & pd.IS_CUT:
        if then != pd.END:
            then = single(machine, pd.FIRST_LABEL - _label_of(machine, then), 0)
    elif position >= 0:
        then = machine.continuations[then].known
    out[size] = position << 32 | then
    return size + 1


@kernel
def _label_of(machine: RuleMachine, continuation: int) -> int:
    """The label of a continuation, in this epoch."""
    fields, labels = machine.continuations[continuation], machine.relabelling.labels
    if fields.label_in == machine.epoch:
        return fields.label
    label = labels.reserve(1)
    labels[label] = continuation
    fields.label_in = machine.epoch
    fields.label = label
    return label


@kernel
def _finish(machine: RuleMachine, ways: Array[int]) -> int:
    """The continuation of ways in any order, in which positions may come more than once."""
    sort(ways, len(ways))
    num_kept = 0
    for index in range(len(ways)):
        way = ways[index]
        if num_kept and ways[num_kept - 1] >> 32 == way >> 32:
            then = union(machine, ways[num_kept - 1] & at.MASK32, way & at.MASK32)
            num_kept -= 1
            way = (way >> 32) << 32 | then
        ways[num_kept] = way
        num_kept += 1
    new = new_ways(machine, num_kept)
    for index in range(num_kept):
        new[index] = ways[index]
    return intern_ways(machine, num_kept)
