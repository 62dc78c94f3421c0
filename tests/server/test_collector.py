"""When a server's garbage collector makes its full rounds."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest

from guided.engines.local.collector import COLLECTOR, IDLE_ROUNDS, MAX_ROUNDS, MAX_ROUNDS_FROZEN
from guided.server.memory import ServerCollector
from tests.full_rounds import make_objects, small_rounds


@pytest.fixture(autouse=True)
def _small_rounds() -> Iterator[None]:
    with small_rounds():
        yield


@pytest.fixture
def full_rounds() -> Iterator[list[int]]:
    """The objects found in each full round."""
    found: list[int] = []

    def note(phase: str, info: dict[str, Any]) -> None:
        if phase == "stop" and info["generation"] == 2:
            found.append(info["collected"])

    gc.callbacks.append(note)
    yield found
    gc.callbacks.remove(note)


def test_full_rounds_wait_until_nobody_waits(full_rounds: list[int]) -> None:
    thresholds = gc.get_threshold()
    collector = ServerCollector(quiet_s=0.0)
    collector.start()
    try:
        full_rounds.clear()
        kept = make_objects(MAX_ROUNDS_FROZEN // 2)
        collector.tick(is_idle=False)
        collector.tick(is_idle=True)
        assert not full_rounds, "there is not much to find"
        circle: list[Any] = []
        circle.append(circle)
        kept += make_objects(MAX_ROUNDS_FROZEN + 1)
        num_frozen = gc.get_freeze_count()
        collector.tick(is_idle=False)
        assert len(full_rounds) == 1
        assert gc.get_freeze_count() > num_frozen, "what survives is left out of the next round"
        del circle
        collector.tick(is_idle=False)
        assert len(full_rounds) == 1
        collector.tick(is_idle=True)
        assert full_rounds[1] >= 1, "frozen ones are looked at again"
        collector.tick(is_idle=True)
        assert len(full_rounds) == 2, "so soon there is nothing to find"
        kept += make_objects(IDLE_ROUNDS + 1)
        collector.tick(is_idle=True)
        assert len(full_rounds) == 3
    finally:
        collector.stop()
    assert gc.get_threshold() == thresholds
    assert gc.get_freeze_count() == 0
    assert COLLECTOR.max_rounds == MAX_ROUNDS


def test_a_pause_between_two_requests_is_not_idle(full_rounds: list[int]) -> None:
    collector = ServerCollector(quiet_s=60.0)
    collector.start()
    try:
        full_rounds.clear()
        kept = make_objects(MAX_ROUNDS_FROZEN + 1)
        collector.tick(is_idle=False)
        collector.tick(is_idle=True)
        assert len(full_rounds) == 1
        assert kept
    finally:
        collector.stop()


def test_a_round_beside_requests_looks_at_all_where_much_is_frozen(
    full_rounds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    collector = ServerCollector()
    collector.start()
    try:
        circle: list[Any] = []
        circle.append(circle)
        gc.freeze()
        monkeypatch.setattr("guided.engines.local.collector.MANY_FROZEN", 1000)
        kept = make_objects(MAX_ROUNDS_FROZEN + 1)
        collector.tick(is_idle=False)
        kept += make_objects(MAX_ROUNDS_FROZEN + 1)
        del circle
        full_rounds.clear()
        collector.tick(is_idle=False)
        assert full_rounds[0] >= 1
        assert kept
    finally:
        collector.stop()


def test_what_was_there_is_left_out() -> None:
    collector = ServerCollector()
    old: list[Any] = []
    collector.start()
    try:
        assert not any(one is old for one in gc.get_objects())
        circle: list[Any] = []
        circle.append(circle)
        del circle
        assert gc.collect() >= 1
    finally:
        collector.stop()
    assert any(one is old for one in gc.get_objects())
