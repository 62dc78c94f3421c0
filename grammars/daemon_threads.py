"""`DaemonThreads`: helper threads that work for as long as the process does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import ParamSpec, TypeVar

Params = ParamSpec("Params")
Result = TypeVar("Result")


class DaemonThreads:
    """Threads that run what is submitted, in its order. They begin with the first call and keep no interpreter alive.

    A `ThreadPoolExecutor` takes no more work as soon as the main thread has ended; but other threads may still
    generate then, and the thread of an engine may be in the middle of a step.
    """

    def __init__(self, num_threads: int, name: str) -> None:
        self._num_threads = num_threads
        self._name = name
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()

    def submit(self, function: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Future[Result]:
        """Call it in one of the threads; its result, or what it raised, is the future's.

        A future that is cancelled before its turn is passed over. Raises RuntimeError where no thread can be started.
        """
        future: Future[Result] = Future()

        def call() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = function(*args, **kwargs)
            except BaseException as error:  # noqa: BLE001 - raised where the result is asked for
                future.set_exception(error)
            else:
                future.set_result(result)

        if not self._threads:
            self._start()
        self._calls.put(call)
        return future

    def close(self) -> None:
        """End the threads when what was submitted is done, and wait for that. Nothing may be submitted afterwards."""
        for _ in self._threads:
            self._calls.put(None)
        for thread in self._threads:
            thread.join()

    def _start(self) -> None:
        with self._lock:
            if self._threads:
                return
            for i in range(self._num_threads):
                thread = threading.Thread(target=_run, args=(self._calls,), name=f"{self._name}_{i}", daemon=True)
                thread.start()
                self._threads.append(thread)  # those that run, also where no further one can be started


def _run(calls: SimpleQueue[Callable[[], None] | None]) -> None:
    while (call := calls.get()) is not None:
        call()
        del call  # its arguments live no longer than the call
