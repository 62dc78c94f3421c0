"""`ForwardPlan`: where everything lies in one packed forward, computed once and read by every layer's attention.

The tokens of all chunks stand in one row, shorter chunks first. All that the device reads is in one `InputBuffer`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import torch

from .input_buffer import InputBuffer, Int64Array
from .sequence import Chunk


class ForwardPlan:
    """The packed inputs of C chunks, T tokens together. Valid until the buffer is used again.

    chunks: of different sequences, each with room for its tokens. page_size: of the storage.

    On the host, (C,) int64: starts, where chunks are packed; sizes, their tokens; firsts, the positions of their first
    tokens; page_starts, where their pages begin in page_list, (P,) int64.
    On the device, int64: input_ids, position_ids (1, T); slots (T,), where keys and values go; token_pages (T,), where
    the pages of a token's sequence begin in pages (P,); logit_indices (N,), where the wanted positions are packed.
    """

    def __init__(self, chunks: Sequence[Chunk], *, page_size: int, buffer: InputBuffer) -> None:
        order = sorted(range(len(chunks)), key=lambda i: len(chunks[i].token_ids))
        self.chunks = [chunks[i] for i in order]
        self.page_size = page_size
        self.sizes = np.array([len(chunk.token_ids) for chunk in self.chunks])
        self.starts = np.cumsum(self.sizes) - self.sizes
        self.firsts = np.array([chunk.sequence.num_tokens for chunk in self.chunks])
        page_counts = np.array([len(chunk.sequence.pages) for chunk in self.chunks])
        self.page_starts = np.cumsum(page_counts) - page_counts
        wanted = self._logit_indices(chunks, order)
        num_tokens, num_pages = int(self.sizes.sum()), int(page_counts.sum())
        counts = [num_tokens] * 4 + [len(wanted), num_pages]
        size = sum(counts)
        parts = _cut(buffer.room(size), counts)
        token_ids, positions, slots, token_pages, logit_indices, self.page_list = parts
        np.concatenate([chunk.sequence.pages for chunk in self.chunks], out=self.page_list)
        token_ids[:] = [token for chunk in self.chunks for token in chunk.token_ids]
        positions[:] = np.arange(num_tokens) - np.repeat(self.starts - self.firsts, self.sizes)
        token_pages[:] = np.repeat(self.page_starts, self.sizes)
        indices, offsets = np.divmod(positions, page_size)
        slots[:] = self.page_list[token_pages + indices] * page_size + offsets
        logit_indices[:] = wanted
        sent = torch.split(buffer.send(size), counts)
        self.input_ids, self.position_ids = sent[0][None], sent[1][None]
        self.slots, self.token_pages, self.logit_indices, self.pages = sent[2:]
        self._groups: dict[int, list[ChunkGroup]] = {}
        self._in_place: tuple[int, Int64Array, Int64Array] | None = None

    def in_place(self, short: int, most: int) -> tuple[int, Int64Array, Int64Array]:
        """The first chunks, whose tokens attend one by one; the same each time.

        They are those of one token, or those of up to `short` ones, where these are at most `most` tokens together.
        Returns their number; and for each of their tokens, int64 (n,), where its pages begin in `page_list`, and how
        many positions it attends to.
        """
        if self._in_place is None:
            ends = self.starts + self.sizes
            count = int(np.searchsorted(self.sizes, short, side="right"))
            if count and ends[count - 1] > most:
                count = int(np.searchsorted(self.sizes, 1, side="right"))
            sizes = self.sizes[:count]
            places = np.arange(sizes.sum()) - np.repeat(self.starts[:count], sizes)
            lengths = np.repeat(self.firsts[:count], sizes) + places + 1
            self._in_place = count, np.repeat(self.page_starts[:count], sizes), lengths
        return self._in_place

    def groups(self, begin: int, most: int) -> list[ChunkGroup]:
        """The chunks from the begin'th on, in groups that gather at most so many positions, or a single sequence."""
        if begin not in self._groups:
            groups, start = [], begin
            while start < len(self.chunks):
                stop = self._group_end(start, most)
                groups.append(ChunkGroup(self, start, stop))
                start = stop
            self._groups[begin] = groups
        return self._groups[begin]

    def _group_end(self, begin: int, most: int) -> int:
        """Chunks of a size lie together. A group is padded to its longest sequence."""
        end = int(np.searchsorted(self.sizes, self.sizes[begin], side="right"))
        longest = np.maximum.accumulate(self.firsts[begin:end] + self.sizes[begin])
        num_gathered = longest * np.arange(1, end - begin + 1)
        return begin + max(1, int(np.searchsorted(num_gathered, most, side="right")))

    def _logit_indices(self, chunks: Sequence[Chunk], order: Sequence[int]) -> list[int]:
        """Where the wanted positions are packed, in the order of the chunks as they were given."""
        start_of = dict(zip(order, self.starts.tolist(), strict=True))
        return [start_of[i] + position for i, chunk in enumerate(chunks) for position in chunk.logit_positions]


class ChunkGroup:
    """B chunks of C tokens each, for an attention that gathers pages: the begin'th to the end'th of a plan.

    tokens: their place among the packed ones. length: of the longest sequence, these tokens included. positions: (B, C)
    int64. pages: (B, P) int64; what lies behind a shorter sequence's own pages is anything.
    """

    def __init__(self, plan: ForwardPlan, begin: int, end: int) -> None:
        size, firsts = int(plan.sizes[begin]), plan.firsts[begin:end]
        start, stop = int(plan.starts[begin]), int(plan.starts[end - 1]) + size
        self.num_chunks = end - begin
        self.tokens = slice(start, stop)
        self.length = int(firsts.max()) + size
        self.positions = plan.position_ids[0, self.tokens].view(-1, size)
        self._all_begin = not firsts.any()
        self._all_as_long = bool((firsts == firsts[0]).all())
        columns = torch.arange(-(-self.length // plan.page_size), device=plan.pages.device)
        places = plan.token_pages[start:stop:size, None] + columns
        self.pages = plan.pages[places.clamp_(max=len(plan.pages) - 1)]
        self._masks: dict[int | None, torch.Tensor] = {}

    def is_causal(self, window: int | None) -> bool:
        """Whether the mask is the plain causal square for all of them."""
        return self._all_begin and (window is None or self.length <= window)

    def beyond(self) -> torch.Tensor | None:
        """(B, L) bool, what lies behind a sequence's own positions; None where nothing does."""
        if self._all_as_long:
            return None
        columns = torch.arange(self.length, device=self.positions.device)
        return columns > self.positions[:, -1:]

    def mask(self, window: int | None, dtype: torch.dtype) -> torch.Tensor:
        """(B, 1, C, L), 0 where a token attends to and -inf elsewhere; dtype is the model's."""
        if window not in self._masks:
            columns, positions = torch.arange(self.length, device=self.positions.device), self.positions[..., None]
            allowed = columns <= positions
            if window is not None:
                allowed &= columns > positions - window
            self._masks[window] = additive_mask(allowed, dtype)[:, None]
        return self._masks[window]


def _cut(room: Int64Array, counts: Sequence[int]) -> list[Int64Array]:
    """The room in parts of these sizes. PERF: `np.split` takes 12 us more."""
    ends = list(accumulate(counts))
    return [room[end - count : end] for count, end in zip(counts, ends, strict=True)]


def additive_mask(allowed: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """0 where allowed, -inf elsewhere."""
    return torch.zeros(allowed.shape, dtype=dtype, device=allowed.device).masked_fill_(~allowed, float("-inf"))
