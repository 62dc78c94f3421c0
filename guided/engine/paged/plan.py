"""`ForwardPlan`: where everything lies in one packed forward, computed once and read by every layer's attention.

The tokens of all chunks stand in one row. Short chunks come first: each of their tokens attends by itself to the pages
of its sequence, all of them in one batched call. The longer chunks attend each on their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import torch

from .sequence import Chunk

Int64Array = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


class TokenRows:
    """The tokens of short chunks; the one packed at i attends to the first lengths[i] positions of its sequence.

    tables: (sequences, P) int64, their pages, padded with the null page. rows: (n,) int64, each token's row of tables.
    lengths: (n,) int64, the token itself included.
    """

    def __init__(
        self, tables: Int64Array, rows: Int64Array, lengths: Int64Array, page_size: int, device: torch.device
    ) -> None:
        self.tables = tables
        self.rows = rows
        self.lengths = lengths
        self._page_size = page_size
        self._device = device
        self._masks: dict[int | None, torch.Tensor] = {}

    def __len__(self) -> int:
        return len(self.lengths)

    @cached_property
    def mean_length(self) -> int:
        """Positions that a token attends to, on average, rounded up."""
        return -(-int(self.lengths.sum()) // len(self.lengths))

    @cached_property
    def pages(self) -> torch.Tensor:
        """(n, P) int64: the pages of each token's sequence, no more columns than the longest needs."""
        num_pages = -(-int(self.lengths.max()) // self._page_size)
        return torch.from_numpy(self.tables[self.rows, :num_pages]).to(self._device)

    def mask(self, window: int | None, dtype: torch.dtype) -> torch.Tensor:
        """(n, 1, 1, P * page_size), 0 where the token attends to and -inf elsewhere; dtype is the model's."""
        if window not in self._masks:
            columns = torch.arange(self.pages.shape[1] * self._page_size, device=self._device)
            lengths = torch.from_numpy(self.lengths).to(self._device)[:, None]
            allowed = columns < lengths
            if window is not None:
                allowed &= columns >= lengths - window
            self._masks[window] = additive_mask(allowed, dtype)[:, None, None, :]
        return self._masks[window]


class PrefillSpan:
    """A chunk of C tokens, packed at start .. stop, at positions first .. first + C of its sequence.

    pages: (1, P) int64, those of the L = first + C tokens that the chunk may attend to.
    """

    def __init__(self, start: int, stop: int, first: int, pages: torch.Tensor) -> None:
        self.start = start
        self.stop = stop
        self.first = first
        self.length = first + stop - start
        self.pages = pages
        self._masks: dict[int | None, torch.Tensor] = {}

    def is_causal(self, window: int | None) -> bool:
        """Whether the mask is the plain causal square."""
        return self.first == 0 and (window is None or self.length <= window)

    def mask(self, window: int | None, dtype: torch.dtype) -> torch.Tensor:
        """(1, 1, C, L), 0 where the chunk's token attends to and -inf elsewhere; dtype is the model's."""
        if window not in self._masks:
            columns = torch.arange(self.length, device=self.pages.device)
            positions = columns[self.first :, None]
            allowed = columns <= positions
            if window is not None:
                allowed &= columns > positions - window
            self._masks[window] = additive_mask(allowed, dtype)[None, None]
        return self._masks[window]


class ForwardPlan:
    """The packed inputs of some chunks, T tokens together.

    chunks: of different sequences, each with room for its tokens.
    page_size, null_page: of the storage. max_row_tokens: chunks up to this length are short.
    device: where the tensors are made.
    input_ids, position_ids: (1, T) int64. slots: (T,) int64, where keys and values go. logit_indices: (N,) int64, where
    the wanted positions are packed. num_row_tokens: tokens of short chunks, the first ones of the T.
    """

    def __init__(
        self, chunks: Sequence[Chunk], *, page_size: int, null_page: int, max_row_tokens: int, device: torch.device
    ) -> None:
        self._page_size = page_size
        self._null_page = null_page
        self._device = device
        order = sorted(range(len(chunks)), key=lambda i: len(chunks[i].token_ids) > max_row_tokens)
        self._chunks = [chunks[i] for i in order]
        sizes = np.array([len(chunk.token_ids) for chunk in self._chunks])
        self._starts = np.cumsum(sizes) - sizes
        self._firsts = np.array([chunk.sequence.num_tokens for chunk in self._chunks])
        self._num_short = int(np.count_nonzero(sizes <= max_row_tokens))
        self.num_row_tokens = int(sizes[: self._num_short].sum())
        self._positions = np.arange(sizes.sum()) - np.repeat(self._starts - self._firsts, sizes)
        self._rows = np.repeat(np.arange(len(sizes)), sizes)
        self._tables = self._page_tables()
        indices, offsets = np.divmod(self._positions, page_size)
        tokens = np.fromiter((token for chunk in self._chunks for token in chunk.token_ids), np.int64, len(offsets))
        self.input_ids = torch.from_numpy(tokens[None]).to(device)
        self.position_ids = torch.from_numpy(self._positions[None]).to(device)
        self.slots = torch.from_numpy(self._tables[self._rows, indices] * page_size + offsets).to(device)
        self.logit_indices = torch.from_numpy(self._logit_indices(chunks, order)).to(device)

    @cached_property
    def rows(self) -> TokenRows:
        """The tokens of short chunks."""
        n = self.num_row_tokens
        return TokenRows(self._tables, self._rows[:n], self._positions[:n] + 1, self._page_size, self._device)

    @cached_property
    def spans(self) -> list[PrefillSpan]:
        """The longer chunks."""
        spans = []
        for i in range(self._num_short, len(self._chunks)):
            start, first = int(self._starts[i]), int(self._firsts[i])
            stop = start + len(self._chunks[i].token_ids)
            num_pages = -(-(first + stop - start) // self._page_size)
            pages = torch.from_numpy(self._tables[i : i + 1, :num_pages]).to(self._device)
            spans.append(PrefillSpan(start, stop, first, pages))
        return spans

    def _page_tables(self) -> Int64Array:
        """(chunks, most pages) int64, padded with the null page."""
        pages = [chunk.sequence.pages for chunk in self._chunks]
        tables = np.full((len(pages), max(map(len, pages))), self._null_page, dtype=np.int64)
        for row, held in zip(tables, pages, strict=True):
            row[: len(held)] = held
        return tables

    def _logit_indices(self, chunks: Sequence[Chunk], order: Sequence[int]) -> Int64Array:
        """Where the wanted positions are packed, in the order of the chunks as they were given."""
        start_of = dict(zip(order, self._starts.tolist(), strict=True))
        wanted = [start_of[i] + position for i, chunk in enumerate(chunks) for position in chunk.logit_positions]
        return np.array(wanted, dtype=np.int64)


def additive_mask(allowed: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """0 where allowed, -inf elsewhere."""
    return torch.zeros(allowed.shape, dtype=dtype, device=allowed.device).masked_fill_(~allowed, float("-inf"))
