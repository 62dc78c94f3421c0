"""`Rope`: a text to be written, put together from pieces, that knows how many tokens it takes at most.

Pieces share their parts, so the shortest document of a schema costs no more memory than the schema, however long it is.
A piece is bytes, or one token that counts by its id.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from ..errors import LimitExceededError

MAX_BYTES = 1 << 20
"""No longer text is written out."""

Item: TypeAlias = bytes | int
"""Bytes, or the id of a token."""


class Rope(NamedTuple):
    """num_tokens: what the pieces take, each spelled for itself; a text may take fewer. num_bytes: of the pieces.

    Ropes compare by these two numbers; ids of tokens count as one byte. is_chosen: some piece must differ from what
    stands elsewhere (an open key, an item among different ones), so it may not do for another text before.
    """

    num_tokens: int
    num_bytes: int
    parts: tuple[Rope | Item, ...]
    is_chosen: bool = False

    def is_better_than(self, other: Rope | None) -> bool:
        """True when it is shorter."""
        return other is None or self[:2] < other[:2]


EMPTY = Rope(0, 0, ())

MARGIN = 32
"""Tokens by which a ROBUST way to the end may be too short, beside twice its own."""


class Trust(IntEnum):
    """For which texts a way to the end holds, of all texts that lead to the same state.

    SURE: for all of them. ROBUST: for all of them, but a key or item on the way may have to be replaced, because the
    text has it already; there is another one that is hardly longer. ONE_TEXT: only for the text that it was found for.
    """

    SURE = 0
    ROBUST = 1
    ONE_TEXT = 2


def join(*ropes: Rope) -> Rope:
    """One after the other."""
    used = [rope for rope in ropes if rope.num_bytes]
    if len(used) == 1:
        return used[0]
    is_chosen = any(rope[3] for rope in used)
    return Rope(sum([rope[0] for rope in used]), sum([rope[1] for rope in used]), tuple(used), is_chosen)


def of_token(token_id: int) -> Rope:
    """One token."""
    return Rope(1, 1, (token_id,))


def of_text(text: bytes) -> Rope:
    """A text, whatever tokens it takes: one for each byte."""
    return Rope(len(text), len(text), (text,)) if text else EMPTY


def best(ropes: Iterable[Rope | None]) -> Rope | None:
    """The shortest one; None where there is none."""
    return min([rope for rope in ropes if rope is not None], key=lambda rope: rope[:2], default=None)


Way: TypeAlias = tuple[Rope | None, Trust]
"""A way to the end, None where none was found; and for which texts it holds."""


def best_of(ways: Iterable[Way]) -> Way:
    """The shortest one of some ways, and for which texts all of them hold."""
    ways = list(ways)
    return best([rope for rope, _ in ways]), max([trust for _, trust in ways], default=Trust.SURE)


def flatten(rope: Rope) -> list[Item]:
    """The pieces: bytes as long as possible, and ids of tokens between them."""
    if rope.num_bytes > MAX_BYTES:
        raise LimitExceededError("max_completion_bytes", MAX_BYTES, "bytes", "of the shortest way to the end of a text")
    items: list[Item] = []
    waiting: list[Rope | Item] = [rope]
    text = bytearray()
    while waiting:
        part = waiting.pop()
        if isinstance(part, Rope):
            waiting.extend(reversed(part.parts))
        elif isinstance(part, bytes):
            text += part
        else:
            if text:
                items.append(bytes(text))
                text.clear()
            items.append(part)
    if text:
        items.append(bytes(text))
    return items


def text_of(rope: Rope) -> bytes:
    """The bytes of a rope; tokens that count by their ids are no text."""
    return b"".join([item for item in flatten(rope) if isinstance(item, bytes)])
