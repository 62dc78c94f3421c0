"""`PagedSequence`: the page table of one sequence. `Chunk`: the tokens that a forward runs for a sequence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .prefix_cache import KnownPage

INITIAL_PAGES = 16


class PagedSequence:
    """The cached tokens of one sequence, and the pages with their keys and values. Only `BlockManager` changes it.

    num_tokens: number of cached tokens; also the position of the next one. Position i is in pages[i // page_size] at
        i % page_size.
    num_cached_tokens: number of tokens that were found in the prefix cache when the sequence was opened.
    known: the prefix cache's entries for the first pages, as far as these are full and known.
    tail: the tokens after those of `known`, fewer than a page; empty without prefix caching.
    writable_to: position up to which new tokens surely have room in pages that only this sequence reads.
    """

    def __init__(self) -> None:
        self.num_tokens = self.num_cached_tokens = self.writable_to = 0
        self.known: list[KnownPage] = []
        self.tail: list[int] = []
        self.is_closed = False
        self._pages = np.zeros(INITIAL_PAGES, dtype=np.int32)
        self._num_pages = 0

    @property
    def pages(self) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        """(number of pages,) int32, a view: the sequence's pages, including reserved ones."""
        return self._pages[: self._num_pages]

    def append_pages(self, pages: Sequence[int]) -> None:
        """Append pages to the table."""
        end = self._num_pages + len(pages)
        if end > len(self._pages):
            grown = np.zeros(max(end, 2 * len(self._pages)), dtype=np.int32)
            grown[: self._num_pages] = self.pages
            self._pages = grown
        self._pages[self._num_pages : end] = pages
        self._num_pages = end

    def pop_page(self) -> int:
        """Remove the last page from the table, and return it."""
        self._num_pages -= 1
        return int(self._pages[self._num_pages])


@dataclass(slots=True)
class Chunk:
    """Tokens to run for a sequence after its cached ones. Nobody may change it. PERF: a frozen one takes 1 us more.

    token_ids: the tokens, at least one.
    logit_positions: indices into token_ids of the positions whose logits are wanted, ascending; often only the last.
    wants_hidden: True: the hidden states at these positions are wanted, too.
    """

    sequence: PagedSequence
    token_ids: list[int]
    logit_positions: list[int] = field(default_factory=list)
    wants_hidden: bool = False
