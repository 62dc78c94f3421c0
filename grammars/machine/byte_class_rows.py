"""`ByteClassRow`: for a set of byte classes, the tokens of nothing but these, and where others leave them.

A local state of a grammar that such bytes leave as it is takes its tokens from there (see `machine.rules.walks`). They
depend on the vocabulary only, so vocabulary tables keeps them, and has the most usual ones from its beginning.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..memory.structs import address_of
from .interiors import sort_kinds, walk_byte_classes
from .lexemes.trie_kernels import BYTE_CLASSES, ODD, WIDE
from .structs import Tables

_NAMES = int(BYTE_CLASSES[ord("a")] | BYTE_CLASSES[ord("A")] | BYTE_CLASSES[ord("0")] | BYTE_CLASSES[ord("_")])
_STRINGS = sum({int(BYTE_CLASSES[byte]) for byte in range(0x20, 0x7F) if byte not in b'"\\'}) | WIDE | ODD
USUAL = (_STRINGS, _NAMES, int(BYTE_CLASSES[ord("0")]))
"""Sets of kinds: within JSON strings, names, numbers."""


def byte_class_arrays(
    tables: Tables, scratch: NDArray[np.int32], byte_classes: int, node: int
) -> Iterable[NDArray[np.int32]]:
    """The fields of a `ByteClassRow` for a set of byte classes, as bits, at a node.

    scratch: 16 bytes for each node of the trie.
    """
    row, starts = np.zeros(tables.trie.num_words, dtype=np.int32), np.zeros(257, dtype=np.int32)
    queue, pairs = np.split(scratch[: len(scratch) // 4 * 4].reshape(-1, 2), 2)
    pairs = pairs[: walk_byte_classes(tables.address, byte_classes, node, address_of(row), queue, pairs)]
    nodes, firsts = np.empty(len(pairs), dtype=np.int32), np.empty(len(pairs), dtype=np.int32)
    sort_kinds(tables.address, pairs, starts, nodes, firsts)
    return row, nodes, starts, firsts
