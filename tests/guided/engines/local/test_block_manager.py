"""The bookkeeping of pages without a model: references, known prefixes, eviction, copies (A4.2, B18)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from guided.engines.local.kv_size import max_idle_pages
from guided.engines.local.paged.block_manager import BlockManager
from guided.engines.local.paged.prefix_cache import PrefixCache, hash_page
from guided.engines.local.paged.sequence import PagedSequence
from guided.engines.settings import EngineSettings
from tests.examples import examples


class Slate:
    """A page store that holds token ids where the storage of a model holds keys and values."""

    def __init__(self, num_pages: int, page_size: int) -> None:
        self.pages: list[list[int | None]] = [[None] * page_size for _ in range(num_pages)]

    def copy_page(self, source: int, target: int) -> None:
        self.pages[target] = list(self.pages[source])

    def run(self, blocks: BlockManager, sequence: PagedSequence, token_ids: Sequence[int]) -> None:
        """What a forward does: write the tokens, then commit them."""
        blocks.require_room(sequence, len(token_ids))
        for position, token in enumerate(token_ids, start=sequence.num_tokens):
            self.pages[sequence.pages[position // blocks.page_size]][position % blocks.page_size] = token
        blocks.commit(sequence, token_ids)

    def read(self, blocks: BlockManager, sequence: PagedSequence) -> list[int | None]:
        tokens = [token for page in sequence.pages for token in self.pages[page]]
        return tokens[: sequence.num_tokens]


def make_manager(num_pages: int, page_size: int = 4, **options: object) -> tuple[BlockManager, Slate]:
    slate = Slate(num_pages, page_size)
    return BlockManager(num_pages, page_size, slate, **options), slate  # type: ignore[arg-type]


def run_all(blocks: BlockManager, slate: Slate, token_ids: Sequence[int]) -> PagedSequence:
    """Open a sequence and run what is not cached."""
    sequence = blocks.open(token_ids)
    rest = list(token_ids[sequence.num_tokens :])
    assert blocks.reserve(sequence, len(rest))
    slate.run(blocks, sequence, rest)
    return sequence


def test_full_pages_of_an_active_sequence_are_shared_and_stay_after_it_ends() -> None:
    """A4.2 and B18: a prefix shared with an active sequence is safe."""
    blocks, slate = make_manager(8)
    first = run_all(blocks, slate, range(10))
    second = blocks.open(range(12))
    assert second.num_cached_tokens == second.num_tokens == 8  # two full pages; the third is not full
    assert second.pages.tolist() == first.pages[:2].tolist()
    assert [blocks.pool.ref_count(page) for page in first.pages] == [2, 2, 1]
    blocks.close(first)
    assert [blocks.pool.ref_count(page) for page in second.pages] == [1, 1]
    assert slate.read(blocks, second) == list(range(8))
    blocks.close(second)
    assert blocks.pool.num_available == 8
    assert blocks.pool.num_idle == 2
    blocks.check()


def test_at_least_one_token_is_left_to_run() -> None:
    blocks, slate = make_manager(8)
    blocks.close(run_all(blocks, slate, range(8)))
    assert blocks.open(range(8)).num_tokens == 4
    assert blocks.open(range(9)).num_tokens == 8
    blocks.check()


def test_without_prefix_caching_nothing_is_kept() -> None:
    blocks, slate = make_manager(8, prefix_caching=False)
    blocks.close(run_all(blocks, slate, range(8)))
    assert blocks.open(range(9)).num_tokens == 0
    assert len(blocks.prefixes) == 0
    blocks.check()


@pytest.mark.parametrize("digest", [b"", b"always the same"])
def test_equal_hashes_of_other_tokens_are_not_taken_for_a_prefix(digest: bytes) -> None:
    """B18: page hashes are verified against the tokens, and against the parent page."""
    blocks, slate = make_manager(32, hasher=lambda parent, tokens: digest)
    texts = [
        [1, 2, 3, 4, 5, 6, 7, 8, 0],
        [9, 9, 9, 9, 5, 6, 7, 8, 0],
        [5, 6, 7, 8, 1, 2, 3, 4, 0],
        [5, 6, 7, 8, 5, 6, 7, 8, 0],
    ]
    for text in texts:
        assert blocks.open(text).num_tokens in (0, 4)  # a first page may be shared, and is then the same
        sequence = run_all(blocks, slate, text)
        assert slate.read(blocks, sequence) == text
        blocks.check()
    for text in texts:
        again = blocks.open(text)
        assert again.num_tokens == 8
        assert slate.read(blocks, again) == text[:8]
    blocks.check()


def test_hashes_are_chained_to_the_parent() -> None:
    """B18: the same tokens after other tokens have another hash."""
    assert hash_page(b"", (1, 2)) != hash_page(hash_page(b"", (1, 2)), (1, 2))
    assert hash_page(b"", (1, 2)) == hash_page(b"", (1, 2))


def test_the_same_content_written_twice_ends_in_one_page() -> None:
    blocks, slate = make_manager(8)
    first, second = blocks.open(range(6)), blocks.open(range(6))
    for sequence in (first, second):
        assert blocks.reserve(sequence, 6)
        slate.run(blocks, sequence, range(6))
    assert first.pages[0] == second.pages[0]
    assert first.pages[1] != second.pages[1]
    assert blocks.pool.num_available == 8 - 3
    blocks.check()


def test_the_least_recently_used_prefix_is_evicted_first_and_children_before_parents() -> None:
    """A4.2: LRU eviction."""
    blocks, slate = make_manager(6)
    old, new = [1] * 8 + [0], [2] * 8 + [0]
    blocks.close(run_all(blocks, slate, old))
    blocks.close(run_all(blocks, slate, new))
    blocks.close(blocks.open(old))  # used again: now `new` is the older one
    assert blocks.pool.num_idle == 4
    taken = blocks.open([3])
    assert blocks.reserve(taken, 12)  # two free pages and one idle one
    blocks.check()
    assert [blocks.open(text).num_tokens for text in (old, new)] == [8, 4]
    blocks.check()


def test_few_idle_pages_leave_others_untouched() -> None:
    """On a CPU a page takes memory once it is written."""
    blocks, slate = make_manager(100, max_idle_pages=3)
    for first in range(50):
        blocks.close(run_all(blocks, slate, [first] * 9))
        blocks.check()
    assert blocks.pool.num_idle == 3
    assert sum(any(page) for page in slate.pages) < 10
    assert [blocks.open([first] * 9).num_tokens for first in (49, 48, 47)] == [8, 4, 0]


def test_unused_prefixes_take_two_contexts_of_a_cpu() -> None:
    cpu, default = torch.device("cpu"), EngineSettings()
    assert max_idle_pages(cpu, default, 100) == 2 * 7
    assert max_idle_pages(torch.device("cuda"), default, 100) is None
    assert max_idle_pages(cpu, EngineSettings(kv_cache_tokens=160), 100) is None


def test_an_exhausted_pool_changes_nothing() -> None:
    blocks, slate = make_manager(4)
    first, second = run_all(blocks, slate, range(9)), run_all(blocks, slate, range(100, 103))
    before = (first.pages.tolist(), second.pages.tolist(), blocks.pool.num_available, len(blocks.prefixes))
    assert not blocks.reserve(second, 2)
    assert not blocks.reserve(first, 100)
    assert (first.pages.tolist(), second.pages.tolist(), blocks.pool.num_available, len(blocks.prefixes)) == before
    assert blocks.reserve(second, 1)  # its page has room for one more
    blocks.close(first)
    assert blocks.reserve(second, 2)
    blocks.check()


def test_reserving_again_takes_no_more_pages() -> None:
    blocks, _ = make_manager(4)
    sequence = blocks.open([1])
    assert blocks.reserve(sequence, 5)
    assert blocks.reserve(sequence, 5)
    assert blocks.reserve(sequence, 0)
    assert len(sequence.pages) == 2


def test_truncating_into_a_shared_page_copies_it_before_it_is_written() -> None:
    blocks, slate = make_manager(8)
    first = run_all(blocks, slate, range(10))
    second = run_all(blocks, slate, range(10))
    blocks.truncate(second, 4)  # 6 tokens: in the middle of the shared second page
    blocks.check()
    with pytest.raises(ValueError, match="reserve"):
        blocks.require_room(second, 1)
    assert blocks.reserve(second, 3)
    slate.run(blocks, second, [77, 78, 79])
    assert slate.read(blocks, first) == list(range(10))
    assert slate.read(blocks, second) == [0, 1, 2, 3, 4, 5, 77, 78, 79]
    blocks.check()


@pytest.mark.parametrize("prefix_caching", [True, False])
def test_a_fork_shares_pages_until_one_of_both_writes(prefix_caching: bool) -> None:
    blocks, slate = make_manager(8, prefix_caching=prefix_caching)
    first = run_all(blocks, slate, range(6))
    assert blocks.reserve(first, 5)
    second, third = blocks.fork(first), blocks.fork(first)
    assert first.pages.tolist() == second.pages.tolist() == third.pages.tolist()
    assert blocks.pool.num_available == 6
    with pytest.raises(ValueError, match="reserve"):
        blocks.require_room(second, 1)
    for sequence, more in ((second, [61, 62]), (first, [71, 72, 73]), (third, [81])):
        assert blocks.reserve(sequence, len(more))
        slate.run(blocks, sequence, more)
        blocks.check()
    assert slate.read(blocks, first) == [*range(6), 71, 72, 73]
    assert slate.read(blocks, second) == [*range(6), 61, 62]
    assert slate.read(blocks, third) == [*range(6), 81]
    assert [one.pages[0] for one in (second, third)] == [first.pages[0]] * 2
    assert blocks.pool.num_available == 8 - 5  # one shared, one each, and the third of the first
    for sequence in (first, second, third):
        blocks.close(sequence)
    blocks.check()
    assert blocks.pool.num_available == 8


def test_truncating_when_no_page_is_left_for_a_copy() -> None:
    """A page that no one else holds is written itself; one that others hold can't be."""
    blocks, slate = make_manager(3)
    alone = run_all(blocks, slate, range(12))
    blocks.truncate(alone, 1)
    assert blocks.reserve(alone, 1)
    slate.run(blocks, alone, [99])
    assert slate.read(blocks, alone) == [*range(11), 99]
    blocks.check()
    blocks.truncate(alone, 7)  # the last two pages of three are given back
    assert blocks.reserve(alone, 7)  # needs them both, one for the copy is missing
    slate.run(blocks, alone, range(50, 57))
    assert slate.read(blocks, alone) == [*range(5), *range(50, 57)]
    blocks.check()
    blocks.truncate(alone, 8)
    other = run_all(blocks, slate, [*range(4), 60, 61, 62, 63])
    blocks.truncate(other, 5)
    assert blocks.reserve(alone, 8)
    assert not blocks.reserve(other, 1)  # its page is shared and none is left
    blocks.check()


def test_closed_and_foreign_sequences_are_refused() -> None:
    blocks, slate = make_manager(4)
    sequence = run_all(blocks, slate, range(3))
    blocks.close(sequence)
    blocks.close(sequence)
    for refused in (sequence, make_manager(4)[0].open([1])):
        with pytest.raises(ValueError, match="closed, or another"):
            blocks.reserve(refused, 1)
    with pytest.raises(ValueError, match="can't forget 4 of 3"):
        blocks.truncate(run_all(blocks, slate, range(3)), 4)
    blocks.check()


def test_check_finds_a_leak() -> None:
    blocks, slate = make_manager(4)
    sequence = run_all(blocks, slate, range(3))
    blocks.pool.acquire(int(sequence.pages[0]))
    with pytest.raises(AssertionError, match="wrong reference count"):
        blocks.check()


def test_an_evicted_parent_takes_no_other_child_along() -> None:
    """Entries point to their parent's entry, not to a page number that may come again."""
    cache = PrefixCache(2, hasher=lambda parent, tokens: b"same")
    parent = cache.add(0, (1, 2), None)
    cache.add(1, (3, 4), parent)
    cache.forget(1)
    cache.forget(0)
    other = cache.add(0, (5, 6), None)
    assert cache.find([1, 2, 3, 4], 2) == []
    assert cache.find([5, 6, 3, 4], 2) == [other]


class BookMachine(RuleBasedStateMachine):
    """Any order of operations keeps every invariant, and each sequence reads back its own tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.make(None)
        self.texts: list[tuple[PagedSequence, list[int]]] = []

    @initialize(max_idle=st.sampled_from((None, 0, 1, 3)))
    def make(self, max_idle: int | None) -> None:
        def hasher(parent: bytes, tokens: tuple[int, ...]) -> bytes:
            return bytes([sum(tokens) % 2])

        self.blocks, self.slate = make_manager(9, page_size=3, hasher=hasher, max_idle_pages=max_idle)

    @rule(text=st.lists(st.integers(0, 1), min_size=1, max_size=14))
    def open(self, text: list[int]) -> None:
        sequence = self.blocks.open(text)
        assert sequence.num_tokens < len(text)
        self.texts.append((sequence, text[: sequence.num_tokens]))

    @precondition(lambda self: self.texts)
    @rule(data=st.data(), tokens=st.lists(st.integers(0, 1), min_size=1, max_size=8))
    def run(self, data: st.DataObject, tokens: list[int]) -> None:
        sequence, text = data.draw(st.sampled_from(self.texts))
        before = (sequence.pages.tolist(), self.blocks.pool.num_available, len(self.blocks.prefixes))
        if self.blocks.reserve(sequence, len(tokens)):
            self.slate.run(self.blocks, sequence, tokens)
            text.extend(tokens)
        else:
            assert (sequence.pages.tolist(), self.blocks.pool.num_available, len(self.blocks.prefixes)) == before

    @precondition(lambda self: self.texts)
    @rule(data=st.data())
    def truncate(self, data: st.DataObject) -> None:
        sequence, text = data.draw(st.sampled_from(self.texts))
        num_tokens = data.draw(st.integers(0, len(text)))
        self.blocks.truncate(sequence, num_tokens)
        del text[len(text) - num_tokens :]

    @precondition(lambda self: self.texts)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(self.texts))
        self.texts.remove(entry)
        self.blocks.close(entry[0])

    @precondition(lambda self: self.texts)
    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        sequence, text = data.draw(st.sampled_from(self.texts))
        available = self.blocks.pool.num_available
        self.texts.append((self.blocks.fork(sequence), list(text)))
        assert self.blocks.pool.num_available >= available, "a fork takes no pages"

    @rule()
    def drop_idle(self) -> None:
        self.blocks.pool.drop_idle()

    @invariant()
    def holds(self) -> None:
        self.blocks.check()
        for sequence, text in self.texts:
            cached = [token for page in sequence.known for token in page.token_ids] + sequence.tail
            assert self.slate.read(self.blocks, sequence) == text == cached

    def teardown(self) -> None:
        for sequence, _ in self.texts:
            self.blocks.close(sequence)
        self.blocks.check()
        assert self.blocks.pool.num_available == 9


TestBookMachine = BookMachine.TestCase
TestBookMachine.settings = settings(max_examples=examples(80), stateful_step_count=40, deadline=None)
