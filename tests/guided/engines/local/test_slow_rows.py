"""Rows whose grammars take long: they sit out steps, write what they write anyway, and hold nobody up."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guided import LLM, SamplingParams
from guided.engines.local import slow_rows as module
from guided.engines.local.engine_request import EngineRequest
from guided.engines.local.slow_rows import TRIAL_BESIDE_S, Build, SlowRows, StepTime, build
from guided.errors import EngineFailureError
from guided.grammars.cache import PROCESS_CACHE
from guided.grammars.errors import CompileCancelledError
from guided.grammars.limits import Limits
from guided.grammars.machine.vocabulary_tables import vocabulary_tables_of
from guided.grammars.watch import Trial, TrialOverError, checkpoint
from tests.guided.engines.local.conftest import MakeLLM, check_pages
from tests.guided.engines.local.test_continuous_batching import make_requests, same

SOON_S = 30.0  # in which a thread comes to run, on any machine
MIXED = {
    "type": "object",
    "properties": {"the": {"type": "array", "items": {"enum": ["in", "an", 1]}, "uniqueItems": True, "maxItems": 3}},
    "required": ["the"],
    "additionalProperties": False,
}


def slow_schema(count: int, name: str = "a") -> dict[str, Any]:
    """Objects with the same key and other patterns: one mask of Python after the other."""
    patterns = [{"type": "string", "pattern": f"^x{number}[a-f]*{name}{number % 7}"} for number in range(count)]
    return {"anyOf": [{"type": "object", "properties": {"k": one}, "required": ["k"]} for one in patterns]}


@pytest.fixture
def slow_rows(monkeypatch: pytest.MonkeyPatch) -> list[EngineRequest]:
    """The rows that sat out, each time anew."""
    seen: list[EngineRequest] = []
    begin = SlowRows._build
    monkeypatch.setattr(SlowRows, "_build", lambda self, row: (seen.append(row), begin(self, row))[1])
    return seen


@pytest.mark.parametrize("settings", [{}, {"jump_forward": False}, {"prefix_caching": False, "max_batch_size": 3}])
def test_the_same_tokens_where_everything_is_slow(
    make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch, slow_rows: list[EngineRequest], settings: dict[str, Any]
) -> None:
    """Whatever a grammar must build sits out, masks and tokens alike; sampling and forced text are as always."""
    requests = make_requests(10, 50)
    requests += [("a", SamplingParams(json_schema=MIXED, seed=1, max_new_tokens=40, presence_penalty=1.0))]
    requests += [("b", SamplingParams(json_schema=MIXED, seed=2, max_new_tokens=40, penalize_forced=True, logprobs=1))]
    llm = make_llm(**settings)
    alone = [llm.generate(*request) for request in requests]
    slow_rows.clear()
    PROCESS_CACHE.clear()

    def check(self: Trial) -> None:
        raise TrialOverError

    monkeypatch.setattr(Trial, "check", check)
    together = llm.generate([prompt for prompt, _ in requests], [params for _, params in requests])
    for got, expected in zip(together, alone, strict=True):
        same(got, expected)
    assert len(slow_rows) > 10
    check_pages(llm)


def test_others_go_on_meanwhile(tiny_model_folder: Path, slow_rows: list[EngineRequest]) -> None:
    with LLM(tiny_model_folder, limits=Limits(max_mask_seconds=60, max_text_seconds=60)) as llm:
        plain = SamplingParams(temperature=0, max_new_tokens=15, ignore_eos=True)
        expected = llm.generate("the", plain)
        grammar = llm.compile(SamplingParams(json_schema=slow_schema(500)))
        slow = llm.start("a", SamplingParams(max_new_tokens=20, seed=1), grammar=grammar)
        waits = []
        while not slow_rows:
            time.sleep(0.005)
        for _ in range(3):
            last_s = time.perf_counter()
            generation = llm.start("the", plain)
            for _ in generation:
                waits.append(time.perf_counter() - last_s)
                last_s = time.perf_counter()
            assert generation.result().token_ids == expected.token_ids
        stats = llm.get_stats()
        assert stats.active_requests + stats.waiting_requests == 1  # the slow one, which they did not wait for
        assert max(waits) < 10  # on a machine with six times as much to do as it can; it was up to max_mask_seconds
        slow.cancel()


def _go_on() -> None:
    while True:
        checkpoint()


def test_a_short_build_waits_for_none_that_takes_long() -> None:
    built, running = threading.Event(), threading.Event()

    def long_work() -> None:
        running.set()
        _go_on()

    long = [build(long_work, lambda: None) for _ in range(8)]
    assert running.wait(SOON_S)
    short, _ = build(lambda: "done", built.set)
    assert built.wait(SOON_S)
    assert short.result(timeout=0) == "done"
    assert not any(future.done() for future, _ in long)
    for _, cancel in long:
        cancel.set()


def test_what_a_build_raises() -> None:
    done = threading.Event()
    begun, cancel = build(_go_on, done.set)
    cancel.set()
    assert done.wait(SOON_S)
    with pytest.raises(CompileCancelledError):
        begun.result(timeout=0)


def test_many_rows_that_start_together_are_no_long_step() -> None:
    """Each of them may try for a moment, not for a whole slice."""
    step = StepTime()
    for _ in range(2):
        step.begin(0, beside_others=False)
        start_s = time.thread_time()
        for _ in range(20):
            with pytest.raises(TrialOverError), step.trial():
                _go_on()
        assert time.thread_time() - start_s < 0.12  # it was 0.4
        step.begin(0, beside_others=True)
        with step.trial():
            checkpoint()


def test_what_a_step_needs_less_the_next_one_has_more() -> None:
    step, spent = StepTime(), list[float]()
    for needs in (False, True, True):
        step.begin(0, beside_others=True)
        start_s = time.thread_time()
        if needs:
            with pytest.raises(TrialOverError), step.trial():
                _go_on()
        spent.append(time.thread_time() - start_s)
    assert spent[1] > 1.9 * TRIAL_BESIDE_S
    assert TRIAL_BESIDE_S < spent[2] < spent[1]


def test_a_step_waits_for_no_lock(tiny_model_folder: Path) -> None:
    """What can't pause, as rules and closings, holds the lock of the vocabulary while it is built."""
    with LLM(tiny_model_folder) as llm:
        plain = SamplingParams(temperature=0, max_new_tokens=8, ignore_eos=True)
        expected = llm.generate("the", plain)
        several: list[dict[str, Any]] = [{"ebnf": 'root ::= "a" root | "b"'}, {"json_schema": MIXED}]
        several.append({"all_of": [{"regex": "[ab]*"}, {"ebnf": 'root ::= "a" root "b" | "c" | ""'}]})
        compiled = [llm.compile(SamplingParams(**one)) for one in several]
        with vocabulary_tables_of(llm.vocabulary).lock:
            held = [llm.start("a", SamplingParams(max_new_tokens=20, seed=1), grammar=one) for one in compiled]
            assert llm.start("the", plain).result(timeout_s=60).token_ids == expected.token_ids
            assert not any(one.is_done for one in held)
        for one, grammar in zip(held, compiled, strict=True):
            alone = llm.generate("a", SamplingParams(max_new_tokens=20, seed=1), grammar=grammar)
            same(one.result(timeout_s=60), alone)


def test_a_step_waits_for_no_other_row_of_the_same_grammar(
    tiny_model_folder: Path, slow_rows: list[EngineRequest]
) -> None:
    with LLM(tiny_model_folder, limits=Limits(max_mask_seconds=60, max_text_seconds=60)) as llm:
        plain = SamplingParams(temperature=0, max_new_tokens=8, ignore_eos=True)
        expected = llm.generate("the", plain)
        grammar = llm.compile(SamplingParams(json_schema=slow_schema(500, "c")))
        slow = [llm.start("a", SamplingParams(max_new_tokens=20, seed=1), grammar=grammar)]
        while not slow_rows:
            time.sleep(0.005)
        time.sleep(0.1)
        slow.append(llm.start("a", SamplingParams(max_new_tokens=20, seed=2), grammar=grammar))
        while len({id(row) for row in slow_rows}) < 2:
            time.sleep(0.005)
        assert llm.start("the", plain).result(timeout_s=60).token_ids == expected.token_ids
        stats = llm.get_stats()
        assert stats.active_requests + stats.waiting_requests == 2  # both still build
        for one in slow:
            one.cancel()


def test_a_request_that_is_cancelled_frees_what_it_waited_for(
    tiny_model_folder: Path, slow_rows: list[EngineRequest]
) -> None:
    with LLM(tiny_model_folder, limits=Limits(max_mask_seconds=60)) as llm:
        num_threads = threading.active_count()
        grammar = llm.compile(SamplingParams(json_schema=slow_schema(400, "b")))
        slow = llm.start("a", SamplingParams(max_new_tokens=60), grammar=grammar)
        while not slow_rows:
            time.sleep(0.005)
        slow.cancel()
        found = weakref.ref(slow_rows[0])
        slow_rows.clear()
        end = time.monotonic() + 20
        while (found() is not None or threading.active_count() > num_threads + 1) and time.monotonic() < end:
            gc.collect()
            time.sleep(0.05)
        assert found() is None, [type(one) for one in gc.get_referrers(found())]
        assert threading.active_count() <= num_threads + 1  # the engine's
        check_pages(llm)


def _wait_until(is_so: Callable[[], bool]) -> None:
    end_s = time.monotonic() + SOON_S
    while not is_so():
        assert time.monotonic() < end_s
        time.sleep(0.005)


@pytest.fixture
def everything_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(self: Trial) -> None:
        raise TrialOverError

    PROCESS_CACHE.clear()
    monkeypatch.setattr(Trial, "check", check)


@pytest.mark.usefixtures("everything_is_slow")
def test_callers_share_a_limited_number_of_threads(make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Build] = []
    may_go_on = threading.Event()

    def begin(work: Callable[[], Any], on_done: Callable[[], None]) -> Build:
        begun.append(build(lambda: (may_go_on.wait(SOON_S), work())[1], on_done))
        return begun[-1]

    monkeypatch.setattr(module, "build", begin)
    monkeypatch.setattr(module, "MAX_BUILDS_OF_A_CALLER", 2)
    monkeypatch.setattr(module, "MAX_BUILDS", 3)
    llm, params = make_llm(), SamplingParams(json_schema=slow_schema(3, "d"), seed=1, max_new_tokens=20, n=4)
    first = llm.start("a", params)
    _wait_until(lambda: len(begun) == 2)
    second = llm.start("a", params)
    _wait_until(lambda: len(begun) == 3)
    going_on = llm.generate("the", SamplingParams(max_new_tokens=3, ignore_eos=True))
    assert going_on.finish_reason == "length"  # several steps
    assert len(begun) == 3
    second.cancel()
    may_go_on.set()
    assert len(first.result(timeout_s=60).alternatives) == 3
    assert len(begun) > 4


@pytest.mark.usefixtures("everything_is_slow")
def test_a_thread_that_cannot_be_started_ends_its_row_alone(make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch) -> None:
    llm, is_first = make_llm(), iter([True])

    def begin(work: Callable[[], Any], on_done: Callable[[], None]) -> Build:
        if next(is_first, False):
            raise RuntimeError("can't start new thread")
        return build(work, on_done)

    monkeypatch.setattr(module, "build", begin)
    plain = llm.start("the", SamplingParams(max_new_tokens=100, ignore_eos=True))
    slow = SamplingParams(json_schema=slow_schema(3, "e"), max_new_tokens=20)
    failed = llm.start("a", slow).result(timeout_s=60)
    assert isinstance(failed.error, EngineFailureError)
    assert str(failed.error).startswith("the start of a thread for the grammar failed: RuntimeError")
    assert llm.generate("a", slow).finish_reason in ("stop", "length")
    assert len(plain.result(timeout_s=60).token_ids) == 100
    check_pages(llm)
