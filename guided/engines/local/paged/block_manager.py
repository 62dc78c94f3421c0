"""`BlockManager`: tracks which sequence holds which pages: open, fork, reserve, commit, truncate, close.

The manager knows no tensors; it only asks the storage to copy pages. A page that several sequences hold, or that is
known, is never written again. A truncated or forked sequence may end within such a page. The sequence then gets a copy
of the page when it next reserves room.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .pool import PagePool
from .prefix_cache import KnownPage, PageHasher, PrefixCache, hash_page
from .sequence import PagedSequence


class PageStore(Protocol):
    """The storage of the pages' contents."""

    def copy_page(self, source: int, target: int) -> None:
        """Copy a page's contents onto another."""
        ...


class BlockManager:
    """The pages of all open sequences.

    num_pages: number of pages.
    page_size: number of tokens of a page.
    store: the storage of the pages.
    prefix_caching: True: full pages become known and are shared.
    max_idle_pages: as `max_idle` in `PagePool`.
    hasher: hash of the prefix cache; tests replace it.
    """

    def __init__(
        self,
        num_pages: int,
        page_size: int,
        store: PageStore,
        *,
        prefix_caching: bool = True,
        max_idle_pages: int | None = None,
        hasher: PageHasher = hash_page,
    ) -> None:
        self.page_size = page_size
        self.prefix_caching = prefix_caching
        self.prefixes = PrefixCache(page_size, hasher)
        self.pool = PagePool(num_pages, on_evict=self.prefixes.forget, max_idle=max_idle_pages)
        self._store = store
        self._open: dict[int, PagedSequence] = {}  # by id(): sequences are compared by identity

    def open(self, token_ids: Sequence[int]) -> PagedSequence:
        """A new sequence with the known pages of the tokens' prefix. At least the last token is left to run."""
        sequence = PagedSequence()
        known = self.prefixes.find(token_ids, (len(token_ids) - 1) // self.page_size)
        for one in known:
            self.pool.acquire(one.page)
        sequence.append_pages([one.page for one in known])
        sequence.known = known
        sequence.num_tokens = sequence.num_cached_tokens = len(known) * self.page_size
        self._open[id(sequence)] = sequence
        return sequence

    def fork(self, sequence: PagedSequence) -> PagedSequence:
        """A new sequence with the same cached tokens, on the same pages. The two sequences are independent."""
        self.require_open(sequence)
        self._shrink(sequence, self._num_pages(sequence.num_tokens))
        sequence.writable_to = 0
        fork = PagedSequence()
        fork.num_tokens, fork.num_cached_tokens = sequence.num_tokens, sequence.num_cached_tokens
        fork.known, fork.tail = list(sequence.known), list(sequence.tail)
        for page in sequence.pages.tolist():
            self.pool.acquire(page)
        fork.append_pages(sequence.pages.tolist())
        self._open[id(fork)] = fork
        return fork

    def reserve(self, sequence: PagedSequence, num_tokens: int) -> bool:
        """Reserve room for `num_tokens` more tokens. Returns False, without a change, if the pool has too few pages."""
        if sequence.num_tokens + num_tokens <= sequence.writable_to:  # PERF: true for all rows in most steps
            return True
        self.require_open(sequence)
        if num_tokens == 0:
            return True
        if not self._make_room(sequence, num_tokens):
            return False
        sequence.writable_to = len(sequence.pages) * self.page_size
        return True

    def _make_room(self, sequence: PagedSequence, num_tokens: int) -> bool:
        num_missing = max(0, self._num_pages(sequence.num_tokens + num_tokens) - len(sequence.pages))
        must_copy = self._ends_in_shared_page(sequence)
        if num_missing == 0 and not must_copy:
            return True
        pages = self.pool.allocate(num_missing + must_copy)
        if pages is None:
            return must_copy and self._reserve_without_copy(sequence, num_missing)
        if must_copy:
            self._replace_last_page(sequence, pages.pop())
        sequence.append_pages(pages)
        return True

    def commit(self, sequence: PagedSequence, token_ids: Sequence[int]) -> None:
        """Count tokens whose keys and values were written. Pages that are now full become known."""
        sequence.num_tokens += len(token_ids)
        if self.prefix_caching:
            sequence.tail += token_ids
            while len(sequence.tail) >= self.page_size:
                self._make_known(sequence)

    def truncate(self, sequence: PagedSequence, num_tokens: int) -> None:
        """Forget the last `num_tokens` tokens, and give back pages that only they needed, and reserved pages.

        Raises ValueError for more tokens than there are.
        """
        self.require_open(sequence)
        if not 0 <= num_tokens <= sequence.num_tokens:
            raise ValueError(f"can't forget {num_tokens} of {sequence.num_tokens} tokens")
        sequence.writable_to = 0
        sequence.num_tokens -= num_tokens
        num_full, num_behind = divmod(sequence.num_tokens, self.page_size)
        if self.prefix_caching:
            last = sequence.known[num_full].token_ids if num_full < len(sequence.known) else sequence.tail
            sequence.tail = list(last[:num_behind])
        del sequence.known[num_full:]
        self._shrink(sequence, self._num_pages(sequence.num_tokens))

    def close(self, sequence: PagedSequence) -> None:
        """Give back all pages. Known pages stay until they are evicted. To close a sequence twice does nothing."""
        if sequence.is_closed:
            return
        self._shrink(sequence, 0)
        sequence.is_closed, sequence.writable_to = True, 0
        del self._open[id(sequence)]

    def require_open(self, sequence: PagedSequence) -> None:
        """Raise ValueError for a sequence that was closed or that another manager opened."""
        if id(sequence) not in self._open:
            raise ValueError("the sequence is closed, or another PagedModel's")

    def require_room(self, sequence: PagedSequence, num_tokens: int) -> None:
        """Raise ValueError unless room for `num_tokens` more tokens was reserved."""
        room = len(sequence.pages) * self.page_size - sequence.num_tokens
        if num_tokens > room or self._ends_in_shared_page(sequence):
            raise ValueError(f"no room for {num_tokens} more tokens (there is for {room}); reserve it first")

    def check(self) -> None:
        """Assert every invariant of pages, references, prefixes and sequences (for tests and leak checks)."""
        self.pool.check()
        self.prefixes.check()
        holders = [0] * self.pool.num_pages
        for sequence in self._open.values():
            self._check_sequence(sequence)
            for page in sequence.pages.tolist():
                holders[page] += 1
        for page, count in enumerate(holders):
            assert self.pool.ref_count(page) == count, f"page {page} has a wrong reference count"
        idle = {page: age for age, page in enumerate(self.pool.idle_pages())}
        for page in idle:
            assert page in self.prefixes, f"idle page {page} holds nothing known"
        for known in self.prefixes.known_pages():
            if known.parent is not None:
                assert holders[known.parent.page] >= holders[known.page], "a page is held without its parent"
                if known.parent.page in idle:
                    assert idle[known.page] < idle[known.parent.page], "a parent would be evicted before its child"

    def _check_sequence(self, sequence: PagedSequence) -> None:
        pages = sequence.pages.tolist()
        assert len(set(pages)) == len(pages), "a sequence holds a page twice"
        assert len(pages) >= self._num_pages(sequence.num_tokens), "cached tokens lie in no page"
        if self.prefix_caching:
            assert len(sequence.known) == sequence.num_tokens // self.page_size, "a full page is not known"
            assert len(sequence.tail) == sequence.num_tokens % self.page_size, "the tail is not what follows full pages"
        for i, known in enumerate(sequence.known):
            assert known.page == pages[i]
            assert known.parent is (sequence.known[i - 1] if i else None)
            assert known.page in self.prefixes

    def _num_pages(self, num_tokens: int) -> int:
        return -(-num_tokens // self.page_size)

    def _ends_in_shared_page(self, sequence: PagedSequence) -> bool:
        """True if the next token would go into a page that others read or may read: after a truncation or a fork."""
        index, offset = divmod(sequence.num_tokens, self.page_size)
        if not offset:
            return False
        page = int(sequence.pages[index])
        return page in self.prefixes or self.pool.ref_count(page) > 1

    def _replace_last_page(self, sequence: PagedSequence, page: int) -> None:
        shared_page = sequence.pop_page()
        self._store.copy_page(shared_page, page)
        self.pool.release(shared_page, keep=shared_page in self.prefixes)
        sequence.append_pages([page])

    def _reserve_without_copy(self, sequence: PagedSequence, num_missing: int) -> bool:
        """Reserve room if the pool has one page too few for the copy: write the last page itself, which is then not
        known.

        No other sequence may hold the page. All idle pages are dropped first, because a known page must
        keep its parent.
        """
        page = int(sequence.pages[-1])
        if self.pool.ref_count(page) > 1 or num_missing > self.pool.num_available:
            return False
        self.pool.drop_idle()
        self.prefixes.forget(page)
        pages = self.pool.allocate(num_missing)
        assert pages is not None
        sequence.append_pages(pages)
        return True

    def _make_known(self, sequence: PagedSequence) -> None:
        """Make the page that the tail fills known. If a page with the same content is known, it replaces the own page.

        A sequence with a known page thus also holds its parents, and parents are never evicted before their children.
        """
        index = len(sequence.known)
        own = int(sequence.pages[index])
        parent: KnownPage | None = sequence.known[-1] if sequence.known else None
        known = self.prefixes.add(own, tuple(sequence.tail[: self.page_size]), parent)
        del sequence.tail[: self.page_size]
        if known.page != own:
            self.pool.acquire(known.page)
            sequence.pages[index] = known.page
            self.pool.release(own, keep=False)
        sequence.known.append(known)

    def _shrink(self, sequence: PagedSequence, num_pages: int) -> None:
        """Release the last pages, starting from the end, so that children are evicted before their parents."""
        while len(sequence.pages) > num_pages:
            page = sequence.pop_page()
            self.pool.release(page, keep=page in self.prefixes)
