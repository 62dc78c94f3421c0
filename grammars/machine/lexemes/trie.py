"""`VocabularyTrie`: every token of a vocabulary, by its bytes.

Nodes are numbered level by level. The children of a node are therefore neighbours, ascending by their byte, and deeper
levels have higher numbers. The tokens under a node are neighbours in `sorted_ids`, the tokens that end there first.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...vocabulary import Vocabulary
from .trie_kernels import BYTE_CLASSES, UTF8_STATES, count_chars, find_byte_classes, grow_preorder

_Ints = NDArray[np.int32]

_CONTINUATIONS: Final = bytes(range(0x80, 0xC0))


@dataclass(frozen=True)
class VocabularyTrie:
    """N nodes, T tokens with text; node 0 is the root.

    byte: uint8 (N,), the byte that leads to the node.
    first_child: int32 (N + 1,); the children of n are first_child[n] .. first_child[n + 1] - 1.
    token_start, own_end, token_end: int32 (N,), indexes in `sorted_ids`. The tokens that end at the node are
        token_start .. own_end - 1; all tokens that pass through it are token_start .. token_end - 1.
    below: int64 (N,), byte classes (`BYTE_CLASSES`) that occur under the node, read as UTF-8 from there.
    within: int64 (N,), the same including the node's own byte, read as UTF-8 from that byte on.
    chars: int32 (N,), number of characters begun on the way to the node.
    most_chars: int32 (N,), maximum of the characters begun by the tokens under the node.
    sorted_ids: int32 (T,), token ids sorted by their bytes.
    sorted_chars: int32 (T,), number of characters that each of these tokens begins.
    text: uint8, the bytes of all tokens by id, then each of the 256 single bytes.
    text_start: int32; token i is text[text_start[i] : text_start[i + 1]]. Ids from `size` on are the single bytes.
    """

    byte: NDArray[np.uint8]
    first_child: _Ints
    token_start: _Ints
    own_end: _Ints
    token_end: _Ints
    below: NDArray[np.int64]
    within: NDArray[np.int64]
    chars: _Ints
    most_chars: _Ints
    sorted_ids: _Ints
    sorted_chars: _Ints
    text: NDArray[np.uint8]
    text_start: _Ints

    @property
    def num_bytes(self) -> int:
        """Memory of the arrays, in bytes."""
        return sum(getattr(self, field.name).nbytes for field in fields(self))


def build_trie(vocabulary: Vocabulary) -> VocabularyTrie:
    """Build the trie of all tokens that stand for text; 0.4 s for 129,280 tokens."""
    sorted_ids = np.array(vocabulary.sorted_tokens.token_ids, dtype=np.int32)
    tokens = vocabulary.sorted_tokens.texts
    starts = _starts(tokens)
    flat = np.frombuffer(b"".join(tokens) + b"\0", dtype=np.uint8)
    max_nodes = int(starts[-1]) + 1
    byte = np.zeros(max_nodes, dtype=np.uint8)
    depth, parent, token_start, own_end, token_end = (np.zeros(max_nodes, dtype=np.int32) for _ in range(5))
    path = np.zeros(max_nodes + 1, dtype=np.int32)
    num_nodes = grow_preorder(flat, starts, byte, depth, parent, token_start, own_end, token_end, path)
    by_level = np.argsort(depth[:num_nodes], kind="stable")
    new_id = np.empty(num_nodes, dtype=np.int64)
    new_id[by_level] = np.arange(num_nodes)
    num_children = np.bincount(new_id[parent[1:num_nodes]], minlength=num_nodes)
    first_child = np.concatenate(([1], 1 + np.cumsum(num_children))).astype(np.int32)
    below = np.zeros((num_nodes, UTF8_STATES), dtype=np.int64)
    within = np.zeros(num_nodes, dtype=np.int64)
    find_byte_classes(byte[by_level], first_child, BYTE_CLASSES, below, within)
    chars, most_chars = (np.zeros(num_nodes, dtype=np.int32) for _ in range(2))
    count_chars(byte[by_level], first_child, chars, most_chars)
    sorted_chars = np.array([_num_chars(token) for token in tokens], dtype=np.int32)
    all_tokens = [token or b"" for token in vocabulary.tokens] + [bytes([value]) for value in range(256)]
    return VocabularyTrie(
        byte[by_level],
        first_child,
        token_start[by_level],
        own_end[by_level],
        token_end[by_level],
        below[:, 0].copy(),
        within,
        chars,
        most_chars,
        sorted_ids,
        sorted_chars,
        np.frombuffer(b"".join(all_tokens), dtype=np.uint8),
        _starts(all_tokens),
    )


def _starts(tokens: list[bytes]) -> _Ints:
    """Return the index where each token begins when all are joined; one more entry for the end."""
    lengths = np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens))
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)


def _num_chars(token: bytes) -> int:
    """Return how many characters a token begins. Each byte that is no UTF-8 continuation begins one."""
    return len(token) if token.isascii() else len(token.translate(None, _CONTINUATIONS))
