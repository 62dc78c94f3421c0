"""Temperature, top-k, top-p and min-p: exact on integer weights, by hand, and beside transformers' warpers."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import MinPLogitsWarper, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from guided.params.sampling_params import SamplingParams
from guided.sampler import SamplingBatch
from guided.sampler.filters import filter_logits, mask_logits
from tests.examples import examples


def kept(probabilities: list[float], dtype: torch.dtype = torch.float32, **fields: object) -> list[int]:
    """The token ids that survive for a row with these probabilities."""
    logits = torch.tensor([probabilities], dtype=torch.float64).log().to(dtype)
    batch = SamplingBatch.from_params([SamplingParams(**fields)], len(probabilities))  # type: ignore[arg-type]
    return torch.isfinite(filter_logits(mask_logits(logits, None), batch))[0].nonzero().flatten().tolist()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    ("probabilities", "top_p", "expected"),
    [
        ([0.5, 0.3, 0.2], 0.6, [0, 1]),  # B4, as the next one
        ([0.5, 0.25, 0.125, 0.125], 0.5, [0]),
        ([0.5, 0.25, 0.125, 0.125], 0.51, [0, 1]),
        ([0.5, 0.25, 0.125, 0.125], 0.75, [0, 1]),
        ([0.5, 0.25, 0.125, 0.125], 0.875, [0, 1, 2]),  # ties: the lowest token id first
        ([0.125, 0.125, 0.25, 0.5], 0.875, [0, 2, 3]),
        ([0.5, 0.3, 0.2], 0.8, [0, 1]),
        ([0.40, 0.27, 0.13, 0.12, 0.08], 0.80, [0, 1, 2]),  # A3.2, as the next one
        ([0.96, 0.03, 0.01], 0.9, [0]),
        ([0.02, 0.08, 0.9], 0.0, [2]),  # B4: top_p 0 never turns the filter off
        ([0.02, 0.08, 0.9], 1e-9, [2]),
        ([0.5, 0.5], 0.0, [0]),
        ([0.02, 0.08, 0.9], 1.0, [0, 1, 2]),
        ([1 - 2**-23, 2**-23], 1.0, [0, 1]),  # 1 is off, however small the rest
    ],
)
def test_top_p_keeps_the_smallest_set_that_reaches_it(
    dtype: torch.dtype, probabilities: list[float], top_p: float, expected: list[int]
) -> None:
    assert kept(probabilities, dtype, top_p=top_p) == expected


def test_equal_tokens_are_taken_in_the_order_of_their_ids() -> None:
    assert kept([1 / 1000] * 1000, top_p=0.25) == list(range(250))


def test_a_row_without_top_p_keeps_everything_beside_one_with_it() -> None:
    logits = torch.tensor([[0.0, -30.0]] * 2)
    filtered = filter_logits(logits, SamplingBatch.from_params([SamplingParams(), SamplingParams(top_p=0.9)], 2))
    assert torch.isfinite(filtered).tolist() == [[True, True], [True, False]]


@pytest.mark.parametrize(
    ("top_k", "expected"),
    [
        (1, [1]),
        (2, [1, 2, 4]),  # ties with the last one kept are kept
        (3, [1, 2, 4]),
        (4, [0, 1, 2, 3, 4]),
        (5, [0, 1, 2, 3, 4]),
        (99, [0, 1, 2, 3, 4]),
        (2**40, [0, 1, 2, 3, 4]),
        (0, [0, 1, 2, 3, 4]),
        (-1, [0, 1, 2, 3, 4]),
        (None, [0, 1, 2, 3, 4]),
    ],
)
def test_top_k_keeps_ties_and_has_three_ways_to_be_off(top_k: int | None, expected: list[int]) -> None:  # B6, A2.1
    assert kept([0.1, 0.4, 0.2, 0.1, 0.2], top_k=top_k) == expected


@pytest.mark.parametrize(
    ("min_p", "expected"), [(0.0, [0, 1, 2, 3]), (0.25, [0, 1, 2, 3]), (0.3, [0, 1]), (0.5, [0, 1])]
)
def test_min_p_is_relative_to_the_best_token(min_p: float, expected: list[int]) -> None:
    assert kept([0.5, 0.25, 0.125, 0.125], min_p=min_p) == expected


def test_min_p_one_keeps_the_best_tokens() -> None:
    assert kept([0.4, 0.4, 0.2], min_p=1.0) == [0, 1]


def test_top_p_sees_probabilities_renormalised_after_top_k_unless_joint() -> None:  # B7, A5.5
    probabilities = [0.4, 0.3, 0.2, 0.1]
    assert kept(probabilities, top_k=2, top_p=0.5) == [0]  # 0.4 / 0.7 reaches 0.5
    assert kept(probabilities, top_k=2, top_p=0.5, filter_order="joint") == [0, 1]
    assert kept(probabilities, top_k=2, top_p=0.9, filter_order="joint") == [0, 1]


def test_temperature_comes_before_the_filters() -> None:  # A1.2, A3.1
    assert kept([0.5, 0.3, 0.2], top_p=0.5) == [0]
    assert kept([0.5, 0.3, 0.2], top_p=0.5, temperature=4.0) == [0, 1]
    assert kept([0.5, 0.3, 0.2], min_p=0.5, temperature=0.5) == [0]


@pytest.mark.parametrize("temperature", [1e-6, 1e-3, 0.7, 1.0, 5.0, 1e30, 1e300])
def test_temperature_scales_the_logits(temperature: float) -> None:
    logits = torch.tensor([[2.0, 1.0, -1.0, -math.inf]])
    batch = SamplingBatch.from_params([SamplingParams(temperature=temperature)], 4)
    probabilities = filter_logits(logits, batch).double().softmax(dim=1)
    expected = (logits.double() / temperature).softmax(dim=1)
    torch.testing.assert_close(probabilities, expected, atol=1e-6, rtol=0)
    assert probabilities[0, 3] == 0


def exact_keeps(weights: list[int], params: SamplingParams) -> list[int]:
    """What must survive, decided with exact fractions."""
    order = sorted(range(len(weights)), key=lambda column: -weights[column])  # stable: ties by token id
    top_k = params.top_k if params.top_k is not None and 0 < params.top_k < len(weights) else len(weights)
    in_top_k = [column for column in order if weights[column] >= weights[order[top_k - 1]]]
    seen = order if params.filter_order == "joint" else in_top_k
    total, mass, in_top_p = sum(weights[column] for column in seen), 0, []
    for column in seen:
        if not in_top_p or Fraction(mass, total) < Fraction(str(params.top_p)):
            in_top_p.append(column)
            mass += weights[column]
    above = {i for i, w in enumerate(weights) if Fraction(w, max(weights)) >= Fraction(str(params.min_p))}
    return sorted(set(in_top_k) & set(in_top_p) & above)


HUNDREDTHS = st.integers(0, 100).map(lambda value: value / 100)
PARAMS = st.builds(
    SamplingParams,
    top_k=st.none() | st.integers(-1, 12),
    top_p=HUNDREDTHS,
    min_p=HUNDREDTHS,
    filter_order=st.sampled_from(["top_k_first", "joint"]),
)


@settings(max_examples=examples(120), deadline=None)
@given(st.lists(st.lists(st.integers(1, 60), min_size=10, max_size=10), min_size=1, max_size=4), st.data())
def test_integer_weights_are_cut_exactly(rows: list[list[int]], data: st.DataObject) -> None:
    params = [data.draw(PARAMS) for _ in rows]
    logits = torch.tensor(rows, dtype=torch.float64).log().to(torch.float32)
    filtered = filter_logits(logits, SamplingBatch.from_params(params, 10))
    for row, weights in enumerate(rows):
        assert torch.isfinite(filtered[row]).nonzero().flatten().tolist() == exact_keeps(weights, params[row])


@pytest.mark.parametrize("seed", range(20))
def test_same_as_transformers_warpers(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(3, 300, generator=generator) * 3
    temperature, top_p, min_p = (torch.rand(3, generator=generator) * torch.tensor([2.0, 1.0, 0.2])).tolist()
    temperature, top_k = temperature + 0.05, int(torch.randint(1, 300, (1,), generator=generator))
    warpers = [TemperatureLogitsWarper(temperature), TopKLogitsWarper(top_k), TopPLogitsWarper(top_p)]
    warpers.append(MinPLogitsWarper(min_p))
    expected = logits
    for warper in warpers:
        expected = warper(torch.zeros(3, 1, dtype=torch.int64), expected)
    params = SamplingParams(temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p)
    filtered = filter_logits(logits, SamplingBatch.from_params([params] * 3, 300))
    assert torch.equal(torch.isfinite(filtered), torch.isfinite(expected))
    torch.testing.assert_close(filtered.softmax(dim=1), expected.softmax(dim=1), atol=1e-6, rtol=0)


def test_banned_columns_never_come_back() -> None:  # B5
    logits = torch.tensor([[0.0, -math.inf, -1.0, -math.inf]])
    for fields in ({"top_k": 3}, {"top_p": 0.999}, {"min_p": 1e-30}, {"temperature": 1e30}, {"top_k": 4, "top_p": 1.0}):
        filtered = filter_logits(logits, SamplingBatch.from_params([SamplingParams(**fields)], 4))  # type: ignore[arg-type]
        assert torch.isfinite(filtered).tolist() == [[True, False, True, False]], fields


def test_a_row_without_any_token_stays_without() -> None:
    for params in (SamplingParams(top_k=2, top_p=0.5, min_p=0.5), SamplingParams()):
        filtered = filter_logits(torch.full((1, 4), -math.inf), SamplingBatch.from_params([params], 4))
        assert torch.all(filtered == -math.inf)
