"""Beside transformers: its warpers on 500 random parameter sets, its `generate` for one token.

Where the two differ it is by design, and the last tests of this file write it down.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
    LogitsProcessorList,
    MinPLogitsWarper,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from guided.engines.factory import EngineOptions
from guided.engines.local.loading import load_transformers_engine
from guided.params.sampling_params import SamplingParams
from guided.requests.request import PromptRequest
from guided.sampler import Sampler, SamplingBatch

NUM_SETS = 500
VOCAB_SIZE = 400


def processed(logits: torch.Tensor, params: SamplingParams, prompt: list[int]) -> torch.Tensor:
    """The probabilities that each row is drawn from, (B, V), through the public door."""
    batch = SamplingBatch.from_params([params] * len(logits), logits.shape[1], "cpu", [prompt] * len(logits))
    output = Sampler("reference").sample(logits, batch).logprobs
    assert output is not None
    ids = output.top_ids.to(torch.int64)
    return torch.zeros(logits.shape).scatter(1, ids, output.top_logprobs.exp())


def warpers(params: SamplingParams) -> LogitsProcessorList:
    """As `generate` orders them."""
    top_k = params.top_k or 0
    used: list[Any] = [
        (params.repetition_penalty != 1.0, lambda: RepetitionPenaltyLogitsProcessor(params.repetition_penalty)),
        (params.temperature != 1.0, lambda: TemperatureLogitsWarper(params.temperature)),
        (top_k > 0, lambda: TopKLogitsWarper(top_k)),
        (params.top_p < 1.0, lambda: TopPLogitsWarper(params.top_p)),
        (params.min_p > 0.0, lambda: MinPLogitsWarper(params.min_p)),
    ]
    return LogitsProcessorList([make() for is_used, make in used if is_used])


def random_params(rng: np.random.Generator) -> SamplingParams:
    """Each parameter off in a third of the sets or so."""
    return SamplingParams(
        temperature=float(rng.choice([1.0, rng.uniform(0.05, 3.0)])),
        top_k=int(rng.choice([-1, 0, 1, rng.integers(1, 2 * VOCAB_SIZE)])),
        top_p=float(rng.choice([1.0, rng.uniform(0.01, 1.0), rng.uniform(0.9, 1.0)])),
        min_p=float(rng.choice([0.0, rng.uniform(0.0, 0.3)])),
        repetition_penalty=float(rng.choice([1.0, rng.uniform(0.2, 2.0)])),
        seed=0,
        logprobs=VOCAB_SIZE,
        logprobs_mode="processed",
    )


@pytest.mark.parametrize("part", range(10))
def test_surviving_tokens_and_probabilities_are_those_of_transformers(part: int) -> None:  # A1.2, A2.1
    rng = np.random.default_rng(part)
    for _ in range(NUM_SETS // 10):
        params, prompt = random_params(rng), rng.integers(0, VOCAB_SIZE, 12).tolist()
        logits = torch.from_numpy(rng.normal(size=(2, VOCAB_SIZE)) * rng.uniform(0.5, 6.0)).float()
        expected = warpers(params)(torch.tensor([prompt] * 2), logits).softmax(dim=1)
        got = processed(logits, params, prompt)
        assert torch.equal(got > 0, expected > 0), params
        torch.testing.assert_close(got, expected, atol=1e-6, rtol=0)


ONE_TOKEN = [(1.0, 1.0, None), (0.7, 1.0, 50), (1.0, 0.9, None)]
PROMPTS = [[5, 9, 40], [100], list(range(30, 60))]


@pytest.fixture(scope="module")
def model(tiny_model_folder: Path) -> Any:
    return AutoModelForCausalLM.from_pretrained(tiny_model_folder).eval()


@pytest.mark.parametrize(("temperature", "top_p", "top_k"), ONE_TOKEN)
def test_one_token_of_generate(
    tiny_model_folder: Path, model: Any, temperature: float, top_p: float, top_k: int | None
) -> None:  # A1.7
    """The streams differ, so the engine's own distribution is put through `generate`'s draw under the same seed."""
    engine = load_transformers_engine(str(tiny_model_folder), EngineOptions(device="cpu")).engine
    width = engine.vocabulary.size
    params = SamplingParams(
        temperature=temperature,
        top_p=top_p,
        top_k=top_k,
        max_new_tokens=1,
        seed=1,
        logprobs=width,
        logprobs_mode="processed",
    )
    for prompt in PROMPTS:
        ((logprobs,)) = [event.logprobs for event in engine.run([PromptRequest(prompt, params)])]
        assert logprobs is not None
        probabilities = torch.zeros(1, width)
        for one in logprobs.top:
            probabilities[0, one.token_id] = float(np.exp(one.logprob))
        drawn = []
        for seed in range(40):
            torch.manual_seed(seed)
            drawn.append(int(torch.multinomial(probabilities, num_samples=1)))
        assert drawn == [generate_one(model, prompt, params, seed) for seed in range(40)]


def generate_one(model: Any, prompt: list[int], params: SamplingParams, seed: int) -> int:
    ids = torch.tensor([prompt])
    torch.manual_seed(seed)
    options = {"do_sample": True, "temperature": params.temperature, "top_p": params.top_p, "top_k": params.top_k or 0}
    output = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=1, **options)
    return int(output[0, -1])


def test_greedy_is_that_of_generate(tiny_model_folder: Path, model: Any) -> None:  # A1.7, A2.1, A3.1
    engine = load_transformers_engine(str(tiny_model_folder), EngineOptions(device="cpu")).engine
    for prompt in PROMPTS:
        ids = torch.tensor([prompt])
        expected = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=1, do_sample=False)
        events = list(engine.run([PromptRequest(prompt, SamplingParams(temperature=0, max_new_tokens=1))]))
        assert [event.token_id for event in events] == [int(expected[0, -1])]


# --- differences by design ---


def kept(probabilities: list[float], **fields: Any) -> tuple[list[int], list[int]]:
    """The surviving tokens here and in transformers."""
    params = SamplingParams(seed=0, logprobs=len(probabilities), logprobs_mode="processed", **fields)
    logits = torch.tensor([probabilities], dtype=torch.float64).log().float()
    ours, theirs = processed(logits, params, [0]), warpers(params)(torch.tensor([[0]]), logits).softmax(dim=1)
    return ours[0].nonzero().flatten().tolist(), theirs[0].nonzero().flatten().tolist()


def test_both_keep_ties_at_the_top_k_threshold() -> None:  # B6
    assert kept([0.4, 0.2, 0.2, 0.2], top_k=2) == ([0, 1, 2, 3], [0, 1, 2, 3])


def test_equal_tokens_at_the_top_p_threshold_are_taken_by_id_here_and_in_any_order_there() -> None:
    ours, theirs = kept([0.25] * 4, top_p=0.4)
    assert ours == [0, 1]
    assert len(theirs) == 2


def test_a_mass_that_reaches_top_p_but_for_rounding_counts_as_reaching_it_here() -> None:
    ours, theirs = kept([0.4, 0.3, 0.2, 0.1], top_p=0.9)
    assert ours == [0, 1, 2]
    assert theirs in ([0, 1, 2], [0, 1, 2, 3])  # depends on how float32 rounds a sum


def test_a_probability_of_min_p_but_for_rounding_is_kept_here() -> None:
    ours, theirs = kept([0.5, 0.3, 0.15, 0.05], min_p=0.3)
    assert ours == [0, 1, 2]
    assert theirs in ([0, 1], [0, 1, 2])
