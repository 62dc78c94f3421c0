"""`VocabularyTrie`: every token of a vocabulary, by its bytes.

Nodes are numbered level by level, so the children of a node are neighbours, ascending by their byte, and the node ids
of deeper levels are higher. The tokens under a node are neighbours in `sorted_ids`, those that end at it first.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels.arrays import Int32s, Int64Rows, Int64s, UInt8s
from ..memory.kernel import exported, kernel
from ..vocabulary import Vocabulary

_Ints = NDArray[np.int32]

WIDE: Final = 1 << 60
"""The kind of characters from U+0080 on."""
ODD: Final = 1 << 59
"""Also the kind of those in ODD_RANGES, where Unicode's spaces are."""
ODD_RANGES: Final = (
    *((0x80, 0xBF), (0x1680, 0x16BF), (0x2000, 0x207F), (0x3000, 0x303F)),  # C2; E1 9A; E2 80, E2 81; E3 80
    (0xFEC0, 0xFEFF),  # EF BB
)
_CONTINUATIONS: Final = bytes(range(0x80, 0xC0))
_UTF8_STATES: Final = 13
_BROKEN: Final = 1 << 61  # of bytes that are not UTF-8


def _kinds() -> NDArray[np.int64]:
    """A bit for each ASCII byte: lower-case letters share one, upper-case ones, digits, most control characters."""
    groups = [*(range(97, 123), range(65, 91), range(48, 58)), [*range(9), 11, 12, *range(14, 32), 127]]
    grouped = {byte for group in groups for byte in group}
    byte_classes = np.zeros(128, dtype=np.int64)
    for bit, group in enumerate([*groups, *([byte] for byte in range(128) if byte not in grouped)]):
        byte_classes[list(group)] = 1 << bit
    return byte_classes


BYTE_CLASSES = _kinds()


@dataclass(frozen=True)
class VocabularyTrie:
    """N nodes, T tokens with text; node 0 is the root.

    byte: uint8 (N,), the byte that leads to the node. first_child: int32 (N + 1,), children of n are first_child[n] ..
    first_child[n + 1] - 1. token_start, own_end, token_end: int32 (N,), places in `sorted_ids`: the tokens that end at
    the node are token_start .. own_end - 1, all that pass through it token_start .. token_end - 1.
    below: int64 (N,), the byte classes (`BYTE_CLASSES`) that occur under a node, read as UTF-8 from there.
    within: int64 (N,), the same with the byte that leads to the node, read as UTF-8 from that byte on.
    chars: int32 (N,), characters begun on the way to the node; most_chars: the same, most of any token under it.
    sorted_ids: int32 (T,); sorted_chars: int32 (T,), characters that each of these tokens begins.
    text: uint8, the bytes of all tokens by id, then each of the 256 bytes; token i is
    text[text_start[i] : text_start[i + 1]]. Ids from `size` on are the single bytes.
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
        """Bytes of the arrays."""
        return sum(getattr(self, field.name).nbytes for field in fields(self))


def build_trie(vocabulary: Vocabulary) -> VocabularyTrie:
    """The trie of all tokens that stand for text; 0.4 s for 129,280 tokens."""
    with_text = sorted((token, token_id) for token_id, token in enumerate(vocabulary.tokens) if token is not None)
    sorted_ids = np.array([token_id for _, token_id in with_text], dtype=np.int32)
    tokens = [token for token, _ in with_text]
    starts = _starts(tokens)
    flat = np.frombuffer(b"".join(tokens) + b"\0", dtype=np.uint8)
    max_nodes = int(starts[-1]) + 1
    byte = np.zeros(max_nodes, dtype=np.uint8)
    depth, parent, token_start, own_end, token_end = (np.zeros(max_nodes, dtype=np.int32) for _ in range(5))
    path = np.zeros(max_nodes + 1, dtype=np.int32)
    num_nodes = _grow_preorder(flat, starts, byte, depth, parent, token_start, own_end, token_end, path)
    by_level = np.argsort(depth[:num_nodes], kind="stable")
    new_id = np.empty(num_nodes, dtype=np.int64)
    new_id[by_level] = np.arange(num_nodes)
    num_children = np.bincount(new_id[parent[1:num_nodes]], minlength=num_nodes)
    first_child = np.concatenate(([1], 1 + np.cumsum(num_children))).astype(np.int32)
    below = np.zeros((num_nodes, _UTF8_STATES), dtype=np.int64)
    within = np.zeros(num_nodes, dtype=np.int64)
    _find_byte_classes(byte[by_level], first_child, BYTE_CLASSES, below, within)
    chars, most_chars = (np.zeros(num_nodes, dtype=np.int32) for _ in range(2))
    _count_chars(byte[by_level], first_child, chars, most_chars)
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
    """Where each token begins when they are joined; one more for the end."""
    lengths = np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens))
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)


@exported
def _grow_preorder(
    flat: UInt8s,
    starts: Int32s,
    byte: UInt8s,
    depth: Int32s,
    parent: Int32s,
    token_start: Int32s,
    own_end: Int32s,
    token_end: Int32s,
    path: Int32s,
) -> int:
    """Fill the nodes of sorted tokens (token t is flat[starts[t] : starts[t + 1]]) in preorder; how many there are.

    path: zeros, one for each level of the trie.
    """
    num_tokens = len(starts) - 1
    path_length, num_nodes = 0, 1
    token_end[0] = num_tokens
    for token in range(num_tokens):
        start, length = starts[token], starts[token + 1] - starts[token]
        common = 0
        while common < path_length and common < length and byte[path[common + 1]] == flat[start + common]:
            common += 1
        for level in range(common, path_length):
            token_end[path[level + 1]] = token
        for level in range(common, length):
            byte[num_nodes] = flat[start + level]
            depth[num_nodes] = level + 1
            parent[num_nodes] = path[level]
            token_start[num_nodes] = token
            own_end[num_nodes] = token
            path[level + 1] = num_nodes
            num_nodes += 1
        path_length = length
        own_end[path[length]] = token + 1
    for level in range(path_length):
        token_end[path[level + 1]] = num_tokens
    return num_nodes


def _num_chars(token: bytes) -> int:
    """How many characters a token begins, where each byte but UTF-8's continuations begins one."""
    return len(token) if token.isascii() else len(token.translate(None, _CONTINUATIONS))


@exported
def _count_chars(byte: UInt8s, first_child: Int32s, chars: Int32s, most_chars: Int32s) -> None:
    """Fill `chars` and `most_chars`."""
    for node in range(len(byte)):
        for child in range(first_child[node], first_child[node + 1]):
            chars[child] = chars[node] + (1 if byte[child] & 0xC0 != 0x80 else 0)
    for node in range(len(byte) - 1, -1, -1):
        most_chars[node] = max(most_chars[node], chars[node])
        for child in range(first_child[node], first_child[node + 1]):
            most_chars[node] = max(most_chars[node], most_chars[child])


@exported
def _find_byte_classes(
    byte: UInt8s, first_child: Int32s, byte_classes: Int64s, below: Int64Rows, within: Int64s
) -> None:
    """Fill `within`, and below[n, u]: the byte classes under node n when it is reached in state u of reading UTF-8.

    u: 0 between characters; 1, 2, 3 before that many continuation bytes; the others after a byte with a meaning of its
    own: 4 E0, 5 ED, 6 F0, 7 F4 (not all bytes may follow), 8 C2, 9 E1, 10 E2, 11 E3, 12 EF (some begin ODD_RANGES).
    """
    for node in range(len(byte) - 1, -1, -1):
        for child in range(first_child[node], first_child[node + 1]):
            value = byte[child]
            for state in range(_UTF8_STATES):
                following, kind = read_utf8(value, state), _BROKEN
                if following >= 0:
                    kind = byte_classes[value] if value < 0x80 else WIDE
                    if _is_odd(value, state):
                        kind |= ODD
                    kind |= below[child, following]
                below[node, state] |= kind
                if state == 0:
                    within[child] = kind


@kernel
def _is_odd(byte: int, state: int) -> bool:
    """True for the second byte of the characters in ODD_RANGES."""
    if state < 8:
        return False
    if state == 8:
        return True
    if state == 9:
        return byte == 0x9A
    if state == 10:
        return byte == 0x80 or byte == 0x81
    return byte == 0x80 if state == 11 else byte == 0xBB


@kernel
def read_utf8(byte: int, state: int) -> int:
    """The next state of reading UTF-8; -1 for a byte that can't come."""
    if state == 0:
        if byte < 0x80:
            return 0
        if byte < 0xC2 or byte > 0xF4:
            return -1
        if byte < 0xE0:
            return 8 if byte == 0xC2 else 1
        if byte < 0xF0:
            if byte <= 0xE3:
                return 4 if byte == 0xE0 else byte - 0xE1 + 9
            return 5 if byte == 0xED else 12 if byte == 0xEF else 2
        return 6 if byte == 0xF0 else 7 if byte == 0xF4 else 3
    low = 0xA0 if state == 4 else 0x90 if state == 6 else 0x80
    high = 0x9F if state == 5 else 0x8F if state == 7 else 0xBF
    if byte < low or byte > high:
        return -1
    if state <= 3:
        return state - 1
    return 2 if state == 6 or state == 7 else 0 if state == 8 else 1
