"""The locks of builds: how long threads wait for them, and what watches do about that."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from guided.grammars import build_locks
from guided.grammars.build_locks import LONGEST_PASS_S, POLL_S, BuildLock, TablesLock
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import LimitExceededError
from guided.grammars.machine.lexemes.automaton_lock import AutomatonLock
from guided.grammars.machine.lexemes.lazy_dfas import LazyDfas
from guided.grammars.machine.lexemes.shares import StateShare
from guided.grammars.machine.requests import Requests
from guided.grammars.right_of_way import Background
from guided.grammars.watch import Trial, TrialOverError, Watch, checkpoint, present
from tests.grammars.vocabularies import byte_vocabulary, mask_of

SOON_S = 30.0  # in which a thread comes to run, on any machine
SHORT_S, LONG_S = 0.05, 2.0  # a trial, and a wait that it must not make
START_S = 100.0


@pytest.fixture
def lock() -> AutomatonLock:
    return AutomatonLock(TablesLock(), StateShare(LazyDfas()))


class Clock:
    """Stands for `time`: only sleeping takes time."""

    def __init__(self) -> None:
        self.now_s = START_S

    def monotonic(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def test_a_trial_waits_no_longer_for_an_automaton(lock: AutomatonLock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The own lock comes free in time, but other threads wait for the tables."""
    monkeypatch.setattr(build_locks, "LONGEST_PASS_S", LONG_S)
    lock.tables_lock._waiting.add(0)  # a thread that never takes it
    are_held, may_end = threading.Barrier(3), threading.Event()

    def hold(held: BuildLock, wait: Callable[[], object]) -> None:
        with held:
            are_held.wait(SOON_S)
            wait()

    with ThreadPoolExecutor(2) as pool:
        pool.submit(hold, lock.tables_lock, lambda: may_end.wait(SOON_S))
        pool.submit(hold, lock._own, lambda: time.sleep(SHORT_S / 5))
        are_held.wait(SOON_S)
        start_s = time.monotonic()
        with pytest.raises(TrialOverError), Trial(SHORT_S), lock:
            pass
        assert time.monotonic() - start_s < LONG_S
        may_end.set()


def test_others_have_the_lock_first_for_so_long(lock: AutomatonLock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_locks, "time", clock := Clock())
    lock.tables_lock._waiting.add(0)
    with lock:
        lock.checkpoint()
    assert LONGEST_PASS_S - POLL_S < clock.now_s - START_S < LONGEST_PASS_S + 2 * POLL_S


@pytest.mark.parametrize("kind", ["_waiting", "_paused"])
def test_a_build_goes_on_once_another_thread_has_had_the_lock(
    lock: AutomatonLock, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_locks, "time", clock := Clock())
    tables_lock, waiting = lock.tables_lock, getattr(lock.tables_lock, kind)

    def sleep(seconds: float) -> None:
        clock.now_s += seconds
        if clock.now_s - START_S > 3 * POLL_S:
            waiting.discard(0)
            tables_lock._since_s = clock.now_s

    monkeypatch.setattr(clock, "sleep", sleep)
    waiting.add(0)
    with lock:
        lock.checkpoint()
    assert 3 * POLL_S < clock.now_s - START_S < LONGEST_PASS_S / 2


def test_a_trial_waits_no_longer_for_a_fresh_automaton(monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary = byte_vocabulary()
    grammar: Any = compile_grammar(vocabulary, json_schema={"enum": [1]}, cache=None)
    monkeypatch.setattr(type(grammar._automaton), "is_worn", True)
    make, is_begun, may_end = grammar._new_automaton, threading.Event(), threading.Event()

    def new_automaton() -> Any:
        is_begun.set()
        may_end.wait(LONG_S)
        return make()

    grammar._new_automaton = new_automaton
    with ThreadPoolExecutor(1) as pool:
        renewed = pool.submit(grammar.matcher)
        assert is_begun.wait(SOON_S)
        with pytest.raises(TrialOverError), Trial(SHORT_S):
            grammar.matcher()
        may_end.set()
        assert mask_of(renewed.result(SOON_S), vocabulary) == [ord("1")]


def test_a_fresh_automaton_that_fails_leaves_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    grammar: Any = compile_grammar(byte_vocabulary(), json_schema={"enum": [1]}, cache=None)
    running, num_bytes = grammar.running(), grammar.num_bytes
    with monkeypatch.context() as patch:
        patch.setattr(type(grammar._automaton), "is_worn", True)
        patch.setattr("guided.grammars.native.schema_grammar.DocumentAutomaton", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            grammar.matcher()
    assert grammar.running() == running
    assert grammar.num_bytes == num_bytes


def test_a_context_inside_another_gives_way_to_it_again() -> None:
    with Trial(LONG_S) as trial:
        with Trial(LONG_S):
            pass
        assert present.trial is trial
    assert present.trial is None
    with Background() as background:
        with Background():
            pass
        assert present.step_aside == background._step_aside
    assert present.step_aside is None


def test_a_trial_keeps_the_error_of_a_limit_around_it() -> None:
    watch = Watch("max_compile_seconds", 0.0)
    time.sleep(0.001)  # so that the clock goes on
    with pytest.raises(LimitExceededError), watch, Trial(SOON_S):
        checkpoint()


def test_a_matcher_asks_under_the_lock_if_a_styled_text_may_end(monkeypatch: pytest.MonkeyPatch) -> None:
    content = {"type": "json_schema", "json_schema": {"type": "object"}, "style": "qwen_xml"}
    matcher = compile_grammar(byte_vocabulary(), structural_tag={"format": content}, cache=None).matcher()
    is_held, run = list[bool](), Requests.run

    def run_noted(requests: Any, *arguments: Any, **options: Any) -> Any:
        is_held.append(requests._lock.tables_lock.is_mine)
        return run(requests, *arguments, **options)

    monkeypatch.setattr(Requests, "run", run_noted)
    for byte in b"<parameter=a>":
        assert matcher.accept_token(byte)
        assert not matcher.is_accepting()
    assert is_held
    assert all(is_held)
