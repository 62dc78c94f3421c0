"""Repetition, frequency and presence penalties on the tokens that rows have seen, and on nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

from .compiled import kernel


@kernel
def penalise_rows(
    logits: Any, seen_ids: Any, output_counts: Any, num_seen: Any, repetition: Any, frequency: Any, presence: Any
) -> None:
    """What `TokenCounts.apply_inplace` does, token by token; arguments are its columns, logits (B, V) as there.

    PERF: one pass over the seen tokens, in place; torch's gather, four operations and scatter make a copy each.
    """
    for row in range(logits.shape[0]):
        for place in range(num_seen[row]):
            token_id = seen_ids[row, place]
            count = output_counts[row, place]
            value = logits[row, token_id]
            value = value / repetition[row] if value > 0 else value * repetition[row]
            value = value - np.float32(frequency[row] * np.float32(count))
            logits[row, token_id] = value - np.float32(presence[row] if count > 0 else 0.0)
