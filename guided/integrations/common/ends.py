"""`Ends`: which tokens may end a request's text, and where."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import numpy as np

from guided.grammars import Bitmask, Vocabulary
from guided.grammars.bitset import pack_token_ids


class Ends:
    """The ends of one request.

    stop_token_ids: all tokens at which the engine ends the text. Tokens that are no ends of the vocabulary are the
        user's. The user's tokens are allowed only where the text is complete, since otherwise they would cut it.
    min_tokens: the text continues for at least this many tokens, if the grammar allows that.
    without: ends of the vocabulary that must not end this request, as long as another end is allowed.
    """

    __slots__ = ("_stops", "_vocabulary_ends", "_without", "min_tokens", "stop_token_ids")

    def __init__(
        self,
        vocabulary: Vocabulary,
        stop_token_ids: Collection[int],
        min_tokens: int = 0,
        without: Collection[int] = (),
    ) -> None:
        size = vocabulary.size
        inside = frozenset(token_id for token_id in stop_token_ids if 0 <= token_id < size)
        self.stop_token_ids = inside - vocabulary.eos_token_ids
        self.min_tokens = min_tokens
        self._vocabulary_ends = vocabulary.end_row
        self._stops = _row(self.stop_token_ids, size) if self.stop_token_ids else None
        self._without = _row(frozenset(without), size) if without else None

    def adjust(self, row: Bitmask, position: int, *, is_complete: bool) -> None:
        """Adjust a grammar's mask, int32 (W,), in place. The mask never becomes empty.

        position: number of output tokens before this one.
        is_complete: the text may end here.
        """
        if self._stops is not None:
            if is_complete:
                row |= self._stops
            else:
                _clear(row, self._stops)
        if not is_complete:
            return
        if self._without is not None:
            _clear(row, self._without)
        if position < self.min_tokens:
            _clear(row, self._vocabulary_ends if self._stops is None else self._vocabulary_ends | self._stops)

    def allow_alone(self, row: Bitmask) -> None:
        """Let a row, int32 (W,), allow only the vocabulary's ends."""
        row[:] = self._vocabulary_ends

    def holds(self, token_id: int) -> bool:
        """True if the engine ends the text at this token."""
        is_set = (int(self._vocabulary_ends[token_id >> 5]) >> (token_id & 31)) & 1
        return bool(is_set) or token_id in self.stop_token_ids


def _clear(row: Bitmask, banned: Bitmask) -> None:
    """Clear the banned tokens, unless nothing else would be allowed."""
    left = row & ~banned
    if left.any():
        row[:] = left


@lru_cache(maxsize=256)
def _row(token_ids: frozenset[int], vocab_size: int) -> Bitmask:
    return pack_token_ids(np.array(sorted(token_ids), dtype=np.int64), vocab_size)
