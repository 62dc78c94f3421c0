"""`overlap`: how much of a growing text's end may still become a mark."""

from __future__ import annotations


def overlap(text: str, mark: str) -> int:
    """Length of the longest end of `text` that is a beginning of `mark`, but not the whole mark."""
    longest = min(len(text), len(mark) - 1)
    return next((n for n in range(longest, 0, -1) if text.endswith(mark[:n])), 0)
