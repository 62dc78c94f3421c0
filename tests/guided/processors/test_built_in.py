"""The built-in processors against slow references, in batches of unlike rows, and what each promises for any input."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings

from guided.draws import hash_columns, to_uniform
from guided.grammars.bitset import pack_token_ids
from guided.grammars.vocabulary import Vocabulary
from guided.processors import ProcessorParamsError, ProcessorPipeline, resolve_processors
from guided.processors.dry import (
    MAX_BREAKER_TEXTS,
    MAX_BREAKER_TOKENS,
    MAX_MATCH,
    MAX_PENALTY,
    SuffixMatches,
    tokens_with,
)
from guided.processors.min_words import WordCounter
from guided.processors.ngrams import NgramIndex
from tests.examples import examples
from tests.guided.fixed_strings import EOS_ID, OTHER_EOS_ID, byte_vocabulary
from tests.guided.processors import references

WIDTH = 6
Texts = st.lists(st.integers(0, WIDTH - 1), max_size=30)
Logits = st.lists(st.integers(-40, 40).map(lambda value: value / 8), min_size=WIDTH, max_size=WIDTH)


def run(
    name: str,
    rows: Sequence[tuple[dict[str, Any], Sequence[int], Sequence[int], Sequence[float]]],
    *,
    seeds: Sequence[int] | None = None,
    allowed: Sequence[Sequence[int]] | None = None,
    vocabulary: Any = None,
) -> list[list[float]]:
    """The logits of one step. A row: its parameters, prompt, output so far and logits."""
    pipeline = ProcessorPipeline()
    for i, (params, prompt, _, _) in enumerate(rows):
        bound = resolve_processors([(name, params)], vocabulary=vocabulary)
        seed = None if seeds is None else seeds[i]
        pipeline.append(ProcessorPipeline.of_row(bound, prompt, seed=seed, vocabulary=vocabulary))
    for step in range(max(len(output) for _, _, output, _ in rows)):
        pipeline.accept_tokens([output[step] if step < len(output) else -1 for _, _, output, _ in rows])
    logits = torch.tensor([list(row[3]) for row in rows], dtype=torch.float64)
    width = logits.shape[1]
    masks = None if allowed is None else np.stack([pack_token_ids(list(ids), width) for ids in allowed])
    pipeline.apply(logits, bitmask=masks)
    assert pipeline.errors == {}
    listed: list[list[float]] = logits.tolist()
    return listed


def test_disallowed_tokens() -> None:  # A5.8
    logits = [float(i) for i in range(WIDTH)]
    got = run("disallowed_tokens", [({"token_ids": [0]}, [], [], logits), ({"token_ids": [5, 2]}, [], [], logits)])
    assert got == [[-math.inf, 1, 2, 3, 4, 5], [0, 1, -math.inf, 3, 4, -math.inf]]


def test_allowed_tokens() -> None:
    logits = [float(i) for i in range(WIDTH)]
    rows = [({"token_ids": [0]}, [], [], logits), ({"token_ids": [5, 2, 2]}, [], [], [-math.inf] * WIDTH)]
    assert run("allowed_tokens", rows) == [[0, *[-math.inf] * 5], [-math.inf] * WIDTH]


@pytest.mark.parametrize("name", ["allowed_tokens", "disallowed_tokens"])
def test_token_lists_are_not_empty(name: str) -> None:
    with pytest.raises(ProcessorParamsError, match="at least 1 item"):
        resolve_processors([(name, {"token_ids": []})])


@settings(deadline=None, max_examples=examples(80), suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(Texts, Texts, st.integers(1, 4), st.none() | st.integers(1, 12)), min_size=1, max_size=3))
def test_no_repeat_ngram_is_its_reference(rows: list[tuple[list[int], list[int], int, int | None]]) -> None:  # A5.8
    whitelist = [4]
    asked = []
    for prompt, output, n, window in rows:
        params = {"ngram_size": n, "window_size": window, "whitelist_token_ids": whitelist}
        asked.append((params, prompt, output, [1.0] * WIDTH))
    expected = [
        references.no_repeat_ngram([*prompt, *output], [1.0] * WIDTH, n, window, whitelist)
        for prompt, output, n, window in rows
    ]
    assert run("no_repeat_ngram", asked) == expected


def test_no_ngram_is_written_twice() -> None:
    """A property of whole texts: with a window over everything, all runs of n tokens differ."""
    pipeline = ProcessorPipeline()
    pipeline.append(ProcessorPipeline.of_row(resolve_processors([("no_repeat_ngram", {"ngram_size": 3})])))
    text: list[int] = []
    generator = torch.Generator().manual_seed(0)
    while len(text) < 60:
        logits = torch.rand(1, WIDTH, generator=generator)
        pipeline.apply(logits)
        if bool(logits.isneginf().all()):
            break
        text.append(int(logits.argmax()))
        pipeline.accept_tokens(text[-1:])
    runs = list(zip(text, text[1:], text[2:], strict=False))
    assert len(runs) > 40
    assert len(set(runs)) == len(runs)


def test_ngram_index_keeps_one_entry_for_each_follower() -> None:
    index = NgramIndex(2, [1, 2, 1, 3, 1, 2, 1])
    assert index.repeated(None) == [2, 3]
    assert index.repeated(3) == [2]
    assert index.repeated(2) == []


@settings(deadline=None, max_examples=examples(80), suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(
            Texts,
            Texts,
            st.sampled_from([0.0, 0.5, 0.8]),
            st.sampled_from([1.0, 1.75, 3.0]),
            st.integers(1, 4),
            st.sets(st.integers(0, WIDTH - 1), max_size=2),
            st.none() | st.integers(1, 12),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_dry_is_its_reference(rows: list[Any]) -> None:
    asked, expected = [], []
    for prompt, output, multiplier, base, allowed_length, breakers, window in rows:
        params = {
            "multiplier": multiplier,
            "base": base,
            "allowed_length": allowed_length,
            "sequence_breakers": [],
            "sequence_breaker_token_ids": sorted(breakers),
            "range": window,
        }
        asked.append((params, prompt, output, [1.0] * WIDTH))
        text = [*prompt, *output]
        expected.append(references.dry(text, [1.0] * WIDTH, multiplier, base, allowed_length, breakers, window))
    for got, wanted in zip(run("dry", asked), expected, strict=True):
        assert got == pytest.approx(wanted)


def test_dry_by_hand() -> None:
    """After 1 2 3 4 1 2 3, the 4 would make a match of three tokens longer: 0.8 * 1.75 ** (3 - 2) off its logit."""
    params = {"sequence_breakers": []}
    got = run("dry", [(params, [1, 2, 3, 4], [1, 2, 3], [0.0] * WIDTH)])[0]
    assert got == [0, 0, 0, 0, pytest.approx(-0.8 * 1.75), 0]


def test_dry_penalties_stay_finite() -> None:
    params = {"sequence_breakers": [], "base": 100.0, "multiplier": 100.0}
    got = run("dry", [(params, [1] * 500, [], [0.0] * WIDTH)])[0]
    assert got[1] == -MAX_PENALTY
    assert math.isfinite(got[1])


def test_dry_breakers_are_all_tokens_that_hold_the_text() -> None:
    vocabulary = byte_vocabulary()
    assert tokens_with(":", vocabulary) == {ord(":"), 259}
    assert tokens_with("b", vocabulary) == {ord("b"), 256}
    for text, reason in (("", "no single token"), ("xyz", "no single token")):
        with pytest.raises(ProcessorParamsError, match=reason):
            resolve_processors([("dry", {"sequence_breakers": [text]})], vocabulary=vocabulary)
    with pytest.raises(ProcessorParamsError, match="need the model's vocabulary"):
        resolve_processors([("dry", {})])


@settings(deadline=None, max_examples=examples(100))
@given(st.lists(st.integers(0, 3), max_size=120), st.sets(st.integers(0, 3), max_size=2), st.integers(0, 120))
def test_suffix_matches_read_a_text_at_once_as_token_by_token(text: list[int], breakers: set[int], split: int) -> None:
    slow, fast = SuffixMatches(frozenset(breakers), []), SuffixMatches(frozenset(breakers), text[:split])
    for token_id in text:
        slow.append(token_id)
    for token_id in text[split:]:
        fast.append(token_id)
    for window in (None, 1, 7, 60):
        assert [part.tolist() for part in fast.longest(window)] == [part.tolist() for part in slow.longest(window)]


@pytest.mark.parametrize("period", [1, 3])
def test_dry_reads_a_repetitive_prompt_in_linear_time(period: int) -> None:
    """60,000 tokens took 6.4 s when each was compared with all before it."""
    began = time.process_time()
    matches = SuffixMatches(frozenset(), list(range(period)) * (60_000 // period))
    matches.append(0)
    assert time.process_time() - began < 0.5
    assert matches.longest(None)[1].tolist() == [MAX_MATCH]


def test_dry_bounds_its_breakers_and_finds_them_quickly() -> None:
    random = np.random.default_rng(0)
    lengths = random.integers(1, 9, 130_000)
    tokens = [random.integers(97, 123, length, dtype=np.uint8).tobytes() for length in lengths]
    vocabulary = Vocabulary([*tokens, *(bytes([i]) for i in range(256)), None], eos_token_ids=[len(tokens) + 256])
    for text in ("\n", "a", "ing", "abc"):
        expected = {i for i, token in enumerate(vocabulary.tokens) if token is not None and text.encode() in token}
        assert tokens_with(text, vocabulary) == expected
    began = time.process_time()
    many = [chr(ord("a") + i % 26) + chr(ord("a") + i // 26) for i in range(MAX_BREAKER_TEXTS)]
    resolve_processors([("dry", {"sequence_breakers": many})], vocabulary=vocabulary)
    assert time.process_time() - began < 0.5
    for params in (
        {"sequence_breakers": ["a"] * (MAX_BREAKER_TEXTS + 1)},
        {"sequence_breaker_token_ids": [1] * (MAX_BREAKER_TOKENS + 1)},
    ):
        with pytest.raises(ProcessorParamsError, match="at most"):
            resolve_processors([("dry", params)], vocabulary=vocabulary)


def test_suffix_matches_cost_the_places_of_the_token() -> None:
    """The live matches are the earlier places of the last token, not all places."""
    matches = SuffixMatches(frozenset(), [1, 2, 3] * 100 + [4])
    assert len(matches._live) == 0
    matches.append(3)
    assert len(matches._live) == 100


@settings(deadline=None, max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(
            Logits,
            st.sampled_from([0.05, 0.1, 0.3, 0.5]),
            st.sampled_from([0.0, 0.5, 1.0]),
            st.sets(st.integers(0, WIDTH - 1), max_size=1),
            st.sets(st.integers(0, WIDTH - 1), min_size=1),
            st.integers(0, 2**63 - 1),
        ),
        min_size=1,
        max_size=3,
    ),
    st.integers(0, 3),
)
def test_xtc_is_its_reference(rows: list[Any], position: int) -> None:
    asked, expected = [], []
    for logits, threshold, probability, protected, allowed, seed in rows:
        params = {"threshold": threshold, "probability": probability, "protected_token_ids": sorted(protected)}
        asked.append((params, [], [0] * position, logits))
        happens = uniform_of(seed, position) < probability
        expected.append(references.xtc(logits, threshold, happens=happens, protected=protected, allowed=allowed))
    got = run("xtc", asked, seeds=[row[-1] for row in rows], allowed=[row[-2] for row in rows])
    for row, wanted, (_, _, _, _, allowed, _) in zip(got, expected, rows, strict=True):
        assert row == wanted
        assert any(row[i] > -math.inf for i in allowed)


def uniform_of(seed: int, position: int) -> float:
    salted = torch.tensor([seed ^ 0x58544367617465])
    return float(to_uniform(hash_columns(salted, torch.tensor([position]), 1)).item())


def test_xtc_happens_as_often_as_asked() -> None:
    """20,000 steps of one seed: the share lies within 4 standard deviations of 0.3; the seed decides which."""
    shares = []
    for seed in (1, 2):
        hits = [uniform_of(seed, position) < 0.3 for position in range(2_000)]
        shares.append(hits)
        assert abs(sum(hits) / 2_000 - 0.3) < 4 * math.sqrt(0.3 * 0.7 / 2_000)
    assert shares[0] != shares[1]


def test_xtc_does_not_depend_on_the_batch() -> None:
    logits = [3.0, 2.9, 2.8, 0.0, 0.0, 0.0]
    params = {"probability": 0.5, "protected_token_ids": []}
    alone = [run("xtc", [(params, [], [0] * i, logits)], seeds=[7])[0] for i in range(12)]
    crowd = [({"probability": 1.0, "protected_token_ids": []}, [], [], logits)]
    together = [run("xtc", [*crowd, (params, [], [0] * i, logits)], seeds=[1, 7])[1] for i in range(12)]
    assert alone == together
    assert len({tuple(row) for row in alone}) == 2


def test_xtc_protects_line_breaks_and_ends_by_default() -> None:
    vocabulary = byte_vocabulary()
    for best, is_protected in ((ord("\n"), True), (EOS_ID, True), (ord("a"), False)):
        logits = [0.0] * vocabulary.size
        logits[best], logits[ord("b")] = 9.0, 8.9
        got = run("xtc", [({"probability": 1.0}, [], [], logits)], vocabulary=vocabulary)[0]
        assert (got[best] == -math.inf) != is_protected
        assert got[ord("b")] == 8.9


@settings(deadline=None, max_examples=examples(80), suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(Logits, st.sampled_from([0.0, 0.5, 1.0, 2.5]), st.sets(st.integers(0, WIDTH - 1), min_size=1)),
        min_size=1,
        max_size=3,
    )
)
def test_top_n_sigma_is_its_reference(rows: list[Any]) -> None:
    asked = [({"n": n}, [], [], logits) for logits, n, _ in rows]
    got = run("top_n_sigma", asked, allowed=[allowed for _, _, allowed in rows])
    for row, (logits, n, allowed) in zip(got, rows, strict=True):
        assert row == references.top_n_sigma(logits, n, allowed)
        assert any(row[i] > -math.inf for i in allowed)


def test_top_n_sigma_keeps_the_same_tokens_at_any_temperature() -> None:
    logits = torch.randn(50, generator=torch.Generator().manual_seed(3)).tolist()
    kept = [
        [
            i
            for i, value in enumerate(run("top_n_sigma", [({"n": 1.5}, [], [], [x / t for x in logits])])[0])
            if value > -math.inf
        ]
        for t in (0.5, 1.0, 4.0)
    ]
    assert kept[0] == kept[1] == kept[2]
    assert 0 < len(kept[0]) < 50


def test_top_n_sigma_ignores_what_is_ruled_out_already() -> None:
    got = run("top_n_sigma", [({"n": 1.0}, [], [], [0.0, 2.0, 4.0, -math.inf])])[0]
    sigma = math.sqrt(8 / 3)
    assert got == [value if value >= 4 - sigma else -math.inf for value in (0.0, 2.0, 4.0, -math.inf)]


@settings(deadline=None, max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow])
@given(st.text(alphabet="ab \n\té\u00a0\u3000漢", max_size=20), st.lists(st.integers(1, 4), min_size=1))
def test_words_are_those_of_split(text: str, sizes: list[int]) -> None:
    """However the bytes are cut into tokens, the count is that of the whole text."""
    counter, data, i = WordCounter(), text.encode(), 0
    while data:
        size = sizes[i % len(sizes)]
        counter.push(data[:size])
        data, i = data[size:], i + 1
    assert counter.num_words == len(text.split())


def test_min_words_bans_the_end_until_there_are_enough() -> None:
    vocabulary = byte_vocabulary()
    logits = [0.0] * vocabulary.size
    for text, is_banned in (("", True), ("one", True), ("one ", True), ("one t", False), ("one two three", False)):
        got = run("min_words", [({"min_words": 2}, [], list(text.encode()), logits)], vocabulary=vocabulary)[0]
        assert [i for i, value in enumerate(got) if value == -math.inf] == ([EOS_ID, OTHER_EOS_ID] if is_banned else [])


def test_min_words_gives_way_to_a_grammar_that_only_allows_the_end() -> None:  # B11
    vocabulary = byte_vocabulary()
    row = ({"min_words": 9}, [], [], [0.0] * vocabulary.size)
    got = run("min_words", [row, row], allowed=[[EOS_ID], [EOS_ID, 65]], vocabulary=vocabulary)
    assert got[0][EOS_ID] == 0.0
    assert got[1][EOS_ID] == -math.inf


def test_min_words_needs_a_vocabulary() -> None:
    with pytest.raises(ProcessorParamsError, match="vocabulary"):
        resolve_processors([("min_words", {"min_words": 2})])


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("xtc", {"threshold": 1.5}, "threshold: input should be less than or equal to 1, not 1.5"),
        ("xtc", {"probability": -0.1}, "probability"),
        ("dry", {"base": 0.5}, "base: input should be greater than or equal to 1"),
        ("dry", {"allowed_length": 0}, "allowed_length"),
        ("top_n_sigma", {"n": -1}, "n: input should be greater than or equal to 0"),
        ("top_n_sigma", {"n": math.inf}, "n: input should be a finite number"),
        ("no_repeat_ngram", {"ngram_size": 0}, "ngram_size"),
        ("min_words", {"min_words": 0}, "min_words"),
        ("thinking_budget", {"budget": -1}, "budget"),
        ("thinking_budget", {"budget": 1, "family": "gpt"}, "family"),
    ],
)
def test_ranges_are_named(name: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(ProcessorParamsError, match=f"{name}: {message}"):
        resolve_processors([(name, params)])
