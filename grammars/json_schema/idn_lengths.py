"""How long the A-label of an internationalized label can get, whatever its letters are (Punycode, RFC 3492).

An automaton can't know the length itself: Punycode writes the letters in the order of their code points. So labels are
told apart by how many ASCII and other characters they have, and by the block of code points that the others are in:
letters that are close together are cheap. `longest_encoding` is never less than the real length. Of letters of one
script it is some digits more.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .format_hosts import MAX_LABEL

_BASE, _T_MIN, _T_MAX, _SKEW = 36, 1, 26, 38
_FIRST_CODE, _FIRST_BIAS = 0x80, 72
_MOST_DIGITS = 9  # that one number takes
_NUM_BIASES = 5 * _BASE
_BIAS_STEP = 4  # biases that are taken together
_GROUPS = [range(start, start + _BIAS_STEP) for start in range(0, _NUM_BIASES, _BIAS_STEP)]
_NEVER = 1 << 40

ANYWHERE = (_FIRST_CODE, 0x10FFFF)
"""The block of labels whose letters are in no smaller one."""

BLOCKS: tuple[tuple[int, int], ...] = (
    (0x80, 0xFF),
    (0x80, 0x17F),
    (0x80, 0x24F),  # Latin
    (0x3AC, 0x3CE),
    (0x370, 0x3FF),  # Greek
    (0x430, 0x45F),
    (0x400, 0x52F),  # Cyrillic
    (0x5D0, 0x5EA),
    (0x620, 0x6D5),
    *[(start, start + 0x7F) for start in range(0x580, 0x1100, 0x80)],  # scripts from Hebrew to Georgian
    *[(start, start + 0xFF) for start in range(0x1200, 0x2000, 0x100)],
    (0x3041, 0x30FF),  # Kana
    (0x4E00, 0x9FFF),  # Han
    (0x3000, 0x9FFF),
    (0xAC00, 0xD7A3),
    ANYWHERE,
)
"""First and last code points; of a label that one which is the smallest that holds all its letters beyond ASCII."""

MIXED = len(BLOCKS) - 1


@cache
def joined(first: int, second: int) -> int:
    """The smallest block that holds two blocks."""
    low = min(BLOCKS[first][0], BLOCKS[second][0])
    high = max(BLOCKS[first][1], BLOCKS[second][1])
    holding = [index for index, block in enumerate(BLOCKS) if block[0] <= low and high <= block[1]]
    return min(holding, key=lambda index: BLOCKS[index][1] - BLOCKS[index][0])


@cache
def longest_encoding(num_ascii: int, num_others: int, block: int = MIXED) -> int:
    """Octets of the longest A-label of so many ASCII and other characters (of an ASCII label: of itself).

    block: index into BLOCKS, where all the others are.

    A decoder of Punycode goes through places times code points and never back. The first number leads it to the first
    letter; all others together at most through the block, once for each place of the label.
    """
    if num_others == 0:
        return num_ascii
    low, high = BLOCKS[block]
    first = _num_digits((high + 1 - _FIRST_CODE) * (num_ascii + 1), _FIRST_BIAS)
    left = (high - low + 1) * (num_ascii + num_others)
    rest = int(np.searchsorted(_least_advances()[min(num_others - 1, MAX_LABEL)], left, side="right")) - 1
    return len("xn--") + num_ascii + (num_ascii > 0) + first + rest


@cache
def _least_advances() -> Sequence[NDArray[np.int64]]:
    """[n][d]: n numbers that take d digits or more advance the decoder at least so far (d up to MAX_LABEL).

    A number's digits depend on the bias that the one before it left. All ways from bias to bias are tried, in groups of
    _BIAS_STEP; a number may leave every bias that one of at most its size leaves, in a label of any length.
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
    """The least of all biases for so many digits or more."""
    reversed_minimum: NDArray[np.int64] = np.minimum.accumulate(least.min(axis=0)[::-1])[::-1]
    return reversed_minimum


def _prices() -> NDArray[np.int64]:
    """[group of biases, digits - 1]: the least number that takes so many digits."""
    digits = range(1, _MOST_DIGITS + 1)
    return np.array([[min([_least(bias, count) for bias in group]) for count in digits] for group in _GROUPS])


def _left_by() -> NDArray[np.int64]:
    """[group of biases]: the least number that leaves one of them.

    Of a number, half is taken, and then at most half as much is added.
    """
    found = np.full(len(_GROUPS), _NEVER, dtype=np.int64)
    for times in range(_NUM_BIASES // _BASE):
        for value in range(13 if times else 0, 456):  # from 456 on it is divided by 35
            bias = times * _BASE + _BASE * value // (value + _SKEW)
            group = bias // _BIAS_STEP
            found[group] = min(found[group], 4 * value * 35**times // 3)
    return found


def _least(bias: int, digits: int) -> int:
    """The least number that Punycode writes in so many digits."""
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
