"""Every caller gets the end of its request, whatever fails between the engine and the caller."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from guided import LLM, CustomLogitProcessor, EngineSettings, SamplingParams
from guided.engines.base import TokenEvent
from guided.engines.local import loop
from guided.engines.local.decode_batch import DecodeBatch
from guided.errors import EngineFailureError, EngineStoppedError, GenerationCancelledError, QueueFullError
from guided.output.builder import CompletionBuilder
from guided.output.generation import Generation
from guided.processors.errors import LogitProcessorError
from tests.guided.engines.local.conftest import MakeLLM, check_pages
from tests.server.live_server import wait_until

PARAMS = SamplingParams(max_new_tokens=6, ignore_eos=True, seed=0)
LONG = SamplingParams(max_new_tokens=None, ignore_eos=True, seed=0)
WAIT_S = 60.0


class Unlucky(CustomLogitProcessor):
    """Fails at its first call."""

    def __call__(self, logits: torch.Tensor, rows: Any) -> torch.Tensor:
        raise MemoryError("out of luck")


def fail_at(method: Callable[..., Any], call: int) -> Callable[..., Any]:
    """The method, which raises once. call: number of the call that fails, from 1."""
    calls = [0]

    def failing(*args: Any, **kwargs: Any) -> Any:
        calls[0] += 1
        if calls[0] == call:
            raise MemoryError("out of luck")
        return method(*args, **kwargs)

    return failing


@pytest.mark.parametrize(
    ("hook", "call", "read_at_end"),
    [
        *[(hook, call, False) for hook in ("sink", "builder", "text") for call in (1, 3, 6)],
        *[(hook, 1, is_at_end) for hook in ("completion", "chunk") for is_at_end in (True, False)],
        ("processor", 1, False),
    ],
)
def test_a_fault_on_the_way_ends_one_output(
    make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch, hook: str, call: int, read_at_end: bool
) -> None:
    llm = make_llm()
    expected = [one.text for one in llm.generate(["a", "c"], PARAMS)]
    processors = [Unlucky()] if hook == "processor" else None
    hit = SamplingParams(max_new_tokens=6, ignore_eos=True, seed=0, logit_processors=processors)
    generation = Generation(llm.engine, llm.read(["a", "b", "c"], [PARAMS, hit, PARAMS]), read_at_end=read_at_end)
    ((output,),) = generation._outputs[1:2]
    owners: dict[str, tuple[Any, str]] = {
        "sink": (output, "take"),
        "builder": (output, "add"),
        "completion": (output, "_finish"),
        "chunk": (output, "_give"),
        "text": (output._detokenizer, "push"),
    }
    if hook in owners:
        owner, name = owners[hook]
        monkeypatch.setattr(owner, name, fail_at(getattr(owner, name), call))
    generation.submit(is_bounded=False)
    before, failed, after = generation.results(WAIT_S)
    assert failed.finish_reason == "error"
    assert isinstance(failed.error, EngineFailureError | LogitProcessorError)
    assert [before.text, after.text] == expected
    wait_until(lambda: llm.get_stats().active_requests == 0)
    assert llm.generate("a", PARAMS).text == expected[0]
    assert llm.failure is None
    check_pages(llm)


def test_a_sink_that_always_fails_ends_nobody_else(make_llm: MakeLLM) -> None:
    llm = make_llm()
    (request,) = llm.read(["b"], LONG)
    seen: list[TokenEvent] = []

    def sink(event: TokenEvent) -> None:
        seen.append(event)
        raise ValueError("out of luck")

    beside = llm.start("a", PARAMS)
    llm.engine.submit(request, sink)
    assert len(beside.result(WAIT_S).token_ids) == 6
    wait_until(lambda: llm.get_stats().active_requests == 0)
    first, last = seen
    assert first.finish_reason is None
    assert isinstance(last.error, EngineFailureError)
    assert llm.failure is None


def test_each_particle_ends_if_its_output_can_not_be_read(make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch) -> None:
    llm = make_llm()
    params = SamplingParams(particles=3, regex="[a-z]{4}", max_new_tokens=8, seed=0)
    taken, failing = CompletionBuilder.take, fail_at(CompletionBuilder.take, 2)
    monkeypatch.setattr(
        CompletionBuilder, "take", lambda one, event: (failing if one.index == 1 else taken)(one, event)
    )
    found = llm.start("a", params).result(WAIT_S)
    assert [type(one.error) for one in (found, *found.alternatives)] == [type(None), EngineFailureError, type(None)]
    wait_until(lambda: llm.get_stats().active_requests == 0)


@pytest.mark.parametrize("is_waiting", [True, False])
def test_a_request_that_was_ended_gets_its_last_event(make_llm: MakeLLM, is_waiting: bool) -> None:
    llm = make_llm(max_batch_size=1)
    running = llm.start("a", LONG)
    next(running)
    (request,) = llm.read(["b"], LONG)
    other = llm.submit([request])
    (in_run,) = llm.read(["c"], LONG)
    if not is_waiting:
        running.cancel()
        next(other)
    threading.Timer(0.05, request.ended.set).start()
    threading.Timer(0.05, in_run.ended.set).start()
    assert list(llm.engine.run([in_run])) == [] or not is_waiting
    assert isinstance(other.result(WAIT_S).error, GenerationCancelledError)
    running.cancel()
    wait_until(lambda: llm.get_stats().active_requests == 0)


def test_shutdown_ends_what_was_not_taken_in(tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "MAX_TAKEN_IN", 2)
    with LLM(tiny_model_folder, engine_settings=EngineSettings(max_batch_size=1)) as llm:
        generation = llm.submit(llm.read(["a"] * 40, LONG), is_bounded=False)
        generation.next_chunk(WAIT_S)
    found = generation.results(WAIT_S)
    assert {type(one.error) for one in found} == {EngineStoppedError}


def test_an_engine_that_can_not_go_on_tells_everybody(tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the engine's own bookkeeping, which even the end of its rows meets."""
    with LLM(tiny_model_folder, engine_settings=EngineSettings(max_batch_size=2)) as llm:
        generation = llm.submit(llm.read(["a"] * 4, LONG), is_bounded=False)
        generation.next_chunk(WAIT_S)

        def fail(*_: Any) -> None:
            raise RuntimeError("out of luck")

        monkeypatch.setattr(DecodeBatch, "drop", fail)
        generation.requests[0].ended.set()
        errors = [one.error for one in generation.results(WAIT_S)]
        assert isinstance(errors[0], GenerationCancelledError | EngineFailureError)
        assert [type(error) for error in errors[1:]] == [EngineFailureError] * 3
        wait_until(lambda: llm.failure is not None)
        with pytest.raises(EngineStoppedError, match="the engine stopped, because the engine failed: RuntimeError"):
            llm.start("a", PARAMS)


def test_particles_that_find_no_room_leave_nothing(make_llm: MakeLLM) -> None:
    llm = make_llm(max_batch_size=1, max_waiting_requests=0)
    running = llm.start("a", LONG)
    next(running)
    with pytest.raises(QueueFullError):
        llm.start("b", SamplingParams(particles=4, regex="[a-z]+", max_new_tokens=20))
    engine_loop = llm.engine._loop  # type: ignore[attr-defined]
    assert (engine_loop.core.runs, len(engine_loop._inbox)) == ([], 0)
    running.cancel()
    wait_until(lambda: llm.get_stats().active_requests == 0)
