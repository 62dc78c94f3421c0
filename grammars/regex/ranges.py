"""Cut labelled partitions of the characters into their common cells; derivatives spend most of their time here.

Sets are `CharSet`s (sorted, disjoint, non-adjacent ranges without surrogates; see charset.py).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from itertools import chain
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..watch import paced
from .charset import MAX_CODE_POINT, NONE, CharSet, complement, union

Target = TypeVar("Target")

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

_LARGE = 64
"""Sets with more ranges are computed as arrays, and results are kept for the same charset objects.

Unicode's letters have 650 ranges. The characters that a vocabulary without one byte can spell have up to 17,000.
"""

_FEW_RANGES = 32
"""Sets of at most this many ranges are swept, however many sets there are.

PERF: of 130 sets of one range `_sweep` takes 0.2 ms; `_venn`, which goes through all points for each set, 4 ms.
"""

_MAX_KEPT = 1024
_ASCII: CharSet = ((0, 0x7F),)
_objects: dict[CharSet, CharSet] = {}
_large_sets: dict[tuple[object, ...], tuple[Sequence[CharSet], CharSet]] = {}
_halves_of: dict[int, tuple[Sequence[CharSet], tuple[CharSet, CharSet]]] = {}
_whole_of: dict[tuple[CharSet, int], tuple[Sequence[CharSet], CharSet]] = {}
_large_cells: dict[tuple[int, ...], tuple[Sequence[CharSet], list[tuple[CharSet, tuple[int, ...]]]]] = {}


def clip(charset: CharSet, window: CharSet) -> CharSet:
    """Return the intersection with a window of few ranges, without going through all of the set."""
    result: list[tuple[int, int]] = []
    for low, high in window:
        index = bisect_right(charset, (low, MAX_CODE_POINT + 1))
        if index and charset[index - 1][1] >= low:
            index -= 1
        while index < len(charset) and charset[index][0] <= high:
            result.append((max(low, charset[index][0]), min(high, charset[index][1])))
            index += 1
    return tuple(result)


def overlay(
    partitions: Sequence[Sequence[tuple[CharSet, Target]]], needed: int
) -> list[tuple[CharSet, tuple[Target, ...]]]:
    """Return the common cells of partitions: disjoint sets of characters, each with its targets.

    partitions: each a sequence of (disjoint charset, target).
    needed: cells with fewer targets are left out. Two cells may have the same targets in another order.
    """
    if len(partitions) == 2 and len(partitions[0]) == len(partitions[1]) == 1:
        (charset, target), (other_charset, other_target) = partitions[0][0], partitions[1][0]
        if charset == other_charset:
            return [(charset, (target, other_target))]
    sizes = [len(charset) for partition in partitions for charset, _ in partition]
    if sum(sizes) <= _LARGE or max(sizes) <= _FEW_RANGES:
        return _sweep(partitions, needed)
    numbered = [
        [(_halves(charset), (index, target)) for charset, target in partition]
        for index, partition in enumerate(partitions)
    ]
    low = _sweep([[(halves[0], pair) for halves, pair in partition] for partition in numbered], needed)
    pairs_of: dict[int, tuple[CharSet, list[tuple[int, Target]]]] = {}
    for partition in numbered:
        for (_, wide), pair in partition:
            if wide:
                pairs_of.setdefault(id(wide), (wide, []))[1].append(pair)
    ordered = [pairs_of[number] for number in sorted(pairs_of)]
    high = [
        (cell, tuple([pair for place in places for pair in ordered[place][1]]))
        for cell, places in (_cells([wide for wide, _ in ordered]) if ordered else [])
    ]
    cells: dict[tuple[tuple[int, Target], ...], list[CharSet]] = {}
    for is_high, halves in enumerate((low, high)):
        for cell, pairs in halves:
            if len(pairs) >= needed:
                key = tuple(sorted(pairs, key=_index))
                half = cells.setdefault(key, [NONE, NONE])
                half[is_high] = union(half[is_high], cell) if half[is_high] else cell
    return [(_whole(*halves), tuple([target for _, target in pairs])) for pairs, halves in cells.items()]


def _index(pair: tuple[int, Target]) -> int:
    return pair[0]


def join(charsets: Sequence[CharSet]) -> CharSet:
    """Return the union. Unions of large sets are kept: the same arguments give the same object."""
    if len(charsets) == 1:
        return charsets[0]
    if sum(map(len, charsets)) <= _LARGE:
        return union(*charsets)
    ascii_parts, wide_parts = _split_all(charsets)
    if len(wide_parts) < 2:
        return _whole(union(*ascii_parts), *wide_parts)
    key = ("join", *map(id, wide_parts))
    entry = _large_sets.get(key)
    wide = entry[1] if entry is not None else _keep(_large_sets, key, wide_parts, _same(_union(wide_parts)))
    return _whole(union(*ascii_parts), wide)


def others(charsets: Sequence[CharSet]) -> CharSet:
    """Return every scalar value outside the sets. Results for large sets are kept, as in `join`."""
    if sum(map(len, charsets)) <= _LARGE:
        return complement(union(*charsets))
    ascii_parts, wide_parts = _split_all(charsets)
    key = ("others", *map(id, wide_parts))
    entry = _large_sets.get(key)
    if entry is None:
        found = _halves(complement(_union(wide_parts) if wide_parts else NONE))[1]
        entry = wide_parts, _keep(_large_sets, key, wide_parts, found)
    return _whole(clip(complement(union(*ascii_parts)), _ASCII), entry[1])


def _halves(charset: CharSet) -> tuple[CharSet, CharSet]:
    """Split a set into its ASCII characters and the others. For large sets, equal other halves are the same object.

    The other halves of Unicode's letters and similar sets take long to compute with, but few of them are different.
    Each is therefore computed with once, for all ASCII characters beside it.
    """
    entry = _halves_of.get(id(charset))
    if entry is not None:
        return entry[1]
    place = bisect_right(charset, (0x80,))
    low, high = charset[:place], charset[place:]
    if low and low[-1][1] >= 0x80:
        low, high = (*low[:-1], (low[-1][0], 0x7F)), ((0x80, low[-1][1]), *high)
    return _keep(_halves_of, id(charset), [charset], (low, _same(high)))


def _whole(low: CharSet, high: CharSet = NONE) -> CharSet:
    """Return the set of two halves. For large sets, the same objects give the same object."""
    if not low or not high:
        return low or high
    key = (low, id(high))
    entry = _whole_of.get(key)
    if entry is not None:
        return entry[1]
    is_one = low[-1][1] == 0x7F and high[0][0] == 0x80
    found = (*low[:-1], (low[-1][0], high[0][1]), *high[1:]) if is_one else low + high
    return _keep(_whole_of, key, [high], _same(found))


def _split_all(charsets: Sequence[CharSet]) -> tuple[list[CharSet], list[CharSet]]:
    """Return the ASCII halves of sets, and the different non-empty other halves in the order of their ids."""
    halves = [_halves(charset) for charset in charsets]
    wide = {id(high): high for _, high in halves if high}
    return [low for low, _ in halves], [wide[number] for number in sorted(wide)]


def _cells(charsets: Sequence[CharSet]) -> list[tuple[CharSet, tuple[int, ...]]]:
    """Return the cells of large sets, each with the places of its sets in `charsets`. Kept for the same objects."""
    key = tuple(map(id, charsets))
    entry = _large_cells.get(key)
    if entry is not None:
        return entry[1]
    for charset in charsets:
        _same(charset)
    return _keep(_large_cells, key, charsets, [(_same(cell), places) for cell, places in _venn(charsets)])


def _venn(charsets: Sequence[CharSet]) -> list[tuple[CharSet, tuple[int, ...]]]:
    """Return the cells of sets in the order of their first members, each with the places of its sets in `charsets`.

    PERF: for 17,000 ranges and [a-z], `_sweep` takes 30 ms, `_venn` 15 ms. `_sweep` also makes a separate cell for each
    order of the same sets. For three sets of 17,000 ranges it makes 14 cells, and later steps go through all of them.
    """
    bounds = [_bounds(charset) for charset in charsets]
    points = np.unique(np.concatenate(bounds))
    cell_of = np.zeros(len(points), dtype=np.int64)  # number of the cell for the characters from a point to the next
    places_of: list[tuple[int, ...]] = [()]
    for place, ends in enumerate(bounds):
        is_inside = np.zeros(len(points), dtype=np.int64)
        is_inside[np.searchsorted(points, ends[::2])] = 1
        is_inside[np.searchsorted(points, ends[1::2])] -= 1
        halves = 2 * cell_of + np.cumsum(is_inside)
        is_found = np.zeros(2 * len(places_of), dtype=np.bool_)
        is_found[halves] = True
        cell_of = (np.cumsum(is_found) - 1)[halves]
        found = np.flatnonzero(is_found).tolist()
        places_of = [(*places_of[half // 2], place) if half % 2 else places_of[half // 2] for half in found]
    order = np.argsort(cell_of, kind="stable")
    starts = np.searchsorted(cell_of[order], range(1, len(places_of)))
    cells = []
    for members, places in zip(np.split(order, starts), places_of, strict=True):
        if places:
            cells.append((_charset(points[members], points[members + 1]), places))
    return sorted(cells)


def _union(charsets: Sequence[CharSet]) -> CharSet:
    """Return the union of large sets."""
    ends = np.concatenate([_bounds(charset) for charset in charsets]).reshape(-1, 2)
    ends = ends[np.argsort(ends[:, 0], kind="stable")]
    reached = np.maximum.accumulate(ends[:, 1])
    firsts = np.flatnonzero(np.concatenate([[True], ends[1:, 0] > reached[:-1]]))
    return _charset(ends[firsts, 0], reached[np.append(firsts[1:], len(ends)) - 1])


def _bounds(charset: CharSet) -> npt.NDArray[np.int64]:
    """Return an array of shape (2 * R,): for each range its first member and the one after its last."""
    found = np.fromiter(chain.from_iterable(charset), dtype=np.int64, count=2 * len(charset))
    found[1::2] += 1
    return found


def _charset(starts: npt.NDArray[Any], ends: npt.NDArray[Any]) -> CharSet:
    return tuple(zip(starts.tolist(), (ends - 1).tolist(), strict=True))


def _same(charset: CharSet) -> CharSet:
    """Return the same object for equal sets, so that cached results are found again. Small sets are returned as they
    are.
    """
    if len(charset) <= _LARGE // 4:
        return charset
    if len(_objects) >= _MAX_KEPT:
        _objects.clear()
    return _objects.setdefault(charset, charset)


def _keep(
    cache: dict[Key, tuple[Sequence[CharSet], Value]], key: Key, charsets: Sequence[CharSet], value: Value
) -> Value:
    """Store a result under the ids of charsets, which the cache keeps alive. A full cache is emptied first."""
    if len(cache) >= _MAX_KEPT:
        cache.clear()
    cache[key] = (charsets, value)
    return value


def _sweep(
    partitions: Sequence[Sequence[tuple[CharSet, Target]]], needed: int
) -> list[tuple[CharSet, tuple[Target, ...]]]:
    """Do what `overlay` does, by going through the ends of all ranges in order."""
    events = []
    for index, partition in enumerate(paced(partitions)):
        for charset, target in partition:
            for low, high in charset:
                events.append((low, 1, index, target))
                events.append((high + 1, 0, index, target))
    events.sort()  # an index ends and starts at most once at a position, so targets are never compared
    active: dict[int, Target] = {}
    cells: dict[tuple[Target, ...], list[tuple[int, int]]] = {}
    start = 0
    for position, is_start, index, target in paced(events):
        if position > start:
            if len(active) >= needed:
                _extend(cells.setdefault(tuple(active.values()), []), start, position - 1)
            start = position
        if is_start:
            active[index] = target
        else:
            del active[index]
    return [(tuple(ranges), targets) for targets, ranges in cells.items()]


def _extend(ranges: list[tuple[int, int]], low: int, high: int) -> None:
    if ranges and ranges[-1][1] == low - 1:
        ranges[-1] = (ranges[-1][0], high)
    else:
        ranges.append((low, high))
