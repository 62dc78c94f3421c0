"""Particles: weighted outputs follow the model's own distribution given the grammar, held to exact enumeration."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer

from guided.engines.local import particles
from guided.engines.local.engine_request import EngineRequest
from guided.errors import GenerationCancelledError, RequestFieldError
from guided.grammars.bitset import allocate_bitmask
from guided.grammars.errors import InvalidInputError
from guided.grammars.protocol import Matcher
from guided.llm import LLM
from guided.output.completion import Completion
from guided.params.sampling_params import SamplingParams
from guided.processors.base import CustomLogitProcessor
from guided.processors.errors import LogitProcessorError
from guided.processors.rows import ProcessorRow
from tests.guided.engines.local.conftest import MakeLLM
from tests.guided.processors.thinking_model import plain_model

PROMPT = "the"
SHORT = ["ab", "ac", "bd", "be", "cf", "the"]
LONG = ["bmqugxmkmbkv", "kbgfkxzkcbvx", "kvzzdwmzrbxx", "mdmwpzsfcwdm", "vxkxcquuxuvp"]  # longer than a block
PARTICLES = 256


@pytest.fixture(scope="module")
def model(tiny_model_folder: Path) -> Any:
    """The tiny model, less sure of itself, so that no text is all of the probability."""
    found = plain_model(tiny_model_folder)
    with torch.no_grad():
        found.get_output_embeddings().weight.mul_(0.3)
    return found


@pytest.fixture(scope="module")
def llm(model: Any, tiny_model_folder: Path) -> Iterator[LLM]:
    with LLM(model, tokenizer=AutoTokenizer.from_pretrained(tiny_model_folder)) as found:
        yield found


def exact(llm: LLM, model: Any, texts: Sequence[str]) -> dict[str, float]:
    """The model's own probability of each text, ended: over all its tokens' spellings, and all ends."""
    grammar = llm.compile(SamplingParams(choice=texts))
    assert grammar is not None
    found: Counter[str] = Counter()
    prompt = llm.tokenizer.encode(PROMPT)

    def visit(matcher: Matcher, token_ids: list[int], written: bytes, logprob: float) -> None:
        with torch.no_grad():
            logits = model(torch.tensor([prompt + token_ids])).logits[0, -1]
        logprobs = torch.log_softmax(logits.to(torch.float64), dim=0).tolist()
        for token_id in allowed(matcher, llm.vocabulary.size):
            if token_id in llm.vocabulary.eos_token_ids:
                found[written.decode()] += math.exp(logprob + logprobs[token_id])
                continue
            after = matcher.fork()
            assert after.accept_token(token_id)
            token = llm.vocabulary.tokens[token_id] or b""
            visit(after, [*token_ids, token_id], written + token, logprob + logprobs[token_id])

    visit(grammar.matcher(), [], b"", 0.0)
    return dict(found)


def allowed(matcher: Matcher, size: int) -> list[int]:
    bitmask = allocate_bitmask(1, size)
    matcher.fill_bitmask(bitmask)
    bits = np.unpackbits(bitmask.view(np.uint8), bitorder="little")[:size]
    return [int(token_id) for token_id in np.flatnonzero(bits)]


def distance(found: dict[str, float], probabilities: dict[str, float]) -> float:
    """Total variation, both normalised."""
    sums = sum(found.values()), sum(probabilities.values())
    return 0.5 * sum(abs(found.get(text, 0.0) / sums[0] - probabilities[text] / sums[1]) for text in probabilities)


def outputs(completion: Completion) -> tuple[Completion, ...]:
    return (completion, *completion.alternatives)


@pytest.mark.parametrize(("texts", "rounds"), [(SHORT, 4), (LONG, 8)])
def test_weighted_outputs_follow_the_model(llm: LLM, model: Any, texts: list[str], rounds: int) -> None:
    probabilities = exact(llm, model, texts)
    weighted: Counter[str] = Counter()
    estimates = []
    for seed in range(rounds):
        params = SamplingParams(choice=texts, particles=PARTICLES, seed=seed)
        completion = llm.generate(PROMPT, params)
        assert len(outputs(completion)) == PARTICLES
        assert sum(one.weight or 0.0 for one in outputs(completion)) == pytest.approx(1.0)
        for one in outputs(completion):
            assert one.text in texts
            assert one.fits_grammar
            assert one.grammar_logprob == completion.grammar_logprob
            weighted[one.text] += one.weight or 0.0
        assert completion.grammar_logprob is not None
        estimates.append(math.exp(completion.grammar_logprob))
    plain = llm.generate(PROMPT, SamplingParams(choice=texts, n=PARTICLES, seed=0))
    masked = Counter(one.text for one in outputs(plain))
    assert distance(dict(weighted), probabilities) < 0.04
    assert distance({text: float(count) for text, count in masked.items()}, probabilities) > 0.1, "masking alone is off"
    assert sum(estimates) / rounds == pytest.approx(sum(probabilities.values()), rel=0.1)


def test_particles_are_drawn_anew_where_weights_differ(llm: LLM, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[list[int]] = []
    systematic = particles._systematic
    monkeypatch.setattr(particles, "_systematic", lambda *given: drawn.append(systematic(*given)) or drawn[-1])
    completion = llm.generate(PROMPT, SamplingParams(regex="[abthe]{4,40}", particles=16, seed=1, max_new_tokens=40))
    assert drawn, "weights differ much after some blocks"
    assert any(len(set(places)) < 16 for places in drawn)
    assert all(one.token_ids for one in outputs(completion))


def test_systematic_resampling_follows_the_weights() -> None:
    weights = [0.5, 0.25, 0.0, 0.25]
    assert particles._systematic(weights, 0.5) == [0, 0, 1, 3]
    counts: Counter[int] = Counter()
    for i in range(100):
        counts.update(particles._systematic([0.1, 0.55, 0.35], (i + 0.5) / 100))
    assert [counts[place] / 300 for place in range(3)] == pytest.approx([0.1, 0.55, 0.35], abs=0.01)


def test_the_same_seed_gives_the_same_particles(llm: LLM) -> None:
    params = SamplingParams(regex="[a-e]{10,20}", particles=6, seed=3)
    first, second = (llm.generate(PROMPT, params) for _ in range(2))
    assert [(one.text, one.weight) for one in outputs(first)] == [(one.text, one.weight) for one in outputs(second)]
    assert len({one.text for one in outputs(first)}) > 1


@pytest.mark.parametrize(
    "settings",
    [
        {"max_batch_size": 3},
        {"kv_cache_tokens": 64, "page_size": 4},
        {"prefix_caching": False, "max_draft_tokens": 0},
    ],
    ids=str,
)
def test_forks_do_not_depend_on_what_the_engine_has_room_for(make_llm: MakeLLM, settings: dict[str, Any]) -> None:
    """Few places, few pages (so that particles give theirs back and start again), other ways to run."""
    params = SamplingParams(regex="[a-z ]{25,30}", particles=8, seed=2, max_new_tokens=30, presence_penalty=0.5)
    found = [llm.generate(PROMPT, params) for llm in (make_llm(), make_llm(**settings))]
    one, other = ([(got.token_ids, got.weight) for got in outputs(completion)] for completion in found)
    assert [token_ids for token_ids, _ in one] == [token_ids for token_ids, _ in other]
    assert [weight for _, weight in one] == pytest.approx([weight for _, weight in other], rel=1e-3)


class Repeats(CustomLogitProcessor):
    """Forbids what its own state says was written three times."""

    def start(self, row: ProcessorRow) -> None:
        row.state["counts"] = Counter()
        if row.get("holds_lock"):
            row.state["lock"] = threading.Lock()

    def accept_token(self, row: ProcessorRow, token_id: int) -> None:
        row.state["counts"][token_id] += 1

    def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
        for i, row in enumerate(custom_param_list):
            assert row.state["counts"] == Counter(row.output_token_ids.tolist()), "a state of another row"
            logits[i, [token_id for token_id, count in row.state["counts"].items() if count == 3]] = -torch.inf
        return logits


def test_processors_have_states_of_their_own_after_a_fork(llm: LLM, monkeypatch: pytest.MonkeyPatch) -> None:
    forked = []
    fork = EngineRequest.go_on_as
    monkeypatch.setattr(EngineRequest, "go_on_as", lambda row, other: forked.append(other) or fork(row, other))
    params = SamplingParams(regex="[a-z]{30}", particles=12, seed=1, logit_processors=[Repeats, "top_n_sigma"])
    completion = llm.generate(PROMPT, params)
    assert completion.error is None
    assert forked
    for one in outputs(completion):
        assert max(Counter(one.token_ids).values()) <= 3
    assert len({one.token_ids for one in outputs(completion)}) > 4, "forks have random streams of their own"


def test_a_processor_whose_state_can_not_be_copied_ends_the_request(llm: LLM) -> None:
    params = SamplingParams(
        regex="[a-z]{30}", particles=12, seed=1, logit_processors=[Repeats], custom_params={"holds_lock": True}
    )
    for one in outputs(llm.generate(PROMPT, params, keep_errors=True)):
        assert isinstance(one.error, LogitProcessorError)
        assert "failed when its state was copied" in str(one.error)
    assert llm.generate(PROMPT, SamplingParams(regex="[ab]", particles=2)).text in ("a", "b"), "the engine goes on"


def test_budget_logprobs_and_streams(llm: LLM) -> None:
    params = SamplingParams(json_schema={"type": "string"}, particles=4, seed=5, max_new_tokens=12, logprobs=2)
    completion = llm.generate(PROMPT, params)
    for one in outputs(completion):
        assert one.fits_grammar
        assert len(one.token_ids) <= 12
        assert one.logprobs is not None
        assert len(one.logprobs) == len(one.token_ids)
        assert one.num_prompt_tokens == completion.num_prompt_tokens
    chunks = list(llm.stream(PROMPT, params))
    texts = {index: "".join(chunk.text for chunk in chunks if chunk.index == index) for index in range(4)}
    assert list(texts.values()) == [one.text for one in outputs(completion)]


def test_penalties_know_what_was_written_blocks_ago(llm: LLM) -> None:
    params = SamplingParams(temperature=1e-3, seed=1, regex="[a-h]{30}", presence_penalty=2.0, frequency_penalty=0.5)
    assert llm.generate(PROMPT, replace(params, particles=2)).text == llm.generate(PROMPT, params).text
    assert llm.generate(PROMPT, params).text != llm.generate(PROMPT, replace(params, presence_penalty=0.0)).text


def test_particles_of_several_prompts_stay_apart(llm: LLM) -> None:
    params = SamplingParams(seed=3, particles=4, choice=["in", "the"], max_new_tokens=8)
    together = llm.generate(["a", "the"], params)
    alone = [llm.generate(prompt, params) for prompt in ("a", "the")]
    for got, expected in zip(together, alone, strict=True):
        assert len(got.alternatives) == 3
        assert [one.text for one in (got, *got.alternatives)] == [
            one.text for one in (expected, *expected.alternatives)
        ]


def test_cancelled_and_late(llm: LLM) -> None:
    params = SamplingParams(regex="[a-z]{400}", particles=4)
    generation = llm.start(PROMPT, params)
    generation.cancel()
    with pytest.raises(GenerationCancelledError):
        generation.result(20)
    late = llm.start(PROMPT, params, deadline_s=0.05).result(20)
    assert [one.finish_reason for one in outputs(late)] == ["error"] * 4
    assert llm.generate(PROMPT, SamplingParams(regex="[ab]", particles=2)).text in ("a", "b"), "the engine goes on"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"particles": 1}, "particles must be an integer >= 2"),
        ({"particles": 2, "temperature": 0}, "a temperature above 0"),
        ({"particles": 2, "n": 2}, "particles and n exclude each other"),
        ({"particles": 2, "stop": "a"}, "particles and stop exclude each other"),
        ({"particles": 2, "prompt_logprobs": 1}, "particles and prompt_logprobs exclude each other"),
    ],
)
def test_what_does_not_go_together(fields: dict[str, int], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        SamplingParams(regex="a", **fields)  # type: ignore[arg-type]


def test_particles_need_a_grammar_and_an_engine_of_ours(llm: LLM) -> None:
    with pytest.raises(RequestFieldError, match="need a grammar"):
        llm.generate(PROMPT, SamplingParams(particles=2))
    llm.engine.can_resume = False
    try:
        with pytest.raises(RequestFieldError, match="need the engine 'transformers'"):
            llm.generate(PROMPT, SamplingParams(regex="[a-z]+", particles=2))
    finally:
        del llm.engine.can_resume
