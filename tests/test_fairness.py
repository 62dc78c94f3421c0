"""The measurement of `tests.fairness`, small: it runs, and its bars can fail. No time decides anything."""

from __future__ import annotations

import time
from itertools import islice

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import GuidedError
from guided.grammars.limits import Limits
from tests.fairness import faults, measure
from tests.grammars.vocabularies import byte_vocabulary
from tests.load import fairness_scenes as scenes
from tests.load.delays import Delays
from tests.load.gap_causes import Causes, Looks
from tests.load.hostile_grammars import MAKERS, hostile_grammars, response_fields
from tests.load.server_process import ServerProcess


def test_tokens_come_beside_hostile_grammars() -> None:
    with scenes.library(byte_vocabulary(), 1, 0.01) as (alone, beside):
        for probe in (alone, beside):
            delays = probe(0.2)
            assert delays.firsts
            assert delays.gaps
            assert delays.figures()["gap_worst_ms"] >= delays.figures()["gap_p50_ms"] > 0


def test_of_an_llm() -> None:
    alone, beside = measure("llm", 0.3, 1, 1, 0.01)
    assert alone.gaps
    assert beside.gaps


@pytest.mark.parametrize("name", MAKERS)
def test_the_grammars_compile(name: str) -> None:
    arguments = MAKERS[name]("s1", lambda number: max(2, number // 100))
    try:
        compile_grammar(byte_vocabulary(), cache=None, limits=Limits(max_compile_seconds=1e6), **arguments)
    except GuidedError as error:
        pytest.fail(str(error))
    assert response_fields(arguments)


def test_the_same_grammars_for_a_seed_and_none_twice() -> None:
    first, again = (list(islice(hostile_grammars(3, 0.01), 20)) for _ in range(2))
    assert first == again
    assert len({str(one) for one in first}) == 20


def test_bars() -> None:
    quiet = Delays(gaps=[0.004] * 200)
    assert faults(quiet, quiet) == []
    assert faults(quiet, Delays(gaps=[0.004] * 199 + [0.16])) == ["worst 160.0 ms"]
    assert faults(quiet, Delays(gaps=[0.013] * 200)) == ["p99 13.0 ms, alone 4.0"]


def test_late_tokens_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    causes = Causes(0.01)
    with Looks() as looks:
        start_s = time.monotonic()
        while time.monotonic() < start_s + 0.2:
            pass
        causes.note(start_s, time.monotonic())
        causes.note(start_s, start_s)
    causes.report(looks.all)
    (gap,) = capsys.readouterr().out.split(" could look\n")[1:]
    assert "test_late_tokens_are_explained" in gap
    causes.report(looks.all)
    assert not capsys.readouterr().out


def test_a_server_is_watched() -> None:
    with ServerProcess(is_watched=True) as server:
        assert server.stop() == 0
        names = {seen.name for _, found in server.looks() for seen in found.values()}
    assert "MainThread" in names
