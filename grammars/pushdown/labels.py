"""Kernels: what continuations have behind recursive calls, replaced by labels; and labels by what a frame keeps.

Both go through a continuation depth first. What one became is noted with the epoch, so that all that is changed for one
frame shares it. They return NEED where Python must make room, as register M_NEED says; then all is done again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.memory import kernel, load64, store64
from ..automaton.steps import need
from . import layout as pd
from .numbers import sort
from .ways import continuation_field, intern_ways, new_ways, note, position_field, single, union, ways_of

_ENTRY = 3  # numbers of an entry of P_PATH: continuation, its next way, where its ways begin in P_OUT


@kernel
def new_epoch(p: int) -> None:
    """Forget what continuations became, and their labels."""
    store64(p, pd.P_EPOCH, load64(p, pd.P_EPOCH) + 1)
    store64(p, pd.P_NUM_LABELS, 0)


@kernel
def relabelled(p: int, continuation: int) -> int:
    """With what comes after the positions behind recursive calls replaced by labels; the old labels too. NEED.

    P_LABELS: what they stand for.
    """
    return _changed(p, continuation, 0)


@kernel
def substituted(p: int, continuation: int, frame: int) -> int:
    """With the labels replaced by what is kept under them. frame: the address of that, int64. NEED."""
    return _changed(p, continuation, frame)


@kernel
def _changed(p: int, continuation: int, frame: int) -> int:
    """frame: 0 for `relabelled`."""
    epoch, path, out = load64(p, pd.P_EPOCH), load64(p, pd.P_PATH), load64(p, pd.P_OUT)
    if continuation_field(p, continuation, pd.K_KNOWN_IN) == epoch:
        return continuation_field(p, continuation, pd.K_KNOWN)
    size, depth = 0, 1
    store64(path, 0, continuation)
    store64(path, 1, 0)
    store64(path, 2, 0)
    while depth:
        entry = path + (depth - 1) * (_ENTRY * 8)
        here, index, first = load64(entry, 0), load64(entry, 1), load64(entry, 2)
        if load64(p, pd.P_WORK) <= 0:
            return need(p, pd.NEED_PAUSE, 0, 0)[0]
        if index == continuation_field(p, here, pd.K_COUNT):
            found = _finish(p, out + first * 8, size - first)
            if found < 0:
                return pd.NEED
            note(p, here, pd.K_KNOWN_IN, epoch)
            note(p, here, pd.K_KNOWN, found)
            size, depth = first, depth - 1
            continue
        way = load64(ways_of(p, here), index)
        below = _below(p, way, frame)
        if below >= 0:
            if (depth + 1) * _ENTRY > load64(p, pd.P_SCRATCH_ROOM):
                return need(p, pd.NEED_SCRATCH, (depth + 1) * _ENTRY, 0)[0]
            store64(entry, _ENTRY, below)
            store64(entry, _ENTRY + 1, 0)
            store64(entry, _ENTRY + 2, size)
            depth += 1
            continue
        size = _add_way(p, way, size, frame)
        if size < 0:
            return pd.NEED
        store64(entry, 1, index + 1)
    return continuation_field(p, continuation, pd.K_KNOWN)


@kernel
def _below(p: int, way: int, frame: int) -> int:
    """The continuation that must be changed before a way can be; DEAD for none."""
    position, then = way >> 32, way & at.MASK32
    if position < 0 or continuation_field(p, then, pd.K_KNOWN_IN) == load64(p, pd.P_EPOCH):
        return pd.DEAD
    if frame == 0 and position_field(p, position, pd.T_FLAGS) & pd.IS_CUT:
        return pd.DEAD
    return then


@kernel
def _add_way(p: int, way: int, size: int, frame: int) -> int:
    """Add to P_OUT, which has `size` ways, what a way becomes; how many there are then, NEED."""
    position, then, out = way >> 32, way & at.MASK32, load64(p, pd.P_OUT)
    is_label = position <= pd.FIRST_LABEL
    kept = load64(frame, pd.FIRST_LABEL - position) if is_label and frame else 0
    count = continuation_field(p, kept, pd.K_COUNT) if is_label and frame else 1
    if size + count > load64(p, pd.P_SCRATCH_ROOM):
        return need(p, pd.NEED_SCRATCH, size + count, 0)[0]
    store64(p, pd.P_WORK, load64(p, pd.P_WORK) - 8 * count)
    if is_label and frame:
        for index in range(count):
            store64(out, size + index, load64(ways_of(p, kept), index))
        return size + count
    if is_label:
        label = _label_of(p, single(p, position, 0))
        if label < 0:
            return pd.NEED
        position = pd.FIRST_LABEL - label
    elif position >= 0 and frame == 0 and position_field(p, position, pd.T_FLAGS) & pd.IS_CUT:
        if then != pd.END:
            label = _label_of(p, then)
            then = single(p, pd.FIRST_LABEL - label, 0) if label >= 0 else pd.NEED
            if then < 0:
                return pd.NEED
    elif position >= 0:
        then = continuation_field(p, then, pd.K_KNOWN)
    store64(out, size, position << 32 | then)
    return size + 1


@kernel
def _label_of(p: int, continuation: int) -> int:
    """The label of a continuation, in this epoch; NEED."""
    if continuation < 0:
        return pd.NEED
    epoch, label = load64(p, pd.P_EPOCH), load64(p, pd.P_NUM_LABELS)
    if continuation_field(p, continuation, pd.K_LABEL_IN) == epoch:
        return continuation_field(p, continuation, pd.K_LABEL)
    if label >= load64(p, pd.P_SCRATCH_ROOM):
        return need(p, pd.NEED_SCRATCH, label + 1, 0)[0]
    store64(load64(p, pd.P_LABELS), label, continuation)
    store64(p, pd.P_NUM_LABELS, label + 1)
    note(p, continuation, pd.K_LABEL_IN, epoch)
    note(p, continuation, pd.K_LABEL, label)
    return label


@kernel
def _finish(p: int, ways: int, count: int) -> int:
    """The continuation of ways in any order, in which positions may come more than once; NEED."""
    sort(ways, count)
    num_kept = 0
    for index in range(count):
        way = load64(ways, index)
        if num_kept and load64(ways, num_kept - 1) >> 32 == way >> 32:
            then = union(p, load64(ways, num_kept - 1) & at.MASK32, way & at.MASK32)
            if then < 0:
                return pd.NEED
            num_kept -= 1
            way = (way >> 32) << 32 | then
        store64(ways, num_kept, way)
        num_kept += 1
    new = new_ways(p, num_kept)
    if new == pd.NEED:
        return pd.NEED
    for index in range(num_kept):
        store64(new, index, load64(ways, index))
    return intern_ways(p, num_kept)
