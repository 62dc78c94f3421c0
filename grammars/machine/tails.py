"""`Tail`: the end of the written text, for decisions that depend on earlier text."""

from __future__ import annotations

from collections.abc import Callable

Tail = Callable[[int], tuple[bytes, bool]]
"""Takes a length; returns about that many of the last bytes of a text, and True if these are the whole text."""


def whole(text: bytes) -> Tail:
    """Return the tail of a text that is fully known."""
    return lambda length: (text, True)


def longer(tail: Tail, more: bytes | bytearray) -> Tail:
    """Return the tail of a text with something written after it. more: bytes, or a bytearray that still grows."""
    if isinstance(more, bytes) and not more:
        return tail

    def longer_tail(length: int) -> tuple[bytes, bool]:
        text, is_all = tail(length)
        return text + more, is_all

    return longer_tail
