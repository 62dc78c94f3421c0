"""Passes that run beside the host: every request writes what it writes without, and pages come back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch

from guided import LLM, SamplingParams
from guided.engine.paged import Chunk, PagedModel
from guided.errors import EngineFailureError
from tests.guided.engine.conftest import MakeLLM, check_pages
from tests.guided.engine.test_continuous_batching import make_requests, same


class Passes:
    """Counts the passes of models, and those that were launched before the host knew their tokens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.num_passes = self.num_ahead = 0
        prepare = PagedModel.prepare

        def counted(model: PagedModel, chunks: Sequence[Chunk], newest: torch.Tensor | None = None) -> Any:
            self.num_passes += 1
            self.num_ahead += newest is not None
            return prepare(model, chunks, newest)

        monkeypatch.setattr(PagedModel, "prepare", counted)


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Passes:
    return Passes(monkeypatch)


@pytest.mark.parametrize("settings", [{}, {"max_draft_tokens": 0}, {"max_draft_tokens": 0, "jump_forward": False}])
def test_all_kinds_of_requests_write_the_same(make_llm: MakeLLM, settings: dict[str, Any]) -> None:
    plain, overlapped = make_llm(**settings), make_llm(overlapped=True, **settings)
    requests = make_requests(30, 0)
    expected = [plain.generate(prompt, params) for prompt, params in requests]
    got = overlapped.generate([prompt for prompt, _ in requests], [params for _, params in requests])
    for one, other in zip(got, expected, strict=True):
        same(one, other)


def test_passes_begin_before_the_host_has_seen_the_tokens(make_llm: MakeLLM, passes: Passes) -> None:
    llm = make_llm(overlapped=True, max_draft_tokens=0)
    params = SamplingParams(temperature=1.0, max_new_tokens=20, min_new_tokens=20, seed=3)
    llm.generate(["in", "the the"], params)
    assert passes.num_ahead == passes.num_passes - 1 == 19  # all but the one of the prompts


def test_rows_with_forced_tokens_wait_for_them(make_llm: MakeLLM, passes: Passes) -> None:
    llm = make_llm(overlapped=True, max_draft_tokens=0)
    llm.generate("in", SamplingParams(temperature=1.0, max_new_tokens=20, regex="(in|an)+the and the"))
    assert passes.num_passes
    assert passes.num_ahead == 0


def test_rows_that_end_unforeseen_leave_their_pass(make_llm: MakeLLM, passes: Passes) -> None:
    plain, llm = make_llm(max_draft_tokens=0), make_llm(overlapped=True, max_draft_tokens=0)
    every = [SamplingParams(temperature=1.5, max_new_tokens=30, seed=seed, stop=["a"]) for seed in range(12)]
    expected = plain.generate(["in"] * len(every), every)
    before = passes.num_ahead
    for one, other in zip(llm.generate(["in"] * len(every), every), expected, strict=True):
        same(one, other)
    assert passes.num_ahead > before
    assert {one.finish_reason for one in expected} == {"stop", "length"}


def test_requests_that_come_and_go_meanwhile(make_llm: MakeLLM) -> None:
    plain, llm = make_llm(max_draft_tokens=0), make_llm(overlapped=True, max_draft_tokens=0)
    requests = make_requests(24, 0)
    expected = [plain.generate(prompt, params) for prompt, params in requests]

    def ask(index: int) -> Any:
        time.sleep(0.003 * index)
        if index % 5 == 4:
            pieces = llm.stream("in the", SamplingParams(max_new_tokens=60, temperature=1.0))
            next(pieces)
            pieces.close()
        return llm.generate(*requests[index])

    with ThreadPoolExecutor(8) as threads:
        for got, other in zip(threads.map(ask, range(len(requests))), expected, strict=True):
            same(got, other)
    check_pages(llm)


def test_a_pass_that_fails_ends_its_rows_and_no_others(make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch) -> None:
    llm = make_llm(overlapped=True, max_draft_tokens=0)
    prepare, num_calls = PagedModel.prepare, 0

    def failing(model: PagedModel, chunks: Sequence[Chunk], newest: torch.Tensor | None = None) -> Any:
        nonlocal num_calls
        num_calls += newest is not None
        if newest is not None and num_calls == 4:
            raise_later: Any = lambda: 1 / 0  # noqa: E731
            return raise_later
        return prepare(model, chunks, newest)

    monkeypatch.setattr(PagedModel, "prepare", failing)
    params = SamplingParams(temperature=1.0, max_new_tokens=20, min_new_tokens=20)
    failed = llm.generate(["in", "an"], params)
    assert all(isinstance(one.error, EngineFailureError) for one in failed)
    assert llm.generate("in", params).error is None
    check_pages(llm)


def test_particles_and_processors(make_llm: MakeLLM) -> None:
    def both(params: SamplingParams) -> None:
        plain: LLM = make_llm(max_draft_tokens=0)
        overlapped: LLM = make_llm(overlapped=True, max_draft_tokens=0)
        same(overlapped.generate("in the", params), plain.generate("in the", params))

    both(SamplingParams(temperature=1.0, seed=4, max_new_tokens=25, particles=4, regex="[a-z ]{1,20}"))
    both(SamplingParams(temperature=1.0, seed=4, max_new_tokens=25, n=3, repetition_penalty=1.2))
