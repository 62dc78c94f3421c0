from __future__ import annotations

import threading
import time

import pytest

from guided.grammars.daemon_threads import DaemonThreads


def test_calls_run_elsewhere_in_their_order() -> None:
    threads = DaemonThreads(1, "helper")
    futures = [threads.submit(lambda i=i: (i, threading.current_thread().name)) for i in range(5)]  # type: ignore[misc]
    assert [future.result() for future in futures] == [(i, "helper_0") for i in range(5)]
    threads.close()


def test_several_threads_run_at_once() -> None:
    threads = DaemonThreads(3, "helper")
    barrier = threading.Barrier(3)
    futures = [threads.submit(barrier.wait, 30) for _ in range(3)]
    assert sorted(future.result() for future in futures) == [0, 1, 2]
    threads.close()


def test_what_a_call_raises_is_raised_by_its_future() -> None:
    threads = DaemonThreads(1, "helper")
    with pytest.raises(ZeroDivisionError):
        threads.submit(divmod, 1, 0).result()
    assert threads.submit(divmod, 7, 2).result() == (3, 1)
    threads.close()


def test_close_waits_for_what_was_submitted() -> None:
    threads, done = DaemonThreads(2, "helper"), []
    for i in range(4):
        threads.submit(lambda i=i: (time.sleep(0.01), done.append(i)))  # type: ignore[misc]
    threads.close()
    assert sorted(done) == [0, 1, 2, 3]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("helper")]


def test_a_cancelled_future_is_passed_over() -> None:
    threads, is_free = DaemonThreads(1, "helper"), threading.Event()
    first = threads.submit(is_free.wait, 30)
    cancelled = threads.submit(divmod, 1, 0)
    assert cancelled.cancel()
    is_free.set()
    assert first.result(30)
    assert threads.submit(divmod, 7, 2).result(30) == (3, 1), "its thread goes on"
    threads.close()


def test_threads_that_can_not_be_started_are_started_later(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = DaemonThreads(1, "helper")

    def fail(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", fail)
        with pytest.raises(RuntimeError, match="can't start"):
            threads.submit(divmod, 7, 2)
    assert threads.submit(divmod, 7, 2).result(30) == (3, 1)
    threads.close()
