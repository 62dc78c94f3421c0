"""Attention in Triton kernels gives what plain torch gives on copies of the pages, whatever shapes and chunks.

`test_triton_sampler.py` runs this file in a process of its own: on a GPU where there is one, and elsewhere with
TRITON_INTERPRET=1, which has to be set before anything imports Triton.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guided.engine.paged import Chunk, PagedModel, PagedSequence, triton_attention
from guided.engine.paged.attention import AttentionOptions
from guided.engine.paged.input_buffer import InputBuffer
from guided.engine.paged.plan import ForwardPlan
from guided.engine.paged.storage import KVLayout, KVStorage
from guided.engine.paged.torch_attention import TorchPass
from guided.engine.paged.triton_attention import TritonPass

from .tiny_models import make_model, random_tokens, recompute

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
IS_COMPILED = torch.cuda.is_available()
NUM_EXAMPLES = 40 if IS_COMPILED else 20  # compiling takes seconds for nearly each of them
TOLERANCES = {torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 1e-2}


@pytest.fixture(autouse=True)
def _quiet_numpy() -> Iterator[None]:
    """Interpreted kernels overflow with a warning where compiled ones do without."""
    with np.errstate(all="ignore"):
        yield


def make_storage(layout: KVLayout, page_size: int, num_pages: int) -> KVStorage:
    """Pages of random numbers; what a test does not write is infinite."""
    storage = KVStorage(layout, num_pages, page_size)
    for tensor in (storage.keys, storage.values):
        tensor.fill_(float("inf"))
    return storage


def make_chunks(storage: KVStorage, sizes: list[tuple[int, int]], rng: np.random.Generator) -> list[Chunk]:
    """Chunks of sequences with (cached tokens, new tokens), on pages in a random order; what is cached is random."""
    free = rng.permutation(storage.keys.shape[1]).tolist()
    chunks = []
    for num_cached, num_new in sizes:
        sequence = PagedSequence()
        sequence.num_tokens = num_cached
        sequence.append_pages([free.pop() for _ in range(-(-(num_cached + num_new) // storage.page_size))])
        slots = [
            int(sequence.pages[i // storage.page_size]) * storage.page_size + i % storage.page_size
            for i in range(num_cached)
        ]
        for tensor in (storage.keys, storage.values):
            shape = (len(slots), *tensor.shape[3:])
            random = torch.from_numpy(rng.normal(size=shape)).to(tensor)
            tensor[0].flatten(0, 1)[torch.tensor(slots, dtype=torch.int64, device=tensor.device)] = random
        chunks.append(Chunk(sequence, [0] * num_new))
    return chunks


def plan_of(kind: type[TorchPass], chunks: list[Chunk], page_size: int) -> ForwardPlan:
    return ForwardPlan(chunks, page_size=page_size, buffer=InputBuffer(DEVICE), tile_tokens=kind.tile_tokens)


@settings(max_examples=NUM_EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    sizes=st.lists(st.tuples(st.integers(0, 150), st.sampled_from([1, 1, 1, 2, 5, 9, 17, 40])), min_size=1, max_size=4),
    heads=st.sampled_from([(1, 1), (2, 1), (6, 2), (3, 3), (7, 1), (24, 1)]),
    dims=st.sampled_from([(32, 32), (64, 64), (80, 80), (96, 64), (128, 128), (7, 5), (256, 256)]),
    page_size=st.sampled_from([1, 3, 16, 64]),
    window=st.sampled_from([None, None, 1, 5, 70]),
    softcap=st.sampled_from([None, None, 3.0]),
    dtype=st.sampled_from(list(TOLERANCES)),
    is_decode=st.booleans(),
    programs=st.sampled_from([1, 8, 264] if IS_COMPILED else [1, 8]),
    seed=st.integers(0, 2**32 - 1),
)
def test_same_as_plain_torch(
    sizes: list[tuple[int, int]],
    heads: tuple[int, int],
    dims: tuple[int, int],
    page_size: int,
    window: int | None,
    softcap: float | None,
    dtype: torch.dtype,
    is_decode: bool,
    programs: int,
    seed: int,
) -> None:
    """Against float32 on the same numbers; memory that no token was written to is never read."""
    sizes = [(num_cached, 1) for num_cached, _ in sizes] if is_decode else sizes
    rng, num_tokens = np.random.default_rng(seed), sum(num_new for _, num_new in sizes)
    num_pages = sum(-(-(cached + new) // page_size) for cached, new in sizes) + 2
    layout = KVLayout(1, heads[1], *dims, dtype, DEVICE)
    storage = make_storage(layout, page_size, num_pages)
    chunks = make_chunks(storage, sizes, rng)
    query = torch.from_numpy(rng.normal(size=(num_tokens, heads[0], dims[0]))).to(DEVICE, dtype).transpose(0, 1)
    key, value = (torch.from_numpy(rng.normal(size=(heads[1], num_tokens, dim))).to(DEVICE, dtype) for dim in dims)
    options = AttentionOptions(scaling=0.3, window=window, softcap=softcap)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(triton_attention, "WANTED_PROGRAMS", programs)
        ours = TritonPass(plan_of(TritonPass, chunks, page_size), storage).attend(0, query, key, value, options)
    wide = KVStorage(KVLayout(1, heads[1], *dims, torch.float32, DEVICE), num_pages, page_size)
    wide.keys.copy_(storage.keys)
    wide.values.copy_(storage.values)
    expected = TorchPass(plan_of(TorchPass, chunks, page_size), wide).attend(
        0, query.float(), key.float(), value.float(), options
    )
    assert ours.dtype == dtype
    assert ours.isfinite().all()
    assert (ours.float() - expected).norm() <= TOLERANCES[dtype] * expected.norm()


@pytest.mark.parametrize("programs", [3, 10_000])
def test_any_number_of_parts(monkeypatch: pytest.MonkeyPatch, programs: int) -> None:
    """A long sequence is cut in parts where few programs run, some of them empty."""
    monkeypatch.setattr(triton_attention, "WANTED_PROGRAMS", programs)
    storage = make_storage(KVLayout(1, 1, 64, 64, torch.float32, DEVICE), 16, 40)
    rng = np.random.default_rng(0)
    chunks = make_chunks(storage, [(500, 1), (3, 1)], rng)
    query, key = (torch.from_numpy(rng.normal(size=(n, 2, 64))).to(DEVICE, torch.float32) for n in (4, 1))
    for window in (None, 100):
        options = AttentionOptions(scaling=0.2, window=window, softcap=None)
        ours, expected = (
            kind(plan_of(kind, chunks, 16), storage).attend(0, query, key, key, options)
            for kind in (TritonPass, TorchPass)
        )
        torch.testing.assert_close(ours, expected, atol=1e-5, rtol=1e-5)


@pytest.fixture
def _few_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreted, each program takes milliseconds."""
    if not IS_COMPILED:
        monkeypatch.setattr(triton_attention, "WANTED_PROGRAMS", 4)


@pytest.mark.usefixtures("_few_programs")
@pytest.mark.parametrize("name", ["gemma2-softcap", *(["llama", "mistral-window", "gpt2"] if IS_COMPILED else [])])
def test_a_model_gives_the_logits_of_full_recomputation(name: str) -> None:
    """Prefill in chunks, decoding and short runs of tokens beside each other, as in steps of the engine (A4.3)."""
    model = make_model(name)
    expected_of = [random_tokens(length, seed) for seed, length in enumerate((31, 5, 22))]
    expected = [recompute(model, text) for text in expected_of]
    paged = PagedModel(model.to(DEVICE), num_pages=32, page_size=4, attention="triton")
    sequences = [paged.open(text) for text in expected_of]
    for cuts in ([(0, 20), (0, 4), (0, 1)], [(20, 30), (4, 5), (1, 19)], [(30, 31), None, (19, 22)]):
        chunks, wanted = [], []
        for i, cut in enumerate(cuts):
            if cut is not None:
                assert paged.reserve(sequences[i], cut[1] - cut[0])
                chunks.append(Chunk(sequences[i], expected_of[i][slice(*cut)], list(range(cut[1] - cut[0]))))
                wanted.append(expected[i][slice(*cut)])
        torch.testing.assert_close(paged.forward(chunks).cpu(), torch.cat(wanted), atol=1e-4, rtol=0)
        paged.check()


def test_auto_takes_the_kernels_on_cuda() -> None:
    paged: Any = PagedModel(make_model("llama").to(DEVICE), num_pages=4, page_size=4)
    assert (paged._runner._pass_type is TritonPass) == IS_COMPILED
