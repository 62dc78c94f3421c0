"""Single passes over rows of logits: penalise, replace NaN and +inf, mask, find the largest value.

"Harmless" logits have NaN replaced by the lowest finite value and +inf by the highest, as in `filters.mask_logits`.
`mask_rows` and `argmax_rows` serve engines with their own samplers: bitmasks applied in place, and greedy tokens under
them.

Loops run over short blocks. The test whether any column of a block beats the best compiles to a few vector
instructions, and blocks that do are rare.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from guided.grammars.kernels.arrays import Float32s, FloatRows, Int32Rows, Int64Rows, Int64s, UInt32Rows

from ...kernels.compiled import exported, kernel

BLOCK = 256  # columns compared together
_WORD = 32
_ALL = np.uint32(0xFFFFFFFF)
_NEGATIVE_INFINITY = np.uint32(0xFF800000)  # bits of a float32


@kernel
def harmless(value: Any, lowest: Any, highest: Any) -> Any:
    """A logit with NaN and +inf replaced by finite values."""
    value = lowest if value != value else value
    return highest if value > highest else value


@kernel
def load_block(logits: Any, lowest: Any, highest: Any, values: Any) -> None:
    """values = the harmless logits."""
    for i in range(logits.size):
        values[i] = harmless(logits[i], lowest, highest)


@kernel
def load_word(logits: Any, word: Any, lowest: Any, highest: Any, values: Any) -> None:
    """values = the harmless logits of 32 columns, -inf where the word's bit is 0.

    PERF: with a number of columns unknown to the compiler, 0.8 ns a column instead of 0.1.
    """
    for i in range(_WORD):
        value = harmless(logits[i], lowest, highest)
        values[i] = value if (word >> np.uint32(i)) & np.uint32(1) else logits.dtype.type(-np.inf)


@kernel
def count_above(values: Any, threshold: Any) -> Any:
    """Number of values above the threshold."""
    count = np.int32(0)
    for i in range(values.size):
        count = np.int32(count + np.int32(values[i] > threshold))
    return np.int64(count)


@kernel
def row_maximum(values: Any) -> Any:
    """The largest value; values has no NaN and at least one element."""
    best = values[0]
    for start in range(0, values.size, BLOCK):
        block = values[start : start + BLOCK]
        if count_above(block, best) > 0:
            for i in range(block.size):
                best = max(best, block[i])
    return best


@kernel
def load_row(logits: Any, words: Any, is_masked: bool, lowest: Any, highest: Any, values: Any) -> Any:
    """Write the row's values. Returns the number of columns that may be allowed, which is below V if the mask is short.

    logits: (V,) float32 or float64.
    words: (W,) uint32.
    values: (V,) like the logits.
    """
    if not is_masked:
        for start in range(0, logits.size, BLOCK):
            load_block(logits[start : start + BLOCK], lowest, highest, values[start : start + BLOCK])
        return logits.size
    num_columns = min(words.size * _WORD, logits.size)
    num_full = num_columns // _WORD
    for w in range(num_full):
        load_word(
            logits[w * _WORD : w * _WORD + _WORD], words[w], lowest, highest, values[w * _WORD : w * _WORD + _WORD]
        )
    for i in range(num_full * _WORD, num_columns):
        is_allowed = (words[num_full] >> np.uint32(i & 31)) & np.uint32(1)
        values[i] = harmless(logits[i], lowest, highest) if is_allowed else logits.dtype.type(-np.inf)
    return num_columns


@kernel
def gather_allowed(
    logits: Any, words: Any, lowest: Any, highest: Any, blocks: Any, values: Any, value_blocks: Any, ids: Any
) -> Any:
    """Write values, hash blocks and ids of the allowed columns, in the order of their ids. Returns their number."""
    count = 0
    num_columns = min(words.size * _WORD, logits.size)
    for w in range((num_columns + _WORD - 1) // _WORD):
        word = words[w]
        if word != 0:
            for i in range(w * _WORD, min(w * _WORD + _WORD, num_columns)):
                if (word >> np.uint32(i & 31)) & np.uint32(1):
                    values[count] = harmless(logits[i], lowest, highest)
                    value_blocks[count] = blocks[i]
                    ids[count] = i
                    count += 1
    return count


@kernel
def count_bits(words: Any) -> Any:
    """Number of set bits in words, uint32."""
    count = np.int64(0)
    for w in range(words.size):
        bits = np.uint64(words[w])
        bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x55555555))
        bits = (bits & np.uint64(0x33333333)) + ((bits >> np.uint64(2)) & np.uint64(0x33333333))
        bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F)
        count += np.int64(((bits * np.uint64(0x01010101)) >> np.uint64(24)) & np.uint64(0xFF))
    return count


@kernel
def count_allowed_above(logits: Any, word: Any, threshold: Any) -> Any:
    """Number of columns, of up to 32, that are above the threshold and whose bit in the word is set. NaN does not
    count.
    """
    count = np.int32(0)
    for i in range(logits.size):
        bit = np.int32((word >> np.uint32(i)) & np.uint32(1))
        count = np.int32(count + (np.int32(logits[i] > threshold) & bit))
    return np.int64(count)


@kernel
def argmax_masked(logits: Any, words: Any, lowest: Any, highest: Any) -> Any:
    """The first column with the largest harmless logit among the allowed ones; -1 without any. Zero words are
    skipped.
    """
    # -highest is the lowest finite value; columns that don't exceed it are handled below
    best, best_id = -highest, np.int64(-1)
    num_columns = min(words.size * _WORD, logits.size)
    for w in range((num_columns + _WORD - 1) // _WORD):
        word = words[w]
        if word == 0:
            continue
        start, stop = w * _WORD, min(w * _WORD + _WORD, num_columns)
        if count_allowed_above(logits[start:stop], word, best) > 0:
            for i in range(start, stop):
                if (word >> np.uint32(i & 31)) & np.uint32(1):
                    value = harmless(logits[i], lowest, highest)
                    if value > best:
                        best, best_id = value, np.int64(i)
    if best_id < 0:  # only NaN, the lowest value and -inf are allowed
        for i in range(num_columns):
            is_allowed = (words[i // _WORD] >> np.uint32(i & 31)) & np.uint32(1)
            if is_allowed and harmless(logits[i], lowest, highest) == lowest:
                return np.int64(i)
    return best_id


@kernel
def argmax_plain(logits: Any, lowest: Any, highest: Any) -> Any:
    """The first column with the largest harmless logit; -1 if all are -inf."""
    best, best_id = -highest, np.int64(-1)
    for start in range(0, logits.size, BLOCK):
        block = logits[start : start + BLOCK]
        if count_above(block, best) > 0:
            for i in range(block.size):
                value = harmless(block[i], lowest, highest)
                if value > best:
                    best, best_id = value, np.int64(start + i)
    if best_id < 0:
        for i in range(logits.size):
            if harmless(logits[i], lowest, highest) == lowest:
                return np.int64(i)
    return best_id


@kernel
def ban_block(logits: Any) -> None:
    """Ban all columns of a block."""
    for i in range(_WORD):
        logits[i] = _NEGATIVE_INFINITY


@kernel
def mask_block(logits: Any, word: Any) -> None:
    """Set those of 32 columns to -inf whose bit in the word is 0.

    PERF: written as a conditional, this compiles to a jump for each column and takes ten times as long.
    """
    for i in range(_WORD):
        kept = np.uint32(0) - ((word >> np.uint32(i)) & np.uint32(1))  # all bits, or none
        logits[i] = (logits[i] & kept) | (_NEGATIVE_INFINITY & ~kept)


@kernel
def mask_row(logits: Any, words: Any, num_columns: Any) -> None:
    """Mask the first columns of one row."""
    num_full = num_columns // _WORD
    for w in range(num_full):
        word = words[w]
        if word == 0:
            ban_block(logits[w * _WORD : w * _WORD + _WORD])
        elif word != _ALL:
            mask_block(logits[w * _WORD : w * _WORD + _WORD], word)
    for i in range(num_full * _WORD, num_columns):
        if not (words[num_full] >> np.uint32(i & 31)) & np.uint32(1):
            logits[i] = _NEGATIVE_INFINITY


@exported
def mask_rows(logits: UInt32Rows, words: UInt32Rows, rows: Int64s, num_columns: int, first: int, step: int) -> None:
    """Set banned columns to -inf, in the rows first, first + step, ... of `rows`.

    logits: float32, viewed as uint32, so that other values keep their exact bits.
    num_columns: number of columns to mask, at most the width of logits and words; later columns are not changed.
    """
    for place in range(first, rows.size, step):
        mask_row(logits[rows[place]], words[rows[place]], num_columns)


@exported
def argmax_rows(logits: FloatRows, words: UInt32Rows, token_ids: Int64s, first: int, step: int) -> None:
    """Set token_ids[row] for the rows first, first + step, ... to the first of the largest allowed logits.

    -1 if no token is allowed. Columns without a word are not allowed.
    """
    lowest, highest = np.finfo(logits.dtype).min, np.finfo(logits.dtype).max
    for row in range(first, logits.shape[0], step):
        token_ids[row] = argmax_masked(logits[row], words[row], lowest, highest)


@exported
def penalise_rows(
    logits: FloatRows,
    seen_ids: Int64Rows,
    output_counts: Int32Rows,
    num_seen: Int64s,
    repetition: Float32s,
    frequency: Float32s,
    presence: Float32s,
) -> None:
    """`Penalties.apply_inplace`, token by token. Arguments are its columns; logits: (B, V).

    PERF: one pass over the seen tokens, in place; torch's gather, four operations and scatter each make a copy.
    """
    for row in range(logits.shape[0]):
        for place in range(num_seen[row]):
            token_id = seen_ids[row, place]
            count = output_counts[row, place]
            value = logits[row, token_id]
            value = value / repetition[row] if value > 0 else value * repetition[row]
            value = value - np.float32(frequency[row] * np.float32(count))
            logits[row, token_id] = value - np.float32(presence[row] if count > 0 else 0.0)
