"""Kernels that build the trie of a vocabulary from its sorted tokens, and find the byte classes under its nodes."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...kernels.arrays import Int32s, Int64Rows, Int64s, UInt8s
from ...memory.kernel import exported, kernel

WIDE: Final = 1 << 60
"""The byte class of characters from U+0080 on."""
ODD: Final = 1 << 59
"""An additional byte class of the characters in ODD_RANGES, which include Unicode's spaces."""
ODD_RANGES: Final = (
    *((0x80, 0xBF), (0x1680, 0x16BF), (0x2000, 0x207F), (0x3000, 0x303F)),  # C2; E1 9A; E2 80, E2 81; E3 80
    (0xFEC0, 0xFEFF),  # EF BB
)
UTF8_STATES: Final = 13
_BROKEN: Final = 1 << 61  # class of bytes that UTF-8 does not allow at their place


def _classes_of_ascii() -> NDArray[np.int64]:
    """Return a bit for each ASCII byte. Lower-case letters share one, upper-case letters, digits, most controls too."""
    groups = [*(range(97, 123), range(65, 91), range(48, 58)), [*range(9), 11, 12, *range(14, 32), 127]]
    grouped = {byte for group in groups for byte in group}
    byte_classes = np.zeros(128, dtype=np.int64)
    for bit, group in enumerate([*groups, *([byte] for byte in range(128) if byte not in grouped)]):
        byte_classes[list(group)] = 1 << bit
    return byte_classes


BYTE_CLASSES = _classes_of_ascii()


@exported
def grow_preorder(
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
    """Fill in the nodes of sorted tokens in preorder, and return their number.

    flat, starts: token t is flat[starts[t] : starts[t + 1]].
    path: zeros, one for each level of the trie; scratch memory.
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


@exported
def count_chars(byte: UInt8s, first_child: Int32s, chars: Int32s, most_chars: Int32s) -> None:
    """Fill in `chars` and `most_chars` of `VocabularyTrie`."""
    for node in range(len(byte)):
        for child in range(first_child[node], first_child[node + 1]):
            chars[child] = chars[node] + (1 if byte[child] & 0xC0 != 0x80 else 0)
    for node in range(len(byte) - 1, -1, -1):
        most_chars[node] = max(most_chars[node], chars[node])
        for child in range(first_child[node], first_child[node + 1]):
            most_chars[node] = max(most_chars[node], most_chars[child])


@exported
def find_byte_classes(
    byte: UInt8s, first_child: Int32s, byte_classes: Int64s, below: Int64Rows, within: Int64s
) -> None:
    """Fill in `within`, and below[n, u]: byte classes under node n if it is reached in state u of reading UTF-8.

    State u is 0 between characters, and 1, 2, 3 before that many continuation bytes. Other states follow first bytes
    with special rules: 4 E0, 5 ED, 6 F0, 7 F4 (not all bytes may follow), 8 C2, 9 E1, 10 E2, 11 E3, 12 EF (ODD_RANGES).
    """
    for node in range(len(byte) - 1, -1, -1):
        for child in range(first_child[node], first_child[node + 1]):
            value = byte[child]
            for state in range(UTF8_STATES):
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
    """Return True for the second byte of the characters in ODD_RANGES."""
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
    """Return the next state of reading UTF-8; -1 for a byte that can't come."""
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
