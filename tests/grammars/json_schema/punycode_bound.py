"""Upper bound on the length of the A-label of an internationalized label, whatever its letters are.

It proves the numbers of `format_idn`. The bound uses only the number of ASCII characters, the number of others, and the
range of code points with the others: letters that are close together are cheap in Punycode (RFC 3492).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from guided.grammars.json_schema.format_hosts import MAX_LABEL

_BASE, _T_MIN, _T_MAX, _SKEW = 36, 1, 26, 38
_FIRST_CODE, _FIRST_BIAS = 0x80, 72
_MOST_DIGITS = 9  # maximum number of digits that Punycode writes for one number
_NUM_BIASES = 5 * _BASE
_BIAS_STEP = 4  # number of neighbouring biases in one group
_GROUPS = [range(start, start + _BIAS_STEP) for start in range(0, _NUM_BIASES, _BIAS_STEP)]
_NEVER = 1 << 40


@cache
def longest_encoding(num_ascii: int, num_others: int, low: int = _FIRST_CODE, high: int = 0x10FFFF) -> int:
    """Upper bound on the octets of an A-label; for an ASCII label its own length.

    num_ascii: number of ASCII characters.
    num_others: number of other characters.
    low, high: first and last code point of the range that holds all other characters.

    A Punycode decoder walks through (code point, place) pairs and never goes back. The first number leads it to the
    first letter. All other numbers together lead at most through the range, once for each place of the label.
    """
    if num_others == 0:
        return num_ascii
    first = _num_digits((high + 1 - _FIRST_CODE) * (num_ascii + 1), _FIRST_BIAS)
    left = (high - low + 1) * (num_ascii + num_others)
    rest = int(np.searchsorted(_least_advances()[min(num_others - 1, MAX_LABEL)], left, side="right")) - 1
    return len("xn--") + num_ascii + (num_ascii > 0) + first + rest


@cache
def _least_advances() -> Sequence[NDArray[np.int64]]:
    """[n][d]: the least distance that n numbers with d or more digits advance the decoder, for d up to MAX_LABEL.

    The digits of a number depend on the bias that the number before left. All sequences of groups of biases are tried.
    To keep it a lower bound, a number may leave each bias that a number of at most its size leaves in some label.
    """
    price, left_by = _prices(), _left_by()
    least = np.full((len(left_by), MAX_LABEL + 1), _NEVER, dtype=np.int64)
    least[:, 0] = 0
    found = [_at_least(least)]
    for _ in range(MAX_LABEL):
        following = np.full_like(least, _NEVER)
        for digits in range(1, _MOST_DIGITS + 1):
            step = np.maximum(price[:, digits - 1][:, None], left_by[None, :])  # from a bias to a bias
            kept = least[:, : MAX_LABEL + 1 - digits]
            reached = (kept[:, None, :] + step[:, :, None]).min(axis=0)
            following[:, digits:] = np.minimum(following[:, digits:], reached)
        least = np.minimum(following, _NEVER)
        found.append(_at_least(least))
    return found


def _at_least(least: NDArray[np.int64]) -> NDArray[np.int64]:
    """[d]: the least distance over all biases for d or more digits. least: [group of biases][digits]."""
    reversed_minimum: NDArray[np.int64] = np.minimum.accumulate(least.min(axis=0)[::-1])[::-1]
    return reversed_minimum


def _prices() -> NDArray[np.int64]:
    """[group of biases, digits - 1]: the least number that is written with that many digits."""
    digits = range(1, _MOST_DIGITS + 1)
    return np.array([[min([_least(bias, count) for bias in group]) for count in digits] for group in _GROUPS])


def _left_by() -> NDArray[np.int64]:
    """[group of biases]: the least number after which the bias is in the group.

    Punycode halves the number and then adds at most half of the result (RFC 3492, section 6.1).
    """
    found = np.full(len(_GROUPS), _NEVER, dtype=np.int64)
    for times in range(_NUM_BIASES // _BASE):
        for value in range(13 if times else 0, 456):  # from 456 on it is divided by 35
            bias = times * _BASE + _BASE * value // (value + _SKEW)
            group = bias // _BIAS_STEP
            found[group] = min(found[group], 4 * value * 35**times // 3)
    return found


def _least(bias: int, digits: int) -> int:
    """The least number that Punycode writes with a given number of digits under a bias."""
    number = 0
    for place in range(digits - 1, 0, -1):
        threshold = _threshold(place, bias)
        number = threshold + (_BASE - threshold) * number
    return number


def _num_digits(number: int, bias: int) -> int:
    digits = 1
    while number >= (threshold := _threshold(digits, bias)):
        number = (number - threshold) // (_BASE - threshold)
        digits += 1
    return digits


def _threshold(place: int, bias: int) -> int:
    return min(max(_BASE * place - bias, _T_MIN), _T_MAX)
