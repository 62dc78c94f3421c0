"""How many threads torch takes for a model's steps: few for a small model, and nobody else's number changes."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch

from guided import LLM, EngineObserver, SamplingParams
from guided.embedded.network import LlamaNetwork
from guided.engines.local.paged import support
from guided.engines.local.threads import PARAMETERS_PER_THREAD, default_num_threads, running_in, use_threads
from guided.grammars.errors import InvalidInputError
from guided.requests.observer import StepRecord
from tests.guided.engines.local.conftest import MakeLLM
from tests.guided.engines.local.tiny_models import make_model


@dataclass
class FakeModel:
    parameters: int
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))

    def num_parameters(self) -> int:
        return self.parameters


def in_new_thread() -> int:
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(torch.get_num_threads()))
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.parametrize(
    ("parameters", "expected"), [(0, 1), (4_300_000, 1), (2 * PARAMETERS_PER_THREAD, 2), (10**10, 3)]
)
def test_small_models_get_one_thread(parameters: int, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert default_num_threads(FakeModel(parameters)) == expected  # type: ignore[arg-type]
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert default_num_threads(FakeModel(parameters)) == 3  # type: ignore[arg-type]


def test_the_test_run_at_loading_takes_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    check = support.survey_layout
    monkeypatch.setattr(support, "survey_layout", lambda twin: seen.append(torch.get_num_threads()) or check(twin))
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with running_in(2):
        support.prepare(make_model("llama"), "torch")
        seen.append(torch.get_num_threads())
    assert seen == [1, 2]


def test_a_gpu_has_no_number() -> None:
    assert default_num_threads(FakeModel(10**9, torch.device("meta"))) is None  # type: ignore[arg-type]


def test_a_thread_changes_only_its_own_number() -> None:
    before, later = torch.get_num_threads(), in_new_thread()
    other = 1 if later > 1 else 2  # torch takes no more than the machine has
    seen: list[int] = []

    def run() -> None:
        use_threads(other)
        seen.append(torch.get_num_threads())

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [other]
    assert (torch.get_num_threads(), in_new_thread()) == (before, later)


class Threads(EngineObserver):
    def __init__(self) -> None:
        self.seen: set[int] = set()

    def on_step(self, record: StepRecord) -> None:
        self.seen.add(torch.get_num_threads())


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="torch takes no more threads than the machine has")
@pytest.mark.parametrize(("asked", "expected"), [(None, 1), (2, 2)])
def test_steps_run_with_that_number(
    make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch, asked: int | None, expected: int
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    llm = make_llm(num_threads=asked)
    threads = Threads()
    llm.engine.add_observer(threads)
    llm.generate("a", SamplingParams(temperature=0, max_new_tokens=2))
    assert threads.seen == {expected}


def test_no_threads_are_refused(make_llm: MakeLLM) -> None:
    with pytest.raises(InvalidInputError, match="num_threads must be an integer >= 1"):
        make_llm(num_threads=0)


def test_a_model_is_looked_at_in_the_threads_that_run_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it is ready a model runs a few tokens. In all threads of a busy machine that took 2.8 s of 3.5 s."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    seen: set[int] = set()
    before = torch.get_num_threads()
    forward = LlamaNetwork.forward

    def noting_forward(self: LlamaNetwork, *args: Any, **kwargs: Any) -> Any:
        seen.add(torch.get_num_threads())
        return forward(self, *args, **kwargs)

    monkeypatch.setattr(LlamaNetwork, "forward", noting_forward)
    with LLM() as llm:
        assert seen == {1} == {llm.engine.num_threads}  # type: ignore[attr-defined]
    assert torch.get_num_threads() == before == in_new_thread()
