"""Repetition, frequency and presence penalties on the tokens that rows have seen, and on nothing else."""

from __future__ import annotations

import numpy as np

from guided.grammars.kernels.arrays import Float32s, FloatRows, Int32Rows, Int64Rows, Int64s

from .compiled import exported


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
