"""`DaemonThreads`: helper threads that run until the process ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import ParamSpec, TypeVar

Params = ParamSpec("Params")
Result = TypeVar("Result")


class DaemonThreads:
    """Threads that run submitted calls in order. The first call starts them; they never keep the interpreter alive.

    A `ThreadPoolExecutor` refuses work once the main thread has ended. Other threads may still generate then, and an
    engine's thread may be in the middle of a step.
    """

    def __init__(self, num_threads: int, name: str) -> None:
        self._num_threads = num_threads
        self._name = name
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()

    def submit(self, function: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Future[Result]:
        """Run the function in one of the threads. The future gets its result or its exception.

        A future that is cancelled before its turn is skipped. Raises RuntimeError if no thread can be started.
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
        """Wait until all submitted calls are done, then end the threads. Nothing may be submitted afterwards."""
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
                # appended one by one: threads already started stay listed if the next start fails
                self._threads.append(thread)


def _run(calls: SimpleQueue[Callable[[], None] | None]) -> None:
    while (call := calls.get()) is not None:
        call()
        del call  # frees the call's arguments before the next wait
