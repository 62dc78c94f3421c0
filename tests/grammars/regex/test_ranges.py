"""Operations on sets of characters, and partitions of them, against membership."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from guided.grammars.regex import charset as cs
from guided.grammars.regex import ranges
from guided.grammars.regex.properties import ignore_case, property_set

EDGES = [0, 1, 2, 5, 9, 10, 0xD7FE, 0xD7FF, 0xE000, 0xE001, 0x10FFFE, 0x10FFFF]
charsets = st.lists(st.tuples(st.sampled_from(EDGES), st.sampled_from(EDGES)), max_size=4).map(
    lambda pairs: cs.from_ranges((min(pair), max(pair)) for pair in pairs)
)


@given(charsets, charsets)
def test_set_operations(first: cs.CharSet, second: cs.CharSet) -> None:
    made = (cs.intersection(first, second), cs.difference(first, second), cs.union(first, second), cs.complement(first))
    assert made == tuple(map(cs.from_ranges, made))
    for point in (point for edge in EDGES for point in (edge, edge + 1) if cs.contains(cs.ALL, point)):
        one, other = (any(low <= point <= high for low, high in charset) for charset in (first, second))
        expected = (one and other, one and not other, one or other, not one)
        assert tuple(cs.contains(charset, point) for charset in made) == expected
    assert cs.size(first) + cs.size(cs.complement(first)) == 0x110000 - 0x800
    for edge in EDGES:
        assert cs.contains(first, edge) == any(low <= edge <= high for low, high in first)


def check_overlay(partitions: list[list[tuple[cs.CharSet, str]]], points: list[int]) -> None:
    for needed in (1, len(partitions)):
        cells = ranges.overlay(partitions, needed)
        for point in points:
            expected = sorted(t for part in partitions for charset, t in part if cs.contains(charset, point))
            found = [sorted(targets) for charset, targets in cells if cs.contains(charset, point)]
            assert found == ([expected] if len(expected) >= needed else [])
        for charset, _ in cells:
            assert charset == cs.from_ranges(charset)


@given(st.lists(charsets, min_size=1, max_size=4))
def test_overlay(sets: list[cs.CharSet]) -> None:
    partitions = [[(one, f"in {i}"), (cs.complement(one), f"not in {i}")] for i, one in enumerate(sets)]
    check_overlay(partitions, EDGES)


def test_overlay_of_large_sets() -> None:
    names = ["L", "Lu", "N", "P"]
    sets = {name: property_set(name) or () for name in names}
    sets["ASCII"] = ((0, 127),)
    points = [*range(0x400), 0x0663, 0x4E00, 0xD7FF, 0xE000, 0x1F600, 0x10FFFF]
    for first, second, third in itertools.product(sets, repeat=3):
        partitions = [
            [(sets[first], "a"), (ranges.others([sets[first]]), "b")],
            [(sets[second], "c")],
            [(cs.difference(sets[third], sets["ASCII"]), "d"), (sets["ASCII"], "e")],
        ]
        check_overlay(partitions, points)
        assert ranges.join([sets[first], sets[second]]) == cs.union(sets[first], sets[second])
    assert ranges.join([sets["L"], sets["N"]]) is ranges.join([sets["L"], sets["N"]])
    assert ranges.others([sets["L"], sets["N"]]) is ranges.others([sets["L"], sets["N"]])


def test_case() -> None:
    assert ignore_case(cs.from_chars("k1")) == cs.from_chars("1kK\u212a")
    assert ignore_case(cs.from_chars("\u03c3")) == cs.from_chars("\u03c3\u03c2\u03a3")
    assert ignore_case(cs.from_chars("\u0130")) == cs.from_chars("\u0130")


def test_cells_of_large_sets_are_as_few_as_can_be() -> None:
    """Whichever of two sets begins first in a run of characters, what is in both is one cell."""
    sets = [tuple((i + k, i + k + 9) for i in range(0, 2000, 20)) for k in (0, 5)]
    shifted = [
        (*one, *((low + 5000 - 2 * k, high + 5000 - 2 * k) for low, high in one))
        for k, one in zip((0, 5), sets, strict=True)
    ]
    cells = ranges.overlay([[(one, place)] for place, one in enumerate(shifted)], 1)
    assert sorted(sorted(places) for _, places in cells) == [[0], [0, 1], [1]]
