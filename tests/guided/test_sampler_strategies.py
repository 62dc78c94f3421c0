"""Strategies as objects, pipelines of them, and one-shot sampling (A4.4), beside the batch's sampler."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from guided.grammars.bitset import pack_token_ids
from guided.grammars.errors import InvalidInputError
from guided.params.sampling_params import SamplingParams
from guided.sampler import (
    NO_TOKEN_ID,
    MinP,
    Pipeline,
    Sampler,
    SamplingBatch,
    Strategy,
    Temperature,
    TopK,
    TopP,
    sample,
)

LOGITS = torch.tensor([[0.5, 0.25, 0.125, 0.125], [0.1, 0.2, 0.3, 0.4]]).log()


def probabilities(strategy: Strategy) -> list[list[float]]:
    before = LOGITS.clone()
    result = strategy.apply(LOGITS).softmax(dim=1)
    assert torch.equal(LOGITS, before)
    return [[round(value, 4) for value in row] for row in result.tolist()]


def test_each_strategy() -> None:
    assert probabilities(Temperature(0)) == [[1, 0, 0, 0], [0, 0, 0, 1]]
    assert probabilities(Temperature(0.5))[0] == [0.7273, 0.1818, 0.0455, 0.0455]
    assert probabilities(TopK(1)) == [[1, 0, 0, 0], [0, 0, 0, 1]]
    assert probabilities(TopK(3))[0] == [0.5, 0.25, 0.125, 0.125], "ties with the last one are kept"
    assert probabilities(TopK(0)) == probabilities(Temperature(1)) == probabilities(TopP(1.0))
    assert probabilities(TopP(0.5))[0] == [1, 0, 0, 0], "B4"
    assert probabilities(TopP(0.75))[0] == [0.6667, 0.3333, 0, 0]
    assert probabilities(MinP(0.5))[0] == [0.6667, 0.3333, 0, 0]


def test_a_pipeline_goes_in_the_order_given() -> None:
    assert probabilities(Pipeline([TopK(2), TopP(0.6)]))[0] == [1, 0, 0, 0], "two thirds of what top-k keeps"
    assert probabilities(Pipeline([TopP(0.6), TopK(2)]))[0] == [0.6667, 0.3333, 0, 0]
    assert probabilities(Pipeline([Pipeline([]), TopK(1)])) == probabilities(TopK(1))


def test_a_pipeline_draws_what_the_sampler_draws() -> None:
    pipeline = Pipeline([Temperature(0.8), TopK(3), TopP(0.9), MinP(0.1)])
    for seed in range(40):
        params = SamplingParams(temperature=0.8, top_k=3, top_p=0.9, min_p=0.1, seed=seed)
        batch = SamplingBatch.from_params([params], 4)
        expected = Sampler("reference").sample(LOGITS[:1], batch).token_ids
        assert sample(LOGITS[:1], params).tolist() == expected.tolist()
        if params.seed is not None:
            assert pipeline.sample(LOGITS[:1], seed=int(batch.seeds[0])).tolist() == expected.tolist()


def test_one_shot_sampling_knows_masks_prompts_and_outputs() -> None:
    greedy = SamplingParams(temperature=0)
    assert sample(LOGITS, greedy).tolist() == [0, 3]
    bitmask = torch.tensor([[0b0110], [0]], dtype=torch.int32)
    assert sample(LOGITS, greedy, bitmask=bitmask).tolist() == [1, NO_TOKEN_ID]
    assert sample(LOGITS, greedy, bitmask=pack_token_ids([2], 4)[None].repeat(2, axis=0)).tolist() == [2, 2]
    penalized = SamplingParams(temperature=0, frequency_penalty=1.0)
    assert sample(LOGITS, penalized, output_token_ids=[[0], [3, 3]]).tolist() == [1, 2]
    repeated = SamplingParams(temperature=0, repetition_penalty=2.0)
    assert sample(LOGITS, [greedy, repeated], prompt_token_ids=[[], [3]]).tolist() == [0, 2]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="params must have one entry for each of the 2 rows, not 1"):
        sample(LOGITS, [SamplingParams()])
    for make, value in ((Temperature, -1.0), (Temperature, float("nan")), (TopP, 1.5), (MinP, -0.1), (TopK, 1.5)):
        with pytest.raises(InvalidInputError):
            make(value)  # type: ignore[arg-type]


def test_min_new_tokens_needs_the_end() -> None:
    """Without the tokens that end a text, it had no effect and no word was said."""
    early = SamplingParams(temperature=0, min_new_tokens=1)
    assert (
        sample(LOGITS, early, eos_token_ids=[0]).tolist() != sample(LOGITS, replace(early, min_new_tokens=0)).tolist()
    )
    with pytest.raises(InvalidInputError, match="min_new_tokens needs eos_token_ids"):
        sample(LOGITS, early)
