"""`Struct`: named fields in memory that kernels and Python share.

    class State(Struct):
        accepts: int32
        shortest: int32

    class Automaton(Struct):
        epoch: int64
        byte_of: Array[uint8]
        states: Table[State]
        rows: Table[Row256]

    automaton = Automaton()
    automaton.byte_of = np.arange(256, dtype=np.uint8)
    automaton.states.append(np.zeros(1, automaton.states.dtype))

A kernel that Python calls takes `automaton.address` and begins with `automaton = Automaton.at(address)`. From then on
Python and kernels both write `automaton.states[0].accepts`. Compiled kernels do address arithmetic and one load
(`lowering.py`). Plain Python (GUIDED_KERNELS=plain) runs the code of this module, which checks every index.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    Self,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
from numpy.typing import NDArray

from ..kernels.ending import Grower, TableFullError
from .layout import (
    TABLE_WORDS,
    WORD,
    ArrayField,
    Element,
    FieldKind,
    OutOfBoundsError,
    Scalar,
    StructField,
    StructLayout,
    StructReference,
    StructRow,
    TableField,
    dtype_of,
    layout_of,
    num_bytes_of,
)

T = TypeVar("T")

_ALIGNMENT = 16

UINT8, INT32, INT64 = Scalar("u1"), Scalar("i4"), Scalar("i8")
uint8 = Annotated[int, UINT8]
int32 = Annotated[int, INT32]
int64 = Annotated[int, INT64]

_PART = "part"
Part = Annotated[T, _PART]
"""A struct that is created together with the struct that has it as a field, and counted with it."""

_CTYPES: dict[str, Any] = {"u1": ctypes.c_uint8, "i4": ctypes.c_int32, "i8": ctypes.c_int64}


def address_of(array: NDArray[Any]) -> int:
    """Return the address of a C-contiguous array; valid while the array lives."""
    return array.ctypes.data  # `__array_interface__` of a structured array would describe all fields


class Array(Generic[T]):
    """Elements side by side in memory. Owns nothing; reads and writes single elements."""

    __slots__ = ("address", "element", "length", "name")

    if TYPE_CHECKING:  # a field accepts a numpy array and returns an `Array`

        def __get__(self, struct: object, _: object = None) -> Array[T]: ...
        def __set__(self, struct: object, value: NDArray[Any] | Array[T]) -> None: ...

    def __init__(self, address: int, length: int, element: Element, name: str) -> None:
        self.address, self.length, self.element, self.name = int(address), int(length), element, name

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> T:
        return _load(self._place(index), self.element, self.name)  # type: ignore[no-any-return]

    def __setitem__(self, index: int, value: T) -> None:
        _store(self._place(index), self.element, value)

    def __iter__(self) -> Iterator[T]:
        return (self[index] for index in range(self.length))

    def numpy(self) -> NDArray[Any]:
        """Return the same memory as a numpy array."""
        buffer = (ctypes.c_uint8 * (self.length * num_bytes_of(self.element))).from_address(self.address)
        return np.frombuffer(memoryview(buffer), dtype_of(self.element))

    def part(self, first: int, count: int) -> Array[T]:
        """Return `count` elements from `first` on."""
        if not 0 <= first <= first + count <= self.length:
            raise OutOfBoundsError(self.name, first + count, self.length + 1)
        return Array(self.address + first * num_bytes_of(self.element), count, self.element, self.name)

    def _place(self, index: int) -> int:
        if not 0 <= index < self.length:
            raise OutOfBoundsError(self.name, index, self.length)
        return self.address + int(index) * num_bytes_of(self.element)


class Table(Generic[T]):
    """A growing array that Python and kernels write. Elements from `used` on have no meaning.

    `reserve` and `ensure` make it grow, in Python and in kernels. Growing in a kernel starts the exported kernel again
    (see `kernels.ending`). A table therefore never moves while a kernel runs: spans and structs in it stay valid. The
    header lies in the struct that has the table as a field. The struct creates the `Table` on Python's first access;
    the `Table` owns the elements.
    """

    __slots__ = (
        *("_first", "_is_owner", "_most", "_num_bytes", "_refuse", "_words"),
        *("data", "dtype", "element", "name"),
    )
    data: NDArray[Any]
    dtype: np.dtype[Any]

    def __init__(self, words: Any, first: int, field: _TableField, is_owner: bool) -> None:
        """words, first: its header begins at words[first].
        is_owner: True if the struct owns its memory; the first elements lie there, too.
        dtype: numpy's type of an element.
        """
        self._words, self._first = words, first
        self.element, self.name = field.kind.element, field.place
        self._num_bytes, self.dtype = field.as_numpy
        self._is_owner = is_owner
        self._most, self._refuse = field.bound

    def bound(self, most: Callable[[], int], refuse: Callable[[], Exception]) -> None:
        """Set a maximum capacity. most: function that returns it when the table grows. refuse: makes the error that
        growing further raises.
        """
        self._most, self._refuse = most, refuse

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Make `data` for the first elements. PERF: Python never looks at most tables."""
            if name != "data":
                raise AttributeError(name)
            address, capacity = self._words[self._first], self._words[self._first + 2]
            if not capacity:
                self.data = np.zeros(0, self.dtype)
            else:
                self.data = np.ndarray(capacity, self.dtype, self._words, address - ctypes.addressof(self._words))
            return self.data

    @property
    def used(self) -> int:
        """Number of elements in use."""
        return self._words[self._first + 1]  # type: ignore[no-any-return]

    @used.setter
    def used(self, value: int) -> None:
        self._words[self._first + 1] = int(value)

    @property
    def capacity(self) -> int:
        """Capacity in elements."""
        return self._words[self._first + 2]  # type: ignore[no-any-return]

    @property
    def wanted(self) -> int:
        """Capacity that a kernel wanted when it last found the table full."""
        return self._words[self._first + 4]  # type: ignore[no-any-return]

    @property
    def in_use(self) -> NDArray[Any]:
        """The elements in use as a numpy array; valid until the table moves."""
        return self.data[: self.used]

    def span(self) -> Array[T]:
        """Return the table's whole capacity as an `Array`; valid until the table moves."""
        return Array(self._words[self._first], self._words[self._first + 2], self.element, self.name)

    def __getitem__(self, index: int) -> T:
        return _load(self._place(index), self.element, self.name)  # type: ignore[no-any-return]

    def __setitem__(self, index: int, value: T) -> None:
        _store(self._place(index), self.element, value)

    def _place(self, index: int) -> int:
        if not 0 <= index < self._words[self._first + 2]:
            raise OutOfBoundsError(self.name, index, self._words[self._first + 2])
        return self._words[self._first] + int(index) * self._num_bytes  # type: ignore[no-any-return]

    def reserve(self, count: int) -> int:
        """Make room for `count` more elements and use them. Returns the index of the first."""
        words, first = self._words, self._first
        start: int = words[first + 1]
        if start + count > words[first + 2]:
            self.ensure(start + count)
        words[first + 1] = start + int(count)
        return start

    def append(self, elements: NDArray[Any]) -> int:
        """Add elements, and return the index of the first. Called from Python only."""
        start = self.reserve(len(elements))
        self.data[start : start + len(elements)] = elements
        return start

    def write(self, index: int, numbers: Sequence[int]) -> None:
        """Set the first fields, or all, of an element whose struct has only int64 fields. Called from Python only.

        PERF: 0.4 us; by numpy, or field by field, four times that.
        """
        words: Any = (ctypes.c_int64 * len(numbers)).from_address(self._place(index))
        words[:] = numbers

    def add(self, numbers: Sequence[int]) -> int:
        """Add an element with these fields, as `write` does, and return its index. Called from Python only."""
        index = self.reserve(1)
        self.write(index, numbers)
        return index

    def ensure(self, capacity: int) -> None:
        """Make room for at least `capacity` elements; this may move the table."""
        if capacity <= self._words[self._first + 2]:
            return
        if not self._is_owner:  # a plain kernel uses the table of a struct that it does not own
            self._words[self._first + 4] = capacity
            raise TableFullError(cast(Grower, ctypes.cast(self._words[self._first + 3], ctypes.py_object).value))
        most = self._most()
        if capacity > most:
            self._words[self._first + 4] = 0
            raise self._refuse()
        grown = np.zeros(min(max(capacity, 2 * self._words[self._first + 2]), most), self.dtype)
        grown[: len(self.data)] = self.data
        self.replace(grown)

    def spread(self, count: int) -> None:
        """Make room for `count` elements at once; memory is only taken where they are written. Called from Python only.

        PERF: nothing is copied, and pages come one by one: growing to 64 MiB took up to 180 ms in one step.
        """
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        room = np.frombuffer(mmap.mmap(-1, count * self._num_bytes, flags=flags), self.dtype.base)
        self.replace(room.reshape(count, *self.dtype.shape))

    def replace(self, data: NDArray[Any]) -> None:
        """Replace the elements; the number in use stays."""
        words, first = self._words, self._first
        words[-1] += (len(data) - words[first + 2]) * self._num_bytes
        words[first], words[first + 2], words[first + 4] = address_of(data), len(data), 0
        self.data = data


class StructMeta(type):
    """The metaclass of all structs. The kernels' compiler recognises classes of structs by it."""


class Struct(metaclass=StructMeta):
    """Base of all structs. `Trie()` creates one and owns its memory, all zeros; `Trie.at(address)` accesses an existing
    one.

    rooms: table -> initial capacity. PERF: the first memory of all tables, including those of parts, is allocated
        together with the fields; growing a table takes 5 us.
    unused: the tables in `rooms` whose element 0 means "none".
    """

    __slots__ = ("__weakref__", "_first", "_kept", "_made", "_words", "address")

    rooms: ClassVar[dict[str, int]] = {}
    unused: ClassVar[frozenset[str]] = frozenset()
    layout: ClassVar[StructLayout]
    _num_words: ClassVar[int]  # number of words, including those of parts
    # For each table: index of its header, its name, "". For a part's table: index of its header, "", the part's name.
    _tables: ClassVar[tuple[tuple[int, str, str], ...]]
    # For each table with room: index of its header, number of elements, offset, elements in use.
    _rooms: ClassVar[tuple[tuple[int, int, int, int], ...]]
    _room_bytes: ClassVar[int]
    # For each part, including parts of parts: index of its address, index where it begins.
    _parts: ClassVar[tuple[tuple[int, int], ...]]
    _addresses: ClassVar[NDArray[np.int64]]  # indexes of words that are addresses: of parts, and of tables with room
    _owners: ClassVar[NDArray[np.int64]]  # indexes of the owners in headers of tables
    # The type of all its memory, and the first bytes of that memory: its words and those of its parts, without
    # addresses. PERF: the room behind them is zeros.
    _image: ClassVar[tuple[Any, bytes]]
    address: int
    # Memory as int64 numbers: the struct's, its parts', the first room of all tables, and the number of bytes that the
    # tables take. None: the struct owns no memory.
    _words: Any
    _first: int  # index in `_words` where it begins
    _made: dict[int, Any]  # parts that Python has accessed; not in `_kept`, which parts share
    _kept: dict[int, Any]  # index of a field -> its table, or the object that Python assigned to it

    def __init_subclass__(cls) -> None:
        hints = get_type_hints(cls, include_extras=True)
        byte_classes = {name: _kind_of(hint) for name, hint in hints.items() if name not in Struct.__annotations__}
        cls.layout = layout_of(byte_classes)
        cls._num_words = -(-cls.layout.num_bytes // WORD)
        tables, rooms, room_bytes = [], [], 0
        parts: list[tuple[int, int]] = []
        for name, field in cls.layout.fields.items():
            place, kind = field.offset // WORD, field.kind
            descriptor = _descriptor_of(field, f"{cls.__name__}.{name}")
            if isinstance(kind, TableField):
                tables.append((place, name, ""))
                count = cls.rooms.get(name, 0)
                rooms += [(place, count, room_bytes, int(name in cls.unused))] if count else []
                room_bytes += -(-count * num_bytes_of(kind.element) // _ALIGNMENT) * _ALIGNMENT
            elif isinstance(kind, StructReference) and kind.is_part:
                part, begin = kind.struct, cls._num_words
                assert issubclass(part, Struct)
                descriptor = _PartField(field, descriptor.place, begin)
                parts += [(place, begin), *[(begin + at, begin + of) for at, of in part._parts]]
                tables += [(begin + header, "", name) for header, *_ in part._tables]
                rooms += [(begin + at, count, room_bytes + of, num_used) for at, count, of, num_used in part._rooms]
                room_bytes += part._room_bytes
                cls._num_words += part._num_words
            setattr(cls, name, descriptor)
        cls._tables, cls._parts = tuple(tables), tuple(parts)
        cls._rooms, cls._room_bytes = tuple(rooms), room_bytes
        cls._addresses = np.array([place for place, *_ in (*cls._parts, *cls._rooms)], np.int64)
        cls._owners = np.array([place + 3 for place, *_ in cls._tables], np.int64)
        cls._image = cls._new_image()

    @classmethod
    def _new_image(cls) -> tuple[Any, bytes]:
        """Return `_image`. Addresses are relative to the beginning of the struct."""
        start = -(-cls._num_words * WORD // _ALIGNMENT) * _ALIGNMENT
        words = np.zeros(start // WORD, np.int64)
        for place, begin in cls._parts:
            words[place] = WORD * begin
        for place, count, offset, num_used in cls._rooms:
            words[place : place + 3] = start + offset, num_used, count
        return ctypes.c_int64 * (len(words) + cls._room_bytes // WORD + 1), words.tobytes()

    def __init__(self) -> None:
        if self._words is not None:
            return
        memory, image = self._image
        words = memory()
        ctypes.memmove(words, image, len(image))
        words[-1] = self._room_bytes
        self._take(words, 0, {})
        numbers = np.frombuffer(words, np.int64)
        numbers[self._addresses] += self.address
        numbers[self._owners] = id(self)

    def __new__(cls, *_: Any) -> Self:
        made = super().__new__(cls)
        made._words = None
        return made

    def _take(self, words: Any, first: int, kept: dict[int, Any]) -> None:
        """Use a part of this memory. kept: the objects kept for everything in it."""
        self._words, self._first, self._kept = words, first, kept
        self._made = {}
        self.address = ctypes.addressof(words) + WORD * first

    @classmethod
    def bound_table(cls, name: str, most: Callable[[], int], refuse: Callable[[], Exception]) -> None:
        """Like `Table.bound`, for a table of all structs created from now on."""
        cls.__dict__[name].bound = most, refuse

    @classmethod
    def at(cls, address: int) -> Self:
        """Return the struct at an address."""
        found = cls.__new__(cls)
        found.address = int(address)
        found._first, found._kept, found._made = 0, {}, {}
        return found

    def _word(self, index: int) -> int:
        """Return a 64-bit field."""
        if self._words is not None:
            return self._words[self._first + index]  # type: ignore[no-any-return]
        return ctypes.c_int64.from_address(self.address + WORD * index).value

    def _set_word(self, index: int, value: int) -> None:
        if self._words is not None:
            self._words[self._first + index] = int(value)
            return
        ctypes.c_int64.from_address(self.address + WORD * index).value = int(value)

    @property
    def num_bytes(self) -> int:
        """Memory of all its tables, in bytes."""
        return self._words[-1]  # type: ignore[no-any-return]

    def note_bytes(self, num_bytes: int) -> None:
        """Count memory that stays after a table's elements were replaced."""
        self._words[-1] += num_bytes

    def grow(self) -> None:
        """Make the room that a kernel wants. Called by the code that runs the kernel."""
        words, first = self._words, self._first
        for place, name, part in self._tables:
            header = first + place
            if words[header + 4] > words[header + 2]:
                if part:
                    getattr(self, part).grow()
                else:
                    getattr(self, name).ensure(words[header + 4])

    def read_all(self) -> list[int]:
        """Return all fields of a struct that owns its memory and has only int64 fields.

        PERF: 0.15 us; each field alone takes 0.2 us.
        """
        return self._words[self._first : self._first + self._num_words]  # type: ignore[no-any-return]

    def dismantle(self) -> None:
        """Drop its tables, arrays and references. The struct can't be used afterwards."""
        self._kept.clear()
        self._words[-1] = 0


def _load(address: int, element: Element, name: str) -> Any:
    if isinstance(element, Scalar):
        return _CTYPES[element.code].from_address(address).value
    if isinstance(element, StructRow):
        return Array(address, element.length, element.element, name)
    return element.at(address)


def _store(address: int, element: Element, value: Any) -> None:
    if not isinstance(element, Scalar):
        raise TypeError("only integers can be stored; set the fields of a struct, the places of a row")
    _CTYPES[element.code].from_address(address).value = int(value)


class _FieldDescriptor:
    """Reads and writes a field of any struct in Python. place: its struct and name, for errors."""

    def __init__(self, field: StructField, place: str) -> None:
        self.name, self.offset, self.place = field.name, field.offset, place
        self.kind: Any = field.kind
        self.word = field.offset // WORD


class _Int64Field(_FieldDescriptor):
    """PERF: no further call for structs that own their memory."""

    def __get__(self, struct: Struct, _: Any = None) -> Any:
        words = struct._words
        return struct._word(self.word) if words is None else words[struct._first + self.word]

    def __set__(self, struct: Struct, value: int) -> None:
        words = struct._words
        if words is None:
            struct._set_word(self.word, value)
        else:
            words[struct._first + self.word] = int(value)


class _InlineField(_FieldDescriptor):
    """A shorter integer, or a row."""

    def __get__(self, struct: Struct, _: Any = None) -> Any:
        return _load(struct.address + self.offset, self.kind, self.place)

    def __set__(self, struct: Struct, value: int) -> None:
        _store(struct.address + self.offset, self.kind, value)


class _ReferenceField(_FieldDescriptor):
    def __get__(self, struct: Struct, _: Any = None) -> Any:
        kept = struct._kept.get(struct._first + self.word)
        return self.kind.struct.at(struct._word(self.word)) if kept is None else kept

    def __set__(self, struct: Struct, value: Struct) -> None:
        struct._kept[struct._first + self.word] = value
        struct._set_word(self.word, value.address)


class _PartField(_FieldDescriptor):
    """A part, created when Python first accesses it. begin: see `_parts`."""

    def __init__(self, field: StructField, place: str, begin: int) -> None:
        super().__init__(field, place)
        self.begin = begin

    def __get__(self, struct: Struct, _: Any = None) -> Any:
        made = struct._made.get(self.begin)
        return self._new(struct) if made is None else made

    def _new(self, struct: Struct) -> Any:
        """Return the part, the same object for all threads."""
        if struct._words is None:
            return self.kind.struct.at(struct._word(self.word))
        part = self.kind.struct.__new__(self.kind.struct)
        part._take(struct._words, struct._first + self.begin, struct._kept)
        part.__init__()
        return struct._made.setdefault(self.begin, part)


class _ElementsField(_FieldDescriptor):
    """An array or a table."""

    _found: tuple[int, np.dtype[Any]] | None = None

    @property
    def as_numpy(self) -> tuple[int, np.dtype[Any]]:
        """Size and numpy type of an element. PERF: computed once for each field, since hashing an element is Python
        code.
        """
        if self._found is None:
            element = self.kind.element
            self._found = num_bytes_of(element), dtype_of(element)
        return self._found


class _ArrayField(_ElementsField):
    def __get__(self, struct: Struct, _: Any = None) -> Any:
        return Array(struct._word(self.word), struct._word(self.word + 1), self.kind.element, self.place)

    def __set__(self, struct: Struct, value: NDArray[Any] | Array[Any]) -> None:
        if isinstance(value, Array):
            address, length = value.address, value.length
        else:
            address, length = address_of(value), value.nbytes // self.as_numpy[0]
            struct._kept[struct._first + self.word] = value
        struct._set_word(self.word, address)
        struct._set_word(self.word + 1, length)


class _TableField(_ElementsField):
    bound: tuple[Callable[[], int], Callable[[], Exception]] = (lambda: sys.maxsize, MemoryError)

    def __get__(self, struct: Struct, _: Any = None) -> Any:
        first = struct._first + self.word
        kept = struct._kept.get(first)
        return self._new(struct, first) if kept is None else kept

    def _new(self, struct: Struct, first: int) -> Any:
        """Return the table, the same object for all threads."""
        if struct._words is None:  # the struct does not own its memory
            header = (ctypes.c_int64 * TABLE_WORDS).from_address(struct.address + self.offset)
            return struct._kept.setdefault(first, Table(header, 0, self, False))
        return struct._kept.setdefault(first, Table(struct._words, first, self, True))


def _descriptor_of(field: StructField, name: str) -> _FieldDescriptor:
    return (_Int64Field if field.kind == INT64 else _DESCRIPTORS[type(field.kind)])(field, name)


_DESCRIPTORS: dict[type[Any], type[_FieldDescriptor]] = {
    Scalar: _InlineField,
    StructRow: _InlineField,
    StructReference: _ReferenceField,
    ArrayField: _ArrayField,
    TableField: _TableField,
}


def _kind_of(hint: Any) -> FieldKind:
    """Return the kind of field that an annotation declares."""
    origin = get_origin(hint)
    if origin is Annotated:
        of, kind = get_args(hint)
        assert kind == _PART or isinstance(kind, Scalar | StructRow), hint
        return StructReference(of, is_part=True) if kind == _PART else kind
    if origin is Array:
        return ArrayField(_element_of(get_args(hint)[0]))
    if origin is Table:
        return TableField(_element_of(get_args(hint)[0]))
    if isinstance(hint, type) and issubclass(hint, Struct):
        return StructReference(hint)
    raise TypeError(f"no field of a struct can be a {hint}")


def _element_of(hint: Any) -> Element:
    if isinstance(hint, type) and issubclass(hint, Struct):
        return hint
    if get_origin(hint) is Annotated and isinstance(get_args(hint)[1], Scalar | StructRow):
        return get_args(hint)[1]  # type: ignore[no-any-return]
    raise TypeError(f"no array can hold {hint}")
