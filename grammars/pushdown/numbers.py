"""Kernels: contents, lists of int64 numbers that are interned (see `Content`)."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.hash_map import add, make_room, next_slot, slot_of
from ..memory.kernel import exported, kernel
from ..memory.lists import are_equal, hash_of
from ..memory.structs import Array
from . import layout as pd
from .structs import RuleMachine


@kernel
def numbers_of(machine: RuleMachine, number: int) -> Array[int]:
    """A content's numbers."""
    content = machine.contents[number]
    return machine.numbers.span().part(content.first, content.count)


@kernel
def rest_flags(machine: RuleMachine, number: int) -> int:
    """What a content holds beside items, as bits HAS_...."""
    rest = machine.contents[number].rest
    return machine.contents[rest].entry if rest else 0


@kernel
def intern(machine: RuleMachine, numbers: Array[int], count: int, rest: int, may_add: int) -> int:
    """The content of the first `count` numbers; DEAD when it is new and may not be added."""
    wanted = numbers.part(0, count)
    key = hash_of(wanted, count + rest)
    slot = slot_of(machine.content_index, key)
    while slot >= 0:
        known = machine.content_index.values[slot]
        if machine.contents[known].rest == rest and are_equal(numbers_of(machine, known), wanted):
            return known
        slot = next_slot(machine.content_index, key, slot)
    if not may_add:
        return pd.DEAD
    make_room(machine.content_index)
    machine.contents.ensure(machine.contents.used + 1)
    make_room_to_move(machine, count)
    first = machine.numbers.reserve(count)
    all_numbers = machine.numbers.span()
    for index in range(count):
        all_numbers[first + index] = numbers[index]
    new = machine.contents.reserve(1)
    content = machine.contents[new]
    content.first = first
    content.count = count
    content.rest = rest
    content.entry = pd.UNBUILT
    add(machine.content_index, key, new)
    return new


@kernel
def make_room_to_move(machine: RuleMachine, count: int) -> None:
    """Let kernels work on so many items."""
    machine.moving.moved.ensure(count)
    machine.moving.kept.ensure(count)
    machine.moving.merged.ensure(count)


@exported(releases_gil=False)
def add_nothing(address: int) -> int:
    """The content of nothing. address: of a RuleMachine."""
    machine = RuleMachine.at(address)
    return intern(machine, machine.moving.moved.span(), 0, 0, 1)
