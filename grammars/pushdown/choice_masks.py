"""Kernels: texts that are one of a sorted list of words.

A configuration is a range of words, low .. high - 1, which share their first `depth` bytes; `code` is low << 32 | high.
`address` is that of a ChoiceMachine.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.mask_work import append, begin, finish, make_room, set_bit, set_own
from ..automaton.masks import child_of
from ..automaton.structs import MaskEntry
from ..memory.kernel import exported, kernel
from . import layout as pd
from .structs import ChoiceMachine


@exported(releases_gil=False)
def word_byte(address: int, word: int, depth: int) -> int:
    """Byte `depth` of a word; -1 behind its end."""
    return _word_byte(ChoiceMachine.at(address), word, depth)


@kernel
def _word_byte(machine: ChoiceMachine, word: int, depth: int) -> int:
    starts = machine.starts
    start = starts[word]
    return machine.text[start + depth] if start + depth < starts[word + 1] else -1


@kernel
def _first_from(machine: ChoiceMachine, low: int, high: int, depth: int, byte: int) -> int:
    """The first of the words low .. high - 1 whose byte `depth` is `byte` or more; high if there is none."""
    while low < high:
        middle = (low + high) >> 1
        if _word_byte(machine, middle, depth) < byte:
            low = middle + 1
        else:
            high = middle
    return low


@exported(releases_gil=False)
def advance_choice(address: int, code: int, depth: int, token: int) -> int:
    """The code after a token; DEAD."""
    machine = ChoiceMachine.at(address)
    text, starts = machine.tables.trie.text, machine.tables.trie.text_start
    low, high = code >> 32, code & at.MASK32
    for byte in text.part(starts[token], starts[token + 1] - starts[token]):
        low = _first_from(machine, low, high, depth, byte)
        high = _first_from(machine, low, high, depth, byte + 1)
        if low == high:
            return pd.DEAD
        depth += 1
    return low << 32 | high


@exported(releases_gil=False)
def begin_choice(address: int, code: int, depth: int) -> None:
    """Begin the mask of a configuration."""
    begin(ChoiceMachine.at(address).tables.mask, 0, code, depth)


@exported
def fill_choice(address: int) -> tuple[int, int, int]:
    """Go on with it to its end: (address of the base row, of the changed words, how many of them)."""
    machine = ChoiceMachine.at(address)
    mask = machine.tables.mask
    if _word_byte(machine, mask.code >> 32, mask.stack) < 0:
        for token in machine.tables.trie.end_ids:
            set_bit(mask, token, 1)
    while mask.head < mask.queue.used:
        make_room(mask, 256)
        _expand(machine, mask.queue[mask.head])
        mask.head += 1
    return finish(mask, machine.patch)


@kernel
def _expand(machine: ChoiceMachine, entry: MaskEntry) -> None:
    """Follow the words of a range into the children of a node."""
    trie, mask = machine.tables.trie, machine.tables.mask
    node, depth, low, high = entry.node, entry.stack, entry.code >> 32, entry.code & at.MASK32
    if _word_byte(machine, low, depth) < 0:
        low += 1
    while low < high:
        byte = _word_byte(machine, low, depth)
        end = _first_from(machine, low, high, depth, byte + 1)
        child = child_of(trie, node, byte)
        if child != 0:
            set_own(machine.tables, child)
            if trie.first_child[child] < trie.first_child[child + 1]:
                append(mask, child, low << 32 | end, depth + 1)
        low = end
