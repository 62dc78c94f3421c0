"""`PrefixCache`: finds full pages by their tokens and by the pages before them.

Pages form chains. The key of a page is the hash of its parent's hash and its own tokens. A page is found only if its
tokens and its parent are equal, too, because equal hashes prove nothing. The cache has only full pages, so
nobody writes to a cached page.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

PageHasher = Callable[[bytes, tuple[int, ...]], bytes]
"""Function of (the parent's hash, b"" for a first page; the page's tokens) that returns the page's hash."""


@dataclass(frozen=True, eq=False, slots=True)
class KnownPage:
    """A full page with the tokens `token_ids`, after the tokens of `parent` and its parents. Compared by identity."""

    page: int
    token_ids: tuple[int, ...]
    parent: KnownPage | None
    hash: bytes


def hash_page(parent_hash: bytes, token_ids: tuple[int, ...]) -> bytes:
    """The BLAKE2b hash, 16 bytes. Unlike with Python's `hash`, nobody can choose prompts that collide."""
    return hashlib.blake2b(parent_hash + array("q", token_ids).tobytes(), digest_size=16).digest()


class PrefixCache:
    """The known pages, by hash. page_size: number of tokens of a page. hasher: tests replace it to force collisions."""

    def __init__(self, page_size: int, hasher: PageHasher = hash_page) -> None:
        self.page_size = page_size
        self._hasher = hasher
        self._buckets: dict[bytes, list[KnownPage]] = {}
        self._by_page: dict[int, KnownPage] = {}

    def __len__(self) -> int:
        return len(self._by_page)

    def __contains__(self, page: int) -> bool:
        return page in self._by_page

    def find(self, token_ids: Sequence[int], max_pages: int) -> list[KnownPage]:
        """The known pages of the longest known prefix of the tokens, at most max_pages."""
        found: list[KnownPage] = []
        for i in range(max_pages):
            parent = found[-1] if found else None
            tokens = tuple(token_ids[i * self.page_size : (i + 1) * self.page_size])
            known = self._lookup(parent, tokens, self._hash(parent, tokens))
            if known is None:
                break
            found.append(known)
        return found

    def add(self, page: int, token_ids: tuple[int, ...], parent: KnownPage | None) -> KnownPage:
        """Make a full page known. Returns the page that is known for these tokens: an earlier one if there is one."""
        page_hash = self._hash(parent, token_ids)
        known = self._lookup(parent, token_ids, page_hash)
        if known is None:
            known = KnownPage(page, token_ids, parent, page_hash)
            self._by_page[page] = known
            self._buckets.setdefault(page_hash, []).append(known)
        return known

    def forget(self, page: int) -> None:
        """Remove a page from the cache. No known page may have it as its parent."""
        known = self._by_page.pop(page)
        bucket = self._buckets[known.hash]
        bucket.remove(known)
        if not bucket:
            del self._buckets[known.hash]

    def known_pages(self) -> list[KnownPage]:
        """All known pages, oldest first."""
        return list(self._by_page.values())

    def check(self) -> None:
        """Assert that both indices hold the same pages, that pages are full and that parents are known."""
        in_buckets = [known for bucket in self._buckets.values() for known in bucket]
        assert {id(known) for known in in_buckets} == {id(known) for known in self._by_page.values()}
        assert len(in_buckets) == len(self._by_page)
        for page, known in self._by_page.items():
            assert known.page == page
            assert len(known.token_ids) == self.page_size, "a page is known that is not full"
            assert known.parent is None or self._by_page.get(known.parent.page) is known.parent, "an orphan is known"

    def _hash(self, parent: KnownPage | None, token_ids: tuple[int, ...]) -> bytes:
        return self._hasher(b"" if parent is None else parent.hash, token_ids)

    def _lookup(self, parent: KnownPage | None, token_ids: tuple[int, ...], page_hash: bytes) -> KnownPage | None:
        for known in self._buckets.get(page_hash, ()):
            if known.parent is parent and known.token_ids == token_ids:
                return known
        return None
