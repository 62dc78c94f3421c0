"""While an engine has rows its thread decides when the garbage collector makes full rounds."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guided import LLM, SamplingParams
from guided.engines.local import collector, loop
from guided.engines.local.collector import IDLE_ROUNDS, Collector
from guided.grammars.right_of_way import RIGHT_OF_WAY
from tests.full_rounds import make_objects, small_rounds


@pytest.fixture(autouse=True)
def _small_rounds() -> Iterator[None]:
    with small_rounds():
        yield


@pytest.fixture
def full_rounds() -> Iterator[list[bool]]:
    """For each full round, whether it was in a step."""
    found: list[bool] = []

    def note(phase: str, info: dict[str, Any]) -> None:
        if phase == "start" and info["generation"] == 2:
            found.append(RIGHT_OF_WAY._num_steps > 0)

    gc.callbacks.append(note)
    yield found
    gc.callbacks.remove(note)


def test_none_in_a_step(tiny_model_folder: Path, full_rounds: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """Much is made beside it; the round comes when the last row has left."""
    before = gc.get_threshold()
    with LLM(tiny_model_folder) as llm:
        kept: list[Any] = []
        params = SamplingParams(max_new_tokens=200, ignore_eos=True)
        llm.generate("a", SamplingParams(max_new_tokens=1))
        gc.collect()
        full_rounds.clear()
        done = threading.Event()
        generation = llm.start("a", params)
        next(generation)
        kept.append(make_objects(2 * IDLE_ROUNDS))
        generation.result()
        for _ in range(1000):
            if gc.get_threshold() == before:
                break
            done.wait(0.01)
    assert gc.get_threshold() == before
    assert not any(full_rounds)


def test_none_before_the_reader_has_the_last_token(tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor between two requests that follow each other at once."""
    ends: list[float] = []
    end_work = collector.COLLECTOR.end_work
    monkeypatch.setattr(collector.COLLECTOR, "end_work", lambda: (ends.append(time.monotonic()), end_work()))
    monkeypatch.setattr(loop, "QUIET_S", 0.5)
    with LLM(tiny_model_folder) as llm:
        for _ in range(3):
            llm.generate("a", SamplingParams(max_new_tokens=2))
        done_s = time.monotonic()
        assert not ends
        while not ends and time.monotonic() < done_s + 10:
            time.sleep(0.01)
        assert ends[0] > done_s


def test_a_round_when_memory_asks_for_it(full_rounds: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "MAX_ROUNDS", 20)
    before, one = gc.get_threshold(), Collector()
    one.begin_work()
    one.begin_work()
    gc.collect()
    full_rounds.clear()
    kept = make_objects(10)
    one.tick(is_idle=False)
    assert not full_rounds
    kept += make_objects(15)
    one.tick(is_idle=False)
    assert len(full_rounds) == 1
    one.end_work()
    assert gc.get_threshold() != before
    one.end_work()
    assert gc.get_threshold() == before


def test_a_forked_process_makes_its_own_rounds() -> None:
    before, one = gc.get_threshold(), Collector()
    one.begin_work()
    one.start_anew()
    assert gc.get_threshold() == before
