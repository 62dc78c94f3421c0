"""Kernels: texts that are one of a sorted list of words.

A CHOICE code is a range of words, low .. high - 1, which share the bytes read so far. The number of these bytes,
`depth`, takes the place of the stack.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from ..codes import choice_code, end_choice_of, first_choice_of
from ..layout import DEAD
from ..machine import Machine


@kernel
def choice_byte(machine: Machine, word: int, depth: int) -> int:
    """Return byte `depth` of a word; -1 behind its end."""
    starts = machine.choice_starts
    start = starts[word]
    return machine.choice_text[start + depth] if start + depth < starts[word + 1] else -1


@kernel
def first_from(machine: Machine, low: int, high: int, depth: int, byte: int) -> int:
    """Return the first of the words low .. high - 1 whose byte `depth` is `byte` or more; high if there is none."""
    while low < high:
        middle = (low + high) >> 1
        if choice_byte(machine, middle, depth) < byte:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def step_choice(machine: Machine, code: int, depth: int, byte: int) -> tuple[int, int]:
    """Step by a byte of the words."""
    low = first_from(machine, first_choice_of(code), end_choice_of(code), depth, byte)
    high = first_from(machine, low, end_choice_of(code), depth, byte + 1)
    return (choice_code(low, high), depth + 1) if low < high else (DEAD, 0)


@kernel
def is_whole_choice(machine: Machine, code: int, depth: int) -> int:
    """Return 1 if a word is read to its end."""
    return 1 if choice_byte(machine, first_choice_of(code), depth) < 0 else 0
