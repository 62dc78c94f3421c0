"""`PagePool`: tracks which pages of the KV storage are free, in use, or idle.

A page is always in exactly one of three states: free, in use or idle. The reference count of a page in use is the
number of sequences that hold it. An idle page has a known prefix, but no sequence. If free pages run out, or too many
are idle, the least recently used idle page is evicted. The page that was freed last is used first, so that other pages
stay untouched. The pool knows only page numbers, no tokens and no tensors.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable


class PagePool:
    """A pool of pages, numbered from 0. At first all are free.

    num_pages: number of pages.
    on_evict: function that is called with the number of an idle page before its content is given up.
    max_idle: maximum number of idle pages; None: no limit.
    """

    def __init__(self, num_pages: int, on_evict: Callable[[int], None], max_idle: int | None = None) -> None:
        self.num_pages = num_pages
        self._max_idle = num_pages if max_idle is None else max_idle
        self._on_evict = on_evict
        self._ref_counts = [0] * num_pages
        self._free = list(range(num_pages - 1, -1, -1))
        self._idle: OrderedDict[int, None] = OrderedDict()  # least recently used first

    @property
    def num_available(self) -> int:
        """Number of pages that `allocate` could give now: free and idle ones."""
        return len(self._free) + len(self._idle)

    @property
    def num_idle(self) -> int:
        """Number of idle pages."""
        return len(self._idle)

    def ref_count(self, page: int) -> int:
        """Number of sequences that hold the page."""
        return self._ref_counts[page]

    def allocate(self, num_pages: int) -> list[int] | None:
        """Take `num_pages` pages, with one reference each. Returns None, without a change, if there are too few."""
        if num_pages > self.num_available:
            return None
        pages = [self._free.pop() if self._free else self._evict() for _ in range(num_pages)]
        for page in pages:
            self._ref_counts[page] = 1
        return pages

    def acquire(self, page: int) -> None:
        """Add a reference to a page that is in use or idle."""
        if self._ref_counts[page] == 0:
            del self._idle[page]
        self._ref_counts[page] += 1

    def release(self, page: int, *, keep: bool) -> None:
        """Remove a reference. Without references, the page becomes idle or free.

        keep: True: the page has a known prefix, so it becomes idle.
        """
        self._ref_counts[page] -= 1
        if self._ref_counts[page] > 0:
            return
        if keep:
            self._idle[page] = None
            if len(self._idle) > self._max_idle:
                self._free.append(self._evict())
        else:
            self._free.append(page)

    def drop_idle(self) -> None:
        """Evict all idle pages, so that they are free."""
        while self._idle:
            self._free.append(self._evict())

    def idle_pages(self) -> list[int]:
        """The idle pages, least recently used first."""
        return list(self._idle)

    def check(self) -> None:
        """Assert that each page is in exactly one state and that no count is negative."""
        in_use = {page for page, count in enumerate(self._ref_counts) if count > 0}
        states = [*self._free, *self._idle, *in_use]
        assert sorted(states) == list(range(self.num_pages)), "a page is in two states or in none"
        assert min(self._ref_counts, default=0) >= 0, "a page was released more often than it was acquired"

    def _evict(self) -> int:
        page, _ = self._idle.popitem(last=False)
        self._on_evict(page)
        return page
