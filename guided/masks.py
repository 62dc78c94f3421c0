"""Bitmasks applied to logits: the one place where a grammar's row of bits meets the model's output.

The bitmask contract is `guided.grammars.bitset`: int32 words, bit j of word w is token 32 * w + j, 1 means allowed.
Columns of the logits beyond the bitmask (models pad their vocabulary) become -inf like any banned token. Nothing that
runs after a mask may raise a logit from -inf, or the ban is void.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from guided.grammars.bitset import BITS_PER_WORD, num_words
from guided.grammars.errors import InvalidInputError, VocabularyMismatchError
from guided.grammars.extras import needed_by

with needed_by("guided.masks"):
    import torch

AnyBitmask = torch.Tensor | NDArray[np.int32]


def apply_bitmask_inplace(logits: torch.Tensor, bitmask: AnyBitmask) -> None:
    """Set the logits of every token that the bitmask does not allow to -inf.

    logits: (R, V) float, any device, modified in place. Allowed columns keep their exact value, NaN included.
    bitmask: (R, W) int32, numpy or torch, on any device; moved to the logits' device if it lies elsewhere.
    Raises InvalidInputError for shapes or dtypes that don't fit, VocabularyMismatchError when the bitmask has words for
    tokens that the logits don't have.
    """
    check_bitmask_fits(logits, bitmask)
    words = _as_tensor(bitmask)
    shifts = torch.arange(BITS_PER_WORD, dtype=torch.int32, device=logits.device)
    bits = (words.to(logits.device).unsqueeze(-1) >> shifts) & 1  # (R, W, 32)
    num_columns = min(words.shape[1] * BITS_PER_WORD, logits.shape[1])
    banned = bits.flatten(1)[:, :num_columns] == 0
    logits[:, :num_columns].masked_fill_(banned, -torch.inf)
    logits[:, num_columns:] = -torch.inf


def check_bitmask_fits(logits: torch.Tensor, bitmask: AnyBitmask) -> None:
    """Raise what `apply_bitmask_inplace` raises for a bitmask that doesn't fit the logits."""
    if logits.dim() != 2 or not logits.is_floating_point():
        raise InvalidInputError(f"logits must be (R, V) float, not {tuple(logits.shape)} {logits.dtype}")
    shape, dtype = tuple(bitmask.shape), np.int32 if isinstance(bitmask, np.ndarray) else torch.int32
    if len(shape) != 2 or bitmask.dtype != dtype:
        raise InvalidInputError(f"bitmask must be (R, W) int32, not {shape} {bitmask.dtype}")
    num_rows, num_columns = logits.shape
    if shape[0] != num_rows:
        raise InvalidInputError(f"bitmask has {shape[0]} rows and the logits {num_rows}; give one a row")
    if shape[1] > num_words(num_columns):
        raise VocabularyMismatchError(
            f"the bitmask covers {shape[1] * BITS_PER_WORD} tokens, but the logits have only {num_columns} "
            "columns; compile the grammar for this model's vocabulary"
        )


def force_token_inplace(logits: torch.Tensor, token_id: int) -> None:
    """Leave only this token of a row. logits: (V,) float, modified in place; the token's logit becomes 0, others -inf.

    token_id: id of the token, even one that was excluded before.
    """
    logits.fill_(-torch.inf)
    logits[token_id] = 0.0


def _as_tensor(bitmask: AnyBitmask) -> torch.Tensor:
    return torch.from_numpy(bitmask) if isinstance(bitmask, np.ndarray) else bitmask
