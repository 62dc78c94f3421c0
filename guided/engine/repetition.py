"""Notices a text that says the same thing again and again, as weak models do at low temperatures."""

from __future__ import annotations

MAX_PERIOD_BYTES = 256  # of what comes again: an object of a list, a sentence
NUM_TIMES = 8  # that it must have come
LEAST_BYTES = 384  # that all of these must have together: short values may repeat, as zeros of a table do
LOOK_EVERY = 16  # tokens of output between two looks
TAIL_TOKENS = 640  # of the output that a look reads


def repeats_itself(text: bytes) -> bool:
    """Whether the end of a text is one sequence of at most MAX_PERIOD_BYTES, at least NUM_TIMES.

    It looks at bytes, since a model may spell the same text in other tokens each time. Whitespace does not count.
    """
    text = text.translate(None, b" \t\n\r")
    longest = min(MAX_PERIOD_BYTES, len(text) // NUM_TIMES)
    if len(text) < LEAST_BYTES:
        return False
    return any(text[-1] == text[-1 - period] and _has_period(text, period) for period in range(1, longest + 1))


def _has_period(text: bytes, period: int) -> bool:
    size, end = max(LEAST_BYTES, NUM_TIMES * period) - period, len(text)
    return text[end - size :] == text[end - size - period : end - period]
