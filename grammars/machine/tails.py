"""`Tail`: the end of a text, for what depends on what was written before."""

from __future__ import annotations

from collections.abc import Callable

Tail = Callable[[int], tuple[bytes, bool]]
"""Gives about so many of the last bytes of a text, and whether they are all there are."""


def whole(text: bytes) -> Tail:
    """The tail of a text that is known whole."""
    return lambda length: (text, True)


def longer(tail: Tail, more: bytes | bytearray) -> Tail:
    """The tail of a text with something written after it. more: bytes, or a bytearray that still grows."""
    if isinstance(more, bytes) and not more:
        return tail

    def longer_tail(length: int) -> tuple[bytes, bool]:
        text, is_all = tail(length)
        return text + more, is_all

    return longer_tail
