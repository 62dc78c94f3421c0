"""Kernels: texts that are one of a sorted list of words.

A place is a range of words, low .. high - 1, which share their first `depth` bytes; `code` is low << 32 | high.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.masks import _append, _child, _finish, _set_bit, _set_own
from ..automaton.memory import kernel, load8, load32, load64, store64
from ..automaton.steps import need
from . import layout as pd


@kernel
def word_byte(p: int, word: int, depth: int) -> int:
    """Byte `depth` of a word; -1 behind its end."""
    starts = load64(p, pd.P_WORD_STARTS)
    start = load32(starts, word)
    return load8(load64(p, pd.P_WORD_TEXT), start + depth) if start + depth < load32(starts, word + 1) else -1


@kernel
def first_from(p: int, low: int, high: int, depth: int, byte: int) -> int:
    """The first of the words low .. high - 1 whose byte `depth` is `byte` or more; high if there is none."""
    while low < high:
        middle = (low + high) >> 1
        if word_byte(p, middle, depth) < byte:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def advance_choice(p: int, code: int, depth: int, token: int) -> int:
    """The code after a token; DEAD."""
    lexicon = load64(p, at.M_LEXICON)
    text, starts = load64(lexicon, at.L_TEXT), load64(lexicon, at.L_TEXT_START)
    low, high = code >> 32, code & at.MASK32
    for index in range(load32(starts, token), load32(starts, token + 1)):
        byte = load8(text, index)
        low = first_from(p, low, high, depth, byte)
        high = first_from(p, low, high, depth, byte + 1)
        if low == high:
            return pd.DEAD
        depth += 1
    return low << 32 | high


@kernel
def fill_choice(p: int, code: int, depth: int, resume: int) -> tuple[int, int, int]:
    """The mask of a place: (address of the base row, of the changed words, how many of them); NEED as in `masks`."""
    lexicon = load64(p, at.M_LEXICON)
    if not resume:
        store64(lexicon, at.L_EPOCH, load64(lexicon, at.L_EPOCH) + 1)
        store64(lexicon, at.L_NUM_TOUCHED, 0)
        store64(lexicon, at.L_BASE_ROW, load64(lexicon, at.L_ZERO_ROW))
        store64(lexicon, at.L_HEAD, 0)
        store64(lexicon, at.L_TAIL, 0)
        _append(lexicon, 0, code, depth)
        if word_byte(p, code >> 32, depth) < 0:
            for index in range(load64(lexicon, at.L_NUM_EOS)):
                _set_bit(lexicon, load32(load64(lexicon, at.L_EOS), index), 1)
    head = load64(lexicon, at.L_HEAD)
    while head < load64(lexicon, at.L_TAIL):
        if load64(lexicon, at.L_QUEUE_CAPACITY) - load64(lexicon, at.L_TAIL) < 300:
            need(p, at.NEED_QUEUE, 0, 300)
            return pd.NEED, 0, 0
        entry = load64(lexicon, at.L_QUEUE) + head * 24
        _expand_choice(p, lexicon, load64(entry, 0), load64(entry, 1), load64(entry, 2))
        head += 1
        store64(lexicon, at.L_HEAD, head)
    return _finish(p, lexicon)


@kernel
def _expand_choice(p: int, lexicon: int, node: int, code: int, depth: int) -> None:
    """Follow the words of a range into the children of a node."""
    low, high = code >> 32, code & at.MASK32
    first_child = load64(lexicon, at.L_FIRST_CHILD)
    if word_byte(p, low, depth) < 0:
        low += 1
    while low < high:
        byte = word_byte(p, low, depth)
        end = first_from(p, low, high, depth, byte + 1)
        child = _child(lexicon, node, byte)
        if child != 0:
            _set_own(lexicon, child)
            if load32(first_child, child) < load32(first_child, child + 1):
                _append(lexicon, child, low << 32 | end, depth + 1)
        low = end
