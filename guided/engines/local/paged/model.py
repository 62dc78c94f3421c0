"""`PagedModel`: a causal language model of transformers with keys and values in pages.

Many sequences run in one forward, each with a chunk of any length. The model's own classes do everything except
attention. `PagedModel` does not sample, schedule or wait. Only one thread may use it at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from .block_manager import BlockManager
from .prefix_cache import PageHasher, hash_page
from .runner import PackedRunner
from .sequence import Chunk, PagedSequence
from .storage import KVStorage
from .support import prepare

if TYPE_CHECKING:
    from transformers import PreTrainedModel


class PagedModel:
    """Runs `model`'s weights on their device in their dtype. The model itself is not changed.

    A Llama on a CPU runs in our own network, on a packed copy of the weights, see `support.own_network`.

    num_pages, page_size: room for num_pages * page_size tokens of all sequences and known prefixes together.
    prefix_caching: keep full pages after their sequences end and share them with new ones of the same prefix.
    max_idle_pages: most pages that are kept so while no sequence holds them; None: all.
    attention: "torch", "numba" (keys and values in float32, on the CPU), or "auto", the fastest that can run it.
    hasher: the hash of the prefix cache; tests replace it.
    Raises UnsupportedModelError for a model that can't be run this way (it says why).
    """

    def __init__(
        self,
        model: PreTrainedModel,
        *,
        num_pages: int,
        page_size: int = 16,
        prefix_caching: bool = True,
        max_idle_pages: int | None = None,
        attention: str = "auto",
        hasher: PageHasher = hash_page,
    ) -> None:
        if num_pages < 1 or page_size < 1:
            raise ValueError(f"num_pages and page_size must be at least 1, not {num_pages} and {page_size}")
        self.num_pages = num_pages
        self.page_size = page_size
        twin, self.layout = prepare(model, attention)
        self._storage = KVStorage(self.layout, num_pages, page_size)
        self._runner = PackedRunner(twin, self._storage, attention)
        self._blocks = BlockManager(
            num_pages,
            page_size,
            self._storage,
            prefix_caching=prefix_caching,
            max_idle_pages=max_idle_pages,
            hasher=hasher,
        )

    @property
    def num_free_pages(self) -> int:
        """Number of pages that new tokens could take now: empty ones, and those kept only for a known prefix."""
        return self._blocks.pool.num_available

    @property
    def usage(self) -> float:
        """Share of the pages that open sequences hold, 0.0 to 1.0."""
        return (self.num_pages - self.num_free_pages) / self.num_pages

    def num_pages_for(self, num_tokens: int) -> int:
        """Number of pages that `num_tokens` tokens of one sequence need."""
        return -(-num_tokens // self.page_size)

    def open(self, token_ids: Sequence[int]) -> PagedSequence:
        """A new sequence. The known prefix of token_ids, `num_tokens` of them, is cached already. At least the last of
        token_ids is left to run. Reserves no room.
        """
        return self._blocks.open(token_ids)

    def fork(self, sequence: PagedSequence) -> PagedSequence:
        """A new sequence with the same cached tokens, on the same pages. If one of the two goes on within a page,
        `reserve` copies the page.
        """
        return self._blocks.fork(sequence)

    def reserve(self, sequence: PagedSequence, num_tokens: int) -> bool:
        """Reserve room for `num_tokens` tokens after the cached ones. Returns False, without a change, if there are too
        few pages.
        """
        return self._blocks.reserve(sequence, num_tokens)

    def forward(self, chunks: Sequence[Chunk]) -> torch.Tensor:
        """Run the tokens of all chunks in one pass, and cache them.

        chunks: chunks of different open sequences, each with reserved room for its tokens.
        Returns (N, V) logits in the model's dtype, on its device: a row for each logit position, chunk by chunk. If a
        chunk wants hidden states, the result is (N, V + H): logits followed by hidden states.
        Raises ValueError for a chunk that can't be run. If this or the model raises, nothing has changed.
        """
        self._check_chunks(chunks)
        logits = self._runner.run(chunks)
        for chunk in chunks:
            self._blocks.commit(chunk.sequence, chunk.token_ids)
        return logits

    def truncate(self, sequence: PagedSequence, num_tokens: int) -> None:
        """Forget the sequence's last num_tokens cached tokens, and give back reserved room. Other sequences keep shared
        pages: `reserve` copies the last page before it is written again.
        """
        self._blocks.truncate(sequence, num_tokens)

    def close(self, sequence: PagedSequence) -> None:
        """Give back the sequence's pages. A known prefix stays until the pages are needed. May be called twice."""
        self._blocks.close(sequence)

    def check(self) -> None:
        """Assert every invariant of the pages' bookkeeping; with no open sequence all pages must be free or idle."""
        self._blocks.check()

    def _check_chunks(self, chunks: Sequence[Chunk]) -> None:
        if not chunks:
            raise ValueError("a forward needs at least one chunk")
        if len({id(chunk.sequence) for chunk in chunks}) != len(chunks):
            raise ValueError("a forward takes one chunk of a sequence")
        for chunk in chunks:
            self._blocks.require_open(chunk.sequence)
            if not chunk.token_ids:
                raise ValueError("a chunk needs at least one token")
            if chunk.logit_positions and not 0 <= min(chunk.logit_positions) <= max(chunk.logit_positions) < len(
                chunk.token_ids
            ):
                raise ValueError(f"a logit position lies outside the chunk's {len(chunk.token_ids)} tokens")
            self._blocks.require_room(chunk.sequence, len(chunk.token_ids))
