"""`ByteClassRow`: for a set of byte classes, the tokens made only of them, and the nodes where other tokens leave.

A local state that bytes of these classes leave unchanged takes its tokens from such a row (see `machine.rules.walks`).
The rows depend on the vocabulary only. Vocabulary tables keep them, and make the most usual ones at once.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..memory.structs import address_of
from .byte_class_walks import sort_by_byte, walk_byte_classes
from .lexemes.trie_kernels import BYTE_CLASSES, ODD, WIDE
from .structs import Tables

_NAMES = int(BYTE_CLASSES[ord("a")] | BYTE_CLASSES[ord("A")] | BYTE_CLASSES[ord("0")] | BYTE_CLASSES[ord("_")])
_STRINGS = sum({int(BYTE_CLASSES[byte]) for byte in range(0x20, 0x7F) if byte not in b'"\\'}) | WIDE | ODD
USUAL = (_STRINGS, _NAMES, int(BYTE_CLASSES[ord("0")]))
"""Sets of byte classes: within JSON strings, in names, in numbers."""


def byte_class_arrays(
    tables: Tables, scratch: NDArray[np.int32], byte_classes: int, node: int
) -> Iterable[NDArray[np.int32]]:
    """Return the fields of a `ByteClassRow` for a set of byte classes, as bits, at a node.

    scratch: memory of 16 bytes for each node of the trie.
    """
    row, starts = np.zeros(tables.trie.num_words, dtype=np.int32), np.zeros(257, dtype=np.int32)
    queue, pairs = np.split(scratch[: len(scratch) // 4 * 4].reshape(-1, 2), 2)
    pairs = pairs[: walk_byte_classes(tables.address, byte_classes, node, address_of(row), queue, pairs)]
    nodes, firsts = np.empty(len(pairs), dtype=np.int32), np.empty(len(pairs), dtype=np.int32)
    sort_by_byte(tables.address, pairs, starts, nodes, firsts)
    return row, nodes, starts, firsts
