"""Facts that filters need about a row, found without sorting: its k-th largest value, and the mass before a column.

Masses are sums of exp() in float64, by a polynomial that vector instructions can compute.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.compiled import fused_kernel, kernel, summing_kernel
from .scan import BLOCK, count_above

_HELD_BLOCK = 64
_ROOM = 4  # values held for each of the k; one selection for about 3 * k candidates
_MIN_HELD = 256
_MAX_HELD_K = 1024  # for larger k, counting columns above a threshold 32 times is faster than moving values

_LOWEST = -700.0  # exp() of it is 1e-304, negligible beside the row's largest, exp(0)
_LOG2_E = math.log2(math.e)
_ROUND = 1.5 * 2.0**52  # adding it leaves the nearest integer in the low bits
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # the two sum to log(2), to 1e-26
_MANTISSA_BITS = np.int64(52)
_C2, _C3, _C4, _C5, _C6 = 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720
_ROUGH_LOWEST = np.float32(-80.0)  # exp() of it is a normal float32
_ROUGH_LOG2_E, _ROUGH_LN2 = np.float32(_LOG2_E), np.float32(math.log(2.0))
_ROUGH_ROUND = np.float32(1.5 * 2.0**23)
_ROUGH_MANTISSA_BITS = np.int32(23)
_ONE = np.float32(1.0)
_C7, _C8, _C9, _C10, _C11 = 1 / 5040, 1 / 40320, 1 / 362880, 1 / 3628800, 1 / 39916800
_R2, _R3, _R4, _R5, _R6 = np.float32(_C2), np.float32(_C3), np.float32(_C4), np.float32(_C5), np.float32(_C6)
ROUGH_ERROR = 1e-4
"""Far above the error of the rough sums: float32 logits near -80 are 1e-5 apart, and 256 of them are summed."""


def bit_cell(dtype: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """`cell` and `cell_bits` of `kth_largest_by_counting`, for one thread. dtype: float32 or float64."""
    cell = np.empty(1, dtype)
    return cell, cell.view(f"i{cell.itemsize}")


@kernel
def move_largest_first(held: Any, count: int, k: int) -> Any:
    """Order held[:count] so that its k largest come first, and return the k-th largest. 1 <= k <= count.

    Quickselect (Hoare 1961). Pivots are at pseudo-random places, so that no order of logits is slow.
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
    """The k-th largest value, counted with repetitions; -inf if fewer than k are above -inf. 1 <= k <= n.

    values: (n,) without NaN.
    held: a buffer of the same size, overwritten.
    cell, cell_bits: see `kth_largest_by_counting`.
    """
    if k > _MAX_HELD_K:
        return kth_largest_by_counting(values, k, cell, cell_bits)
    return kth_largest_by_holding(values, k, held)


@kernel
def kth_largest_by_holding(values: Any, k: int, held: Any) -> Any:
    """`kth_largest` for small k: a value is held while it beats the k-th largest so far.

    A single pass moves about k * log(n / k) values.
    """
    room = min(held.size, max(_ROOM * k, _MIN_HELD))
    threshold, used = values.dtype.type(-np.inf), np.int64(0)
    for start in range(0, values.size, _HELD_BLOCK):
        block = values[start : start + _HELD_BLOCK]
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
    """Number of values that are at least the threshold."""
    count = np.int32(0)
    for i in range(values.size):
        count = np.int32(count + np.int32(values[i] >= threshold))
    return np.int64(count)


@kernel
def kth_largest_by_counting(values: Any, k: int, cell: Any, cell_bits: Any) -> Any:
    """`kth_largest` for any k: the largest number that at least k values reach, found bit by bit.

    cell: (1,) of the values' type, overwritten.
    cell_bits: the same memory as signed integers. Floats have the same order as their bits read as integers, with those
        of negative floats inverted. The search is therefore a bisection over integers.
    """
    cell[0] = -np.inf
    magnitude = np.int64(0x7FFFFFFF) if cell.itemsize == 4 else np.int64(0x7FFFFFFFFFFFFFFF)
    low = np.int64(cell_bits[0]) ^ magnitude  # reached by all values
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


@fused_kernel
def exp_block(scaled: Any, powers: Any, power_bits: Any, exps: Any, exp_bits: Any) -> None:
    """exps[i] = exp(scaled[i]), to a relative 1e-14, for scaled <= 0.

    exp(x) = 2**n * exp(r) with |r| <= log(2) / 2, and exp(r) by its series to the 11th power.
    powers, exps: float64 buffers as large as scaled.
    power_bits, exp_bits: the same memory as int64.
    """
    for i in range(scaled.size):
        x = max(np.float64(scaled[i]), _LOWEST)
        shifted = x * _LOG2_E + _ROUND
        n = shifted - _ROUND
        r = (x - n * _LN2_HIGH) - n * _LN2_LOW
        p = ((((_C11 * r + _C10) * r + _C9) * r + _C8) * r + _C7) * r + _C6
        p = (((((p * r + _C5) * r + _C4) * r + _C3) * r + _C2) * r + 1.0) * r + 1.0
        powers[i] = shifted
        exps[i] = p
    for i in range(scaled.size):
        exp_bits[i] += power_bits[i] << _MANTISSA_BITS


@summing_kernel
def sum_block(scaled: Any, exps: Any, pivot: Any) -> tuple[float, float]:
    """The sum of exps, and the sum over those whose scaled logit is above the pivot."""
    total, above = 0.0, 0.0
    for i in range(scaled.size):
        total += exps[i]
        above += exps[i] if scaled[i] > pivot else 0.0
    return total, above


@kernel
def sum_exps(scaled: Any, pivot: Any) -> tuple[float, float]:
    """The mass of a row relative to its largest column, and the mass of the columns above the pivot.

    scaled: (n,) float32 or float64, at most 0; -inf has no mass. PERF: 0.6 ns a column (AVX2); math.exp takes 6.
    """
    powers, exps = np.empty(BLOCK, np.float64), np.empty(BLOCK, np.float64)
    power_bits, exp_bits = powers.view(np.int64), exps.view(np.int64)
    total, above = 0.0, 0.0
    for start in range(0, scaled.size, BLOCK):
        block = scaled[start : start + BLOCK]
        exp_block(block, powers, power_bits, exps, exp_bits)
        block_total, block_above = sum_block(block, exps, pivot)
        total += block_total
        above += block_above
    return total, above


@fused_kernel
def rough_exp_block(scaled: Any, powers: Any, power_bits: Any, exps: Any, exp_bits: Any) -> None:
    """`exp_block` in float32, to a relative 1e-5: four times as many columns in a vector, half as many terms."""
    for i in range(scaled.size):
        x = max(np.float32(scaled[i]), _ROUGH_LOWEST)
        shifted = x * _ROUGH_LOG2_E + _ROUGH_ROUND
        r = x - (shifted - _ROUGH_ROUND) * _ROUGH_LN2
        p = ((((_R6 * r + _R5) * r + _R4) * r + _R3) * r + _R2) * r + _ONE
        powers[i] = shifted
        exps[i] = p * r + _ONE
    for i in range(scaled.size):
        exp_bits[i] += power_bits[i] << _ROUGH_MANTISSA_BITS


@summing_kernel
def rough_sum_block(scaled: Any, exps: Any, pivot: Any) -> tuple[Any, Any]:
    """`sum_block` in float32."""
    total, above = np.float32(0.0), np.float32(0.0)
    for i in range(scaled.size):
        total += exps[i]
        above += exps[i] if scaled[i] > pivot else np.float32(0.0)
    return total, above


@kernel
def rough_sum_exps(scaled: Any, pivot: Any) -> tuple[float, float]:
    """`sum_exps` to a relative ROUGH_ERROR."""
    powers, exps = np.empty(BLOCK, np.float32), np.empty(BLOCK, np.float32)
    power_bits, exp_bits = powers.view(np.int32), exps.view(np.int32)
    total, above = 0.0, 0.0
    for start in range(0, scaled.size, BLOCK):
        block = scaled[start : start + BLOCK]
        rough_exp_block(block, powers, power_bits, exps, exp_bits)
        block_total, block_above = rough_sum_block(block, exps, pivot)
        total += np.float64(block_total)
        above += np.float64(block_above)
    return total, above


@kernel
def count_equal(values: Any, wanted: Any) -> Any:
    """Number of values equal to the wanted one."""
    count = np.int32(0)
    for i in range(values.size):
        count = np.int32(count + np.int32(values[i] == wanted))
    return np.int64(count)


@kernel
def first_of(values: Any, wanted: Any) -> Any:
    """The position of the first value equal to the wanted one; -1 if there is none."""
    for start in range(0, values.size, BLOCK):
        block = values[start : start + BLOCK]
        if count_equal(block, wanted) > 0:
            for i in range(block.size):
                if block[i] == wanted:
                    return np.int64(start + i)
    return np.int64(-1)


@kernel
def mass_before(scaled: Any, position: int, is_rough: bool) -> tuple[float, float]:
    """The mass of the row, and the mass before a column: larger logits, and equal ones with smaller ids.

    is_rough: allow an error of ROUGH_ERROR relative to the row's mass.
    """
    pivot = scaled[position]
    total, above = rough_sum_exps(scaled, pivot) if is_rough else sum_exps(scaled, pivot)
    num_equal = count_equal(scaled[:position], pivot)
    if num_equal > 0:
        above += num_equal * math.exp(max(np.float64(pivot), _LOWEST))
    return total, above
