"""The public kernels (A5.5): renormalise, mask, draw; beside their definition."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guided.draws import KEPT_SHARE, exponential_noise
from guided.grammars.errors import InvalidInputError
from guided.params.sampling_params import SamplingParams
from guided.sampler import (
    NO_TOKEN_ID,
    Sampler,
    SamplingBatch,
    min_p_sampling_from_probs,
    top_k_mask_logits,
    top_k_renorm_prob,
    top_k_renorm_probs,
    top_k_top_p_sampling_from_logits,
    top_k_top_p_sampling_from_probs,
    top_p_renorm_prob,
    top_p_renorm_probs,
    top_p_sampling_from_probs,
)
from guided.sampler.functions import plain_draw_from_logits
from guided.sampler.numba_backend import draw_from_logits
from tests.examples import examples

NAN, INF = math.nan, math.inf
PROBS = torch.tensor([[0.5, 0.25, 0.125, 0.125], [0.1, 0.2, 0.3, 0.4]])


def random_probs(seed: int, num_rows: int, width: int, spread: float, dtype: torch.dtype) -> torch.Tensor:
    """Rows that add up to 1, with some ties and zeros."""
    rng = np.random.default_rng(seed)
    logits = (rng.normal(size=(num_rows, width)) * spread).round(1)
    logits[rng.random(logits.shape) < 0.2] = -INF
    logits[:, 0] = 0.0
    return torch.from_numpy(logits).softmax(dim=1).to(dtype)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 2**32 - 1),
    width=st.sampled_from([1, 3, 40, 64, 300, 1400]),
    spread=st.sampled_from([0.0, 1.0, 5.0]),
    dtype=st.sampled_from([torch.float32, torch.float64]),
    is_joint=st.booleans(),
)
def test_filters_and_draws_are_the_definition(
    seed: int, width: int, spread: float, dtype: torch.dtype, is_joint: bool
) -> None:
    rng, num_rows = np.random.default_rng(seed), 4
    probs = random_probs(seed, num_rows, width, spread, dtype)
    if seed % 5 == 0:
        probs[0, ::3], probs[1] = NAN, 0.0
    top_ks = torch.from_numpy(rng.choice([1, 2, 20, 1100, width], num_rows)).clamp(max=width).int()
    top_ps = torch.from_numpy(rng.choice([0.0, 0.3, 0.9, 1.0], num_rows)).float()
    streams = torch.from_numpy(rng.integers(0, 2**63 - 1, num_rows)), torch.from_numpy(rng.integers(0, 2**32, num_rows))
    order, noise = "joint" if is_joint else "top_k_first", exponential_noise(*streams, width).numpy()
    weights, ks, ps = probs.nan_to_num().double().numpy(), top_ks.tolist(), top_ps.tolist()
    tokens = top_k_top_p_sampling_from_probs(
        probs,
        top_ks,
        top_ps,
        filter_apply_order=order,  # type: ignore[arg-type]
        seed=streams[0],
        position=streams[1],
    )
    for row, (one, top_k, top_p) in enumerate(zip(weights, ks, ps, strict=True)):
        of_k, of_p = largest(one, top_k), nucleus(one, top_p)
        for got, kept in (
            (top_k_renorm_probs(probs[row : row + 1], top_k)[0], of_k),
            (top_p_renorm_probs(probs[row : row + 1], top_p)[0], of_p),
        ):
            total = one[kept].sum()
            expected = np.where(kept, one, 0.0) / (total if total > 0 else 1.0)
            np.testing.assert_allclose(got.double().numpy(), expected, rtol=1e-6, atol=0)
        logits = torch.from_numpy(one).log()[None]
        assert torch.equal(top_k_mask_logits(logits, top_k)[0] > -INF, torch.from_numpy(of_k & (one > 0)))
        drawn_from = of_k & (of_p if is_joint else nucleus(np.where(of_k, one, 0.0), top_p))
        scores = np.where(drawn_from, one, 0.0) / noise[row]
        assert int(tokens[row]) == (scores.argmax() if scores.max() > 0 else NO_TOKEN_ID)


def largest(weights: np.ndarray, top_k: int) -> np.ndarray:
    """The top_k largest, and all that tie with the last of them."""
    return weights >= np.sort(weights)[-top_k]


def nucleus(weights: np.ndarray, top_p: float) -> np.ndarray:
    """The fewest of the largest whose sum reaches top_p of the sum, at least one; equal ones in their order."""
    if top_p == 1.0:
        return np.ones(len(weights), dtype=bool)
    kept, mass = np.zeros(len(weights), dtype=bool), 0.0
    for place in np.argsort(-weights, kind="stable"):
        if kept.any() and mass >= top_p * KEPT_SHARE * weights.sum():
            break
        kept[place] = True
        mass += weights[place]
    return kept


@pytest.mark.parametrize("is_joint", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_compiled_draws_are_those_of_plain_torch(dtype: torch.dtype, is_joint: bool) -> None:
    rng = np.random.default_rng(0)
    for width in (1, 40, 1400):
        logits = torch.from_numpy(rng.normal(size=(4, width)).round(1) * 2).to(dtype)
        logits[0, 0], logits[3] = NAN, -INF
        top_ks = torch.from_numpy(rng.choice([1, 2, 20, width], 4)).clamp(max=width).int()
        top_ps = torch.from_numpy(rng.choice([0.0, 0.3, 0.9, 1.0], 4)).float()
        streams = torch.arange(4), torch.arange(4)
        ours = draw_from_logits(logits, top_ks, top_ps, torch.zeros(4), is_joint, *streams)
        assert torch.equal(ours, plain_draw_from_logits(logits, top_ks, top_ps, is_joint, *streams))


def test_top_k_renorm() -> None:
    torch.testing.assert_close(top_k_renorm_probs(PROBS, 2), torch.tensor([[2 / 3, 1 / 3, 0, 0], [0, 0, 3 / 7, 4 / 7]]))


def test_renorm_keeps_ties_at_the_threshold() -> None:  # B6
    kept = top_k_renorm_probs(PROBS, 3)
    assert torch.equal(kept[0], PROBS[0])
    assert (kept[1] > 0).tolist() == [False, True, True, True]


@pytest.mark.parametrize(
    ("top_p", "expected"),  # B4, with dyadic probabilities
    [(0.5, [1, 0, 0, 0]), (0.51, [2 / 3, 1 / 3, 0, 0]), (0.75, [2 / 3, 1 / 3, 0, 0]), (0.8, [4 / 7, 2 / 7, 1 / 7, 0])],
)
def test_top_p_renorm(top_p: float, expected: list[float]) -> None:
    assert top_p_renorm_probs(PROBS, top_p)[0].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("top_k", [0, -1, 4, 100])
def test_filters_that_are_off(top_k: int) -> None:  # B6
    torch.testing.assert_close(top_k_renorm_probs(PROBS, top_k), PROBS)
    torch.testing.assert_close(top_p_renorm_probs(PROBS, 1.0), PROBS)
    assert torch.equal(top_k_mask_logits(PROBS, top_k), PROBS)


def test_top_p_0_keeps_the_most_probable() -> None:  # B4
    assert top_p_renorm_probs(PROBS, 0.0).argmax(dim=1).tolist() == [0, 3]
    assert (top_p_renorm_probs(PROBS, 0.0) > 0).sum(dim=1).tolist() == [1, 1]


def test_one_value_a_row() -> None:
    kept = top_k_renorm_probs(PROBS, torch.tensor([1, 3])) > 0
    assert kept.sum(dim=1).tolist() == [1, 3]
    kept = top_p_renorm_probs(PROBS, torch.tensor([0.4, 1.0])) > 0
    assert kept.sum(dim=1).tolist() == [1, 4]
    tokens = top_k_top_p_sampling_from_probs(PROBS, torch.tensor([1, 1]), torch.tensor([1.0, 1.0], dtype=torch.float64))
    assert tokens.tolist() == [0, 3]
    assert tokens.dtype == torch.int32


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_mask_logits(dtype: torch.dtype) -> None:
    logits = torch.tensor([[1.0, 4.0, 4.0, 2.0], [NAN, INF, -INF, 0.0]], dtype=dtype)
    masked = top_k_mask_logits(logits, 2)
    assert masked.dtype == dtype
    assert masked[0].tolist() == [-INF, 4.0, 4.0, -INF]
    assert masked[1].tolist() == [-INF, torch.finfo(dtype).max, -INF, 0.0]
    assert torch.isnan(logits[1, 0])  # not changed


SAMPLERS: tuple[Callable[..., torch.Tensor], ...] = (
    lambda probs, **options: top_p_sampling_from_probs(probs, 0.9, **options),
    lambda probs, **options: min_p_sampling_from_probs(probs, 0.1, **options),
    lambda probs, **options: top_k_top_p_sampling_from_probs(probs, 3, 0.9, **options),
    lambda probs, **options: top_k_top_p_sampling_from_logits(probs.log(), 3, 0.9, **options),
)


@pytest.mark.parametrize("sample", SAMPLERS)
def test_where_the_random_numbers_come_from(sample: Callable[..., torch.Tensor]) -> None:
    probs = torch.full((64, 50), 0.02)
    first = sample(probs, generator=torch.Generator().manual_seed(3))
    assert torch.equal(first, sample(probs, generator=torch.Generator().manual_seed(3)))
    assert not torch.equal(first, sample(probs, generator=torch.Generator().manual_seed(4)))
    assert len(set(first.tolist())) > 20
    torch.manual_seed(5)
    default = sample(probs)
    torch.manual_seed(5)
    assert torch.equal(default, sample(probs))
    torch.manual_seed(5)
    assert not torch.equal(default, sample(probs, deterministic=False))
    seeded = sample(probs, seed=11, position=2)
    rows = torch.arange(11, 11 + 64)
    assert torch.equal(seeded, sample(probs, seed=rows, position=torch.full((64,), 2)))
    assert torch.equal(seeded[9:10], sample(probs[:1], seed=20, position=2))  # whatever else is in the batch
    assert not torch.equal(seeded, sample(probs, seed=11, position=3))


def test_from_logits_draws_what_the_sampler_draws() -> None:
    logits = torch.randn(5, 300, generator=torch.Generator().manual_seed(0)) * 2
    for order in ("top_k_first", "joint"):
        params = [SamplingParams(top_k=20, top_p=0.7, filter_order=order, seed=3 + row) for row in range(5)]  # type: ignore[arg-type]
        batch = SamplingBatch.from_params(params, 300)
        batch.positions = torch.full((5,), 6)
        drawn = top_k_top_p_sampling_from_logits(logits, 20, 0.7, filter_apply_order=order, seed=3, position=6)  # type: ignore[arg-type]
        assert torch.equal(drawn, Sampler().sample(logits, batch).token_ids)
        from_probs = top_k_top_p_sampling_from_probs(
            logits.softmax(dim=1),
            20,
            0.7,
            filter_apply_order=order,
            seed=3,
            position=6,  # type: ignore[arg-type]
        )
        assert torch.equal(drawn, from_probs)


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        (lambda probs: top_p_sampling_from_probs(probs, 0.6, seed=1), [2, 1, 0, 0]),
        (lambda probs: min_p_sampling_from_probs(probs, 0.2, seed=2), [4, 2, 1, 1]),
        (lambda probs: min_p_sampling_from_probs(probs, 0.5, seed=2), [2, 1, 0, 0]),
        (lambda probs: top_k_top_p_sampling_from_probs(probs, 2, 0.7, seed=3), [2, 1, 0, 0]),
        (lambda probs: top_k_top_p_sampling_from_probs(probs, 2, 0.6, seed=3), [1, 0, 0, 0]),
        (
            lambda probs: top_k_top_p_sampling_from_probs(probs, 2, 0.6, seed=3, filter_apply_order="joint"),
            [2, 1, 0, 0],
        ),
        (lambda probs: top_k_top_p_sampling_from_logits(probs.log(), 2, 0.7, seed=4), [2, 1, 0, 0]),
    ],
)
def test_draws_follow_the_distribution(sample: Callable[[torch.Tensor], torch.Tensor], expected: list[float]) -> None:
    probs = PROBS[:1].repeat(100_000, 1)
    counts = np.bincount(sample(probs).numpy(), minlength=4)
    means = 100_000 * np.array(expected) / sum(expected)
    assert not counts[means == 0].any()
    square, freedom = ((counts - means)[means > 0] ** 2 / means[means > 0]).sum(), (means > 0).sum() - 1
    assert freedom == 0 or (square - freedom) / math.sqrt(2 * freedom) < 5


def test_rows_without_any_probability() -> None:
    probs = torch.tensor([[0.0, 0.0], [NAN, -1.0], [0.0, INF]])
    for sample in SAMPLERS[:3]:
        assert sample(probs).tolist() == [NO_TOKEN_ID, NO_TOKEN_ID, 1]
    assert top_p_renorm_probs(probs, 0.5).tolist() == [[0, 0], [0, 0], [0, 1]]
    assert top_k_renorm_probs(probs, 1).tolist() == [[0, 0], [0, 0], [0, 1]]
    assert top_k_top_p_sampling_from_logits(torch.full((1, 3), -INF), 2, 0.5).tolist() == [NO_TOKEN_ID]


@pytest.mark.parametrize("sample", SAMPLERS)
def test_check_nan(sample: Callable[..., torch.Tensor]) -> None:
    probs = torch.tensor([[0.5, 0.5], [0.5, NAN]])
    with pytest.raises(InvalidInputError, match="NaN, first in row 1, column 1"):
        sample(probs, check_nan=True)
    assert sample(probs).tolist()[1] == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: top_k_renorm_probs(PROBS[0], 2), r"probs must be \(B, V\)"),
        (lambda: top_k_mask_logits(PROBS.long(), 2), r"logits must be \(B, V\)"),
        (lambda: top_k_renorm_probs(PROBS, 2.5), "top_k must be an integer"),  # type: ignore[arg-type]
        (lambda: top_k_renorm_probs(PROBS, torch.tensor([2.0, 1.0])), "top_k must be"),
        (lambda: top_k_renorm_probs(PROBS, torch.tensor([2])), "top_k must be"),
        (lambda: top_p_renorm_probs(PROBS, 1.1), "top_p must be in"),
        (lambda: top_p_renorm_probs(PROBS, NAN), "top_p must be in"),
        (lambda: top_p_renorm_probs(PROBS, torch.tensor([[0.5], [0.5]])), "top_p must be"),
        (lambda: min_p_sampling_from_probs(PROBS, -0.1), "min_p must be in"),
        (lambda: top_p_sampling_from_probs(PROBS, 0.5, seed=-1), "seed must be"),
        (lambda: top_p_sampling_from_probs(PROBS, 0.5, seed=1, position=2**32), "position must be"),
        (lambda: top_p_sampling_from_probs(PROBS, 0.5, seed=1, generator=torch.Generator()), "exclude each other"),
        (
            lambda: top_k_top_p_sampling_from_probs(PROBS, 1, 0.5, filter_apply_order="both"),  # type: ignore[arg-type]
            "filter_apply_order",
        ),
    ],
)
def test_refuses_what_does_not_fit(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        call()


@pytest.mark.parametrize("from_logits", [False, True])
def test_several_draws_from_one_row(from_logits: bool) -> None:  # A5.5, `indices`
    """Each draw is the one from a copy of its row, with that row's parameters and its own random stream."""
    indices = torch.tensor([1, 0, 1, 1], dtype=torch.int32)
    top_ks, top_ps = torch.tensor([1, 4]), torch.tensor([1.0, 0.95])
    draw = top_k_top_p_sampling_from_logits if from_logits else top_k_top_p_sampling_from_probs
    rows = PROBS.log() if from_logits else PROBS
    seen = set()
    for seed in range(20):
        tokens = draw(rows, top_ks, top_ps, seed=seed, indices=indices)
        copies = draw(rows[indices], top_ks[indices], top_ps[indices], seed=seed)
        assert tokens.dtype == torch.int32
        assert tokens.tolist() == copies.tolist()
        assert tokens[1] == 0
        seen.add(tuple(tokens[[0, 2, 3]].tolist()))
    assert any(len(set(draws)) > 1 for draws in seen)
    assert top_p_sampling_from_probs(PROBS, 0.4, indices=indices).shape == (4,)
    assert min_p_sampling_from_probs(PROBS, 0.9, indices=indices[:1]).tolist() == [3]


@pytest.mark.parametrize("indices", [torch.tensor([2]), torch.tensor([-1]), torch.tensor([[0]]), torch.tensor([0.0])])
def test_indices_that_are_no_rows_are_refused(indices: torch.Tensor) -> None:
    with pytest.raises(InvalidInputError, match="indices must be"):
        top_p_sampling_from_probs(PROBS, 0.9, indices=indices)


def test_options_by_position() -> None:  # A5.5, in FlashInfer's order
    indices, seed, position = torch.tensor([1, 0, 1]), 5, 2
    options = {"seed": seed, "position": position, "indices": indices}
    plain = (indices, True, None, False, seed, position)
    ordered = (indices, "joint", True, None, False, seed, position)
    assert torch.equal(top_p_sampling_from_probs(PROBS, 0.9, *plain), top_p_sampling_from_probs(PROBS, 0.9, **options))
    assert torch.equal(min_p_sampling_from_probs(PROBS, 0.1, *plain), min_p_sampling_from_probs(PROBS, 0.1, **options))
    for draw, rows in ((top_k_top_p_sampling_from_probs, PROBS), (top_k_top_p_sampling_from_logits, PROBS.log())):
        by_name = draw(rows, 3, 0.9, filter_apply_order="joint", **options)
        assert torch.equal(draw(rows, 3, 0.9, *ordered), by_name)


def test_flashinfers_older_names() -> None:  # A5.5
    assert top_k_renorm_prob is top_k_renorm_probs
    assert top_p_renorm_prob is top_p_renorm_probs
