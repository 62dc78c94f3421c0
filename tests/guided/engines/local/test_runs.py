"""Requests that are read at their end only: their tokens come in runs, and give what single events give."""

from __future__ import annotations

import queue
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from guided import LLM, SamplingParams
from guided.engines.base import Engine, TokenEvent
from guided.engines.local.engine_request import MAX_RUN_TOKENS, EngineRequest
from guided.errors import DeadlineExceededError
from guided.grammars.compile import compile_grammar
from guided.output.builder import CompletionBuilder
from guided.requests.request import PromptRequest
from tests.guided.engines.local.conftest import MakeLLM
from tests.guided.processors.thinking_model import scripted_engine

PROMPTS = ([5, 6, 7], [9, 3])
KINDS: dict[str, dict[str, Any]] = {
    "free": {"max_new_tokens": 3 * MAX_RUN_TOKENS + 5, "ignore_eos": True},
    "one token": {"max_new_tokens": 1},
    "regex": {"max_new_tokens": 200, "regex": "[a-f ]{90,120}"},
    "json": {"max_new_tokens": 120, "json_schema": {"type": "object", "properties": {"name": {"maxLength": 30}}}},
    "log-probabilities": {"max_new_tokens": 20, "logprobs": 1},
    "an early end forbidden": {"max_new_tokens": 9, "min_new_tokens": 5, "regex": "ab"},
}


def events_of(engine: Engine, request: PromptRequest) -> list[TokenEvent]:
    got: queue.SimpleQueue[TokenEvent] = queue.SimpleQueue()
    engine.submit(request, got.put)
    events = [got.get(timeout=60)]
    while events[-1].finish_reason is None:
        events.append(got.get(timeout=60))
    return events


def completion_of(llm: LLM, request: PromptRequest, events: list[TokenEvent]) -> Any:
    builder = CompletionBuilder(llm.vocabulary, request)
    builder.shows_at_end = request.is_read_at_end
    for event in events:
        builder.add(event)
    return replace(builder.result(), elapsed_s=0.0, time_to_first_token_s=0.0)


@pytest.mark.parametrize("jump_forward", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_runs_give_what_single_events_give(make_llm: MakeLLM, kind: str, jump_forward: bool) -> None:
    llm = make_llm(jump_forward=jump_forward)
    for seed, prompt in enumerate(PROMPTS):
        request = llm.read([prompt], SamplingParams(seed=seed, **KINDS[kind]))[0]
        at_end = replace(request, is_read_at_end=True)
        single, runs = events_of(llm.engine, request), events_of(llm.engine, at_end)
        assert completion_of(llm, at_end, runs) == completion_of(llm, request, single)
        assert all(event.run is None for event in single)
        assert all(len(event.run.token_ids) <= MAX_RUN_TOKENS for event in runs if event.run is not None)
        if kind in ("free", "regex"):
            assert len(runs) <= 2 + len(single) / MAX_RUN_TOKENS


@pytest.mark.parametrize(("thinking", "has_runs"), [(False, True), (True, False)])
def test_a_grammar_has_runs_if_its_output_can_not_think(
    tiny_model_folder: Path, thinking: bool, has_runs: bool
) -> None:
    engine = scripted_engine(tiny_model_folder, lambda _: ord("a"))
    grammar = compile_grammar(engine.vocabulary, regex="[a-f ]{90,120}")
    params = SamplingParams(temperature=0, max_new_tokens=200, thinking=thinking)
    events = events_of(engine, PromptRequest([5, 6, 7], params, grammar, is_read_at_end=True))
    engine.shutdown()
    assert any(event.run is not None for event in events) == has_runs


def test_what_was_written_until_the_deadline_is_kept(make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch) -> None:
    llm = make_llm()
    params = SamplingParams(temperature=0, max_new_tokens=None, ignore_eos=True)
    monkeypatch.setattr(EngineRequest, "must_end", lambda row, _: row.num_new_tokens >= 20)  # the deadline has passed
    completion = llm.generate("a", params, deadline_s=3600.0, keep_errors=True)
    assert isinstance(completion.error, DeadlineExceededError)
    assert len(completion.token_ids) >= 20
