"""Kernels: contents, lists of int64 numbers that are interned (see `Content`).

They return NEED where Python must make room, as `machine.request` says; then the same is done again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.steps import need
from ..memory.kernel import exported, kernel
from ..memory.structs import Array
from . import layout as pd
from .structs import RuleMachine

_HASH_BITS = (1 << 47) - 1


@kernel
def rank_of(numbers: Array[int], wanted: int) -> int:
    """The index of a number among sorted ones, which it is one of."""
    low, high = 0, len(numbers) - 1
    while low < high:
        middle = (low + high) >> 1
        if numbers[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def numbers_of(machine: RuleMachine, number: int) -> Array[int]:
    """A content's numbers."""
    content = machine.contents[number]
    return machine.numbers.span().part(content.first, content.count)


@kernel
def rest_flags(machine: RuleMachine, number: int) -> int:
    """What a content holds beside threads, as bits HAS_...."""
    rest = machine.contents[number].rest
    return machine.contents[rest].entry if rest else 0


@kernel
def intern(machine: RuleMachine, numbers: Array[int], count: int, rest: int, may_add: int) -> int:
    """The content of the first `count` numbers; NEED; DEAD when it is new and may not be added."""
    key = count + rest
    for number in numbers.part(0, count):
        key = ((key ^ (number >> 32)) * 0x9E3779B1 + (number & at.MASK32) * 0x85EBCA6B) & _HASH_BITS
    index, mask = machine.content_index.span(), machine.content_index.capacity - 1
    slot = (key >> 15) & mask
    while index[slot] != 0:
        if _is_same(machine, index[slot] - 1, key, numbers, count, rest):
            return index[slot] - 1
        slot = (slot + 1) & mask
    if not may_add:
        return pd.DEAD
    new, first = machine.contents.used, machine.numbers.used
    is_full = new >= machine.contents.capacity or 2 * new > mask
    if is_full or first + count > machine.numbers.capacity or count > machine.moving.moved.capacity:
        return need(machine, pd.NEED_ROOM, count, 0)[0]
    all_numbers = machine.numbers.span()
    for place in range(count):
        all_numbers[first + place] = numbers[place]
    machine.numbers.used = first + count
    content = machine.contents[new]
    content.first = first
    content.count = count
    content.rest = rest
    content.entry = pd.UNBUILT
    content.hash = key
    machine.contents.used = new + 1
    index[slot] = new + 1
    return new


@kernel
def _is_same(machine: RuleMachine, known: int, key: int, numbers: Array[int], count: int, rest: int) -> int:
    """1 when a content holds these numbers and this rest."""
    content = machine.contents[known]
    if content.hash != key or content.count != count or content.rest != rest:
        return 0
    others = numbers_of(machine, known)
    for place in range(count):
        if others[place] != numbers[place]:
            return 0
    return 1


@exported(releases_gil=False)
def add_nothing(address: int) -> int:
    """The content of nothing. address: of a RuleMachine."""
    machine = RuleMachine.at(address)
    return intern(machine, machine.moving.moved.span(), 0, 0, 1)


@exported
def index_contents(address: int) -> None:
    """Put all contents of a RuleMachine into their hash table, which is empty."""
    machine = RuleMachine.at(address)
    contents, index, mask = machine.contents.span(), machine.content_index.span(), machine.content_index.capacity - 1
    for number in range(machine.contents.used):
        slot = (contents[number].hash >> 15) & mask
        while index[slot] != 0:
            slot = (slot + 1) & mask
        index[slot] = number + 1


@exported
def index_continuations(address: int) -> None:
    """Put all continuations of a RuleMachine into their hash table, which is empty."""
    machine = RuleMachine.at(address)
    index, mask = machine.continuation_index.span(), machine.continuation_index.capacity - 1
    continuations = machine.continuations.span()
    for number in range(machine.continuations.used):
        slot = continuations[number].hash & mask
        while index[slot] != 0:
            slot = (slot + 1) & mask
        index[slot] = number + 1
