"""`Speller`: texts in as few tokens as possible.

Backwards from the end of a text: the fewest tokens from a place are one more than the fewest from where the best token
that fits there ends. O(bytes x length of the longest token that fits).
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..automaton import layout as at
from ..automaton.lexicon import Lexicon
from ..automaton.masks import _child
from ..automaton.memory import address, kernel, load8, load32, load64, store32
from .ropes import EMPTY, Item, Rope

_FAR = 1 << 30
_MANY = 20_000  # pieces whose numbers are kept


@kernel
def spell_backwards(lexicon: int, text: int, length: int, counts: int, tokens: int) -> int:
    """The fewest tokens of a text, _FAR where no tokens spell it.

    text: address of its bytes. counts, tokens: addresses of int32 (length + 1,), filled: the fewest tokens from each
    place on, and the first of them.
    """
    ids, first_child = load64(lexicon, at.L_SORTED), load64(lexicon, at.L_FIRST_CHILD)
    starts, ends = load64(lexicon, at.L_TOKEN_START), load64(lexicon, at.L_OWN_END)
    store32(counts, length, 0)
    for place in range(length - 1, -1, -1):
        best, token, node = _FAR, -1, 0
        for index in range(place, length):
            node = _child(lexicon, node, load8(text, index))
            if node == 0:
                break
            if load32(ends, node) > load32(starts, node) and load32(counts, index + 1) + 1 <= best:
                best, token = load32(counts, index + 1) + 1, load32(ids, load32(starts, node))
            if load32(first_child, node) == load32(first_child, node + 1):
                break
        store32(counts, place, best)
        store32(tokens, place, token)
    return load32(counts, 0)


class Speller:
    """The tokens of one vocabulary. Called under the lexicon's lock or not: it changes no shared table."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._ropes: dict[bytes, Rope | None] = {}

    def rope(self, text: bytes) -> Rope | None:
        """A piece; None where the vocabulary can't spell it."""
        if not text:
            return EMPTY
        if text not in self._ropes:
            if len(self._ropes) >= _MANY:
                self._ropes.clear()
            counts, _ = self._spell(text)
            self._ropes[text] = Rope(int(counts[0]), len(text), (text,)) if counts[0] < _FAR else None
        return self._ropes[text]

    def num_tokens(self, text: bytes) -> int | None:
        """The fewest tokens of a text; None where no tokens spell it."""
        rope = self.rope(text)
        return None if rope is None else rope.num_tokens

    def spell(self, items: list[Item]) -> list[int] | None:
        """The ids of the fewest tokens that spell pieces; None where no tokens do."""
        found: list[int] = []
        for item in items:
            if isinstance(item, int):
                found.append(item)
                continue
            counts, tokens = self._spell(item)
            if counts[0] >= _FAR:
                return None
            place = 0
            while place < len(item):
                token_id = int(tokens[place])
                found.append(token_id)
                place += len(self._lexicon.token_bytes(token_id))
        return found

    def _spell(self, text: bytes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        source = np.frombuffer(text, dtype=np.uint8)
        counts, tokens = np.zeros(len(text) + 1, dtype=np.int32), np.zeros(len(text) + 1, dtype=np.int32)
        spell_backwards(self._lexicon.block.address, address(source), len(text), address(counts), address(tokens))
        return counts, tokens
