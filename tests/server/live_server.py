"""A real server on 127.0.0.1, in a thread of the test process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fastapi import FastAPI

from guided.server.serve import Server, listen


def wait_until(condition: Callable[[], bool], timeout_s: float = 30.0) -> None:
    """Poll until the condition holds; fails after timeout_s seconds."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come true in time"
        time.sleep(0.005)


@contextmanager
def serving(app: FastAPI, shutdown_timeout_s: float = 5, send_timeout_s: float | None = None) -> Iterator[str]:
    """Serve `app` on a free port; gives its base URL. Leaving shuts it down gracefully."""
    with serving_by(Server(app, shutdown_timeout_s), send_timeout_s) as url:
        yield url


@contextmanager
def serving_by(server: Server, send_timeout_s: float | None = None) -> Iterator[str]:
    """The same with a server that the test can stop."""
    with listen("127.0.0.1", 0, send_timeout_s) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            wait_until(lambda: server.started or not thread.is_alive())
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.stop()
            thread.join(120)
            assert not thread.is_alive(), "the server did not shut down"
