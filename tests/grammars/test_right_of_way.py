"""Long work in Python gives way: one thread at a time, none beside a step, and nobody waits for good."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from guided.grammars import right_of_way
from guided.grammars.allowance import Allowance
from guided.grammars.build_locks import TablesLock
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import LimitExceededError
from guided.grammars.machine.lexemes.automaton_lock import AutomatonLock
from guided.grammars.machine.lexemes.lazy_dfas import LazyDfas
from guided.grammars.machine.lexemes.shares import StateShare
from guided.grammars.right_of_way import Background, RightOfWay
from guided.grammars.watch import Watch, checkpoint, pausing, take
from tests.grammars.vocabularies import byte_vocabulary

FOR_EVER_S = 1000.0
SOON_S = 30.0  # in which a thread comes to run, on any machine


@pytest.fixture
def way(monkeypatch: pytest.MonkeyPatch) -> Iterator[RightOfWay]:
    """Nobody has time for free, and nobody loses patience. Afterwards no worker waits any more."""
    monkeypatch.setattr(right_of_way, "FREE_S", -1.0)
    monkeypatch.setattr(right_of_way, "TURN_S", 0.0)
    monkeypatch.setattr(right_of_way, "LONGEST_TURN_S", FOR_EVER_S)
    monkeypatch.setattr(right_of_way, "PATIENCE_S", FOR_EVER_S)
    way = RightOfWay()
    yield way
    for worker in WORKERS:
        worker.is_over = True
        worker.go.release()
    while WORKERS:
        worker = WORKERS.pop()
        worker.join(SOON_S)
        assert not worker.is_alive()
    way.start_anew()


WORKERS: list[Worker] = []
"""Of this test."""


class Worker(threading.Thread):
    """Comes to a checkpoint as often as it is told to, and tells when it is past it."""

    def __init__(self, way: RightOfWay, work: Callable[[], None] = checkpoint) -> None:
        super().__init__(daemon=True)
        self.go, self.passed = threading.Semaphore(0), threading.Semaphore(0)
        self._way, self._work = way, work
        self.is_over = False
        WORKERS.append(self)
        self.start()

    def run(self) -> None:
        with Background(self._way):
            while self.go.acquire() and not self.is_over:
                self._work()
                self.passed.release()

    def goes_on(self) -> bool:
        """It gets past a checkpoint that it has come to."""
        return self.passed.acquire(timeout=SOON_S)

    def waits(self) -> bool:
        """It stays at its checkpoint, as far as that can be seen."""
        return not self.passed.acquire(timeout=0.05)


def test_none_goes_on_beside_a_step(way: RightOfWay) -> None:
    worker = Worker(way)
    with way.step():
        worker.go.release()
        assert worker.waits()
    assert worker.goes_on()


def test_who_has_the_turn_gives_it_to_a_step(way: RightOfWay) -> None:
    worker = Worker(way)
    worker.go.release()
    assert worker.goes_on()
    with way.step():
        worker.go.release()
        assert worker.waits()
    assert worker.goes_on()


def test_steps_of_two_engines(way: RightOfWay) -> None:
    worker = Worker(way)
    with way.step():
        with way.step():
            worker.go.release()
        assert worker.waits()
    assert worker.goes_on()


def test_one_at_a_time_in_turn(way: RightOfWay) -> None:
    first, second = Worker(way), Worker(way)
    first.go.release()
    assert first.goes_on()
    second.go.release()
    assert second.waits()  # the first one has the turn, and is between two checkpoints
    first.go.release()
    assert second.goes_on()
    assert first.waits()
    second.go.release()
    assert first.goes_on()


def test_who_has_computed_less_is_first(way: RightOfWay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the time of its turns counts."""
    monkeypatch.setattr(right_of_way, "MOST_BEHIND_S", FOR_EVER_S)
    holder, long, short = Background(way), Background(way), Background(way)
    long.spent_s = FOR_EVER_S
    way.wait_for_turn(holder)
    threads = [threading.Thread(target=way.wait_for_turn, args=(one,), daemon=True) for one in (long, short)]
    for number, thread in enumerate(threads, 1):
        thread.start()
        while len(way._waiting) < number:
            time.sleep(0.001)
    time.sleep(0.1)  # which both wait
    start_s = time.monotonic()
    way.leave(holder)
    threads[1].join(SOON_S)
    assert threads[0].is_alive()
    way.leave(short)
    assert short.spent_s <= time.monotonic() - start_s
    threads[0].join(SOON_S)
    assert not threads[0].is_alive()


def test_who_waits_for_another_thread_lets_others_on(way: RightOfWay) -> None:
    lock, has_the_turn = threading.RLock(), threading.Event()

    def take_lock() -> None:
        checkpoint()
        has_the_turn.set()
        take(lock)
        lock.release()

    first, second = Worker(way, take_lock), Worker(way)
    with lock:
        first.go.release()
        assert has_the_turn.wait(SOON_S)
        second.go.release()
        assert second.goes_on()
        assert first.waits()
    assert first.goes_on()


def test_who_comes_to_no_checkpoint_is_passed_over(way: RightOfWay, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Worker(way), Worker(way)
    first.go.release()
    assert first.goes_on()
    monkeypatch.setattr(right_of_way, "LONGEST_TURN_S", 0.1)
    third = Worker(way)
    for worker in (second, third):
        worker.go.release()
    assert second.goes_on()
    assert third.goes_on()


def test_a_long_step_lets_one_have_a_turn(way: RightOfWay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(right_of_way, "PATIENCE_S", 0.0)
    worker = Worker(way)
    with way.step():
        worker.go.release()
        assert worker.goes_on()


def test_waiting_counts_for_no_limit(way: RightOfWay) -> None:
    """The clock of the limits inside stands still meanwhile."""
    allowance = Allowance("max_text_seconds", 0.5)

    def work() -> None:
        with allowance, Watch("max_compile_seconds", 0.5):
            way_is_closed.set()
            checkpoint()
            checkpoint()

    way_is_closed = threading.Event()
    worker = Worker(way, work)
    with way.step():
        worker.go.release()
        assert way_is_closed.wait(SOON_S)
        time.sleep(0.7)
    assert worker.goes_on()
    assert allowance.left_s > 0.2


def test_its_own_work_counts(way: RightOfWay) -> None:
    def work() -> None:
        end = time.monotonic() + SOON_S
        while time.monotonic() < end:
            checkpoint()

    with pytest.raises(LimitExceededError), Background(way), Watch("max_compile_seconds", 0.02):
        work()


def test_short_work_waits_for_nobody(way: RightOfWay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(right_of_way, "FREE_S", FOR_EVER_S)
    with way.step(), Background(way):
        checkpoint()


def test_room_is_left_where_somebody_wants_it(way: RightOfWay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(right_of_way, "MAX_ROOM_S", FOR_EVER_S)
    way.leave_room(FOR_EVER_S)  # nobody does
    worker = Worker(way)
    worker.go.release()
    assert worker.goes_on()
    thread = threading.Thread(target=way.leave_room, args=(FOR_EVER_S,), daemon=True)
    thread.start()
    thread.join(0.05)
    assert thread.is_alive()
    for background in _of(way):
        way.leave(background)
    thread.join(SOON_S)
    assert not thread.is_alive()


def _of(way: RightOfWay) -> Iterator[Background]:
    if way._holder is not None:
        yield way._holder


def test_a_forked_process_waits_for_no_step(way: RightOfWay) -> None:
    """The thread that takes it is not there."""
    worker = Worker(way)
    step = way.step()
    step.__enter__()
    way.start_anew()
    worker.go.release()
    assert worker.goes_on()


@pytest.mark.parametrize("is_forked", [False, True])
def test_threads_wait_less_for_the_interpreter_meanwhile(way: RightOfWay, is_forked: bool) -> None:
    before = sys.getswitchinterval()
    worker = Worker(way)
    worker.go.release()
    assert worker.goes_on()
    assert sys.getswitchinterval() < before
    if is_forked:
        way.start_anew()
    else:
        for background in _of(way):
            way.leave(background)
    assert sys.getswitchinterval() == before


def test_compiling_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the background, and only there: who uses the library alone has time limits and nothing else."""
    waits: list[Background] = []
    monkeypatch.setattr(right_of_way, "FREE_S", -1.0)
    monkeypatch.setattr(right_of_way.RIGHT_OF_WAY, "wait_for_turn", waits.append)
    compile_grammar(byte_vocabulary(), json_schema={"enum": ["a", 1]}, cache=None)
    assert not waits
    with Background():
        compile_grammar(byte_vocabulary(), json_schema={"enum": ["a", 2]}, cache=None)
    assert len({id(one) for one in waits}) == 1


def test_nobody_waits_with_a_lock_that_others_want(way: RightOfWay) -> None:
    """Neither with one that it can't let go of, nor with one that it can."""
    lock = AutomatonLock(TablesLock(), StateShare(LazyDfas()))
    with way.step():
        holder = Worker(way, lambda: held(lock, checkpoint))
        holder.go.release()
        assert holder.goes_on()
        pauser = Worker(way, lambda: held(lock, lambda: pausing(lock, checkpoint)))
        pauser.go.release()
        assert pauser.waits()
        assert lock.tables_lock.lock.acquire(timeout=SOON_S)
        lock.tables_lock.lock.release()
    assert pauser.goes_on()


def held(lock: AutomatonLock, work: Callable[[], None]) -> None:
    with lock:
        work()
