"""The built-in processors against slow references, in batches of unlike rows, and what each promises for any input."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings

from guided.grammars.bitset import pack_token_ids
from guided.processors import ProcessorParamsError, ProcessorPipeline, resolve_processors
from guided.processors.ngrams import NgramIndex
from tests.examples import examples
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


def test_token_lists_are_not_empty() -> None:
    with pytest.raises(ProcessorParamsError, match="at least 1 item"):
        resolve_processors([("disallowed_tokens", {"token_ids": []})])


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


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("top_n_sigma", {"n": -1}, "n: input should be greater than or equal to 0"),
        ("top_n_sigma", {"n": math.inf}, "n: input should be a finite number"),
        ("no_repeat_ngram", {"ngram_size": 0}, "ngram_size"),
        ("thinking_budget", {"budget": -1}, "budget"),
        ("thinking_budget", {"budget": 1, "family": "gpt"}, "family"),
    ],
)
def test_ranges_are_named(name: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(ProcessorParamsError, match=f"{name}: {message}"):
        resolve_processors([(name, params)])
