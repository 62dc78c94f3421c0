"""Processes that are forked while other threads build, and builds that are interrupted while they wait."""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections.abc import Callable

import pytest

from guided.grammars import CompiledGrammar, compile_grammar
from guided.grammars.cache import PROCESS_CACHE
from guided.grammars.errors import CompileCancelledError
from guided.grammars.machine.lexemes.lazy_dfas import LazyDfas
from guided.grammars.machine.lexemes.shares import StateShare
from guided.grammars.machine.lexemes.turnstile import BuildLock, Turnstile
from guided.grammars.machine.vocabulary_tables import vocabulary_tables_of
from guided.grammars.watch import Courtesy
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
            with pytest.raises(CompileCancelledError, match="when this process was forked"):
                accept_bytes(old, b'{"ab":"aax1')

        leave = held_elsewhere(hold)
        assert forked(work) == 0
        leave()
        assert mask_of(old, VOCABULARY) == expected

    def test_while_another_threads_build_has_let_others_go_on(self) -> None:
        lock = BuildLock()
        turnstile = Turnstile(lock, StateShare(LazyDfas()))

        def pause(wait: Callable[[], object]) -> None:
            with turnstile:
                courtesy = Courtesy()
                courtesy.holder = turnstile
                courtesy.pause(lambda: wait() and None)

        def work() -> None:
            assert turnstile.is_lost
            assert not lock.is_lost
            with pytest.raises(CompileCancelledError), turnstile:
                pass

        leave = held_elsewhere(pause)
        assert forked(work) == 0
        leave()
        with turnstile:
            assert not turnstile.is_lost

    def test_while_another_thread_compiles_the_same_grammar(self) -> None:
        grammar = self.compiled("x")

        def hold(wait: Callable[[], object]) -> None:
            PROCESS_CACHE.get("a key", lambda: wait() or grammar)  # type: ignore[arg-type]

        leave = held_elsewhere(hold)
        assert forked(lambda: PROCESS_CACHE.get("a key", lambda: grammar) and None) == 0  # type: ignore[arg-type]
        leave()


class TestInterrupt:
    def test_a_build_that_waits_has_its_lock_again(self) -> None:
        """An interrupt ends the wait and not more: the build releases the lock as ever, and others get it."""
        lock = BuildLock()
        turnstile = Turnstile(lock, StateShare(LazyDfas()))
        courtesy = Courtesy()
        courtesy.holder = turnstile
        first = threading.Event()
        lock._paused.append(first)  # another build has paused before

        ignored = signal.signal(signal.SIGINT, signal.default_int_handler)  # as it may be in the background
        threading.Timer(0.05, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt), turnstile, turnstile:
            courtesy.pause(lambda: None)
        signal.signal(signal.SIGINT, ignored)
        assert list(lock._paused) == [first]
        lock._paused.clear()
        courtesy.wait()  # nobody waits for the build any more
        leave = held_elsewhere(lambda wait: held(turnstile, wait))
        leave()


def held(turnstile: Turnstile, work: Callable[[], object]) -> None:
    with turnstile:
        work()
