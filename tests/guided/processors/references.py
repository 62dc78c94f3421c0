"""The built-in processors again, slow and plain: each reads the whole text of one row and keeps nothing between steps.

Each takes the row's prompt and output together, its logits as a list, and returns the new logits.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

INFINITY = math.inf


def no_repeat_ngram(
    text: Sequence[int], logits: Sequence[float], n: int, window: int | None, whitelist: Collection[int]
) -> list[float]:
    """-inf for every token that makes the last n tokens a run that is in the window already."""
    recent = list(text) if window is None else list(text)[-window:]
    written = [tuple(recent[i : i + n]) for i in range(len(recent) - n + 1)]
    result = list(logits)
    for token_id in range(len(result)):
        last = tuple([*text, token_id][-n:])
        if len(last) == n and last in written and token_id not in whitelist:
            result[token_id] = -INFINITY
    return result


def top_n_sigma(logits: Sequence[float], n: float, allowed: Collection[int]) -> list[float]:
    """Keeps what is near the largest allowed logit."""
    finite = [logit for logit in logits if math.isfinite(logit)]
    mean = sum(finite) / len(finite)
    sigma = math.sqrt(sum((logit - mean) ** 2 for logit in finite) / len(finite))
    largest = max(logit for i, logit in enumerate(logits) if i in allowed)
    return [logit if logit >= largest - n * sigma else -INFINITY for logit in logits]
