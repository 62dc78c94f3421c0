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

A kernel that Python calls takes `automaton.address` and begins with `automaton = Automaton.at(address)`; from then on
both write `automaton.states[0].accepts`. Compiled, that is the address arithmetic and one load (`lowering.py`); in
plain Python (GUIDED_KERNELS=plain) it is what stands here, and every index is compared with the length.
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
    Field,
    Kind,
    Layout,
    OutOfBoundsError,
    Reference,
    Row,
    Scalar,
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
"""A struct that is made together with the struct whose field it is, and counts with it."""

_CTYPES: dict[str, Any] = {"u1": ctypes.c_uint8, "i4": ctypes.c_int32, "i8": ctypes.c_int64}


def address_of(array: NDArray[Any]) -> int:
    """Where a C-contiguous array begins; valid while the array lives."""
    return array.ctypes.data  # of a structured array `__array_interface__` would describe all fields


class Array(Generic[T]):
    """Elements side by side in memory, of which kernels read and write single ones. Owns nothing."""

    __slots__ = ("address", "element", "length", "name")

    if TYPE_CHECKING:  # a field takes an array of numpy and gives this

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
        """The same memory for numpy."""
        buffer = (ctypes.c_uint8 * (self.length * num_bytes_of(self.element))).from_address(self.address)
        return np.frombuffer(memoryview(buffer), dtype_of(self.element))

    def part(self, first: int, count: int) -> Array[T]:
        """`count` elements from `first` on."""
        if not 0 <= first <= first + count <= self.length:
            raise OutOfBoundsError(self.name, first + count, self.length + 1)
        return Array(self.address + first * num_bytes_of(self.element), count, self.element, self.name)

    def _place(self, index: int) -> int:
        if not 0 <= index < self.length:
            raise OutOfBoundsError(self.name, index, self.length)
        return self.address + int(index) * num_bytes_of(self.element)


class Table(Generic[T]):
    """Elements that grow in number, written by Python and by kernels. Those from `used` on have no meaning.

    It grows in `reserve` and `ensure`, whoever calls them. In a kernel that begins the exported kernel anew (see
    `kernels.ending`), so a table never moves while one runs: spans and structs in it stay valid. The header lies in the
    struct whose field it is; the `Table` that this struct makes when Python first looks at it owns the elements.
    """

    __slots__ = (
        *("_first", "_is_owner", "_most", "_num_bytes", "_refuse", "_words"),
        *("data", "dtype", "element", "name"),
    )
    data: NDArray[Any]
    dtype: np.dtype[Any]

    def __init__(self, words: Any, first: int, field: _TableField, is_owner: bool) -> None:
        """words, first: its header begins there. is_owner: of a struct that owns its memory, where its first elements
        lie too. dtype: of an element, for numpy."""
        self._words, self._first = words, first
        self.element, self.name = field.kind.element, field.place
        self._num_bytes, self.dtype = field.as_numpy
        self._is_owner = is_owner
        self._most, self._refuse = field.bound

    def bound(self, most: int, refuse: Callable[[], Exception]) -> None:
        """Never have room for more than so many elements; what growing raises then."""
        self._most, self._refuse = most, refuse

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """`data` of the first elements. PERF: most tables are never looked at by Python."""
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
        """How many elements are in use."""
        return self._words[self._first + 1]  # type: ignore[no-any-return]

    @used.setter
    def used(self, value: int) -> None:
        self._words[self._first + 1] = int(value)

    @property
    def capacity(self) -> int:
        """For how many elements there is room."""
        return self._words[self._first + 2]  # type: ignore[no-any-return]

    @property
    def wanted(self) -> int:
        """For how many elements a kernel wanted room, when it last found none."""
        return self._words[self._first + 4]  # type: ignore[no-any-return]

    @property
    def in_use(self) -> NDArray[Any]:
        """The elements in use, for numpy; valid until the table moves."""
        return self.data[: self.used]

    def span(self) -> Array[T]:
        """All for which there is room, where they lie now."""
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
        """Make room for `count` more elements and use them; the index of the first."""
        words, first = self._words, self._first
        start: int = words[first + 1]
        if start + count > words[first + 2]:
            self.ensure(start + count)
        words[first + 1] = start + int(count)
        return start

    def append(self, elements: NDArray[Any]) -> int:
        """Add some elements; the index of the first. Only in Python."""
        start = self.reserve(len(elements))
        self.data[start : start + len(elements)] = elements
        return start

    def write(self, index: int, numbers: Sequence[int]) -> None:
        """Set the first fields, or all, of an element that is a struct of nothing but int64. Only in Python.

        PERF: 0.4 us; by numpy, or field by field, four times that.
        """
        words: Any = (ctypes.c_int64 * len(numbers)).from_address(self._place(index))
        words[:] = numbers

    def add(self, numbers: Sequence[int]) -> int:
        """Add an element, as `write` sets it; its index. Only in Python."""
        index = self.reserve(1)
        self.write(index, numbers)
        return index

    def ensure(self, capacity: int) -> None:
        """Let at least `capacity` elements fit, moving the table if need be."""
        if capacity <= self._words[self._first + 2]:
            return
        if not self._is_owner:  # a plain kernel looks at another one's table
            self._words[self._first + 4] = capacity
            raise TableFullError(cast(Grower, ctypes.cast(self._words[self._first + 3], ctypes.py_object).value))
        if capacity > self._most:
            self._words[self._first + 4] = 0
            raise self._refuse()
        grown = np.zeros(min(max(capacity, 2 * self._words[self._first + 2]), self._most), self.dtype)
        grown[: len(self.data)] = self.data
        self.replace(grown)

    def spread(self, count: int) -> None:
        """Make room for so many elements at once, which takes memory only where they are written. Only in Python.

        PERF: nothing is copied, and pages come one by one: 64 MiB that grew took up to 180 ms in one step.
        """
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        room = np.frombuffer(mmap.mmap(-1, count * self._num_bytes, flags=flags), self.dtype.base)
        self.replace(room.reshape(count, *self.dtype.shape))

    def replace(self, data: NDArray[Any]) -> None:
        """Let these be its elements; how many are used stays."""
        words, first = self._words, self._first
        words[-1] += (len(data) - words[first + 2]) * self._num_bytes
        words[first], words[first + 2], words[first + 4] = address_of(data), len(data), 0
        self.data = data


class StructMeta(type):
    """The class of all structs' classes: kernels know these by it."""


class Struct(metaclass=StructMeta):
    """Base of all structs. `Trie()` makes one and owns its memory, all zeros; `Trie.at(address)` looks at one.

    rooms: for how many elements its tables have room at first. PERF: that of all tables, those of parts too, is one
    piece of memory with its fields; a table that grows takes 5 us. unused: those of them whose element 0 is none.
    """

    __slots__ = ("__weakref__", "_first", "_kept", "_made", "_words", "address")

    rooms: ClassVar[dict[str, int]] = {}
    unused: ClassVar[frozenset[str]] = frozenset()
    layout: ClassVar[Layout]
    _num_words: ClassVar[int]  # with its parts
    _tables: ClassVar[tuple[tuple[int, str, str], ...]]  # of each table, those of parts too: where its header begins,
    # the name of the table, "" or that of the part that has it
    _rooms: ClassVar[tuple[tuple[int, int, int, int], ...]]  # of tables with room: where the header begins, elements,
    # offset, elements in use
    _room_bytes: ClassVar[int]
    _parts: ClassVar[tuple[tuple[int, int], ...]]  # of each part, those of parts too: where its address stands, where
    # it begins
    _addresses: ClassVar[NDArray[np.int64]]  # where the addresses of parts and of rooms stand
    _owners: ClassVar[NDArray[np.int64]]  # where headers of tables say whose they are
    _image: ClassVar[tuple[Any, bytes]]  # the type of all its memory, and how that begins, but for addresses: its words
    # and those of its parts. PERF: the room behind them is zeros
    address: int
    _words: Any  # int64 numbers: its memory, that of its parts, the first room of all tables, and how many bytes the
    # tables take; None: it owns none
    _first: int  # where it begins there
    _made: dict[int, Any]  # its parts that Python has looked at; not in `_kept`, which they have, too
    _kept: dict[int, Any]  # where a field stands -> the table that it is, or what Python gave for it

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
            elif isinstance(kind, Reference) and kind.is_part:
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
        """See `_image`. Addresses are counted from where the struct begins."""
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
        """Lie in this memory. kept: what is kept for all that lies there."""
        self._words, self._first, self._kept = words, first, kept
        self._made = {}
        self.address = ctypes.addressof(words) + WORD * first

    @classmethod
    def bound_table(cls, name: str, most: int, refuse: Callable[[], Exception]) -> None:
        """As `Table.bound`, of a table of each struct that is made from now on."""
        cls.__dict__[name].bound = most, refuse

    @classmethod
    def at(cls, address: int) -> Self:
        """The struct at an address."""
        found = cls.__new__(cls)
        found.address = int(address)
        found._first, found._kept, found._made = 0, {}, {}
        return found

    def _word(self, index: int) -> int:
        """A field of 64 bits."""
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
        """Of all tables in its memory."""
        return self._words[-1]  # type: ignore[no-any-return]

    def note_bytes(self, num_bytes: int) -> None:
        """What lay in a table stays, beside what lies there now."""
        self._words[-1] += num_bytes

    def grow(self) -> None:
        """Make the room that a kernel wants. What runs the kernel calls it."""
        words, first = self._words, self._first
        for place, name, part in self._tables:
            header = first + place
            if words[header + 4] > words[header + 2]:
                if part:
                    getattr(self, part).grow()
                else:
                    getattr(self, name).ensure(words[header + 4])

    def read_all(self) -> list[int]:
        """All fields, of a struct that owns its memory and has no others than int64 ones.

        PERF: 0.15 us; each field alone takes 0.2 us.
        """
        return self._words[self._first : self._first + self._num_words]  # type: ignore[no-any-return]

    def dismantle(self) -> None:
        """Let go of its tables, arrays and references; it can't be used any more."""
        self._kept.clear()
        self._words[-1] = 0


def _load(address: int, element: Element, name: str) -> Any:
    if isinstance(element, Scalar):
        return _CTYPES[element.code].from_address(address).value
    if isinstance(element, Row):
        return Array(address, element.length, element.element, name)
    return element.at(address)


def _store(address: int, element: Element, value: Any) -> None:
    if not isinstance(element, Scalar):
        raise TypeError("only integers can be stored; set the fields of a struct, the places of a row")
    _CTYPES[element.code].from_address(address).value = int(value)


class _FieldDescriptor:
    """How Python reads and writes a field of any struct. place: its struct and name, for errors."""

    def __init__(self, field: Field, place: str) -> None:
        self.name, self.offset, self.place = field.name, field.offset, place
        self.kind: Any = field.kind
        self.word = field.offset // WORD


class _Int64Field(_FieldDescriptor):
    """PERF: of structs that own their memory without a further call."""

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
    """Parts are made when Python first looks at them. begin: see `_parts`."""

    def __init__(self, field: Field, place: str, begin: int) -> None:
        super().__init__(field, place)
        self.begin = begin

    def __get__(self, struct: Struct, _: Any = None) -> Any:
        made = struct._made.get(self.begin)
        return self._new(struct) if made is None else made

    def _new(self, struct: Struct) -> Any:
        """The part; the same for all threads."""
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
        """The bytes and the type of an element. PERF: as an element is hashed in Python, each field finds it once."""
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
    bound: tuple[int, Callable[[], Exception]] = (sys.maxsize, MemoryError)

    def __get__(self, struct: Struct, _: Any = None) -> Any:
        first = struct._first + self.word
        kept = struct._kept.get(first)
        return self._new(struct, first) if kept is None else kept

    def _new(self, struct: Struct, first: int) -> Any:
        """The table; the same for all threads."""
        if struct._words is None:  # of a struct that owns nothing
            header = (ctypes.c_int64 * TABLE_WORDS).from_address(struct.address + self.offset)
            return struct._kept.setdefault(first, Table(header, 0, self, False))
        return struct._kept.setdefault(first, Table(struct._words, first, self, True))


def _descriptor_of(field: Field, name: str) -> _FieldDescriptor:
    return (_Int64Field if field.kind == INT64 else _DESCRIPTORS[type(field.kind)])(field, name)


_DESCRIPTORS: dict[type[Any], type[_FieldDescriptor]] = {
    Scalar: _InlineField,
    Row: _InlineField,
    Reference: _ReferenceField,
    ArrayField: _ArrayField,
    TableField: _TableField,
}


def _kind_of(hint: Any) -> Kind:
    """What an annotation means."""
    origin = get_origin(hint)
    if origin is Annotated:
        of, kind = get_args(hint)
        assert kind == _PART or isinstance(kind, Scalar | Row), hint
        return Reference(of, is_part=True) if kind == _PART else kind
    if origin is Array:
        return ArrayField(_element_of(get_args(hint)[0]))
    if origin is Table:
        return TableField(_element_of(get_args(hint)[0]))
    if isinstance(hint, type) and issubclass(hint, Struct):
        return Reference(hint)
    raise TypeError(f"no field of a struct can be a {hint}")


def _element_of(hint: Any) -> Element:
    if isinstance(hint, type) and issubclass(hint, Struct):
        return hint
    if get_origin(hint) is Annotated and isinstance(get_args(hint)[1], Scalar | Row):
        return get_args(hint)[1]  # type: ignore[no-any-return]
    raise TypeError(f"no array can hold {hint}")
