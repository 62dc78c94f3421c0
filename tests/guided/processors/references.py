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


def dry(
    text: Sequence[int],
    logits: Sequence[float],
    multiplier: float,
    base: float,
    allowed_length: int,
    breakers: Collection[int],
    window: int | None,
) -> list[float]:
    """For each token, by trying every place where it stands."""
    recent = list(text) if window is None else list(text)[-window:]
    result = list(logits)
    for token_id in range(len(result)):
        longest = 0
        for place in range(1, len(recent)):
            if recent[place] == token_id and token_id not in breakers:
                longest = max(longest, common_suffix(recent[:place], recent, breakers))
        if longest >= allowed_length:
            result[token_id] -= multiplier * base ** (longest - allowed_length)
    return result


def common_suffix(before: Sequence[int], text: Sequence[int], breakers: Collection[int]) -> int:
    length = 0
    for one, other in zip(reversed(before), reversed(text), strict=False):
        if one != other or one in breakers or length == 50:
            break
        length += 1
    return length


def softmax(logits: Sequence[float]) -> list[float]:
    largest = max(logits)
    powers = [math.exp(logit - largest) for logit in logits]
    return [power / sum(powers) for power in powers]


def xtc(
    logits: Sequence[float], threshold: float, *, happens: bool, protected: Collection[int], allowed: Collection[int]
) -> list[float]:
    """Rules out the top choices but the least of them."""
    seen = [logit if i in allowed else -INFINITY for i, logit in enumerate(logits)]
    probabilities = softmax(seen)
    top = [i for i, probability in enumerate(probabilities) if probability >= threshold]
    excluded = [i for i in top if probabilities[i] > min(probabilities[j] for j in top)]
    if not happens or any(i in protected for i in excluded):
        return list(logits)
    return [-INFINITY if i in excluded else logit for i, logit in enumerate(logits)]


def top_n_sigma(logits: Sequence[float], n: float, allowed: Collection[int]) -> list[float]:
    """Keeps what is near the largest allowed logit."""
    finite = [logit for logit in logits if math.isfinite(logit)]
    mean = sum(finite) / len(finite)
    sigma = math.sqrt(sum((logit - mean) ** 2 for logit in finite) / len(finite))
    largest = max(logit for i, logit in enumerate(logits) if i in allowed)
    return [logit if logit >= largest - n * sigma else -INFINITY for logit in logits]
