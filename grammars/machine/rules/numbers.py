"""Kernels: contents, which are interned lists of int64 numbers (see `Content`)."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import add, make_room, next_slot, slot_of
from ...memory.kernel import exported, kernel
from ...memory.lists import are_equal, hash_of
from ...memory.structs import Array
from . import layout as pd
from .structs import Rules


@kernel
def numbers_of(rules: Rules, number: int) -> Array[int]:
    """Return the numbers of a content."""
    content = rules.contents[number]
    return rules.numbers.span().part(content.first, content.count)


@kernel
def rest_flags(rules: Rules, number: int) -> int:
    """Return the kinds of numbers that a content has beside items, as bits HAS_..."""
    rest = rules.contents[number].rest
    return rules.contents[rest].entry if rest else 0


@kernel
def intern(rules: Rules, numbers: Array[int], count: int, rest: int, may_add: int) -> int:
    """Return the content of the first `count` numbers; DEAD if it is new and may_add is 0."""
    wanted = numbers.part(0, count)
    key = hash_of(wanted, count + rest)
    slot = slot_of(rules.content_index, key)
    while slot >= 0:
        known = rules.content_index.values[slot]
        if rules.contents[known].rest == rest and are_equal(numbers_of(rules, known), wanted):
            return known
        slot = next_slot(rules.content_index, key, slot)
    if not may_add:
        return pd.DEAD
    make_room(rules.content_index)
    rules.contents.ensure(rules.contents.used + 1)
    make_room_to_move(rules, count)
    first = rules.numbers.reserve(count)
    all_numbers = rules.numbers.span()
    for index in range(count):
        all_numbers[first + index] = numbers[index]
    new = rules.contents.reserve(1)
    content = rules.contents[new]
    content.first = first
    content.count = count
    content.rest = rest
    content.entry = pd.UNBUILT
    add(rules.content_index, key, new)
    return new


@kernel
def make_room_to_move(rules: Rules, count: int) -> None:
    """Make room for `count` items in the tables that kernels work on."""
    rules.moving.moved.ensure(count)
    rules.moving.kept.ensure(count)
    rules.moving.merged.ensure(count)


@exported(releases_gil=False)
def add_nothing(address: int) -> int:
    """Return the content without numbers. address: address of a Rules."""
    rules = Rules.at(address)
    return intern(rules, rules.moving.moved.span(), 0, 0, 1)
