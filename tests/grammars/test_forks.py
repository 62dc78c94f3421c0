"""Processes that are forked while other threads build, and builds that are interrupted while they wait."""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections.abc import Callable

import pytest

from guided.grammars import CompiledGrammar, build_locks, compile_grammar
from guided.grammars.build_locks import TablesLock
from guided.grammars.cache import PROCESS_CACHE
from guided.grammars.errors import TablesLostError
from guided.grammars.machine.lexemes.automaton_lock import AutomatonLock
from guided.grammars.machine.lexemes.lazy_dfas import LazyDfas
from guided.grammars.machine.lexemes.shares import StateShare
from guided.grammars.machine.vocabulary_tables import vocabulary_tables_of
from tests.grammars.vocabularies import accept_bytes, byte_vocabulary, mask_of

TIMEOUT_S = 20
VOCABULARY = byte_vocabulary()


def forked(work: Callable[[], None]) -> int:
    """The status of a forked process that does this and no more; it is killed where it hangs."""
    pid = os.fork()
    if not pid:
        signal.alarm(TIMEOUT_S)
        try:
            work()
        except BaseException:  # noqa: BLE001 - nothing of the tests may go on here
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def held_elsewhere(enter: Callable[[Callable[[], object]], object]) -> Callable[[], None]:
    """Another thread calls `enter` with what waits inside of it; returns what ends that."""
    is_inside, may_leave = threading.Event(), threading.Event()

    def wait() -> None:
        is_inside.set()
        may_leave.wait(TIMEOUT_S)

    thread = threading.Thread(target=enter, args=(wait,))
    thread.start()
    assert is_inside.wait(TIMEOUT_S)

    def leave() -> None:
        may_leave.set()
        thread.join()

    return leave


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
class TestFork:
    def compiled(self, name: str) -> CompiledGrammar:
        schema = {"type": "object", "properties": {name: {"type": "string", "pattern": "^[a-c]+x[0-9]{3}$"}}}
        return compile_grammar(VOCABULARY, json_schema=schema)

    def test_while_another_thread_builds(self) -> None:
        """What it was changing is lost: new matchers have new tables, and old ones say why they can't go on."""
        grammar = self.compiled("ab")
        old, expected = grammar.matcher(), mask_of(grammar.matcher(), VOCABULARY)

        def hold(wait: Callable[[], object]) -> None:
            with vocabulary_tables_of(VOCABULARY).lock:
                wait()

        def work() -> None:
            assert mask_of(grammar.matcher(), VOCABULARY) == expected
            assert mask_of(self.compiled("abc").matcher(), VOCABULARY)
            with pytest.raises(TablesLostError, match="when this process was forked"):
                accept_bytes(old, b'{"ab":"aax1')

        leave = held_elsewhere(hold)
        assert forked(work) == 0
        leave()
        assert mask_of(old, VOCABULARY) == expected

    def test_while_another_threads_build_has_let_others_go_on(self) -> None:
        lock = AutomatonLock(TablesLock(), StateShare(LazyDfas()))

        def pause(wait: Callable[[], object]) -> None:
            with lock, lock.let_go():
                wait()

        def work() -> None:
            assert lock.is_lost
            assert not lock.tables_lock.is_lost
            with pytest.raises(TablesLostError), lock:
                pass

        leave = held_elsewhere(pause)
        assert forked(work) == 0
        leave()
        with lock:
            assert not lock.is_lost

    def test_while_another_thread_compiles_the_same_grammar(self) -> None:
        grammar = self.compiled("x")

        def hold(wait: Callable[[], object]) -> None:
            PROCESS_CACHE.get("a key", lambda: wait() or grammar)  # type: ignore[arg-type]

        leave = held_elsewhere(hold)
        assert forked(lambda: PROCESS_CACHE.get("a key", lambda: grammar) and None) == 0  # type: ignore[arg-type]
        leave()


class TestInterrupt:
    def test_a_build_that_waits_has_its_lock_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """An interrupt ends the wait and not more: the build releases the lock as ever, and others get it."""
        monkeypatch.setattr(build_locks, "LONGEST_PASS_S", TIMEOUT_S)
        lock = AutomatonLock(TablesLock(), StateShare(LazyDfas()))
        lock.tables_lock._waiting.add(0)  # a thread that never takes it

        ignored = signal.signal(signal.SIGINT, signal.default_int_handler)  # as it may be in the background
        threading.Timer(0.05, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt), lock, lock, lock.let_go():
            pass
        signal.signal(signal.SIGINT, ignored)
        assert lock.tables_lock._waiting == {0}
        leave = held_elsewhere(lambda wait: held(lock, wait))
        leave()


def held(lock: AutomatonLock, work: Callable[[], object]) -> None:
    with lock:
        work()
