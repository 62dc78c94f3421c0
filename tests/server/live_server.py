"""A real server on 127.0.0.1, in a thread of the test process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from guided.server.serve import listen


def wait_until(condition: Callable[[], bool], timeout_s: float = 30.0) -> None:
    """Poll until the condition holds; fails after timeout_s seconds."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come true in time"
        time.sleep(0.005)


@contextmanager
def serving(app: FastAPI, shutdown_timeout_s: int = 5) -> Iterator[str]:
    """Serve `app` on a free port; gives its base URL. Leaving shuts it down gracefully."""
    with listen("127.0.0.1", 0) as listener:
        config = uvicorn.Config(app, log_config=None, ws="none", timeout_graceful_shutdown=shutdown_timeout_s)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            wait_until(lambda: server.started or not thread.is_alive())
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(shutdown_timeout_s + 60)
            assert not thread.is_alive(), "the server did not shut down"
