"""`Rope`: a text put together from pieces, with an upper bound on its tokens.

Pieces share their parts, so the shortest document of a schema costs no more memory than the schema, however long it is.
A piece is bytes, or one token that the grammar names by its id.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from ..errors import LimitExceededError

MAX_BYTES = 1 << 20
"""Maximum length of a text that is written out."""

Item: TypeAlias = bytes | int
"""Bytes, or the id of a token."""


class Rope(NamedTuple):
    """A text put together from pieces. Ropes compare by their tokens, then by their bytes.

    num_tokens: tokens of the pieces, each spelled alone; the whole text may take fewer.
    num_bytes: bytes of the pieces; ids of tokens count as one byte.
    parts: the pieces.
    is_chosen: True if some piece must differ from text elsewhere (an open key, an item among different ones). The rope
        may then be wrong after another text.
    """

    num_tokens: int
    num_bytes: int
    parts: tuple[Rope | Item, ...]
    is_chosen: bool = False

    def is_better_than(self, other: Rope | None) -> bool:
        """Return True if this rope is shorter."""
        return other is None or self[:2] < other[:2]


EMPTY = Rope(0, 0, ())

MARGIN = 32
"""Tokens by which a ROBUST way to the end may be too short, beyond twice its own."""


class Trust(IntEnum):
    """Tells which texts a way to the end completes, among all texts that lead to the same state.

    SURE: all of them. ROBUST: all of them, but if the text already has a key or item of the way, another one must
        replace it, which is hardly longer. ONE_TEXT: only the text that the way was found for.
    """

    SURE = 0
    ROBUST = 1
    ONE_TEXT = 2


def join(*ropes: Rope) -> Rope:
    """Return the ropes, one after the other."""
    used = [rope for rope in ropes if rope.num_bytes]
    if len(used) == 1:
        return used[0]
    is_chosen = any(rope[3] for rope in used)
    return Rope(sum([rope[0] for rope in used]), sum([rope[1] for rope in used]), tuple(used), is_chosen)


def of_token(token_id: int) -> Rope:
    """Return a rope of one token."""
    return Rope(1, 1, (token_id,))


def of_text(text: bytes) -> Rope:
    """Return a rope of a text that counts one token for each byte."""
    return Rope(len(text), len(text), (text,)) if text else EMPTY


def best(ropes: Iterable[Rope | None]) -> Rope | None:
    """Return the shortest rope; None if there is none."""
    return min([rope for rope in ropes if rope is not None], key=lambda rope: rope[:2], default=None)


Way: TypeAlias = tuple[Rope | None, Trust]
"""A way to the end (None if none was found), and the texts for which it holds."""


def best_of(ways: Iterable[Way]) -> Way:
    """Return the shortest of some ways, and the weakest `Trust` among them."""
    ways = list(ways)
    return best([rope for rope, _ in ways]), max([trust for _, trust in ways], default=Trust.SURE)


def flatten(rope: Rope) -> list[Item]:
    """Return the pieces: bytes as long as possible, and ids of tokens between them.

    Raises LimitExceededError if the text is too long.
    """
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
    """Return the bytes of a rope. Tokens that the grammar names by id are left out, since they are no text."""
    return b"".join([item for item in flatten(rope) if isinstance(item, bytes)])
