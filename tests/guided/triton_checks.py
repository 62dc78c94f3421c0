"""The Triton backend draws what the reference draws, whatever the logits, masks and parameters.

`test_triton_sampler.py` runs this file in a process of its own: on a GPU where there is one, and elsewhere with
TRITON_INTERPRET=1, which turns kernels into numpy operations and has to be set before anything imports Triton.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
import triton
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guided.draws import gumbel_noise as reference_noise
from guided.draws import hash_columns as reference_hashes
from guided.grammars.bitset import pack_token_ids
from guided.grammars.errors import InvalidInputError, VocabularyMismatchError
from guided.params.sampling_params import SamplingParams
from guided.sampler import NO_TOKEN_ID, Sampler, SamplingBatch
from guided.sampler.reference import ReferenceSampler
from guided.sampler.triton_backend import TritonSampler
from guided.sampler.triton_backend.compiled import kernel
from guided.sampler.triton_backend.rows import (
    LEAST_NOISE,
    MOST_NOISE,
    gumbel_noise,
    hash_columns,
    noise_bounds,
    stream_states,
    to_uniform,
)

from .sampler_backends import device_of
from .test_numba_sampler import PARAMS, random_bitmask, random_logits

tl = triton.language
DEVICE = device_of("triton")
IS_COMPILED = torch.cuda.is_available()  # interpreted, a row takes 0.1 s and more
NUM_EXAMPLES = 40 if IS_COMPILED else 5
NAN, INF = math.nan, math.inf


@pytest.fixture(autouse=True)
def _quiet_numpy() -> Iterator[None]:
    """Interpreted kernels overflow with a warning where compiled ones do without."""
    with np.errstate(all="ignore"):
        yield


def assert_same(logits: torch.Tensor, batch: SamplingBatch, bitmask: Any, sampler: TritonSampler) -> None:
    """Both backends choose the same and leave the logits alone."""
    before = logits.clone()
    ours, theirs = (backend.choose(logits, batch, bitmask) for backend in (sampler, ReferenceSampler()))
    assert ours.token_ids.dtype == torch.int32
    assert ours.token_ids.tolist() == theirs.token_ids.tolist()
    assert ours.no_allowed.tolist() == theirs.no_allowed.tolist()
    assert torch.equal(before.view(torch.uint8), logits.view(torch.uint8))


@settings(max_examples=NUM_EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    params=st.lists(PARAMS, min_size=1, max_size=3),
    width=st.sampled_from([1, 2, 31, 32, 33, 77, 256, 257, 600]),
    kind=st.sampled_from(["plain", "ties", "sorted", "falling", "special", "some special", "few"]),
    dtype=st.sampled_from([torch.float32, torch.float32, torch.float64]),
    share=st.sampled_from([None, None, 0.0, 0.02, 0.5, 0.98, 1.0]),
    is_padded=st.booleans(),
    sizes=st.sampled_from([(4096, 1024, 256), (128, 256, 4), (256, 64, 1)]),
    seed=st.integers(0, 2**32 - 1),
)
def test_same_tokens_as_the_reference(  # A5.5, A5.6
    params: list[SamplingParams],
    width: int,
    kind: str,
    dtype: torch.dtype,
    share: float | None,
    is_padded: bool,
    sizes: tuple[int, int, int],
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    logits = random_logits(rng, len(params), width, kind).to(dtype).to(DEVICE)
    batch = SamplingBatch.from_params(params, width, DEVICE)
    batch.positions = torch.from_numpy(rng.integers(0, 2**33, len(params))).to(DEVICE)
    num_words = (width + 31) // 32
    bitmask = None
    if share is not None:
        bitmask = random_bitmask(rng, len(params), max(num_words - 1, 1) if is_padded else num_words, share)
    assert_same(logits, batch, bitmask, TritonSampler(*sizes))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_every_float_type(dtype: torch.dtype) -> None:
    logits = torch.randn(4, 130, generator=torch.Generator().manual_seed(0)).mul(3).to(dtype).to(DEVICE)
    params = [SamplingParams(temperature=0.8, top_k=k, top_p=0.9, seed=k) for k in (0, 2, 9, 100)]
    if not IS_COMPILED:
        logits, params = logits[1:3], params[1:3]
    batch = SamplingBatch.from_params(params, 130, DEVICE)
    expected = ReferenceSampler().choose(logits, batch, None).token_ids.tolist()
    assert Sampler("triton").sample(logits, batch).token_ids.tolist() == expected
    assert TritonSampler().choose(logits, batch, None).token_ids.tolist() == expected


def test_the_seeds_of_many_steps() -> None:  # A5.6
    logits = torch.randn(1, 100, generator=torch.Generator().manual_seed(1)).mul(2).repeat(6, 1).to(DEVICE)
    fields: list[dict[str, Any]] = [{}, {"temperature": 1.5}, {"min_p": 0.02}, {"top_k": 20}, {"top_p": 0.9}]
    fields += [{"top_k": 9, "top_p": 0.7, "filter_order": "joint"}]
    batch = SamplingBatch.from_params([SamplingParams(seed=5, **row) for row in fields], 100, DEVICE)
    for first in (0, 2**31 - 1, 2**32 - 1) if IS_COMPILED else (2**32 - 1,):
        batch.positions = torch.full((6,), first, device=DEVICE)
        for _ in range(2):
            assert_same(logits, batch, None, TritonSampler(64))
            batch.accept_tokens(torch.zeros(6, dtype=torch.int32, device=DEVICE))


@pytest.mark.parametrize("params", [SamplingParams(top_p=0.9, seed=1), SamplingParams(temperature=0.0)])
def test_masks_and_logits_of_other_layouts(params: SamplingParams) -> None:
    num_rows = 6 if IS_COMPILED else 2
    logits = torch.randn(70, num_rows, generator=torch.Generator().manual_seed(1)).to(DEVICE).T
    bitmask = random_bitmask(np.random.default_rng(0), num_rows, 3, 0.4)
    batch = SamplingBatch.from_params([params] * num_rows, 70, DEVICE)
    expected = ReferenceSampler().choose(logits, batch, bitmask).token_ids.tolist()
    on_device = torch.from_numpy(bitmask).to(DEVICE)
    for mask in (bitmask, np.asfortranarray(bitmask), on_device, on_device.T.contiguous().T):
        assert TritonSampler().choose(logits, batch, mask).token_ids.tolist() == expected


def test_nan_is_harmless_and_cannot_lift_a_ban() -> None:  # B10
    logits = torch.tensor([[NAN, -9.0, NAN, -8.0], [NAN, 9.0, NAN, 9.0], [NAN, INF, 0.0, -INF]], device=DEVICE)
    bitmask = np.stack([pack_token_ids(ids, 4) for ids in ([0, 1, 3], [0, 2], [0, 1, 2])])
    for fields in ({"temperature": 0}, {"seed": 1}, {"seed": 2, "top_p": 0.9, "top_k": 3, "min_p": 0.01}):
        batch = SamplingBatch.from_params([SamplingParams(**fields)] * 3, 4, DEVICE)  # type: ignore[arg-type]
        first, second, third = TritonSampler().choose(logits, batch, bitmask).token_ids.tolist()
        assert first in (1, 3)
        assert second in (0, 2)
        assert third == 1


def test_a_row_without_a_token_is_marked() -> None:  # B10
    logits = torch.tensor([[0.0, 1.0, 2.0], [-INF, 1.0, -INF], [-INF, -INF, -INF]], device=DEVICE)
    for bitmask in (np.stack([pack_token_ids(ids, 3) for ids in ([], [0, 2], [1])]), None):
        for temperature in (0.0, 1.0):
            batch = SamplingBatch.from_params([SamplingParams(temperature=temperature, top_k=2)] * 3, 3, DEVICE)
            output = TritonSampler().choose(logits, batch, bitmask)
            expected = [True, True, True] if bitmask is not None else [False, False, True]
            assert output.no_allowed.tolist() == expected
            assert [token == NO_TOKEN_ID for token in output.token_ids.tolist()] == expected


def test_top_p_takes_ties_in_the_order_of_their_ids() -> None:  # B4
    num_rows = 20 if IS_COMPILED else 5
    logits = torch.zeros(num_rows, 64, device=DEVICE)
    logits[:, 40] = math.log(2.0)
    params = [SamplingParams(top_p=12 / 65, seed=seed) for seed in range(num_rows)]  # column 40, then 10 of the ties
    output = TritonSampler(64, 64).choose(logits, SamplingBatch.from_params(params, 64, DEVICE), None)
    assert set(output.token_ids.tolist()) <= {*range(10), 40}
    assert len(set(output.token_ids.tolist())) > num_rows // 4


def test_no_rows() -> None:
    batch = SamplingBatch.from_params([], 5, DEVICE)
    assert TritonSampler().choose(torch.zeros(0, 5, device=DEVICE), batch, None).token_ids.shape == (0,)


def test_refuses_what_does_not_fit() -> None:
    batch = SamplingBatch.from_params([SamplingParams()] * 2, 8, DEVICE)
    with pytest.raises(VocabularyMismatchError):
        TritonSampler().choose(torch.zeros(2, 8, device=DEVICE), batch, np.zeros((2, 2), dtype=np.int32))
    with pytest.raises(InvalidInputError, match="power of two"):
        TritonSampler(chunk=100)


@kernel
def _noise_of(seeds, positions, hashes, uniforms, noise, bounds, N: tl.constexpr) -> None:
    row, columns = tl.program_id(0), tl.arange(0, N)
    state = stream_states(tl.load(seeds + row), tl.load(positions + row))
    values = hash_columns(state, columns)
    places = row * N + columns
    tl.store(hashes + places, values.to(tl.int64))
    tl.store(uniforms + places, to_uniform(values))
    tl.store(noise + places, gumbel_noise(to_uniform(values)))
    tl.store(bounds + places, noise_bounds(to_uniform(values)))


def test_hash_uniforms_and_noise_are_those_of_the_reference() -> None:  # A5.6, B9
    seeds = torch.tensor([0, 1, 2**31, 2**32 + 5, 2**63 - 1], device=DEVICE)
    positions = torch.tensor([0, 7, 2**31 + 1, 2**32 + 3, 2**40], device=DEVICE)
    hashes = torch.empty(5, 4096, dtype=torch.int64, device=DEVICE)
    uniforms, noise, bounds = (torch.empty(5, 4096, device=DEVICE) for _ in range(3))
    _noise_of[(5,)](seeds, positions, hashes, uniforms, noise, bounds, N=4096)
    assert torch.equal(hashes, reference_hashes(seeds, positions, 4096))
    expected = reference_noise(seeds, positions, 4096)
    assert (noise != expected).float().mean() < 1e-3  # logarithms of two libraries, rounded once
    assert torch.allclose(noise, expected, rtol=2e-7, atol=0)
    assert ((uniforms > 0) & (uniforms < 1)).all()
    assert (bounds >= noise).all()
    assert (bounds - noise)[uniforms < 0.01].max() < 0.1
    assert (noise > LEAST_NOISE.value).all()
    assert (noise < MOST_NOISE.value).all()


@kernel
def _extremes_of(hashes, uniforms, noise, bounds) -> None:
    places = tl.arange(0, 4)
    values = to_uniform(tl.load(hashes + places).to(tl.uint32))
    tl.store(uniforms + places, values)
    tl.store(noise + places, gumbel_noise(values))
    tl.store(bounds + places, noise_bounds(values))


def test_the_outermost_hashes_give_finite_noise() -> None:  # B9
    hashes = torch.tensor([0, 1, 2**32 - 129, 2**32 - 1], device=DEVICE)
    uniforms, noise, bounds = (torch.empty(4, device=DEVICE) for _ in range(3))
    _extremes_of[(1,)](hashes, uniforms, noise, bounds)
    assert uniforms[0] == 2.0**-33
    assert uniforms[3] == 1.0 - 2.0**-24
    assert noise.isfinite().all()
    assert LEAST_NOISE.value < noise.min()
    assert noise.max() < MOST_NOISE.value
    assert (bounds >= noise).all()
