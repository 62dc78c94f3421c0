"""Kernels: the frames of plain containers, made from numbers.

A container is plain if only the set of declared keys (objects) or the number of items (arrays) decides the next texts.
The common description of such containers is their `Shape`, which Python makes once (shapes.py). The frame of each
container is made here when a text first gets there: its row and, for an object, the set of keys that may come now.
While a member is read, the frame of its value replaces the object's frame, and knows the object's frame after it.

Example: an object with the keys a, b and c, b required. `{"a":1` goes through these frames:

    {      no key: a, b and c may come, and it can't be closed
    "a"    a value by the schema of a, and after it the object with the key a
    1      the object with the key a: b and c may come

A set of keys is a row of bits in `Machine.keys`. If members are counted, the row's last int64 is the number of open
keys. The row of an array of different words has a bit for each word. Each used open key, and each string that may not
come again, makes a new shape, whose word list excludes that text.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...kernels.arrays import Int64s
from ...memory.hash_map import add, make_room, next_slot, slot_of, value_of_pair
from ...memory.kernel import exported, kernel
from ...memory.lists import are_equal, hash_of
from ..asking import VALUE, ask
from ..layout import (
    ARRAY_FRAME,
    DEAD,
    DEPTH_BITS,
    EXCLUDES,
    OBJECT_FRAME,
    OVERLAY,
    TAG_SHIFT,
    VALUE_FRAME,
    WORD_BITS,
    WORDS,
)
from ..machine import Machine
from ..structs import FrameRow, Shape

_NOTHING = -1  # entry of `values`: no value can come
_NO_LITERAL = -1


# ---- Objects.


@kernel
def member_after(machine: Machine, frame: int, key_class: int) -> int:
    """Return the frame of the value of a key that has come in a plain object."""
    number = machine.frames[frame].shape
    shape, value = machine.shapes[number], _value_of(machine, number, key_class)
    new = _copy_keys(machine, number, frame)
    if key_class < shape.num_keys:
        _add_key(machine, new, key_class)
    else:
        _count_open_key(machine, shape, new)
    return _member(machine, _interned(machine, number), value)


@kernel
def _count_open_key(machine: Machine, shape: Shape, keys: int) -> None:
    """Count one more open key of an object whose members are counted. Beyond `low` this needs an upper bound."""
    if shape.low > 0 or shape.high >= 0:
        place = keys + shape.width - 1
        if shape.high >= 0 or machine.keys[place] < shape.low:
            machine.keys[place] += 1


@kernel
def _copy_keys(machine: Machine, number: int, frame: int) -> int:
    """Copy the keys of a frame behind all others, for a frame of shape `number`; return their index.

    The shapes of both frames have the same declared keys.
    """
    new, before = _room_for_keys(machine, number), machine.frames[frame].place
    for word in range(machine.shapes[number].width):
        machine.keys[new + word] = machine.keys[before + word]
    return new


@kernel
def _value_of(machine: Machine, number: int, place: int) -> int:
    """Return the frame that describes a value of a shape; below 0 if no value can come. Asks Python if it is not made.

    place: class of a key, or place of an array.
    """
    noted = machine.shapes[number].first_value + place
    value = machine.values[noted]
    if value == 0:
        ask(machine.request, VALUE, frame=number, returned=place, node=noted)
    return value


@kernel
def _room_for_keys(machine: Machine, number: int) -> int:
    """Make room behind all sets of keys for an object's keys and its permitted keys; return the index of the room."""
    machine.keys.ensure(machine.keys.used + 2 * machine.shapes[number].width)
    return machine.keys.used


@kernel
def _put_together(machine: Machine, number: int, keys: Int64s) -> None:
    """Put a set of keys behind all others. keys: the first int64 numbers of the set; the other numbers are 0."""
    new = _room_for_keys(machine, number)
    for word in range(machine.shapes[number].width):
        machine.keys[new + word] = keys[word] if word < len(keys) else 0


@kernel
def _add_keys(machine: Machine, keys: Int64s) -> int:
    """Add a set of keys and return its index."""
    machine.keys.ensure(machine.keys.used + len(keys))
    place = machine.keys.reserve(len(keys))
    for word in range(len(keys)):
        machine.keys[place + word] = keys[word]
    return place


@kernel
def _interned(machine: Machine, number: int) -> int:
    """Return the frame of a shape whose keys were just put together, made if it is new."""
    known = _known(machine, number)
    if known > 0:
        return known
    make_room(machine.frame_of_keys)
    machine.frames.ensure(machine.frames.used + 1)
    machine.sets.ensure(machine.sets.used + 1)
    frame = machine.frames.reserve(1)
    _fill_keyed(machine, frame, number)
    return frame


@kernel
def _known(machine: Machine, number: int) -> int:
    """Like `_interned`; 0 if there is no such frame yet."""
    wanted = machine.keys.span().part(machine.keys.used, machine.shapes[number].width)
    key = hash_of(wanted, number)
    slot = slot_of(machine.frame_of_keys, key)
    while slot >= 0:
        known = machine.frame_of_keys.values[slot]
        row = machine.frames[known]
        if row.shape == number and are_equal(machine.keys.span().part(row.place, len(wanted)), wanted):
            return known
        slot = next_slot(machine.frame_of_keys, key, slot)
    return 0


@kernel
def _fill_keyed(machine: Machine, frame: int, number: int) -> None:
    """Fill in the row of a frame whose keys were just put together. BOUNDS: there is room for everything that is
    added.
    """
    shape, row = machine.shapes[number], machine.frames[frame]
    place = machine.keys.reserve(2 * shape.width)
    add(machine.frame_of_keys, hash_of(machine.keys.span().part(place, shape.width), number), frame)
    _fill_nothing(row)
    row.shape = number
    row.place = place
    if shape.num_places:
        _fill_different_words(machine, row, shape, place, place + shape.width)
    else:
        _fill_object(machine, row, shape, place, place + shape.width)


@kernel
def _fill_object(machine: Machine, row: FrameRow, shape: Shape, keys: int, allowed: int) -> None:
    """Fill in the row of an object. keys: index of its keys. allowed: index for the set of keys that may come."""
    is_missing, num_keys, num_missing = _is_any_missing(machine, shape, keys), 0, 0
    if shape.low > 0 or shape.high >= 0:
        num_keys = machine.keys[keys + shape.width - 1]  # open ones
        for key in range(shape.num_keys):
            num_keys += has_key(machine, keys, key)
            num_missing += _is_missing(machine, shape, keys, key)
    is_full = shape.high >= 0 and num_keys + num_missing >= shape.high
    _find_allowed(machine, shape, keys, allowed)
    if is_full:
        for word in range(shape.width):
            machine.keys[allowed + word] &= machine.keys[shape.required + word]
    is_open = shape.base != DEAD and not is_full and (not is_missing or shape.is_open_early)
    row.kind = OBJECT_FRAME
    row.style = shape.style
    row.close = -1 if is_missing or num_keys < shape.low else 0
    if is_open or _is_any(machine, shape, allowed):
        row.key = _code_of_words(machine, shape, allowed, shape.base if is_open else DEAD)
        row.continues = 1
        row.fragile = shape.fragile if is_open else 0


@kernel
def _code_of_words(machine: Machine, shape: Shape, allowed: int, base: int) -> int:
    """Return the code of the first state of a shape's allowed words, beside a base lexeme."""
    words = _new_word_set(machine, shape.first_word, shape.num_words, base, allowed)
    return (OVERLAY if base != DEAD else WORDS) << TAG_SHIFT | words << (WORD_BITS + DEPTH_BITS)


@kernel
def _new_word_set(machine: Machine, first: int, size: int, base: int, allowed: int) -> int:
    """Add a `WordSet` with these fields, and return its index in `machine.sets`. BOUNDS: there is room for it."""
    number = machine.sets.reserve(1)
    word_set = machine.sets[number]
    word_set.first = first
    word_set.size = size
    word_set.base = base
    word_set.allowed = allowed
    return number


@kernel
def _member(machine: Machine, after: int, value: int) -> int:
    """Return the frame of a member's value, followed by the object's frame `after`; 0 if no value can come."""
    if value < 0:
        return 0
    known = value_of_pair(machine.frame_of_member, after, value)
    if known >= 0:
        return known
    make_room(machine.frame_of_member)
    frame = machine.frames.reserve(1)
    row = machine.frames[frame]
    _fill_value(row, machine.frames[value])
    row.kind = VALUE_FRAME
    row.after = after
    row.value = value
    add(machine.frame_of_member, after << 32 | value, frame)
    return frame


# ---- Arrays.


@kernel
def holds_different_words(machine: Machine, row: FrameRow) -> bool:
    """Return True for an array of different words: the words present decide the next ones."""
    return row.kind == ARRAY_FRAME and row.shape != 0 and machine.shapes[row.shape].num_keys != 0


@kernel
def array_after(machine: Machine, frame: int, word: int) -> int:
    """Return the frame of a plain array after one more item. word: see `steps.end_value`."""
    if holds_different_words(machine, machine.frames[frame]):
        number = machine.frames[frame].shape
        _add_key(machine, _copy_keys(machine, number, frame), word)
        return _interned(machine, number)
    return _next_array(machine, machine.frames[frame].shape, machine.frames[frame].place)


@kernel
def _next_array(machine: Machine, number: int, num_items: int) -> int:
    """Return the frame of an array of a shape after one more item than `num_items`."""
    shape = machine.shapes[number]
    if shape.high >= 0 or num_items < max(shape.num_places - 1, shape.low):  # else the frame stays the same
        num_items += 1
    known = value_of_pair(machine.frame_of_items, number, num_items)
    if known >= 0:
        return known
    value = _item_of(machine, number, num_items)
    make_room(machine.frame_of_items)
    machine.sets.ensure(machine.sets.used + 1)
    new = machine.frames.reserve(1)
    _fill_array(machine, new, number, num_items, value)
    return new


@kernel
def _fill_different_words(machine: Machine, row: FrameRow, shape: Shape, keys: int, allowed: int) -> None:
    """Fill in the row of an array of different words. keys: index of its words. allowed: index for words that may
    come.
    """
    num_items = 0
    for word in range(shape.num_keys):
        num_items += has_key(machine, keys, word)
    for word in range(shape.width):
        machine.keys[allowed + word] = machine.keys[shape.possible + word] & ~machine.keys[keys + word]
    row.kind = ARRAY_FRAME
    row.close = 0 if num_items >= shape.low else -1
    if (shape.high < 0 or num_items < shape.high) and num_items < shape.num_keys:
        row.string = _code_of_words(machine, shape, allowed, DEAD)
        row.continues = 1


@kernel
def _item_of(machine: Machine, number: int, num_items: int) -> int:
    """Return the frame that describes an array's next item; below 0 if none can come."""
    shape = machine.shapes[number]
    if shape.high >= 0 and num_items >= shape.high:
        return _NOTHING
    return _value_of(machine, number, min(num_items, shape.num_places - 1))


@kernel
def _fill_array(machine: Machine, frame: int, number: int, num_items: int, value: int) -> None:
    """Fill in the row of an array. BOUNDS: there is room for everything that is added."""
    shape, row = machine.shapes[number], machine.frames[frame]
    _fill_nothing(row)
    if value > 0:
        _fill_value(row, machine.frames[value])
        if shape.base != DEAD:
            row.string = _code_of_words(machine, shape, shape.possible, shape.base)
            row.captures = EXCLUDES
            row.fragile = shape.fragile
    row.kind = ARRAY_FRAME
    row.shape = number
    row.place = num_items
    row.close = 0 if num_items >= shape.low else -1
    add(machine.frame_of_items, number << 32 | num_items, frame)


# ---- Rows.


@kernel
def _fill_nothing(row: FrameRow) -> None:
    """Fill in a row that allows nothing."""
    row.is_described = 1
    row.string = DEAD
    row.number = DEAD
    for literal in range(3):
        row.literals[literal] = _NO_LITERAL
    row.key = DEAD
    row.close = -1


@kernel
def _fill_value(row: FrameRow, value: FrameRow) -> None:
    """Fill in a row that allows a value."""
    row.is_described = 1
    row.string = value.string
    row.number = value.number
    row.style = value.style
    for literal in range(3):
        row.literals[literal] = value.literals[literal]
    row.object = value.object
    row.array = value.array
    row.key = DEAD
    row.close = -1
    row.continues = 1


# ---- Which keys may come.


@kernel
def has_key(machine: Machine, keys: int, key: int) -> int:
    """Return 1 if a key is in a set. keys: index of the set."""
    return machine.keys[keys + (key >> 6)] >> (key & 63) & 1


@kernel
def _add_key(machine: Machine, keys: int, key: int) -> None:
    machine.keys[keys + (key >> 6)] |= 1 << (key & 63)


@kernel
def _is_any(machine: Machine, shape: Shape, keys: int) -> bool:
    """Return True if a set is not empty."""
    found = 0
    for word in range(shape.width):
        found |= machine.keys[keys + word]
    return found != 0


@kernel
def _is_missing(machine: Machine, shape: Shape, keys: int, key: int) -> bool:
    """Return True if a key is required and not present."""
    return has_key(machine, shape.required, key) != 0 and not has_key(machine, keys, key)


@kernel
def _is_any_missing(machine: Machine, shape: Shape, keys: int) -> bool:
    missing = 0
    for word in range(shape.width):
        missing |= machine.keys[shape.required + word] & ~machine.keys[keys + word]
    return missing != 0


@kernel
def _find_allowed(machine: Machine, shape: Shape, keys: int, allowed: int) -> None:
    """Store the declared keys that may come after the keys present."""
    for word in range(shape.width):
        machine.keys[allowed + word] = 0
    for key in range(shape.num_ordered):
        if not has_key(machine, keys, key):  # the key whose turn it is
            if has_key(machine, shape.possible, key):
                _add_key(machine, allowed, key)
            return
    for key in range(shape.num_ordered, shape.num_keys):
        if not (has_key(machine, shape.waiting, key) and _is_missing(machine, shape, keys, key)):
            _allow(machine, shape, keys, allowed, key)
    for order in range(shape.num_orders):
        first = shape.first_of_orders + order * shape.num_waiting
        for place in range(first, first + shape.num_waiting):
            if _is_missing(machine, shape, keys, machine.key_orders[place]):
                _allow(machine, shape, keys, allowed, machine.key_orders[place])
                break


@kernel
def _allow(machine: Machine, shape: Shape, keys: int, allowed: int, key: int) -> None:
    """Allow a key if it is possible and not present."""
    if has_key(machine, shape.possible, key) and not has_key(machine, keys, key):
        _add_key(machine, allowed, key)


# ---- Called from Python. address: address of the Machine.


@exported(releases_gil=False)
def add_word_set(address: int, first: int, size: int, base: int, allowed: Int64s) -> int:
    """Add a set of a family and return its number. allowed: bits of the allowed words."""
    machine = Machine.at(address)
    machine.sets.ensure(machine.sets.used + 1)
    return _new_word_set(machine, first, size, base, _add_keys(machine, allowed))


@exported(releases_gil=False)
def describe_keyed(address: int, frame: int, number: int, keys: Int64s) -> None:
    """Fill in a frame as a container of a shape with some keys."""
    machine = Machine.at(address)
    make_room(machine.frame_of_keys)
    machine.sets.ensure(machine.sets.used + 1)
    _put_together(machine, number, keys)
    _fill_keyed(machine, frame, number)


@exported(releases_gil=False)
def known_object(address: int, number: int, keys: Int64s) -> int:
    """Return the frame of a shape's object with some keys; 0 if there is none yet."""
    machine = Machine.at(address)
    _put_together(machine, number, keys)
    return _known(machine, number)


@exported(releases_gil=False)
def object_like(address: int, number: int, frame: int) -> int:
    """Return the frame of an object of a shape, with the keys of another object and one more open key.

    The shapes of the two objects have the same declared keys.
    """
    machine = Machine.at(address)
    _count_open_key(machine, machine.shapes[number], _copy_keys(machine, number, frame))
    return _interned(machine, number)


@exported(releases_gil=False)
def describe_array(address: int, frame: int, number: int) -> None:
    """Fill in a frame as an array of a shape without items."""
    machine = Machine.at(address)
    value = _item_of(machine, number, 0)
    make_room(machine.frame_of_items)
    machine.sets.ensure(machine.sets.used + 1)
    _fill_array(machine, frame, number, 0, value)


@exported(releases_gil=False)
def array_using(address: int, number: int, frame: int) -> int:
    """Return the frame of an array of a shape, with one more item than an array of another shape."""
    machine = Machine.at(address)
    return _next_array(machine, number, machine.frames[frame].place)


@exported(releases_gil=False)
def member_frame(address: int, after: int, value: int) -> int:
    """Return the frame of a member's value, followed by the object's frame `after`.

    value: frame that describes the value.
    """
    return _member(Machine.at(address), after, value)
