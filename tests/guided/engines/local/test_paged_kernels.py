"""The Numba kernel of paged attention against plain torch on gathered pages."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from guided.engines.local.paged.attention import AttentionOptions
from guided.engines.local.paged.input_buffer import INITIAL_SIZE, InputBuffer
from guided.engines.local.paged.numba_attention import NumbaPass
from guided.engines.local.paged.plan import ForwardPlan
from guided.engines.local.paged.sequence import Chunk, PagedSequence
from guided.engines.local.paged.storage import KVLayout, KVStorage
from guided.engines.local.paged.torch_attention import TorchPass
from tests.examples import examples

PAGE_SIZE = 4


def make_plan(storage: KVStorage, sizes: list[tuple[int, int]], buffer: InputBuffer | None = None) -> ForwardPlan:
    """Chunks of sequences with (cached tokens, new tokens), on pages in a random order."""
    pages = np.random.default_rng(0).permutation(storage.keys.shape[1]).tolist()
    chunks = []
    for num_cached, num_new in sizes:
        sequence = PagedSequence()
        sequence.num_tokens = num_cached
        sequence.append_pages([pages.pop() for _ in range(-(-(num_cached + num_new) // PAGE_SIZE))])
        chunks.append(Chunk(sequence, [0] * num_new))
    return ForwardPlan(chunks, page_size=PAGE_SIZE, buffer=buffer or InputBuffer(torch.device("cpu")))


def filled_storage(num_kv_heads: int, key_dim: int, value_dim: int, num_pages: int = 100) -> KVStorage:
    torch.manual_seed(1)
    storage = KVStorage(
        KVLayout(1, num_kv_heads, key_dim, value_dim, torch.float32, torch.device("cpu")), num_pages, PAGE_SIZE
    )
    storage.keys.copy_(torch.randn_like(storage.keys))
    storage.values.copy_(torch.randn_like(storage.values))
    return storage


@settings(max_examples=examples(40), deadline=None)
@given(
    sizes=st.lists(st.tuples(st.integers(0, 40), st.integers(1, 8)), min_size=1, max_size=5),
    heads=st.sampled_from([(1, 1), (2, 1), (6, 2), (3, 3)]),
    dims=st.sampled_from([(8, 8), (7, 5), (64, 64)]),
    window=st.sampled_from([None, 1, 5, 16]),
    softcap=st.sampled_from([None, 3.0]),
)
def test_kernel_equals_plain_attention(
    sizes: list[tuple[int, int]],
    heads: tuple[int, int],
    dims: tuple[int, int],
    window: int | None,
    softcap: float | None,
) -> None:
    storage, num_tokens = filled_storage(heads[1], *dims), sum(num_new for _, num_new in sizes)
    query = torch.randn(heads[0], num_tokens, dims[0])
    key, value = torch.randn(heads[1], num_tokens, dims[0]), torch.randn(heads[1], num_tokens, dims[1])
    options = AttentionOptions(scaling=0.3, window=window, softcap=softcap)
    plain, fast = (
        kind(make_plan(storage, sizes), storage).attend(0, query, key, value, options)
        for kind in (TorchPass, NumbaPass)
    )
    torch.testing.assert_close(fast, plain, atol=2e-5, rtol=2e-5)


@settings(max_examples=examples(40), deadline=None)
@given(
    sizes=st.lists(st.tuples(st.integers(0, 40), st.sampled_from([1, 1, 1, 2, 5])), min_size=1, max_size=8),
    most=st.integers(1, 120),
)
def test_a_long_row_pads_no_others(sizes: list[tuple[int, int]], most: int) -> None:
    """What is copied for one call of attention stays within bounds, however long one of the sequences is (A4.3)."""
    storage = filled_storage(1, 8, 8)
    plan = make_plan(storage, sizes)
    groups = plan.groups(0, most)
    assert [group.tokens.start for group in groups] == [0, *(group.tokens.stop for group in groups[:-1])]
    assert groups[-1].tokens.stop == sum(num_new for _, num_new in sizes)
    for group in groups:
        assert group.num_chunks == 1 or group.num_chunks * group.length <= most
        assert group.pages.shape == (group.num_chunks, -(-group.length // PAGE_SIZE))


def test_steps_use_the_same_memory_until_they_need_more() -> None:
    storage, buffer = filled_storage(1, 8, 8), InputBuffer(torch.device("cpu"))
    first = make_plan(storage, [(9, 1), (3, 1)], buffer)
    ids, pages = first.input_ids, first.pages
    assert ids.tolist() == [[0, 0]]
    second = make_plan(storage, [(2, 1), (30, 1)], buffer)
    assert (second.input_ids.data_ptr(), second.pages.data_ptr()) == (ids.data_ptr(), pages.data_ptr())
    buffer.room(10 * INITIAL_SIZE)[:] = 7
    assert buffer.send(10 * INITIAL_SIZE).tolist()[-1] == 7


@pytest.mark.parametrize("scale", [1e-3, 1.0, 30.0, 1e4])
def test_scores_of_any_size(scale: float) -> None:
    """Far apart scores: the smallest weights are 0 in both."""
    storage = filled_storage(2, 16, 16)
    storage.keys *= scale
    query, key = torch.randn(2, 3, 16), torch.randn(2, 3, 16) * scale
    options = AttentionOptions(scaling=1.0, window=None, softcap=None)
    sizes = [(30, 1), (77, 1), (0, 1)]
    plain, fast = (
        kind(make_plan(storage, sizes), storage).attend(0, query, key, key, options) for kind in (TorchPass, NumbaPass)
    )
    torch.testing.assert_close(fast, plain, atol=1e-5 * max(scale, 1.0), rtol=1e-5)


def test_a_token_does_not_depend_on_its_neighbours_or_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    storage = filled_storage(2, 16, 16)
    query, key = torch.randn(4, 3, 16), torch.randn(2, 3, 16)
    options, sizes = AttentionOptions(scaling=0.2, window=None, softcap=None), [(30, 1), (77, 1), (5, 1)]
    together = NumbaPass(make_plan(storage, sizes), storage).attend(0, query, key, key, options)
    monkeypatch.setattr("guided.kernels.rows._MIN_COLUMNS", 1)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    in_threads = NumbaPass(make_plan(storage, sizes), storage).attend(0, query, key, key, options)
    assert torch.equal(together, in_threads)
    alone = NumbaPass(make_plan(storage, sizes[:1]), storage).attend(0, query[:, :1], key[:, :1], key[:, :1], options)
    assert torch.equal(alone, together[:1])
