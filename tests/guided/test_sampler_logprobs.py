"""Log-probabilities: chosen, most probable, given; raw and processed; what a mask took away; scale and softcap."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from transformers import TemperatureLogitsWarper, TopKLogitsWarper

from guided.grammars.bitset import pack_token_ids
from guided.grammars.errors import InvalidInputError
from guided.params.sampling_params import SamplingParams
from guided.sampler import (
    LogprobsOutput,
    Sampler,
    SamplerBackend,
    SamplerOutput,
    SamplingBatch,
    compute_logprobs_only,
    masked_mass,
    register_sampler_backend,
    registry,
    scale_model_logits,
    softcap_logits,
)

INF, NAN = math.inf, math.nan


def sample(logits: torch.Tensor, params: list[SamplingParams], bitmask=None) -> tuple[SamplerOutput, LogprobsOutput]:
    batch = SamplingBatch.from_params(params, logits.shape[1])
    output = Sampler("reference").sample(logits, batch, bitmask)
    assert output.logprobs is not None
    return output, output.logprobs


def random_logits(rows: int, columns: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed)) * 3


def test_raw_is_the_model_s_own_distribution() -> None:  # B13, A5.9
    logits = random_logits(3, 40)
    changed = SamplingParams(
        temperature=0.3, top_k=2, logit_bias={7: 50.0}, logprobs=5, logprob_token_ids=[3, 39, 7], seed=1
    )
    output, logprobs = sample(logits, [changed, replace(changed, logprobs=0), replace(changed, temperature=0)])
    expected = logits.log_softmax(dim=1)
    chosen = output.token_ids.long()
    assert chosen.tolist() == [7, 7, 7]
    torch.testing.assert_close(logprobs.chosen, expected.gather(1, chosen[:, None])[:, 0])
    torch.testing.assert_close(logprobs.top_logprobs, expected.topk(5).values)
    assert torch.equal(logprobs.top_ids.long(), expected.topk(5).indices)
    torch.testing.assert_close(logprobs.given_logprobs[:, :3], expected[:, [3, 39, 7]])
    assert logprobs.given_ids[0, :3].tolist() == [3, 39, 7]
    ranks = [int((row > row[token]).sum()) + 1 for row, token in zip(logits, chosen, strict=True)]
    assert logprobs.ranks.tolist() == ranks
    assert (logprobs.chosen.dtype, logprobs.top_ids.dtype) == (torch.float32, torch.int32)
    assert logprobs.masked_mass.tolist() == [0.0] * 3


def test_processed_is_what_is_drawn_from() -> None:  # B13
    logits = random_logits(2, 30)
    params = SamplingParams(temperature=0.7, top_k=4, seed=3, logprobs=6, logprobs_mode="processed")
    output, logprobs = sample(logits, [params, replace(params, temperature=0)])
    warped = TopKLogitsWarper(4)(None, TemperatureLogitsWarper(0.7)(None, logits))  # type: ignore[arg-type]
    expected = torch.stack([warped[0].log_softmax(dim=0), logits[1].log_softmax(dim=0)])  # greedy: no filters
    torch.testing.assert_close(logprobs.top_logprobs, expected.topk(6).values, atol=1e-6, rtol=1e-6)
    assert (logprobs.top_logprobs[0, 4:] == -INF).all()
    chosen = expected.gather(1, output.token_ids.long()[:, None])[:, 0]
    torch.testing.assert_close(logprobs.chosen, chosen, atol=1e-6, rtol=1e-6)


def test_processed_includes_penalties_bias_and_mask() -> None:  # B13
    logits = torch.tensor([[1.0, 2.0, 3.0, 4.0]] * 2)
    params = SamplingParams(frequency_penalty=1.0, logit_bias={0: 2.0}, seed=1, logprobs=4)
    batch = SamplingBatch.from_params([replace(params, logprobs_mode="processed"), params], 4)
    batch.accept_tokens(torch.tensor([1, 1]))
    logprobs = Sampler("reference").sample(logits, batch, np.tile(pack_token_ids([0, 1, 2], 4), (2, 1))).logprobs
    assert logprobs is not None
    weights = np.exp([3.0, 1.0, 3.0])
    expected = np.log(sorted(weights / weights.sum(), reverse=True))
    assert logprobs.top_logprobs[0, :3].tolist() == pytest.approx(expected, abs=1e-6)
    assert logprobs.top_logprobs[0, 3] == -INF
    assert logprobs.top_logprobs[1].tolist() == pytest.approx(logits[1].log_softmax(0).flip(0).tolist(), abs=1e-6)
    assert logprobs.masked_mass.tolist() == pytest.approx([float(logits[0].softmax(0)[3])] * 2, abs=1e-6)


def test_both_is_raw_with_the_processed_one_beside_it() -> None:  # B13
    logits = random_logits(3, 30)
    raw = SamplingParams(temperature=0.7, top_k=4, seed=3, logprobs=2)
    modes = [raw, replace(raw, logprobs_mode="both"), replace(raw, logprobs_mode="processed")]
    tokens, together = sample(logits[:1].expand(3, -1), modes)
    assert len(set(tokens.token_ids.tolist())) == 1
    assert together.chosen[0] == together.chosen[1] != together.chosen[2]
    assert torch.equal(together.top_logprobs[0], together.top_logprobs[1])
    assert together.processed.isnan().tolist() == [True, False, False]
    assert together.processed[1] == together.processed[2] == together.chosen[2]


def test_rows_that_ask_for_nothing_cost_and_get_nothing() -> None:
    logits = random_logits(3, 20)
    asking = SamplingParams(logprobs=2, seed=1)
    _, logprobs = sample(logits, [SamplingParams(seed=0), asking, replace(asking, logprobs_mode="processed")])
    assert logprobs.chosen.isnan().tolist() == [True, False, False]
    assert logprobs.top_logprobs.isnan()[0].all()
    assert logprobs.top_ids.shape == (3, 2)
    batch = SamplingBatch.from_params([SamplingParams(), SamplingParams(temperature=0)], 20)
    assert Sampler("reference").sample(logits[:2], batch).logprobs is None


def test_logprobs_do_not_depend_on_the_batch() -> None:
    logits = random_logits(6, 50)
    params = [SamplingParams(logprobs=k, seed=k, logprobs_mode="raw" if k % 2 else "processed") for k in range(6)]
    together = sample(logits, params)[1]
    for row in range(6):
        alone = sample(logits[row : row + 1], params[row : row + 1])[1]
        assert torch.equal(alone.chosen[0], together.chosen[row])
        assert torch.equal(alone.top_ids[0, :row], together.top_ids[row, :row])
        assert torch.equal(alone.top_logprobs[0, :row], together.top_logprobs[row, :row])


def test_masked_mass_is_what_the_mask_took_away() -> None:  # issue 5, point 7
    logits = torch.tensor([[0.5, 0.25, 0.125, 0.125]], dtype=torch.float64).log().float()
    for allowed, mass in (([0], 0.5), ([1, 2, 3], 0.5), ([0, 1, 2, 3], 0.0), ([3], 0.875), ([], 1.0)):
        assert masked_mass(logits, pack_token_ids(allowed, 4)[None]).item() == pytest.approx(mass, abs=1e-6)
    assert masked_mass(torch.zeros(1, 64), pack_token_ids(list(range(32)), 32)[None]).item() == pytest.approx(0.5)


def test_tiny_masked_mass_is_not_lost_in_one_minus() -> None:
    logits = torch.tensor([[0.0, -30.0]])
    assert masked_mass(logits, pack_token_ids([0], 2)[None]).item() == pytest.approx(math.exp(-30), rel=1e-4)


def test_scoring_without_sampling() -> None:  # A5.9
    logits = random_logits(5, 30, seed=4)
    token_ids = torch.tensor([0, 29, 3, 3, -1])
    scores = compute_logprobs_only(logits, token_ids, num_top=3, given_ids=torch.tensor([[1, -1]] * 5))
    expected = logits.log_softmax(dim=1)
    torch.testing.assert_close(scores.chosen[:4], expected[:4].gather(1, token_ids[:4, None])[:, 0])
    assert scores.chosen[4].isnan()
    torch.testing.assert_close(scores.top_logprobs, expected.topk(3).values)
    torch.testing.assert_close(scores.given_logprobs[:, 0], expected[:, 1])
    assert scores.given_logprobs[:, 1].isnan().all()
    half = compute_logprobs_only(logits.bfloat16(), token_ids)
    torch.testing.assert_close(half.chosen[:4], expected[:4].gather(1, token_ids[:4, None])[:, 0], atol=0.1, rtol=0.1)


def test_nan_counts_as_the_lowest() -> None:  # B10
    scores = compute_logprobs_only(torch.tensor([[NAN, 0.0, 0.0, -INF]]), torch.tensor([1]), num_top=4)
    assert scores.chosen.item() == pytest.approx(math.log(0.5))
    assert sorted(scores.top_ids[0, :2].tolist()) == [1, 2]
    assert scores.top_ids[0, 2:].tolist() == [0, 3]


def test_scoring_refuses_what_does_not_fit() -> None:
    logits = torch.zeros(2, 4)
    with pytest.raises(InvalidInputError, match="logits must be"):
        compute_logprobs_only(torch.zeros(4), torch.tensor([1]))
    with pytest.raises(InvalidInputError, match="token_ids must be"):
        compute_logprobs_only(logits, torch.tensor([1]))
    with pytest.raises(InvalidInputError, match="num_top must be"):
        compute_logprobs_only(logits, torch.tensor([1, 1]), num_top=5)
    with pytest.raises(InvalidInputError, match="given_ids must be"):
        compute_logprobs_only(logits, torch.tensor([1, 1]), given_ids=torch.tensor([[1]]))


def test_more_alternatives_than_tokens_are_all_of_them() -> None:
    logprobs = sample(random_logits(1, 6), [SamplingParams(logprobs=20, seed=0)])[1]
    assert sorted(logprobs.top_ids[0].tolist()) == list(range(6))


# --- scale and softcap ---


def test_softcap_and_scale() -> None:  # A5.4
    logits = torch.tensor([[-100.0, -1.0, 0.0, 1.0, 100.0, -INF]])
    capped = softcap_logits(logits, 30.0)
    expected = [30 * math.tanh(value / 30) for value in logits[0, :5].tolist()]
    assert capped[0, :5].tolist() == pytest.approx(expected, abs=1e-5)
    assert capped[0, 5] == -INF  # a ban stays one
    assert scale_model_logits(logits, 0.25)[0, :5].tolist() == [-25.0, -0.25, 0.0, 0.25, 25.0]


def test_the_sampler_scales_before_it_softcaps_and_both_belong_to_the_model() -> None:  # A5.4
    logits = torch.tensor([[1.0, 2.0, 4.0]])
    batch = SamplingBatch.from_params([SamplingParams(logprobs=3, seed=0)], 3)
    output = Sampler("reference", logit_scale=2.0, softcap=3.0).sample(logits, batch)
    expected = (3 * torch.tanh(logits * 2 / 3)).log_softmax(dim=1)
    assert output.logprobs is not None
    torch.testing.assert_close(output.logprobs.top_logprobs, expected.flip(1))
    assert logits.tolist() == [[1.0, 2.0, 4.0]]
    for options in ({"softcap": 0.0}, {"softcap": INF}, {"logit_scale": -1.0}, {"logit_scale": NAN}):
        with pytest.raises(InvalidInputError, match=next(iter(options))):
            Sampler("reference", **options)


# --- the logits that a backend is given ---


class Overwriter(SamplerBackend):
    def choose(self, logits, batch, bitmask) -> SamplerOutput:
        logits.fill_(0.0)
        return SamplerOutput(torch.zeros(len(batch), dtype=torch.int32))


@pytest.mark.parametrize("fields", [{}, {"logit_bias": {0: 5.0}}, {"min_new_tokens": 3}, {"logprobs": 1}])
def test_the_callers_logits_are_never_changed(fields: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_LOADERS", dict(registry._LOADERS))
    register_sampler_backend("overwriter", Overwriter)
    logits = random_logits(1, 8)
    before = logits.clone()
    for name in ("overwriter", "reference"):
        batch = SamplingBatch.from_params([SamplingParams(**fields)], 8, eos_token_ids=[1])  # type: ignore[arg-type]
        output = Sampler(name).sample(logits, batch)
        assert torch.equal(logits, before)
        if output.logprobs is not None:
            expected = before.log_softmax(dim=1)[0, output.token_ids[0]]
            torch.testing.assert_close(output.logprobs.chosen[0], expected)
