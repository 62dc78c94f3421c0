"""`ForwardPlan`: the layout of one packed forward, computed once and read by every layer's attention.

The tokens of all chunks are in one row, shorter chunks first. All inputs for the device are in one `InputBuffer`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import torch

from .input_buffer import InputBuffer, Int64Array
from .sequence import Chunk


class ForwardPlan:
    """The packed inputs of C chunks with T tokens together. Valid until the buffer is used again.

    chunks: chunks of different sequences, each with room for its tokens.
    page_size: number of tokens of a page.
    buffer: the buffer for the inputs.

    Attributes on the host, int64:
    starts: (C,) index of each chunk's first token in the row.
    sizes: (C,) number of tokens of each chunk.
    firsts: (C,) position of each chunk's first token in its sequence.
    page_list: (P,) pages of all sequences.
    page_starts: (C,) index in `page_list` of each sequence's first page.

    Attributes on the device, int64:
    input_ids, position_ids: (1, T).
    slots: (T,) slots for the keys and values.
    pages: (P,) the same as `page_list`.
    token_pages: (T,) index in `pages` of the first page of each token's sequence.
    logit_indices: (N,) indices in the row of the positions whose logits are wanted.
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
        """The first chunks of the row, whose tokens attend one by one: (number of chunks, page starts, lengths).

        short: maximum number of tokens of such a chunk.
        most: maximum number of tokens of all such chunks; if there are more, only chunks with one token count.
        page starts, lengths: int64 (n,), for each token of these chunks: the index in `page_list` of its sequence's
            first page, and the number of positions that it attends to.
        Computed once: later calls ignore the arguments.
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
        """The chunks from index `begin` on, in groups. A group gathers at most `most` positions, or is a single
        sequence.
        """
        if begin not in self._groups:
            groups, start = [], begin
            while start < len(self.chunks):
                stop = self._group_end(start, most)
                groups.append(ChunkGroup(self, start, stop))
                start = stop
            self._groups[begin] = groups
        return self._groups[begin]

    def _group_end(self, begin: int, most: int) -> int:
        """The end of a group that begins at a chunk. A group's chunks have equal sizes; a group is padded to its
        longest sequence.
        """
        end = int(np.searchsorted(self.sizes, self.sizes[begin], side="right"))
        longest = np.maximum.accumulate(self.firsts[begin:end] + self.sizes[begin])
        num_gathered = longest * np.arange(1, end - begin + 1)
        return begin + max(1, int(np.searchsorted(num_gathered, most, side="right")))

    def _logit_indices(self, chunks: Sequence[Chunk], order: Sequence[int]) -> list[int]:
        """Indices in the row of the positions whose logits are wanted, in the order of the given chunks."""
        start_of = dict(zip(order, self.starts.tolist(), strict=True))
        return [start_of[i] + position for i, chunk in enumerate(chunks) for position in chunk.logit_positions]


class ChunkGroup:
    """B chunks of C tokens each, for an attention that gathers pages.

    plan: the plan with the chunks.
    begin, end: range of the chunks in the plan.
    tokens: attribute; range of their tokens in the row.
    length: attribute; length of the longest sequence, with these tokens.
    positions: attribute; (B, C) int64.
    pages: attribute; (B, P) int64; after a shorter sequence's own pages, the numbers are arbitrary.
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
        """True if the mask of all chunks is the plain causal square. window: sliding window; None: none."""
        return self._all_begin and (window is None or self.length <= window)

    def beyond(self) -> torch.Tensor | None:
        """(B, L) bool: positions after the end of a sequence; None if all sequences are equally long."""
        if self._all_as_long:
            return None
        columns = torch.arange(self.length, device=self.positions.device)
        return columns > self.positions[:, -1:]

    def mask(self, window: int | None, dtype: torch.dtype) -> torch.Tensor:
        """(B, 1, C, L): 0 at positions that a token attends to, -inf elsewhere.

        window: sliding window; None: none.
        dtype: the model's dtype.
        """
        if window not in self._masks:
            columns, positions = torch.arange(self.length, device=self.positions.device), self.positions[..., None]
            allowed = columns <= positions
            if window is not None:
                allowed &= columns > positions - window
            self._masks[window] = additive_mask(allowed, dtype)[:, None]
        return self._masks[window]


def _cut(room: Int64Array, counts: Sequence[int]) -> list[Int64Array]:
    """Split an array into parts of given sizes. PERF: `np.split` takes 12 us more."""
    ends = list(accumulate(counts))
    return [room[end - count : end] for count, end in zip(counts, ends, strict=True)]


def additive_mask(allowed: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """0 where allowed, -inf elsewhere."""
    return torch.zeros(allowed.shape, dtype=dtype, device=allowed.device).masked_fill_(~allowed, float("-inf"))
