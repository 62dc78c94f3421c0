"""`Shapes`: the kernels' descriptions of plain containers (see containers.py), and the frames behind their numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import layout as at
from ..frames import NO_TEXTS, NO_WORDS, OpenArray, OpenObject, PlainArray, PlainObject
from ..machine import Machine
from ..requests import Requests
from .containers import (
    add_shape,
    add_shape_like,
    array_using,
    describe_array,
    describe_keyed,
    known_object,
    object_like,
)
from .strings import BARE_NAME_END, Strings, may_be_robust
from .style_rows import Styles
from .words import Family, bit_row

_FRAGILE = at.MAY_LEAVE_NOTHING | at.MAY_LEAVE_NO_STRING
_NO_WORDS = Family(0, 0, 0)


class Shapes:
    """The shapes of one machine."""

    def __init__(self, machine: Machine, strings: Strings, styles: Styles, requests: Requests) -> None:
        self._machine, self._strings, self._styles, self._requests = machine, strings, styles, requests
        self._plain: dict[int, PlainObject | PlainArray] = {}  # shape -> its containers' common description
        self._numbers: dict[int, int] = {}  # id of such a description -> shape

    def dismantle(self) -> None:
        """Drop all references to frames."""
        self._plain.clear()

    def plain(self, number: int) -> PlainObject | PlainArray:
        """Return the common description of a shape's containers."""
        return self._plain[number]

    def number_of(self, plain: PlainObject | PlainArray) -> int:
        """Return the shape of containers; a new description gets a new shape."""
        number = self._numbers.get(id(plain))
        if number is None:
            if plain.before is not None:
                number = self._with_excluded(*plain.before)
            elif isinstance(plain, PlainObject):
                number = self._new_object(plain)
            else:
                number = self._new_array(plain)
            self._numbers[id(plain)] = number
            self._plain[number] = plain
        return number

    def object_using(self, shape: int, frame: int, key: str) -> int:
        """Return the frame of a plain object with one more open key. shape: its shape so far."""
        plain = self.plain(shape)
        assert isinstance(plain, PlainObject)
        return int(object_like(self._machine.address, self.number_of(plain.using(key)), frame))

    def array_using(self, shape: int, frame: int, string: str) -> int | None:
        """Return the frame of a plain array with one more item from `PlainArray.open`; None if it is no longer
        plain.
        """
        plain = self.plain(shape)
        assert isinstance(plain, PlainArray)
        following = plain.using(string)
        return None if following is None else array_using(self._machine.address, self.number_of(following), frame)

    def value_place(self, number: int, place: int) -> int:
        """Return the index in `values` of the value of a class or place."""
        return int(self._machine.shapes.data[number]["first_value"]) + place

    def known_object(self, plain: PlainObject, keys: int) -> int:
        """Return the frame of an object with these keys; 0 if there is none yet."""
        number = self._numbers.get(id(plain))
        return 0 if number is None else int(known_object(self._machine.address, number, _row(keys)))

    def describe_object(self, frame: int, plain: PlainObject, keys: int) -> None:
        """Fill in a frame as the object with these keys."""
        describe_keyed(self._machine.address, frame, self.number_of(plain), _row(keys))

    def describe_array(self, frame: int, plain: PlainArray) -> None:
        """Fill in a frame as the array without items. The frame of its first item must exist, unless items are
        words.
        """
        if plain.words:
            describe_keyed(self._machine.address, frame, self.number_of(plain), _row(0))
        else:
            describe_array(self._machine.address, frame, self.number_of(plain))

    def frame(self, number: int, place: int) -> OpenObject | OpenArray:
        """Return the container of a shape. place: as in a `FrameRow`."""
        plain = self.plain(number)
        if isinstance(plain, PlainArray) and not plain.words:
            return plain.frame(place)
        width = int(self._machine.shapes.data[number]["width"])
        return plain.frame(int.from_bytes(self._machine.keys.data[place : place + width].tobytes(), "little"))

    def _with_excluded(self, known: PlainObject | PlainArray, word: str) -> int:
        """Return a new shape that excludes one more open key or string than another one."""
        machine, before = self._machine, self.number_of(known)
        row = machine.shapes.data[before]
        first, size, num_keys = (int(row[name]) for name in ("first_word", "num_words", "num_keys"))
        end = BARE_NAME_END if row["style"] else None
        family = self._strings.with_excluded(Family(first, size, num_keys), word, end)
        is_robust = not row["fragile"] and may_be_robust(family.size)
        return int(add_shape_like(machine.address, before, family.first, family.size, 0 if is_robust else _FRAGILE))

    def _new_object(self, plain: PlainObject) -> int:
        keys = self._requests.ask(plain.keys)
        end = None if keys.marks is None else BARE_NAME_END
        base, family = self._strings.open_keys(keys.declared, keys.open, keys.excluded, end)
        is_robust = not keys.open or self._strings.is_robust(keys.open, keys.excluded)
        in_sequences = bound = 0
        numbers = [
            *(keys.num_classes, len(keys.declared), keys.num_ordered, family.first, family.size, base),
            *(keys.is_open_early, 0 if is_robust else _FRAGILE, 0, 0, 0, len(keys.sequences)),
        ]
        for sequence in keys.sequences:
            members = sum([1 << index for index in sequence.indexes])
            in_sequences |= members
            bound |= 0 if sequence.group is None else members
            numbers += (-1 if sequence.group is None else sequence.group, len(sequence.indexes), *sequence.indexes)
        width = _width(len(keys.declared) + len(keys.sequences))
        rows = keys.possible | keys.required << width | in_sequences << 2 * width | bound << 3 * width
        shape = int(add_shape(self._machine.address, np.array(numbers, np.int64), bit_row(rows, 4 * width)))
        self._machine.shapes[shape].style = self._styles.number(keys.marks)
        return shape

    def _new_array(self, plain: PlainArray) -> int:
        family, base, fragile, num_words = _NO_WORDS, at.DEAD, 0, len(plain.words)
        if plain.open:
            base, family = self._strings.open_keys(NO_WORDS, plain.open, NO_TEXTS, None)
            fragile = 0 if self._strings.is_robust(plain.open, NO_TEXTS) else _FRAGILE
        elif plain.words:
            family = self._strings.words(dict.fromkeys(plain.words, 0))
        numbers = [
            *(plain.num_places, family.num_declared, 0, family.first, family.size, base),
            *(0, fragile, plain.num_places, plain.low, -1 if plain.high is None else plain.high, 0),
        ]
        words = bit_row((1 << num_words) - 1, 4 * _width(num_words))
        return int(add_shape(self._machine.address, np.array(numbers, np.int64), words))


def _width(num_keys: int) -> int:
    """Return the number of bits in a set of `num_keys` keys: whole words, at least one."""
    return 64 * max(1, -(-num_keys // 64))


def _row(keys: int) -> NDArray[np.int64]:
    return bit_row(keys, keys.bit_length())
