"""`Shapes`: what kernels know of plain containers (see containers.py), and the frames that their numbers stand for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import layout as at
from ..frames import NO_TEXTS, NO_WORDS, KeySequence, OpenArray, OpenObject, PlainArray, PlainObject
from ..machine import Machine
from ..structs import Shape
from .containers import array_using, describe_array, describe_keyed, known_object, object_like
from .strings import Ask, Strings, may_be_robust
from .words import Family, bit_row

_FRAGILE = at.MAY_LEAVE_NOTHING | at.MAY_LEAVE_NO_STRING


class Shapes:
    """The shapes of one machine. ask: as `Requests.ask`."""

    def __init__(self, machine: Machine, strings: Strings, ask: Ask) -> None:
        self._machine, self._strings, self._ask = machine, strings, ask
        self._plain: dict[int, PlainObject | PlainArray] = {}  # by their shapes
        self._numbers: dict[int, int] = {}  # by the ids of these

    def dismantle(self) -> None:
        """Let all frames go."""
        self._plain.clear()
        del self._ask

    def plain(self, number: int) -> PlainObject | PlainArray:
        """What the containers of a shape have in common."""
        return self._plain[number]

    def number_of(self, plain: PlainObject | PlainArray) -> int:
        """The shape of containers."""
        number = self._numbers.get(id(plain))
        if number is None:
            before = plain.before
            known = 0 if before is None else self.number_of(before[0])
            if before is not None:
                number = self._machine.shapes.reserve(1)
                self._machine.shapes.data[number] = self._machine.shapes.data[known]
                self._exclude(self._machine.shapes.data[number], before[1])
            elif isinstance(plain, PlainObject):
                number = self._new_object(plain)
            else:
                number = self._machine.shapes.reserve(1)
                self._fill_array(self._machine.shapes[number], plain)
            self._numbers[id(plain)] = number
            self._plain[number] = plain
        return number

    def object_using(self, shape: int, frame: int, key: str) -> int:
        """The frame of a plain object, of a shape, with one more open key."""
        plain = self.plain(shape)
        assert isinstance(plain, PlainObject)
        return int(object_like(self._machine.address, self.number_of(plain.using(key)), frame))

    def array_using(self, shape: int, frame: int, string: str) -> int | None:
        """The frame of a plain array, of a shape, with one more item, of `PlainArray.open`; None where it is not
        plain."""
        plain = self.plain(shape)
        assert isinstance(plain, PlainArray)
        following = plain.using(string)
        return None if following is None else array_using(self._machine.address, self.number_of(following), frame)

    def value_place(self, number: int, place: int) -> int:
        """Where `values` has the value of a class or place."""
        return int(self._machine.shapes.data[number]["first_value"]) + place

    def known_object(self, plain: PlainObject, keys: int) -> int:
        """The frame of an object with these keys; 0 where there is none yet."""
        if id(plain) not in self._numbers:
            return 0
        return int(known_object(self._machine.address, self._put_together(plain, keys)))

    def describe_object(self, frame: int, plain: PlainObject, keys: int) -> None:
        """Describe a frame as the object with these keys."""
        describe_keyed(self._machine.address, frame, self._put_together(plain, keys))

    def describe_array(self, frame: int, plain: PlainArray) -> None:
        """Describe a frame as the array without items. What its first item may be is known, or a word."""
        if plain.words:
            describe_keyed(self._machine.address, frame, self._put_together(plain, 0))
        else:
            describe_array(self._machine.address, frame, self.number_of(plain))

    def frame(self, number: int, place: int) -> OpenObject | OpenArray:
        """The container of a shape at a place, as in a `FrameRow`."""
        plain = self.plain(number)
        if isinstance(plain, PlainArray) and not plain.words:
            return plain.frame(place)
        width = self._width(number)
        return plain.frame(int.from_bytes(self._machine.keys.data[place : place + width].tobytes(), "little"))

    def _put_together(self, plain: PlainObject | PlainArray, keys: int) -> int:
        """The shape of a container, whose keys then stand behind all others."""
        number, table = self.number_of(plain), self._machine.keys
        row = bit_row(keys, 64 * self._width(number))
        end = table.used
        table.ensure(end + len(row))
        table.data[end : end + len(row)] = row
        return number

    def _width(self, number: int) -> int:
        return int(self._machine.shapes.data[number]["width"])

    def _new_object(self, plain: PlainObject) -> int:
        machine, keys = self._machine, self._ask(plain.keys)
        base, family = self._strings.open_keys(keys.declared, keys.open, keys.excluded)
        is_robust = not keys.open or self._strings.is_robust(keys.open, keys.excluded)
        num_bits = len(keys.declared) + len(keys.sequences)
        width = max(1, -(-num_bits // 64))
        in_sequences = bound = 0
        for sequence in keys.sequences:
            members = sum([1 << index for index in sequence.indexes])
            in_sequences |= members
            bound |= 0 if sequence.group is None else members
        rows = keys.possible | keys.required << 64 * width | in_sequences << 128 * width | bound << 192 * width
        possible = machine.keys.append(bit_row(rows, 256 * width))
        shape = (
            machine.values.reserve(keys.num_classes),
            len(keys.declared),
            keys.num_ordered,
            width,
            *range(possible, possible + 4 * width, width),
            self._write_sequences(keys.sequences) if keys.sequences else 0,
            len(keys.sequences),
            family.first,
            family.size,
            base,
            int(keys.is_open_early),
            0 if is_robust else _FRAGILE,
        )
        return machine.shapes.add(shape)

    def _write_sequences(self, sequences: Sequence[KeySequence]) -> int:
        """The place of the first of them."""
        machine, begin = self._machine, self._machine.sequences.reserve(len(sequences))
        for place, sequence in enumerate(sequences, begin):
            first = machine.sequence_keys.append(np.array(sequence.indexes, dtype=np.int32))
            group = -1 if sequence.group is None else sequence.group
            machine.sequences.write(place, (first, len(sequence.indexes), group))
        return begin

    def _exclude(self, row: np.void, key: str) -> None:
        """Exclude one more key from the open ones of a shape."""
        first, size, num_keys = (int(row[name]) for name in ("first_word", "num_words", "num_keys"))
        family = self._strings.with_excluded(Family(first, size, num_keys), key)
        row["first_word"], row["num_words"] = family.first, family.size
        row["fragile"] = 0 if not row["fragile"] and may_be_robust(family.size) else _FRAGILE

    def _fill_array(self, shape: Shape, plain: PlainArray) -> None:
        shape.num_places, shape.low = plain.num_places, plain.low
        shape.high = -1 if plain.high is None else plain.high
        shape.base = at.DEAD
        if not plain.words:
            shape.first_value = self._machine.values.reserve(plain.num_places)
        if plain.open:
            shape.base, family = self._strings.open_keys(NO_WORDS, plain.open, NO_TEXTS)
            shape.first_word, shape.num_words = family.first, family.size
            shape.fragile = 0 if self._strings.is_robust(plain.open, NO_TEXTS) else _FRAGILE
            shape.possible = self._machine.keys.append(bit_row(0, 1))
        if plain.words:
            self._fill_words(shape, plain)

    def _fill_words(self, shape: Shape, plain: PlainArray) -> None:
        family = self._strings.words(dict.fromkeys(plain.words, 0))
        shape.first_word, shape.num_words, shape.num_keys = family.first, family.size, family.num_declared
        row = bit_row((1 << len(plain.words)) - 1, len(plain.words))
        shape.width, shape.possible = len(row), self._machine.keys.append(row)
