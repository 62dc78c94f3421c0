"""The k-th largest value of a row without sorting it, and the nucleus of a row of probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel
from .scan import count_above

_BLOCK = 64
_ROOM = 4  # values held for each of the k, so that a selection comes once in 3 * k values that look good
_MIN_HELD = 256
_MAX_HELD_K = 1024  # beyond, counting columns above a threshold 32 times is faster than moving values


def bit_cell(dtype: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """`cell` and `cell_bits` of `kth_largest_by_counting`, for one thread. dtype: float32 or float64."""
    cell = np.empty(1, dtype)
    return cell, cell.view(f"i{cell.itemsize}")


@kernel
def move_largest_first(held: Any, count: int, k: int) -> Any:
    """Order held[:count] so that its k largest come first; the k-th largest. 1 <= k <= count.

    Quickselect (Hoare 1961). Pivots are taken at pseudo-random places, so that no order of logits is slow.
    """
    low, high = np.int64(0), np.int64(count - 1)
    random = np.int64(count)
    while low < high:
        random = (random * 1103515245 + 12345) & 0x7FFFFFFF
        pivot = held[low + random % (high - low + 1)]
        i, j = low, high
        while i <= j:
            while held[i] > pivot:
                i += 1
            while held[j] < pivot:
                j -= 1
            if i <= j:
                held[i], held[j] = held[j], held[i]
                i += 1
                j -= 1
        if k - 1 <= j:
            high = j
        elif k - 1 >= i:
            low = i
        else:
            break
    return held[k - 1]


@kernel
def kth_largest(values: Any, k: int, held: Any, cell: Any, cell_bits: Any) -> Any:
    """The k-th largest value, counted with repetitions; -inf when fewer than k are above -inf. 1 <= k <= n.

    values: (n,) without NaN. held: room for as many numbers, overwritten. cell: as in `kth_largest_by_counting`.
    """
    if k > _MAX_HELD_K:
        return kth_largest_by_counting(values, k, cell, cell_bits)
    return kth_largest_by_holding(values, k, held)


@kernel
def kth_largest_by_holding(values: Any, k: int, held: Any) -> Any:
    """The same for a small k: a value is held while it beats the k-th largest so far.

    One pass, and about k * log(n / k) values moved.
    """
    room = min(held.size, max(_ROOM * k, _MIN_HELD))
    threshold, used = values.dtype.type(-np.inf), np.int64(0)
    for start in range(0, values.size, _BLOCK):
        block = values[start : start + _BLOCK]
        if count_above(block, threshold) == 0:
            continue
        for i in range(block.size):
            if block[i] > threshold:
                held[used] = block[i]
                used += 1
                if used == room and room > k:
                    threshold = move_largest_first(held, used, k)
                    used = np.int64(k)
    if used < k:
        return values.dtype.type(-np.inf)
    return move_largest_first(held, used, k)


@kernel
def count_from(values: Any, threshold: Any) -> Any:
    """How many values are at least the threshold."""
    count = np.int32(0)
    for i in range(values.size):
        count = np.int32(count + np.int32(values[i] >= threshold))
    return np.int64(count)


@kernel
def kth_largest_by_counting(values: Any, k: int, cell: Any, cell_bits: Any) -> Any:
    """The same for any k: the largest number that at least k values reach, found bit by bit.

    cell: (1,) like the values, overwritten; cell_bits: the same memory as signed integers. The bits of floats, read as
    integers (those of negative ones turned over), are in the order of the floats; so it is a bisection of integers.
    """
    cell[0] = -np.inf
    magnitude = np.int64(0x7FFFFFFF) if cell.itemsize == 4 else np.int64(0x7FFFFFFFFFFFFFFF)
    low = np.int64(cell_bits[0]) ^ magnitude  # reached by all
    cell[0] = np.inf
    high = np.int64(cell_bits[0])  # reached by fewer than k
    while True:
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        if middle == low:
            break
        cell_bits[0] = middle if middle >= 0 else middle ^ magnitude
        if count_from(values, cell[0]) >= k:
            low = middle
        else:
            high = middle
    cell_bits[0] = low if low >= 0 else low ^ magnitude
    return cell[0]


@kernel
def nucleus_threshold(held: Any, count: int, needed: float) -> tuple[float, float]:
    """The value at which the mass of the largest values of held[:count] reaches `needed`, and the mass above it.

    held: not negative, overwritten. Quickselect by mass instead of number. The smallest value when rounding leaves the
    mass of all of them below `needed`.
    """
    low, high, above = np.int64(0), np.int64(count), 0.0  # the threshold is one of held[low:high]
    random = np.int64(count)
    while True:
        random = (random * 1103515245 + 12345) & 0x7FFFFFFF
        pivot = held[low + random % (high - low)]
        larger, end, i = low, high, low  # held[low:larger] > pivot, held[larger:i] == pivot, held[end:high] < pivot
        mass_larger = 0.0
        while i < end:
            value = held[i]
            if value > pivot:
                held[i] = held[larger]
                held[larger] = value
                mass_larger += value
                larger += 1
                i += 1
            elif value < pivot:
                end -= 1
                held[i] = held[end]
                held[end] = value
            else:
                i += 1
        mass_equal = np.float64(pivot) * (end - larger)
        if larger > low and above + mass_larger >= needed:
            high = larger
        elif above + mass_larger + mass_equal >= needed or end == high:
            return np.float64(pivot), above + mass_larger
        else:
            above += mass_larger + mass_equal
            low = end
