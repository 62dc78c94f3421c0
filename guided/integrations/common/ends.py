"""`Ends`: which tokens may end a request's text, and from where on."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import numpy as np

from guided.grammars import Bitmask, Vocabulary
from guided.grammars.bitset import pack_token_ids


class Ends:
    """Of one request.

    stop_token_ids: all that the engine ends the text at. Those that are no end of the vocabulary are its user's:
        they are allowed where the text is complete and nowhere else. A stop token that is a piece of text would cut it.
    min_tokens: before so many tokens the text goes on where the grammar allows that.
    without: ends of the vocabulary that are none for this request, where there are others.
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
        self._vocabulary_ends = _row(vocabulary.eos_token_ids, size)
        self._stops = _row(self.stop_token_ids, size) if self.stop_token_ids else None
        self._without = _row(frozenset(without), size) if without else None

    def adjust(self, row: Bitmask, position: int, *, is_complete: bool) -> None:
        """Change a grammar's mask, int32 (W,), in place. It never becomes empty.

        position: tokens of the output before this one. is_complete: the text may end here.
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
        """Let a row, int32 (W,), allow the vocabulary's ends and nothing else."""
        row[:] = self._vocabulary_ends

    def holds(self, token_id: int) -> bool:
        """The engine ends the text at this token."""
        is_set = (int(self._vocabulary_ends[token_id >> 5]) >> (token_id & 31)) & 1
        return bool(is_set) or token_id in self.stop_token_ids


def _clear(row: Bitmask, banned: Bitmask) -> None:
    """Where something is left without them."""
    left = row & ~banned
    if left.any():
        row[:] = left


@lru_cache(maxsize=256)
def _row(token_ids: frozenset[int], vocab_size: int) -> Bitmask:
    return pack_token_ids(np.array(sorted(token_ids), dtype=np.int64), vocab_size)
