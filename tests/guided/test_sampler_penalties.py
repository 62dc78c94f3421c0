"""Penalties, logit bias, bad words, allowed tokens and early ends: by hand, and beside transformers' processors."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import (
    LogitsProcessorList,
    MinNewTokensLengthLogitsProcessor,
    NoBadWordsLogitsProcessor,
    RepetitionPenaltyLogitsProcessor,
    SequenceBiasLogitsProcessor,
)

from guided.grammars.bitset import pack_token_ids
from guided.grammars.errors import InvalidInputError
from guided.params.sampling_params import SamplingParams
from guided.sampler import NO_TOKEN_ID, Sampler, SamplingBatch
from tests.examples import examples

INF, NAN = math.inf, math.nan
GREEDY = SamplingParams(temperature=0)


def adjusted(batch: SamplingBatch, logits: torch.Tensor) -> torch.Tensor:
    work = logits.clone()
    batch.adjustments.apply_inplace(work)
    return work


def run(
    params: SamplingParams, logits: list[float], outputs: list[int], prompt: list[int] | None = None, **options: Any
) -> list[float]:
    """One row's logits after these outputs."""
    batch = SamplingBatch.from_params([params], len(logits), "cpu", [prompt or []], **options)
    for token_id in outputs:
        batch.accept_tokens(torch.tensor([token_id]))
    return adjusted(batch, torch.tensor([logits], dtype=torch.float64))[0].tolist()


@pytest.mark.parametrize(
    ("fields", "prompt", "outputs", "expected"),
    [
        ({"frequency_penalty": 0.5}, [], [1, 1, 1], [1.0, 2.0 - 1.5, -1.0]),  # A5.3: 0.5 x 3 occurrences = -1.5
        ({"presence_penalty": 0.25}, [], [1, 1, 1], [1.0, 2.0 - 0.25, -1.0]),  # A5.3: once
        ({"repetition_penalty": 2.0}, [], [1, 2, 2], [1.0, 1.0, -2.0]),  # A5.3: > 0: / p, < 0: x p, once
        ({"repetition_penalty": 2.0}, [0, 0], [2], [0.5, 2.0, -2.0]),  # B8: prompt and output
        ({"frequency_penalty": 1.0, "presence_penalty": 1.0}, [0, 1, 2], [0], [-1.0, 2.0, -1.0]),  # B8: output only
        ({"frequency_penalty": -2.0}, [], [0], [3.0, 2.0, -1.0]),
        (
            {"frequency_penalty": 0.5, "presence_penalty": 0.25, "repetition_penalty": 2.0},
            [1],
            [0, 0],
            [0.5 - 1.0 - 0.25, 1.0, -1.0],
        ),
        ({}, [0, 1], [2, 2], [1.0, 2.0, -1.0]),  # A1.2: both 0 leave the logits untouched
    ],
)
def test_formulas(fields: dict[str, float], prompt: list[int], outputs: list[int], expected: list[float]) -> None:
    assert run(SamplingParams(**fields), [1.0, 2.0, -1.0], outputs, prompt) == pytest.approx(expected, abs=1e-7)  # type: ignore[arg-type]


def test_greedy_is_the_argmax_after_penalties_bias_and_mask() -> None:  # B3
    params = replace(GREEDY, frequency_penalty=1.0, logit_bias={2: 0.75})
    batch = SamplingBatch.from_params([params], 5)
    batch.accept_tokens(torch.tensor([1]))
    logits = torch.tensor([[0.0, 2.0, 0.5, 1.125, 9.0]])
    output = Sampler("reference").sample(logits, batch, pack_token_ids([0, 1, 2, 3], 5)[None])
    assert output.token_ids.tolist() == [2]


def test_without_any_need_there_is_no_state() -> None:  # A1.2, A5.2
    batch = SamplingBatch.from_params([SamplingParams(), GREEDY], 10, "cpu", [[1], [2]])
    assert batch.adjustments.kinds == []
    batch.append(SamplingBatch.from_params([SamplingParams(presence_penalty=1.0)], 10))
    assert [kind.name for kind in batch.adjustments.kinds] == ["penalties"]
    batch.keep([0, 1])
    assert batch.adjustments.kinds == []
    assert "seen_ids" not in batch.adjustments.columns


@pytest.mark.parametrize("penalize_forced", [False, True])
def test_forced_tokens_are_not_counted_unless_asked(penalize_forced: bool) -> None:
    params = SamplingParams(frequency_penalty=0.5, repetition_penalty=2.0, penalize_forced=penalize_forced)
    batch = SamplingBatch.from_params([params, replace(params, repetition_penalty=1.0)], 3)
    for token_id, is_forced in ((1, True), (1, False), (2, True), (1, True)):
        batch.accept_tokens(torch.tensor([token_id] * 2), torch.tensor([is_forced] * 2))
    expected = [[1.0, 2.0 - 1.5, 1.0 - 0.5], [1.0, 4.0 - 1.5, 2.0 - 0.5]]
    if not penalize_forced:
        expected = [[1.0, 2.0 - 0.5, 2.0], [1.0, 4.0 - 0.5, 2.0]]
    assert adjusted(batch, torch.tensor([[1.0, 4.0, 2.0]] * 2)).tolist() == expected


def test_a_row_without_a_token_counts_nothing() -> None:
    batch = SamplingBatch.from_params([SamplingParams(frequency_penalty=1.0)] * 2, 3)
    batch.accept_tokens(torch.tensor([NO_TOKEN_ID, 2], dtype=torch.int32))
    assert adjusted(batch, torch.zeros(2, 3)).tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, -1.0]]


def test_many_tokens_outgrow_their_places() -> None:
    vocab_size, rng = 500, np.random.default_rng(0)
    params = SamplingParams(frequency_penalty=0.5, repetition_penalty=1.5)
    prompts = [rng.integers(0, vocab_size, size).tolist() for size in (0, 3, 400)]
    batch = SamplingBatch.from_params([params] * 3, vocab_size, "cpu", prompts)
    outputs: list[list[int]] = [[], [], []]
    for _ in range(300):
        token_ids = rng.integers(0, vocab_size, 3)
        batch.accept_tokens(torch.from_numpy(token_ids))
        for row, token_id in enumerate(token_ids):
            outputs[row].append(int(token_id))
    logits = torch.randn(3, vocab_size, generator=torch.Generator().manual_seed(0))
    for row, values in enumerate(adjusted(batch, logits).tolist()):
        expected = expected_penalties(logits[row].tolist(), params, prompts[row], outputs[row])
        assert values == pytest.approx(expected, abs=1e-5)


def expected_penalties(
    logits: list[float], params: SamplingParams, prompt: list[int], outputs: list[int]
) -> list[float]:
    """The published formulas, token by token."""
    counts, seen = Counter(outputs), {*prompt, *outputs}
    values = list(logits)
    for token_id in seen:
        penalty = params.repetition_penalty
        values[token_id] = values[token_id] / penalty if values[token_id] > 0 else values[token_id] * penalty
    for token_id, count in counts.items():
        values[token_id] -= params.frequency_penalty * count + params.presence_penalty
    return values


TOKEN_LISTS = st.lists(st.integers(0, 11), max_size=8)
PENALTIES = st.builds(
    SamplingParams,
    frequency_penalty=st.sampled_from([0.0, 0.0, 0.5, -1.5, 2.0]),
    presence_penalty=st.sampled_from([0.0, 0.0, 0.25, -2.0]),
    repetition_penalty=st.sampled_from([1.0, 1.0, 0.5, 1.25, 2.0]),
)


@settings(max_examples=examples(80), deadline=None)
@given(st.data())
def test_counts_are_right_whatever_rows_come_and_go(data: st.DataObject) -> None:  # A5.2, A5.3
    batch = SamplingBatch(12, "cpu")
    rows: list[tuple[SamplingParams, list[int], list[int]]] = []
    for _ in range(data.draw(st.integers(1, 12))):
        action = data.draw(st.sampled_from(["add", "step", "step", "keep", "append"]))
        if action == "add":
            rows.append((data.draw(PENALTIES), data.draw(TOKEN_LISTS), []))
            batch.append(SamplingBatch.from_params([rows[-1][0]], 12, "cpu", [rows[-1][1]]))
        elif action == "append":
            new = [(data.draw(PENALTIES), data.draw(TOKEN_LISTS), list[int]()) for _ in range(2)]
            params, prompts, _ = zip(*new, strict=True)
            batch.append(SamplingBatch.from_params(params, 12, "cpu", prompts))
            rows += new
        elif action == "keep":
            keep = data.draw(st.permutations(range(len(rows))))[: data.draw(st.integers(0, len(rows)))]
            batch.keep(keep)
            rows = [rows[i] for i in keep]
        else:
            token_ids = [data.draw(st.integers(0, 11)) for _ in rows]
            batch.accept_tokens(torch.tensor(token_ids, dtype=torch.int32))
            for (_, _, outputs), token_id in zip(rows, token_ids, strict=True):
                outputs.append(token_id)
    logits = torch.linspace(-2.75, 2.75, 12, dtype=torch.float64).expand(len(rows), 12)
    work = adjusted(batch, logits)
    assert batch.positions.tolist() == [len(outputs) for _, _, outputs in rows]
    for row, (params, prompt, outputs) in enumerate(rows):
        expected = expected_penalties(logits[row].tolist(), params, prompt, outputs)
        assert work[row].tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_repetition_is_that_of_transformers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    penalty = float(rng.uniform(0.2, 2.0))
    prompt, outputs = rng.integers(0, 50, 9).tolist(), rng.integers(0, 50, 7).tolist()
    logits = torch.from_numpy(rng.normal(size=(1, 50)) * 4).float()
    expected = RepetitionPenaltyLogitsProcessor(penalty)(torch.tensor([prompt + outputs]), logits.clone())
    got = run(SamplingParams(repetition_penalty=penalty), logits[0].tolist(), outputs, prompt)
    torch.testing.assert_close(torch.tensor(got).float(), expected[0], atol=1e-6, rtol=1e-6)


def vllm_penalties(logits: torch.Tensor, params: SamplingParams, prompt: list[int], outputs: list[int]) -> torch.Tensor:
    """As vLLM states it: masks and bin counts over the whole vocabulary."""
    counts = torch.bincount(torch.tensor(outputs, dtype=torch.int64), minlength=logits.shape[0])
    is_seen = (counts > 0) | (torch.bincount(torch.tensor(prompt, dtype=torch.int64), minlength=logits.shape[0]) > 0)
    factor = torch.where(is_seen, params.repetition_penalty, 1.0)
    logits = torch.where(logits > 0, logits / factor, logits * factor)
    return logits - params.frequency_penalty * counts - params.presence_penalty * (counts > 0)


@pytest.mark.parametrize("seed", range(20))
def test_all_penalties_are_those_of_vllm(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frequency, presence = rng.uniform(-2, 2, 2).tolist()
    params = SamplingParams(
        frequency_penalty=frequency, presence_penalty=presence, repetition_penalty=float(rng.uniform(0.1, 2))
    )
    prompt, outputs = rng.integers(0, 50, 9).tolist(), rng.integers(0, 50, 30).tolist()
    logits = torch.from_numpy(rng.normal(size=50) * 4)
    expected = vllm_penalties(logits, params, prompt, outputs)
    got = run(params, logits.tolist(), outputs, prompt)
    torch.testing.assert_close(torch.tensor(got, dtype=torch.float64), expected, atol=1e-5, rtol=1e-6)


def test_banned_and_broken_logits_stay_what_they_are() -> None:  # B5, B10
    params = SamplingParams(
        frequency_penalty=-2.0, presence_penalty=-2.0, repetition_penalty=0.5, logit_bias={0: 100.0}
    )
    values = run(params, [-INF, NAN, INF, 0.0], [0, 1, 2], [0, 1, 2, 3])
    assert values[0] == -INF
    assert math.isnan(values[1])
    assert values[2:] == [INF, 0.0]


# --- logit bias, allowed tokens, bad words ---


def test_bias_is_added() -> None:  # A5.1, B10
    assert run(SamplingParams(logit_bias={2: 1.5, 0: -100}), [1.0, 2.0, 3.0], []) == [-99.0, 2.0, 4.5]
    for bias in (101.0, -100.5, INF, -INF, NAN):
        with pytest.raises(InvalidInputError, match="logit_bias"):
            SamplingParams(logit_bias={0: bias})


def test_bias_agrees_with_transformers() -> None:
    rng = np.random.default_rng(0)
    bias = {int(token_id): float(rng.uniform(-100, 100)) for token_id in rng.choice(60, 20, replace=False)}
    logits = torch.from_numpy(rng.normal(size=(1, 60))).float()
    processor = SequenceBiasLogitsProcessor({(token_id,): value for token_id, value in bias.items()})
    expected = processor(torch.tensor([[0]]), logits.clone())
    got = run(SamplingParams(logit_bias=bias), logits[0].tolist(), [])
    torch.testing.assert_close(torch.tensor(got).float(), expected[0])


def test_the_mask_is_stronger_than_any_bias() -> None:  # B10
    batch = SamplingBatch.from_params([replace(GREEDY, logit_bias={0: 100.0})], 3)
    output = Sampler("reference").sample(torch.tensor([[1.0, 1.0, 2.0]]), batch, pack_token_ids([1], 3)[None])
    assert output.token_ids.tolist() == [1]


def test_only_allowed_tokens_are_left() -> None:
    rows = [SamplingParams(allowed_token_ids=[4, 0]), SamplingParams(), SamplingParams(allowed_token_ids=[1])]
    batch = SamplingBatch.from_params(rows, 5)
    logits = torch.tensor([[NAN, 1.0, INF, NAN, 2.0]] * 3)
    left = adjusted(batch, logits)
    assert [(row != -INF).nonzero().flatten().tolist() for row in left] == [[0, 4], [0, 1, 2, 3, 4], [1]]
    assert left[0, 4] == 2.0
    assert torch.equal(left[1].nan_to_num(), logits[1].nan_to_num())


@pytest.mark.parametrize(
    ("words", "outputs", "banned"),
    [
        ([[3]], [], [3]),
        ([[1, 2]], [], []),
        ([[1, 2]], [1], [2]),
        ([[1, 2]], [2], []),
        ([[1, 2]], [1, 0], []),
        ([[1, 2, 3]], [1, 2], [3]),
        ([[1, 2, 3]], [2], []),
        ([[1, 2, 3]], [0, 2], []),
        ([[1, 2], [0, 1, 2], [4]], [0, 1], [2, 4]),
        ([[1, 2], [3, 2]], [1], [2]),  # one of two words with the same last token fits
        ([[3, 2], [1, 2]], [1], [2]),
        ([[1, 1]], [1, 1], [1]),
    ],
)
def test_the_token_that_completes_a_bad_word_is_banned(
    words: list[list[int]], outputs: list[int], banned: list[int]
) -> None:
    values = run(SamplingParams(bad_words=words), [0.5, 1.0, NAN, 3.0, INF], outputs)
    assert [token_id for token_id, value in enumerate(values) if value == -INF] == banned


def test_bad_words_look_at_the_output_only() -> None:  # as vLLM; transformers looks at the prompt too
    assert run(SamplingParams(bad_words=[[1, 2]]), [0.0] * 3, [], prompt=[1]) == [0.0] * 3


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=4), min_size=1, max_size=6),
    st.lists(st.integers(0, 4), min_size=1, max_size=10),
)
def test_bad_words_are_those_of_transformers(words: list[list[int]], outputs: list[int]) -> None:
    expected = NoBadWordsLogitsProcessor(words)(torch.tensor([outputs]), torch.zeros(1, 5))[0]
    assert run(SamplingParams(bad_words=words), [0.0] * 5, outputs) == expected.tolist()


def test_rows_have_their_own_bad_words() -> None:  # A5.2
    rows = [SamplingParams(bad_words=[[1, 2]]), SamplingParams(), SamplingParams(bad_words=[[0, 1, 1, 0], [3]])]
    batch = SamplingBatch.from_params(rows, 4)
    for token_ids in ([0, 0, 0], [0, 1, 1], [1, 1, 1]):
        batch.accept_tokens(torch.tensor(token_ids))
    other = SamplingBatch.from_params([SamplingParams(bad_words=[[2, 2, 2, 2, 2, 2]])], 4)
    batch.append(other)
    batch.keep([2, 3, 1, 0])
    banned = (adjusted(batch, torch.zeros(4, 4)) == -INF).tolist()
    assert [[i for i, is_banned in enumerate(row) if is_banned] for row in banned] == [[0, 3], [], [], [2]]


def test_a_row_without_a_token_remembers_its_last_one() -> None:
    """What others were forced to write does not part a bad word of a row that wrote nothing meanwhile."""
    batch = SamplingBatch.from_params([SamplingParams(bad_words=[[1, 2]])] * 2, 4)
    batch.accept_tokens(torch.tensor([1, 1]))
    batch.accept_forced([[], [3, 3]])
    assert (adjusted(batch, torch.zeros(2, 4)) == -INF).tolist() == [[False, False, True, False], [False] * 4]


def test_bad_words_as_text_are_refused_here() -> None:
    with pytest.raises(InvalidInputError, match=r"guided\.LLM"):
        SamplingBatch.from_params([SamplingParams(bad_words=["rude"])], 4)


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"logit_bias": {4: 1.0}}, "logit_bias"),
        ({"allowed_token_ids": [0, 4]}, "allowed_token_ids"),
        ({"bad_words": [[1, 9]]}, "bad_words"),
        ({"stop_token_ids": [4]}, "stop_token_ids"),
        ({"logprobs": 0, "logprob_token_ids": [4]}, "logprob_token_ids"),
    ],
)
def test_ids_outside_the_vocabulary_are_refused(fields: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidInputError, match=rf"{name} has token id \d; the model's ids are 0\.\.3"):
        SamplingBatch.from_params([SamplingParams(**fields)], 4)


# --- min_new_tokens ---


def test_nothing_ends_a_text_before_min_new_tokens() -> None:  # A5.3
    rows = [
        replace(GREEDY, min_new_tokens=2),
        replace(GREEDY, min_new_tokens=2, stop_token_ids=[1]),
        replace(GREEDY, min_new_tokens=2, stop_token_ids=[1], ignore_eos=True),
        GREEDY,
    ]
    batch = SamplingBatch.from_params(rows, 4, eos_token_ids=[3])
    logits = torch.tensor([[0.0, 1.0, 0.5, 2.0]] * 4)
    drawn = []
    for _ in range(3):
        output = Sampler("reference").sample(logits, batch)
        drawn.append(output.token_ids.tolist())
        batch.accept_tokens(output.token_ids)
    assert drawn == [[1, 2, 3, 3], [1, 2, 3, 3], [3, 3, 3, 3]]
    assert output.min_new_tokens_overruled is None  # no row has too few tokens any more


def test_early_ends_are_those_of_transformers() -> None:
    logits = torch.randn(1, 20, generator=torch.Generator().manual_seed(0))
    processors = LogitsProcessorList([MinNewTokensLengthLogitsProcessor(3, 2, eos_token_id=[5, 6], device="cpu")])
    batch = SamplingBatch.from_params([SamplingParams(min_new_tokens=2)], 20, "cpu", [[0] * 3], eos_token_ids=[5, 6])
    for length in range(5):
        expected = processors(torch.zeros(1, 3 + length, dtype=torch.int64), logits.clone())
        work = logits.clone()
        batch.ban_early_ends_inplace(work, None)
        assert torch.equal(work, expected)
        batch.accept_tokens(torch.tensor([0]))


def test_a_grammar_that_allows_only_the_end_wins() -> None:  # B11
    rows = [replace(GREEDY, min_new_tokens=5), replace(GREEDY, min_new_tokens=5), replace(GREEDY, min_new_tokens=5)]
    batch = SamplingBatch.from_params([*rows, GREEDY], 5, eos_token_ids=[3, 4])
    logits = torch.tensor([[0.0, 1.0, 2.0, 3.0, 4.0]] * 4)
    bitmask = np.stack([pack_token_ids(ids, 5) for ids in ([3, 4], [3, 1], [], [3])])
    for mask in (bitmask, torch.from_numpy(bitmask)):
        output = Sampler("reference").sample(logits, batch, mask)
        assert output.token_ids.tolist() == [4, 1, NO_TOKEN_ID, 3]
        assert output.no_allowed.tolist() == [False, False, True, False]
        assert output.min_new_tokens_overruled is not None
        assert output.min_new_tokens_overruled.tolist() == [True, False, False, False]


def test_far_tokens_of_wide_vocabularies_are_found_too() -> None:  # B11
    vocab_size = 10_000
    batch = SamplingBatch.from_params([replace(GREEDY, min_new_tokens=5)] * 4, vocab_size, eos_token_ids=[3, 9_999])
    allowed = ([3, 9_998], [3, 9_999], [3, 5_000, 9_999], [9_999])
    bitmask = np.stack([pack_token_ids(ids, vocab_size) for ids in allowed])
    logits = torch.arange(vocab_size, dtype=torch.float32).repeat(4, 1)
    output = Sampler("reference").sample(logits, batch, bitmask)
    assert output.token_ids.tolist() == [9_998, 9_999, 5_000, 9_999]
    assert output.min_new_tokens_overruled is not None
    assert output.min_new_tokens_overruled.tolist() == [False, True, False, True]
    narrow = np.stack(
        [pack_token_ids(ids, 100) for ids in ([3], [3, 99], [7], [])]
    )  # ends past the mask are not allowed
    output = Sampler("reference").sample(logits, batch, narrow)
    assert output.token_ids.tolist() == [3, 99, 7, NO_TOKEN_ID]
    assert output.min_new_tokens_overruled is not None
    assert output.min_new_tokens_overruled.tolist() == [True, False, False, False]


def test_an_end_that_something_else_bans_stays_banned() -> None:  # B11
    params = replace(GREEDY, min_new_tokens=5, bad_words=[[4]], logit_bias={3: -7.0})
    batch = SamplingBatch.from_params([params], 5, eos_token_ids=[3, 4])
    output = Sampler("reference").sample(torch.zeros(1, 5), batch, pack_token_ids([3, 4], 5)[None])
    assert output.token_ids.tolist() == [3]
    only_bad = Sampler("reference").sample(torch.zeros(1, 5), batch, pack_token_ids([4], 5)[None])
    assert only_bad.no_allowed.tolist() == [True]
    assert only_bad.min_new_tokens_overruled is not None
    assert not only_bad.min_new_tokens_overruled.any()
