"""Structs: what Python writes kernels read, and the other way round. With GUIDED_KERNELS=jit also compiled."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Annotated, Any

import numpy as np
import pytest

from guided.grammars.memory.kernel import kernel
from guided.grammars.memory.layout import StructRow, dtype_of, layout_of
from guided.grammars.memory.rows import array_at, row_at
from guided.grammars.memory.structs import INT32, INT64, UINT8, Array, Struct, Table, address_of, int32, int64, uint8

Triple = Annotated[Array[int32], StructRow(INT32, 3)]


class Edge(Struct):
    target: int32
    byte: uint8
    weight: int64


class Inner(Struct):
    total: int64


class Graph(Struct):
    num_steps: int64
    small: int32
    inner: Inner
    bytes_: Array[uint8]
    triple: Triple
    edges: Table[Edge]
    triples: Table[Triple]


def graph() -> Graph:
    made = Graph()
    made.inner = Inner()
    made.bytes_ = np.array([7, 255, 0], np.uint8)
    made.edges.append(np.array([(5, 200, -1), (-6, 3, 1 << 40)], made.edges.dtype))
    made.triples.append(np.array([[1, 2, 3], [4, 5, 6]], np.int32))
    return made


@kernel
def read(address: int) -> int:
    """Something of every kind of field."""
    known = Graph.at(address)
    edge = known.edges[1]
    total = known.num_steps + 10 * known.small + 100 * known.bytes_[1] + 1000 * known.triples[1][2]
    return total + edge.target + edge.byte + edge.weight + len(known.bytes_) + known.edges.used + known.edges[0].weight


@kernel
def write(address: int) -> None:
    """The same fields."""
    known = Graph.at(address)
    known.num_steps += 5
    known.small = (1 << 32) + 3  # the low bits
    known.inner.total = -9
    known.bytes_[0] = 300
    known.triple[2] = -4
    edge = known.edges[0]
    edge.target = 77
    edge.byte = 1
    edge.weight = -(1 << 50)
    known.edges.used = 1
    rows = known.triples.span()
    rows[0][1] = 8


@kernel
def run_over(address: int) -> int:
    """Sums over arrays, their parts, and structs."""
    known, total = Graph.at(address), 0
    for byte in known.bytes_.part(1, 2):
        total += byte
    for edge in array_at(Edge, known.edges.span().address, known.edges.used):
        total += edge.byte
    for triple in known.triples.span().part(0, 2):
        for number in triple:
            total += 1000 * number
    return total


@kernel
def set_bit(address: int, num_words: int, place: int) -> None:
    """In a row of a bitmask, also the highest one of a word."""
    row_at(address, num_words)[place >> 5] |= 1 << (place & 31)


@kernel
def read_edge(address: int, index: int) -> int:
    """An edge that may not be there."""
    return Graph.at(address).edges[index].target


def plain(function: Any) -> Any:
    """As Python runs it."""
    return getattr(function, "py_func", function)


WAYS = pytest.mark.parametrize("way", [lambda function: function, plain], ids=["compiled", "plain"])


@WAYS
def test_kernels_read_what_python_wrote(way: Any) -> None:
    known = graph()
    known.num_steps, known.small = 1 << 33, -2
    expected = (1 << 33) - 20 + 25_500 + 6000 - 6 + 3 + (1 << 40) + 3 + 2 - 1
    assert way(read)(known.address) == expected


@WAYS
def test_python_reads_what_kernels_wrote(way: Any) -> None:
    known = graph()
    way(write)(known.address)
    assert (known.num_steps, known.small, known.inner.total) == (5, 3, -9)
    assert list(known.bytes_) == [44, 255, 0]
    assert list(known.triple) == [0, 0, -4]
    assert known.edges.data[0].tolist() == (77, 1, -(1 << 50))
    assert known.edges.used == 1
    assert known.triples.data[:2].tolist() == [[1, 8, 3], [4, 5, 6]]


@WAYS
def test_iteration(way: Any) -> None:
    known = graph()
    assert way(run_over)(known.address) == 255 + 203 + 21_000


@WAYS
def test_rows_of_bitmasks(way: Any) -> None:
    row = np.zeros(2, np.int32)
    for place in (31, 33):
        way(set_bit)(address_of(row), 2, place)
    assert row.tolist() == [-(1 << 31), 2]


def test_tables_grow_and_keep_what_they_hold() -> None:
    known = graph()
    for number in range(1000):
        known.triples.append(np.full((1, 3), number, np.int32))
    assert known.triples.used == 1002
    assert known.triples.capacity >= 1002
    assert known.triples.data[:3].tolist() == [[1, 2, 3], [4, 5, 6], [0, 0, 0]]
    assert known.triples.reserve(2) == 1002
    assert known.num_bytes == known.triples.data.nbytes + known.edges.data.nbytes


class Mark(Struct):
    kind: int64
    first: int64
    bits: Annotated[Array[int64], StructRow(INT64, 2)]


class Marks(Struct):
    marks: Table[Mark]


def test_structs_of_numbers_are_read_and_written_at_once() -> None:
    made = Marks()
    made.marks.reserve(2)
    made.marks.write(1, (3, -4, 5, 1 << 40))
    assert made.marks.data["first"].tolist() == [0, -4]
    made.marks.write(1, (7,))
    assert (made.marks[1].kind, made.marks[1].first, list(made.marks[1].bits)) == (7, -4, [5, 1 << 40])
    with pytest.raises(IndexError, match=r"Marks.marks\[2\]: the length is 2"):
        made.marks.write(2, (1,))
    inner = Inner()
    inner.total = -9
    assert inner.read_all() == [-9]
    made.dismantle()
    assert made.num_bytes == 0


def test_layout() -> None:
    layout = layout_of({"a": UINT8, "b": INT64, "c": INT32, "d": StructRow(INT32, 3)})
    assert [field.offset for field in layout.fields.values()] == [0, 8, 16, 20]
    assert layout.num_bytes == 32
    assert dtype_of(Edge).itemsize == Edge.layout.num_bytes == 16


def test_plain_python_names_what_is_out_of_bounds() -> None:
    known = graph()
    with pytest.raises(IndexError, match=r"Graph\.edges\[2\]: the length is 2"):
        known.edges[2]
    with pytest.raises(IndexError, match=r"Graph\.bytes_\[-1\]: the length is 3"):
        known.bytes_[-1]
    with pytest.raises(IndexError, match=r"Graph\.bytes_\[4\]"):
        known.bytes_.part(2, 2)


def test_threads_look_at_the_same_table() -> None:
    """A thread that made one while another one did counted bytes of a table that nobody filled."""
    for _ in range(50):
        made, barrier = Graph(), Barrier(4)
        with ThreadPoolExecutor(4) as pool:
            tables = list(pool.map(lambda _, made=made, at=barrier: (at.wait(), made.edges)[1], range(4)))
        assert len(set(map(id, tables))) == 1
        assert made.num_bytes == 0
        made.edges.ensure(4)
        assert made.num_bytes == 4 * Edge.layout.num_bytes


def test_a_field_of_no_known_kind() -> None:
    with pytest.raises(TypeError, match="no field of a struct can be a"):
        type("Wrong", (Struct,), {"__annotations__": {"x": float}, "__module__": __name__})
