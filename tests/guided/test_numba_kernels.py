"""The parts of the Numba backend one by one, beside what numpy and torch say; as compiled and as plain Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from guided.draws import gumbel_noise, hash_columns
from guided.sampler.numba_backend import draw, scan, select
from guided.sampler.numba_backend.select import bit_cell

VALUES = st.lists(
    st.sampled_from([-math.inf, -2.5, -1.0, -0.0, 0.0, 0.5, 3.0]) | st.floats(-9, 9, width=32), min_size=1
)


def plain(function: Any) -> Any:
    """A kernel's Python function."""
    return getattr(function, "py_func", function)


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**63 - 1, 0x0123456789ABCDEF])
def test_noise_is_that_of_the_reference(seed: int) -> None:  # A5.6
    blocks = draw.column_blocks(5000)
    for position in (0, 1, 2**31, 2**32 - 1):
        state = draw.stream_state(seed, position)
        place = (torch.tensor([seed]), torch.tensor([position]))
        hashes = hash_columns(*place, 5000)[0].numpy()
        ours = [int(draw.finish(draw.mix(state, block))) for block in blocks[:200]]
        assert ours == hashes[:200].tolist()
        noise = np.array([draw.gumbel(state, block) for block in blocks])
        np.testing.assert_allclose(noise, gumbel_noise(*place, 5000)[0].numpy(), rtol=2e-7, atol=1e-9)
        floats = np.empty(5000, np.float32)
        draw.hash_floats(blocks, state, floats)
        bounds = floats.view(np.int32).astype(np.float32) * draw.BOUND_SLOPE + draw.BOUND_START
        assert (noise <= bounds).all()
        assert (bounds - noise)[noise > 3].max() < 0.15


def unhashed(wanted: int) -> int:
    """The state of which `finish` makes `wanted`: its steps, each undone."""
    inverse_1, inverse_2 = pow(0x85EBCA6B, -1, 2**32), pow(0xC2B2AE35, -1, 2**32)
    state = wanted ^ wanted >> 16
    state = state * inverse_2 % 2**32
    state ^= state >> 13 ^ state >> 26
    state = state * inverse_1 % 2**32
    return state ^ state >> 16 ^ 16


@pytest.mark.parametrize("wanted", [0, 1, 2**31, 2**32 - 129, 2**32 - 128, 2**32 - 1])
def test_uniforms_are_never_0_or_1(wanted: int) -> None:  # B9
    target = unhashed(wanted)
    assert int(draw.finish(np.uint32(target))) == wanted
    rotated = (target - 0xE6546B64) * pow(5, -1, 2**32) % 2**32
    block = np.uint32(rotated >> 13 | rotated << 19 & 0xFFFFFFFF)  # mixed into the state 0 it gives the target
    noise = draw.exponential(np.uint32(0), block)
    assert 0.0 < noise < 17.0
    assert noise == pytest.approx((wanted + 0.5) / 2**32, rel=1e-6) or wanted >= 2**31
    assert math.isfinite(draw.gumbel(np.uint32(0), block))


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_exponentials(compiled: bool, dtype: Any) -> None:
    scaled = np.concatenate([-np.logspace(-12, 2.84, 200), [0.0, -700.0, -1e4, -math.inf]]).astype(dtype)
    cases = ((select.exp_block, np.float64, np.int64, 1e-14), (select.rough_exp_block, np.float32, np.int32, 1e-5))
    for function, width, bits, error in cases:
        powers, exps = np.empty(scaled.size, width), np.empty(scaled.size, width)
        call = function if compiled else plain(function)
        call(scaled, powers, powers.view(bits), exps, exps.view(bits))
        normal = scaled > (-79 if width == np.float32 else -690)
        np.testing.assert_allclose(exps[normal], np.exp(scaled[normal].astype(np.float64)), rtol=error)
        assert (exps[~normal] < 1e-34).all()
        assert (exps >= 0).all()


@pytest.mark.parametrize("spread", [0.5, 3.0, 30.0])
def test_masses(spread: float) -> None:
    scaled = (np.random.default_rng(2).normal(size=20_001) * spread).astype(np.float32).round(2)
    scaled -= scaled.max()
    weights = np.exp(scaled.astype(np.float64))
    order = np.argsort(-scaled, kind="stable")
    for place in (0, 1, 30, 20_000):
        position = int(order[place])
        before = weights[order[:place]].sum()
        for is_rough, error in ((False, 1e-12), (True, select.ROUGH_ERROR / 5)):
            total, above = select.mass_before(scaled, position, is_rough)
            assert total == pytest.approx(weights.sum(), rel=error)
            assert abs(above - before) <= error * total


@settings(max_examples=60, deadline=None)
@given(values=VALUES, compiled=st.booleans(), dtype=st.sampled_from([np.float32, np.float64]), data=st.data())
def test_kth_largest(values: list[float], compiled: bool, dtype: Any, data: st.DataObject) -> None:
    row = np.array(values, dtype)
    k = data.draw(st.integers(1, row.size))
    expected = np.sort(row)[::-1][k - 1]
    cell = bit_cell(dtype)
    by_holding, by_counting = select.kth_largest_by_holding, select.kth_largest_by_counting
    if not compiled:
        by_holding, by_counting = plain(by_holding), plain(by_counting)
    assert by_holding(row, k, np.empty_like(row)) == expected
    assert by_counting(row, k, *cell) == expected


@pytest.mark.parametrize("order", ["random", "rising", "falling", "equal", "organ pipe"])
def test_kth_largest_of_long_rows(order: str) -> None:
    size = 30_000 if hasattr(select.kth_largest, "py_func") else 3_000  # compiled, or as plain Python
    row = np.random.default_rng(0).normal(size=size).astype(np.float32)
    if order == "rising":
        row.sort()
    elif order == "falling":
        row = np.sort(row)[::-1].copy()
    elif order == "equal":
        row[:] = 1.5
    elif order == "organ pipe":
        row.sort()
        row = np.concatenate([row[::2], row[1::2][::-1]])
    for k in (1, 2, 50, 1024, 1025, size - 1, size):
        found = select.kth_largest(row, k, np.empty_like(row), *bit_cell(np.float32))
        assert found == np.sort(row)[::-1][k - 1]


@pytest.mark.parametrize("compiled", [True, False])
def test_argmax_takes_the_first_and_counts_nan_as_lowest(compiled: bool) -> None:  # B3, B10
    lowest, highest = np.finfo(np.float32).min, np.finfo(np.float32).max
    nan, inf = math.nan, math.inf
    cases = [
        ([1.0, 3.0, 3.0], 1),
        ([nan, -inf, -5.0], 2),
        ([-inf, nan, lowest], 1),
        ([-inf, lowest, nan], 1),
        ([0.0, highest, inf], 1),
        ([0.0, inf, highest], 1),
        ([-inf, -inf, -inf], -1),
        ([-0.0, 0.0], 0),
    ]
    for values, expected in cases:
        row, words = np.array(values, np.float32), np.array([0xFFFFFFFF], np.uint32)
        argmax, masked = (scan.argmax_plain, scan.argmax_masked)
        if not compiled:
            argmax, masked = plain(argmax), plain(masked)
        assert argmax(row, lowest, highest) == expected
        assert masked(row, words, lowest, highest) == expected
        assert masked(row, words * np.uint32(0), lowest, highest) == -1


def test_count_bits() -> None:
    words = np.array([0, 1, 0xFFFFFFFF, 0x80000000, 0x12345678], np.uint32)
    assert scan.count_bits(words) == sum(int(word).bit_count() for word in words)
    assert plain(scan.count_bits)(words) == scan.count_bits(words)
