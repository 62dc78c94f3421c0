"""`Shapes`: the kernels' descriptions of plain containers (see containers.py), and the frames behind their numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import layout as at
from ..frames import NO_TEXTS, NO_WORDS, OpenArray, OpenObject, PlainArray, PlainObject, whole_words
from ..machine import Machine
from ..requests import Requests
from .containers import (
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
_MOST = 1 << 62  # larger bounds become this one, which no text can reach
_SETS = ("possible", "required", "waiting")  # the sets of keys of a shape


class Shapes:
    """The shapes of one machine."""

    def __init__(self, machine: Machine, strings: Strings, styles: Styles, requests: Requests) -> None:
        self._machine, self._strings, self._styles, self._requests = machine, strings, styles, requests
        self._plain: dict[int, PlainObject | PlainArray] = {}  # shape -> its containers' common description
        self._numbers: dict[int, int] = {}  # id of such a description -> shape

    def dismantle(self) -> None:
        """Drop the descriptions of containers, which refer to frames."""
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
        """Fill in a frame as the array without items.

        The frame of its first item must exist, unless its items are strings from a short list (`plain.words`).
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
        before = self.number_of(known)
        row = self._machine.shapes.data[before]
        first, size, num_keys = (int(row[name]) for name in ("first_word", "num_words", "num_keys"))
        end = BARE_NAME_END if row["style"] else None
        family = self._strings.with_excluded(Family(first, size, num_keys), word, end)
        is_robust = not row["fragile"] and may_be_robust(family.size)
        return self._add(
            before,
            first_word=family.first,
            num_words=family.size,
            fragile=0 if is_robust else _FRAGILE,
        )

    def _new_object(self, plain: PlainObject) -> int:
        keys, machine = self._requests.ask(plain.keys), self._machine
        end = None if keys.marks is None else BARE_NAME_END
        base, family = self._strings.open_keys(keys.declared, keys.open, keys.excluded, end)
        is_robust = not keys.open or self._strings.is_robust(keys.open, keys.excluded)
        waiting = keys.orders[0] if keys.orders else ()
        is_counted = plain.low > 0 or plain.high is not None
        width = whole_words(len(keys.declared)) + 64 * is_counted
        return self._add(
            **self._sets(width, keys.possible, keys.required, sum([1 << index for index in waiting])),
            first_value=machine.values.reserve(keys.num_classes),
            num_keys=len(keys.declared),
            num_ordered=keys.num_ordered,
            first_of_orders=machine.key_orders.append(np.array([index for order in keys.orders for index in order])),
            num_orders=len(keys.orders),
            num_waiting=len(waiting),
            first_word=family.first,
            num_words=family.size,
            base=base,
            is_open_early=keys.is_open_early,
            fragile=0 if is_robust else _FRAGILE,
            style=self._styles.number(keys.marks),
            low=min(plain.low, _MOST),
            high=-1 if plain.high is None else min(plain.high, _MOST),
        )

    def _new_array(self, plain: PlainArray) -> int:
        family, base, fragile, num_words = _NO_WORDS, at.DEAD, 0, len(plain.words)
        if plain.open:
            base, family = self._strings.open_keys(NO_WORDS, plain.open, NO_TEXTS, None)
            fragile = 0 if self._strings.is_robust(plain.open, NO_TEXTS) else _FRAGILE
        elif plain.words:
            family = self._strings.words(dict.fromkeys(plain.words, 0))
        return self._add(
            **self._sets(whole_words(num_words), (1 << num_words) - 1),
            first_value=self._machine.values.reserve(plain.num_places),
            num_keys=family.num_declared,
            first_word=family.first,
            num_words=family.size,
            base=base,
            fragile=fragile,
            num_places=plain.num_places,
            low=min(plain.low, _MOST),
            high=-1 if plain.high is None else min(plain.high, _MOST),
        )

    def _add(self, like: int | None = None, /, **fields: int) -> int:
        """Add a shape with these fields and return its number. like: shape with the other fields; None: these are 0."""
        shapes = self._machine.shapes
        number = shapes.reserve(1)
        row = shapes.data[number : number + 1]
        row[:] = 0 if like is None else shapes.data[like]
        for name, value in fields.items():
            row[name] = value
        return number

    def _sets(self, width: int, *sets: int) -> dict[str, int]:
        """Add the sets of a shape, missing ones as empty sets, and return their fields. width: bits of each set."""
        rows = bit_row(sum([one << place * width for place, one in enumerate(sets)]), len(_SETS) * width)
        first, words = self._machine.keys.append(rows), width // 64
        return {"width": words, **{name: first + place * words for place, name in enumerate(_SETS)}}


def _row(keys: int) -> NDArray[np.int64]:
    return bit_row(keys, keys.bit_length())
