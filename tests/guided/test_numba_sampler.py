"""The Numba backend draws what the reference draws, whatever the logits, masks, parameters and threads."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guided.grammars.bitset import pack_token_ids
from guided.grammars.errors import InvalidInputError, VocabularyMismatchError
from guided.params.sampling_params import SamplingParams
from guided.sampler import NO_TOKEN_ID, Sampler, SamplingBatch, registry
from guided.sampler.numba_backend import NumbaSampler, choose_tokens
from guided.sampler.reference import ReferenceSampler
from tests.examples import examples

from . import plain_sampler

ROOT = Path(__file__).parents[2]
NAN, INF = math.nan, math.inf

PARAMS = st.builds(
    SamplingParams,
    temperature=st.sampled_from([0.0, 1e-5, 0.3, 0.7, 1.0, 1.7, 60.0, 1e30]),
    top_k=st.sampled_from([-1, 0, 1, 2, 3, 8, 40, 300, 1100]),
    top_p=st.sampled_from([0.0, 1e-9, 0.1, 0.5, 0.8, 0.9, 0.99, 1.0, 1.0]) | st.floats(0.0, 1.0, width=32),
    min_p=st.sampled_from([0.0, 0.0, 0.0, 0.01, 0.2, 1.0]) | st.floats(0.0, 1.0, width=32),
    filter_order=st.sampled_from(["top_k_first", "joint"]),
    seed=st.integers(0, 2**63 - 1),
)
WIDTHS = st.sampled_from([1, 2, 31, 32, 33, 64, 77, 255, 256, 257, 600, 1500])


def random_logits(rng: np.random.Generator, num_rows: int, width: int, kind: str) -> torch.Tensor:
    """(num_rows, width) float64 of a kind: how flat, how many ties, what is not a number."""
    logits = rng.normal(size=(num_rows, width)) * rng.choice([0.0, 0.1, 2.0, 30.0])
    if kind == "ties":
        logits = logits.round()
    elif kind == "sorted":
        logits.sort(axis=1)
    elif kind == "falling":
        logits = -np.sort(logits, axis=1)
    elif kind == "special":
        logits = rng.choice([NAN, INF, -INF, 0.0, -0.0, 3.0, -1e38, 3.4028234e38, -3.4028234e38], (num_rows, width))
    elif kind == "some special":
        for value, share in ((NAN, 0.1), (INF, 0.02), (-INF, 0.3)):
            logits[rng.random(logits.shape) < share] = value
    elif kind == "few":
        logits[rng.random(logits.shape) < 0.95] = -INF
    return torch.from_numpy(np.ascontiguousarray(logits))


def random_bitmask(rng: np.random.Generator, num_rows: int, num_words: int, share: float) -> Any:
    bits = rng.random((num_rows, num_words * 32)) < share
    return np.packbits(bits, axis=1, bitorder="little").view(np.int32)


def assert_same(logits: torch.Tensor, batch: SamplingBatch, bitmask: Any) -> None:
    """Both backends choose the same and leave the logits alone."""
    before = logits.clone()
    ours, theirs = (backend.choose(logits, batch, bitmask) for backend in (NumbaSampler(), ReferenceSampler()))
    assert ours.token_ids.dtype == torch.int32
    assert ours.token_ids.tolist() == theirs.token_ids.tolist()
    assert ours.no_allowed.tolist() == theirs.no_allowed.tolist()
    assert torch.equal(before.view(torch.uint8), logits.view(torch.uint8))


@settings(max_examples=examples(120), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    params=st.lists(PARAMS, min_size=1, max_size=6),
    width=WIDTHS,
    kind=st.sampled_from(["plain", "ties", "sorted", "falling", "special", "some special", "few"]),
    dtype=st.sampled_from([torch.float32, torch.float64]),
    share=st.sampled_from([None, None, 0.0, 0.02, 0.1, 0.5, 0.98, 1.0]),
    is_padded=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_same_tokens_as_the_reference(  # A5.5, A5.6
    params: list[SamplingParams],
    width: int,
    kind: str,
    dtype: torch.dtype,
    share: float | None,
    is_padded: bool,
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    logits = random_logits(rng, len(params), width, kind).to(dtype)
    batch = SamplingBatch.from_params(params, width)
    batch.positions = torch.from_numpy(rng.integers(0, 2**32, len(params)))
    bitmask = None
    if share is not None:
        num_words = (width + 31) // 32
        bitmask = random_bitmask(rng, len(params), max(1, num_words - is_padded), share)
    assert_same(logits, batch, bitmask)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_every_float_type_through_the_sampler(dtype: torch.dtype) -> None:
    logits = torch.randn(4, 130, generator=torch.Generator().manual_seed(0)).mul(3).to(dtype)
    params = [SamplingParams(temperature=0.8, top_k=k, top_p=0.9, seed=k) for k in (0, 2, 9, 100)]
    batch = SamplingBatch.from_params(params, 130)
    tokens = [Sampler(name).sample(logits, batch).token_ids.tolist() for name in ("numba", "reference", "auto")]
    assert tokens[0] == tokens[1] == tokens[2]
    assert Sampler("auto").backend_for(torch.device("cpu")).__class__ is NumbaSampler


def test_auto_takes_it_where_numba_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.importlib.util, "find_spec", lambda name: None)
    assert registry.fastest_backend_name(torch.device("cpu")) == "numba"


WIDE: tuple[dict[str, Any], ...] = (
    {},
    {"temperature": 0.0},
    {"temperature": 0.7, "top_k": 50, "top_p": 0.9, "min_p": 0.05},
    {"top_k": 50, "top_p": 0.9, "filter_order": "joint"},
    {"top_p": 0.9},
    {"top_p": 0.999, "temperature": 3.0},
    {"min_p": 0.01},
    {"top_k": 20_000},
    {"top_k": 30_000, "top_p": 0.5},
)


@pytest.mark.parametrize("spread", [0.0, 1.0, 8.0])
def test_a_wide_vocabulary(spread: float) -> None:
    rng = np.random.default_rng(4)
    logits = torch.from_numpy(rng.normal(size=(len(WIDE), 40_009)) * spread).float()
    params = [SamplingParams(seed=row, **fields) for row, fields in enumerate(WIDE)]
    batch = SamplingBatch.from_params(params, 40_009)
    for position, share in ((0, None), (1, 0.97), (2, 0.001)):
        batch.positions = torch.full((len(WIDE),), position)
        bitmask = None if share is None else random_bitmask(rng, len(WIDE), 1251, share)
        assert_same(logits, batch, bitmask)


@pytest.mark.parametrize("params", [SamplingParams(top_p=0.9, seed=1), SamplingParams(temperature=0.0)])
def test_masks_and_logits_of_other_layouts(params: SamplingParams) -> None:
    logits = torch.randn(70, 6, generator=torch.Generator().manual_seed(1)).T
    bitmask = random_bitmask(np.random.default_rng(0), 6, 3, 0.4)
    batch = SamplingBatch.from_params([params] * 6, 70)
    expected = ReferenceSampler().choose(logits, batch, bitmask).token_ids.tolist()
    for mask in (bitmask, np.asfortranarray(bitmask), torch.from_numpy(bitmask), torch.from_numpy(bitmask.T).T):
        assert NumbaSampler().choose(logits, batch, mask).token_ids.tolist() == expected


def test_a_row_without_a_token_is_marked() -> None:
    logits = torch.tensor([[0.0, 1.0, 2.0], [-INF, 1.0, -INF], [-INF, -INF, -INF]])
    for bitmask in (np.stack([pack_token_ids(ids, 3) for ids in ([], [0, 2], [1])]), None):
        for temperature in (0.0, 1.0):
            batch = SamplingBatch.from_params([SamplingParams(temperature=temperature, top_k=2)] * 3, 3)
            output = NumbaSampler().choose(logits, batch, bitmask)
            expected = [True, True, True] if bitmask is not None else [False, False, True]
            assert output.no_allowed.tolist() == expected
            assert [token == NO_TOKEN_ID for token in output.token_ids.tolist()] == expected


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_penalties_are_those_of_the_reference(dtype: torch.dtype) -> None:  # A5.3, B8
    rng, width = np.random.default_rng(5), 90
    fields: tuple[dict[str, Any], ...] = (
        {},
        {"repetition_penalty": 1.3},
        {"frequency_penalty": 0.5, "presence_penalty": -0.2},
        {"repetition_penalty": 0.7, "frequency_penalty": -1.5, "logit_bias": {3: 2.5}},
    )
    prompts = rng.integers(0, width, (len(fields), 20)).tolist()
    batch = SamplingBatch.from_params([SamplingParams(**row) for row in fields], width, prompt_token_ids=prompts)
    for _ in range(100):
        batch.accept_tokens(torch.from_numpy(rng.integers(0, width, len(fields))))
        logits = random_logits(rng, len(fields), width, "some special").to(dtype)
        ours, theirs = logits.clone(), logits.clone()
        strided = torch.stack([logits, logits], dim=2)[:, :, 0]
        NumbaSampler().adjust(ours, batch)
        NumbaSampler().adjust(strided, batch)
        ReferenceSampler().adjust(theirs, batch)
        assert (
            ours.nan_to_num(nan=9.0).tolist()
            == strided.nan_to_num(nan=9.0).tolist()
            == theirs.nan_to_num(nan=9.0).tolist()
        )


def test_no_rows() -> None:
    assert NumbaSampler().choose(torch.zeros(0, 5), SamplingBatch.from_params([], 5), None).token_ids.shape == (0,)


def test_refuses_what_does_not_fit() -> None:
    batch = SamplingBatch.from_params([SamplingParams()] * 2, 8)
    with pytest.raises(VocabularyMismatchError):
        NumbaSampler().choose(torch.zeros(2, 8), batch, np.zeros((2, 2), dtype=np.int32))
    with pytest.raises(InvalidInputError, match="works on the CPU"):
        NumbaSampler().choose(torch.zeros(2, 8, device="meta"), batch, None)


def test_the_number_of_threads_changes_nothing() -> None:
    rng = np.random.default_rng(8)
    logits = torch.from_numpy(rng.normal(size=(40, 60_000))).float()
    params = [SamplingParams(seed=row, **WIDE[row % len(WIDE)]) for row in range(40)]
    batch, before = SamplingBatch.from_params(params, 60_000), torch.get_num_threads()
    try:
        tokens = []
        for num_threads in (1, 2, 5):
            torch.set_num_threads(num_threads)
            tokens.append(NumbaSampler().choose(logits, batch, None).token_ids.tolist())
        with ThreadPoolExecutor(3) as pool:  # several engines at once
            calls = [pool.submit(NumbaSampler().choose, logits, batch, None) for _ in range(6)]
            tokens += [call.result().token_ids.tolist() for call in calls]
    finally:
        torch.set_num_threads(before)
    assert all(row == tokens[0] for row in tokens)


def choose_many(logits: torch.Tensor, bitmask: Any, first_position: int, **fields: Any) -> Any:
    """A token for each row, all of one seed, at consecutive positions; without the Python of a batch."""
    rows = np.arange(len(logits))
    return choose_tokens(
        logits,
        bitmask,
        np.full(rows.size, fields.get("temperature", 1.0), np.float32),
        np.full(rows.size, fields.get("top_k", logits.shape[1]), np.int32),
        np.full(rows.size, fields.get("top_p", 1.0), np.float32),
        np.full(rows.size, fields.get("min_p", 0.0), np.float32),
        np.full(rows.size, 77),
        first_position + rows,
        np.zeros(rows.size, np.bool_),
        np.full(rows.size, fields.get("filter_order") == "joint"),
    ).numpy()


def test_no_masked_token_in_2_million_filtered_draws() -> None:  # B10
    rng, num_rows, width = np.random.default_rng(1), 250_000, 40
    logits = torch.from_numpy(rng.normal(size=(1, width)) * 3).float().repeat(num_rows, 1)
    bits = np.zeros((num_rows, 64), np.bool_)
    bits[:, :width] = rng.random((num_rows, width)) < 0.5
    bits[np.arange(num_rows), rng.integers(0, width, num_rows)] = True
    bitmask = np.packbits(bits, axis=1, bitorder="little").view(np.int32)
    kinds: tuple[dict[str, Any], ...] = ({}, {"top_p": 0.9}, {"top_k": 5, "top_p": 0.9}, {"min_p": 0.01})
    for start in range(8):
        token_ids = choose_many(logits, bitmask, start * num_rows, **kinds[start % len(kinds)])
        assert bits[np.arange(num_rows), token_ids].all()


def test_compiled_and_plain_kernels_agree() -> None:
    environment = {**os.environ, "GUIDED_KERNELS": "plain", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-W", "error", "-m", "tests.guided.plain_sampler"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    plain, compiled = json.loads(done.stdout), plain_sampler.results()
    assert len(plain) > 30
    assert plain == compiled
