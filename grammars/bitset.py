"""The one contract for bitmasks over a vocabulary, and the few operations on them that need no tensor library.

A bitmask is a numpy int32 array of shape (B, W) with W = ceil(V / 32). Bit j of word w stands for token 32 * w + j;
1 means allowed. Bits at or past the vocabulary are 0. Logits columns beyond the mask count as not allowed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidInputError

BITS_PER_WORD = 32
_BITS = (np.uint32(1) << np.arange(BITS_PER_WORD, dtype=np.uint32)).view(np.int32)

Bitmask = NDArray[np.int32]


def num_words(vocab_size: int) -> int:
    """W, the number of int32 words that hold one bit for each of `vocab_size` tokens."""
    return (vocab_size + BITS_PER_WORD - 1) // BITS_PER_WORD


def allocate_bitmask(batch_size: int, vocab_size: int) -> Bitmask:
    """Return a zeroed bitmask (nothing allowed). torch can share its memory.

    Args:
        batch_size: number of rows.
        vocab_size: size of the vocabulary, usually `vocabulary.size`.

    Returns:
        int32 (batch_size, ceil(vocab_size / 32)).
    """
    return np.zeros((batch_size, num_words(vocab_size)), dtype=np.int32)


def bit(token_id: int) -> np.int32:
    """Return the bit of a token inside its word; the word's index is token_id // 32."""
    bit_: np.int32 = _BITS[token_id % BITS_PER_WORD]
    return bit_


def allow_only(bitmask: Bitmask, row: int, token_id: int) -> None:
    """Let one row allow one token.

    Args:
        bitmask: int32 (B, W), modified in place.
        row: row of the bitmask.
        token_id: the token.
    """
    bitmask[row] = 0
    bitmask[row, token_id // BITS_PER_WORD] = bit(token_id)


def pack_token_ids(token_ids: NDArray[np.integer] | list[int], vocab_size: int) -> Bitmask:
    """Return one row, int32 (W,), with exactly the bits of `token_ids` set. Each id must be in [0, vocab_size)."""
    allowed = np.zeros(num_words(vocab_size) * BITS_PER_WORD, dtype=np.uint8)
    allowed[np.asarray(token_ids, dtype=np.int64)] = 1
    return np.packbits(allowed, bitorder="little").view("<i4")


def unpack_row(row: Bitmask, vocab_size: int) -> NDArray[np.bool_]:
    """Return one row as booleans of shape (vocab_size,); True means allowed."""
    return np.unpackbits(row.view(np.uint8), count=vocab_size, bitorder="little").astype(np.bool_)


def allowed_token_ids(row: Bitmask, vocab_size: int) -> NDArray[np.int64]:
    """Return the ids whose bits are set in one row, in ascending order.

    Args:
        row: one row of a bitmask, int32 (W,).
        vocab_size: size of the vocabulary; bits past it are padding.
    """
    return np.flatnonzero(unpack_row(row, vocab_size))


def check_bitmask(bitmask: Bitmask, row: int, vocab_size: int) -> None:
    """Raise InvalidInputError unless `bitmask` is a writable int32 array (B, ceil(vocab_size / 32)) that has row
    `row`.
    """
    shape = getattr(bitmask, "shape", None)
    is_right = (
        isinstance(bitmask, np.ndarray) and bitmask.dtype == np.int32 and bitmask.shape[1:] == (num_words(vocab_size),)
    )
    if not is_right:
        raise InvalidInputError(
            f"the bitmask is a {type(bitmask).__name__} of shape {shape} and dtype {getattr(bitmask, 'dtype', None)}; "
            f"expected what allocate_bitmask(batch_size, {vocab_size}) makes: numpy int32 (B, {num_words(vocab_size)})"
        )
    if not bitmask.flags.writeable:
        raise InvalidInputError("the bitmask is read-only; masks are written into it: pass a copy, or one of your own")
    if not bitmask.flags.aligned:
        raise InvalidInputError("the bitmask's numbers do not begin at addresses that are multiples of 4; pass a copy")
    if isinstance(row, bool) or not hasattr(row, "__index__"):
        raise InvalidInputError(f"row is a {type(row).__name__}, not an integer")
    if not 0 <= row < len(bitmask):
        raise InvalidInputError(f"row {row} is outside the bitmask's {len(bitmask)} rows")
