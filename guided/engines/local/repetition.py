"""`repeats_itself`: notices a text that repeats the same text again and again, as weak models do."""

from __future__ import annotations

MAX_PERIOD_BYTES = 256  # largest size of the repeated part, such as an object of a list or a sentence
NUM_TIMES = 8  # least number of equal parts that count as repetition
LEAST_BYTES = 384  # least size of all repetitions together: short values, such as zeros of a table, may repeat
LOOK_EVERY = 16  # number of output tokens between two checks
TAIL_TOKENS = 640  # number of last output tokens that a check reads


def repeats_itself(text: bytes) -> bool:
    """True if a text ends with at least NUM_TIMES repetitions of one part, of at most MAX_PERIOD_BYTES, and these have
    at least LEAST_BYTES together.

    The test compares bytes, since a model may spell the same text in different tokens. Whitespace is ignored.
    """
    text = text.translate(None, b" \t\n\r")
    longest = min(MAX_PERIOD_BYTES, len(text) // NUM_TIMES)
    if len(text) < LEAST_BYTES:
        return False
    return any(text[-1] == text[-1 - period] and _has_period(text, period) for period in range(1, longest + 1))


def _has_period(text: bytes, period: int) -> bool:
    size, end = max(LEAST_BYTES, NUM_TIMES * period) - period, len(text)
    return text[end - size :] == text[end - size - period : end - period]
