"""`PagedSequence`: the page table of one sequence, and `Chunk`: what a forward is to run for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .prefix_cache import KnownPage

INITIAL_PAGES = 16


class PagedSequence:
    """How many tokens' keys and values are cached, and the pages that hold them. `BlockManager` alone changes it.

    num_tokens: how many: the position of the next one. Position i lies in pages[i // page_size] at i % page_size.
    num_cached_tokens: how many of them were found in the prefix cache when the sequence was opened.
    known: the prefix cache's entries for the first pages of `pages`, as far as these are full and known.
    tail: the tokens behind those of `known`, fewer than a page; nothing where no page becomes known.
    writable_to: the position up to which new tokens have room that only this sequence reads, as far as it was looked.
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
        """(num pages,) int32, a view: the pages held, reserved ones included."""
        return self._pages[: self._num_pages]

    def append_pages(self, pages: Sequence[int]) -> None:
        """More room at the end."""
        end = self._num_pages + len(pages)
        if end > len(self._pages):
            grown = np.zeros(max(end, 2 * len(self._pages)), dtype=np.int32)
            grown[: self._num_pages] = self.pages
            self._pages = grown
        self._pages[self._num_pages : end] = pages
        self._num_pages = end

    def pop_page(self) -> int:
        """Take the last page off the table."""
        self._num_pages -= 1
        return int(self._pages[self._num_pages])


@dataclass(slots=True)
class Chunk:
    """Tokens to run for a sequence, after those it has cached; nobody changes it. PERF: frozen, 1 us more for each row.

    token_ids: at least one.
    logit_positions: indices into token_ids after which logits are wanted, ascending; often the last one alone.
    wants_hidden: what the output layer reads there is wanted, too.
    """

    sequence: PagedSequence
    token_ids: list[int]
    logit_positions: list[int] = field(default_factory=list)
    wants_hidden: bool = False
