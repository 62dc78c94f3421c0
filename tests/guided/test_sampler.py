"""`Sampler` end to end: greedy, draws, masks, independence of the batch, rows without a token, the registry."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from guided.grammars.bitset import allowed_token_ids, pack_token_ids
from guided.grammars.errors import InvalidInputError, UnknownBackendError, VocabularyMismatchError
from guided.params.sampling_params import SamplingParams
from guided.sampler import (
    NO_TOKEN_ID,
    Sampler,
    SamplerBackend,
    SamplerOutput,
    SamplingBatch,
    load_sampler_backend,
    register_sampler_backend,
    registry,
    sampler_backend_names,
    top_k_renorm_probs,
    top_p_renorm_probs,
)

from .sampler_backends import BACKENDS, device_of

NAN, INF = math.nan, math.inf


@pytest.fixture(autouse=True, params=BACKENDS)
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every test runs with every backend."""
    if device_of(request.param) != "cpu":
        pytest.skip("these tensors are on the CPU")
    monkeypatch.setattr(Sampler.__init__, "__defaults__", (request.param,))
    return str(request.param)


def sample(logits: torch.Tensor, params: list[SamplingParams], position: int = 0, bitmask=None) -> SamplerOutput:
    batch = SamplingBatch.from_params(params, logits.shape[1])
    batch.positions = torch.full((len(params),), position)
    return Sampler().sample(logits, batch, bitmask)


def draw_many(logits: list[float], num_draws: int, bitmask_row=None, **fields: object) -> list[int]:
    """How often each token is drawn over that many positions of one seed."""
    params = SamplingParams(seed=1234, **fields)  # type: ignore[arg-type]
    batch = SamplingBatch.from_params([params] * num_draws, len(logits))
    rows = torch.tensor(logits).expand(num_draws, -1)
    bitmask = None if bitmask_row is None else np.tile(bitmask_row, (num_draws, 1))
    batch.positions = torch.arange(num_draws)
    token_ids = Sampler().sample(rows, batch, bitmask).token_ids
    return torch.bincount(token_ids, minlength=len(logits)).tolist()


def chi_square(counts: list[int], probabilities: list[float]) -> float:
    """In standard deviations above its mean. Tokens of probability 0 must not occur."""
    total = sum(counts)
    assert all(count == 0 for count, p in zip(counts, probabilities, strict=True) if p == 0)
    cells = [(count - total * p) ** 2 / (total * p) for count, p in zip(counts, probabilities, strict=True) if p > 0]
    freedom = len(cells) - 1
    return (sum(cells) - freedom) / math.sqrt(2 * freedom)


@pytest.mark.parametrize(
    ("probabilities", "fields", "expected"),
    [
        ([0.4, 0.3, 0.2, 0.1], {}, [0.4, 0.3, 0.2, 0.1]),
        ([0.4, 0.3, 0.2, 0.1], {"top_k": 2}, [4 / 7, 3 / 7, 0, 0]),
        ([0.4, 0.3, 0.2, 0.1], {"top_p": 0.85}, [4 / 9, 3 / 9, 2 / 9, 0]),
        ([0.4, 0.3, 0.2, 0.1], {"min_p": 0.5}, [4 / 9, 3 / 9, 2 / 9, 0]),
        ([0.4, 0.3, 0.2, 0.1], {"temperature": 0.5}, [16 / 30, 9 / 30, 4 / 30, 1 / 30]),
        ([0.999, 0.001], {}, [0.999, 0.001]),
        ([1 / 64] * 64, {}, [1 / 64] * 64),
    ],
)
def test_draws_follow_the_distribution(
    probabilities: list[float], fields: dict[str, float], expected: list[float]
) -> None:
    counts = draw_many([math.log(p) for p in probabilities], 40_000, **fields)
    assert chi_square(counts, expected) < 5


def test_steps_compose_in_one_call() -> None:  # A4.4
    """Temperature, top-k, top-p and min-p of one call are the single steps, one after the other."""
    probabilities = [0.4, 0.3, 0.15, 0.1, 0.05]
    warmed = torch.tensor(probabilities).pow(1 / 0.8)
    kept = top_p_renorm_probs(top_k_renorm_probs((warmed / warmed.sum()).unsqueeze(0), 4), 0.9)[0]
    expected = torch.where(kept >= 0.3 * kept.max(), kept, 0.0)
    counts = draw_many([math.log(p) for p in probabilities], 20_000, temperature=0.8, top_k=4, top_p=0.9, min_p=0.3)
    assert chi_square(counts, (expected / expected.sum()).tolist()) < 4


def test_a_mask_renormalises_what_it_allows() -> None:
    counts = draw_many([math.log(p) for p in (0.4, 0.3, 0.2, 0.1)], 40_000, pack_token_ids([1, 3], 4))
    assert chi_square(counts, [0, 0.75, 0, 0.25]) < 5


def test_filters_look_at_the_masked_distribution() -> None:
    row = torch.tensor([[0.4, 0.3, 0.2, 0.1]]).log()
    bitmask = pack_token_ids([2, 3], 4)[None]
    for seed in range(30):
        for fields in ({"top_k": 1}, {"top_p": 0.6}, {"min_p": 0.9}):
            assert sample(row, [SamplingParams(seed=seed, **fields)], 0, bitmask).token_ids.tolist() == [2]  # type: ignore[arg-type]


def test_greedy_is_the_argmax_after_the_mask() -> None:  # A2.1, A3.1, B3
    logits = torch.tensor([[1.0, 3.0, 2.0, 3.0], [1.0, 3.0, 2.0, 3.0], [5.0, -1.0, -2.0, 0.0]])
    bitmask = np.stack([pack_token_ids(ids, 4) for ids in ([0, 1, 2, 3], [0, 2], [1, 2])])
    greedy = SamplingParams(temperature=0, top_k=1, top_p=0.1, min_p=1.0)
    output = sample(logits, [greedy] * 3, 0, bitmask)
    assert output.token_ids.tolist() == [1, 2, 1]
    assert output.token_ids.dtype == torch.int32
    assert not output.no_allowed.any()


def test_greedy_tells_float64_logits_apart() -> None:
    logits = torch.tensor([[1.0, 1.0 + 1e-12]], dtype=torch.float64)
    assert sample(logits, [SamplingParams(temperature=0)]).token_ids.tolist() == [1]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_widened_first(dtype: torch.dtype) -> None:
    logits = torch.randn(4, 50, generator=torch.Generator().manual_seed(0)).to(dtype)
    params = [SamplingParams(temperature=0.8, top_k=9, top_p=0.9, seed=seed) for seed in range(4)]
    assert torch.equal(sample(logits, params).token_ids, sample(logits.float(), params).token_ids)


def test_greedy_and_drawn_rows_share_a_batch() -> None:
    logits = torch.randn(1, 30, generator=torch.Generator().manual_seed(3)).repeat(2, 1)
    drawn = [sample(logits, [SamplingParams(temperature=0), SamplingParams(seed=9)], i).token_ids for i in range(30)]
    assert {int(tokens[0]) for tokens in drawn} == {int(logits[0].argmax())}
    assert len({int(tokens[1]) for tokens in drawn}) > 5


def random_params(rng: np.random.Generator, seed: int) -> SamplingParams:
    return SamplingParams(
        temperature=float(rng.choice([0.0, 0.3, 1.0, 1.7])),
        top_k=int(rng.choice([-1, 1, 5, 40])),
        top_p=float(rng.choice([1.0, 0.95, 0.5])),
        min_p=float(rng.choice([0.0, 0.0, 0.1])),
        filter_order=str(rng.choice(["top_k_first", "joint"])),  # type: ignore[arg-type]
        seed=seed,
    )


def test_tokens_do_not_depend_on_the_rest_of_the_batch() -> None:  # A5.6
    rng, vocab_size, num_rows = np.random.default_rng(0), 1003, 24
    params = [random_params(rng, seed) for seed in range(num_rows)]
    logits = torch.randn(num_rows, vocab_size, generator=torch.Generator().manual_seed(5)) * 2
    bitmask = np.stack([pack_token_ids(np.flatnonzero(rng.random(vocab_size) < 0.3), vocab_size) for _ in params])
    positions = torch.from_numpy(rng.integers(0, 5000, num_rows))
    batch, sampler = SamplingBatch.from_params(params, vocab_size), Sampler()
    batch.positions = positions
    together = sampler.sample(logits, batch, bitmask).token_ids
    for _ in range(10):
        rows = rng.permutation(num_rows)[: rng.integers(1, num_rows)].tolist()
        part = sampler.sample(logits[rows], batch.select(rows), bitmask[rows])
        assert torch.equal(part.token_ids, together[rows])


def test_same_seed_same_tokens_and_other_seeds_others() -> None:  # A1.3
    logits = torch.zeros(1, 1000)
    runs = [[int(sample(logits, [SamplingParams(seed=seed)], i).token_ids) for i in range(20)] for seed in (5, 5, 6)]
    assert runs[0] == runs[1]
    assert len(set(runs[0])) > 15
    assert runs[0] != runs[2]


def test_unseeded_requests_differ() -> None:
    output = sample(torch.zeros(20, 1000), [SamplingParams()] * 20)
    assert len(set(output.token_ids.tolist())) > 10


def test_nan_is_harmless_and_cannot_lift_a_ban() -> None:  # B10
    logits = torch.tensor([[NAN, -9.0, NAN, -8.0], [NAN, 9.0, NAN, 9.0], [NAN, INF, 0.0, -INF]])
    bitmask = np.stack([pack_token_ids(ids, 4) for ids in ([0, 1, 3], [0, 2], [0, 1, 2])])
    for fields in ({"temperature": 0}, {"seed": 1}, {"seed": 2, "top_p": 0.9, "top_k": 3, "min_p": 0.01}):
        params = [SamplingParams(**fields)] * 3  # type: ignore[arg-type]
        output = sample(logits, params, 0, bitmask)
        first, second, third = output.token_ids.tolist()
        assert first in (1, 3)
        assert second in (0, 2)  # only NaN is allowed there: still a token of the grammar
        assert third == 1
        assert not output.no_allowed.any()


def test_a_row_without_an_allowed_token_is_marked_and_the_others_go_on() -> None:  # B10
    logits = torch.tensor([[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [-INF, 1.0, -INF], [-INF, 1.0, 2.0]])
    bitmask = np.stack([pack_token_ids(ids, 3) for ids in ([1], [], [0, 2], [0, 2])])
    for temperature in (0.0, 1.0):
        output = sample(logits, [SamplingParams(temperature=temperature, top_p=0.9, top_k=2)] * 4, 0, bitmask)
        assert output.no_allowed.tolist() == [False, True, True, False]
        assert output.token_ids.tolist() == [1, NO_TOKEN_ID, NO_TOKEN_ID, 2]


def test_only_allowed_tokens_over_many_random_steps() -> None:
    rng, vocab_size = np.random.default_rng(2), 77
    for step in range(200):
        params = [random_params(rng, seed) for seed in range(5)]
        bitmask = np.stack([pack_token_ids(rng.integers(0, 70, size=3), 70) for _ in params])
        logits = torch.from_numpy(rng.normal(size=(5, vocab_size)) * 30).float()
        tokens = sample(logits, params, step, bitmask).token_ids.tolist()
        assert all(token in allowed_token_ids(bitmask[row], 70) for row, token in enumerate(tokens))


def test_nothing_is_changed_and_an_empty_batch_is_fine() -> None:
    logits = torch.tensor([[NAN, 1.0, INF]])
    before = logits.clone()
    sample(logits, [SamplingParams(top_k=1)], 0, pack_token_ids([1], 3)[None])
    assert torch.equal(logits.nan_to_num(), before.nan_to_num())
    assert sample(torch.zeros(0, 3), []).token_ids.shape == (0,)


def test_refuses_what_does_not_fit() -> None:
    batch, sampler = SamplingBatch.from_params([SamplingParams()] * 2, 8), Sampler()
    for logits in (torch.zeros(2, 9), torch.zeros(3, 8), torch.zeros(8), torch.zeros(2, 8, dtype=torch.int32)):
        with pytest.raises(InvalidInputError, match="logits must be"):
            sampler.sample(logits, batch)
    for wrong in (torch.zeros(2), torch.zeros(3).long(), torch.zeros(2, 1).long()):
        with pytest.raises(InvalidInputError, match="positions must be"):
            batch.positions = wrong
    with pytest.raises(InvalidInputError, match="one device"):
        sampler.sample(torch.zeros(2, 8, device="meta"), batch)
    with pytest.raises(VocabularyMismatchError):
        sampler.sample(torch.zeros(2, 8), batch, np.zeros((2, 2), dtype=np.int32))


class FirstToken(SamplerBackend):
    def choose(self, logits, batch, bitmask) -> SamplerOutput:
        return SamplerOutput(torch.zeros(len(batch), dtype=torch.int32))


def test_registry(monkeypatch: pytest.MonkeyPatch) -> None:  # A5.5
    monkeypatch.setattr(registry, "_LOADERS", dict(registry._LOADERS))
    register_sampler_backend("first", FirstToken)
    assert {"first", "reference"} <= set(sampler_backend_names())
    assert isinstance(load_sampler_backend("first"), FirstToken)
    batch = SamplingBatch.from_params([SamplingParams()], 4)
    assert Sampler("first").sample(torch.zeros(1, 4), batch).token_ids.tolist() == [0]
    with pytest.raises(InvalidInputError, match="already registered"):
        register_sampler_backend("first", FirstToken)
    with pytest.raises(UnknownBackendError, match="unknown sampler backend 'fast'; known: auto, first, "):
        Sampler("fast")
