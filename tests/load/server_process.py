"""`guided serve` as a process of its own: started, asked, killed, started again."""

from __future__ import annotations

import os
import pickle
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from .gap_causes import Look

ADMIN_KEY = "sk-load-test-admin"
START_TIMEOUT_S = 120.0


class ServerProcess:
    """A server with the embedded model on 127.0.0.1. A context manager; leaving it ends the process.

    options: further arguments of `guided serve`. port: 0 takes a free one, which `restart` keeps. max_memory_bytes: of
    its address space, as `ulimit -v` would bound it; None: any. is_watched: see `looks`.
    """

    def __init__(
        self, *options: str, port: int = 0, max_memory_bytes: int | None = None, is_watched: bool = False
    ) -> None:
        self.port = port
        self._is_watched = is_watched
        self._max_memory_bytes = max_memory_bytes
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = tempfile.TemporaryDirectory()
        self._log = Path(self._folder.name) / "log"
        self._looks = Path(self._folder.name) / "looks"

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """What it has written so far."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.kill()
        self._folder.cleanup()

    def start(self) -> None:
        """Start it and wait until its model is loaded. Raises RuntimeError where that does not come to be."""
        guided = [str(Path(sys.executable).with_name("guided"))]
        if self._is_watched:
            guided = [sys.executable, "-m", f"{__package__}.watched", str(self._looks)]
        command = [*guided, "serve", "--port", str(self.port), "--log-level", "info", *self._options]
        with self._log.open("ab") as log:
            # The model is so small that torch's threads would wait for each other, most of all on a busy machine.
            environment = {"OMP_NUM_THREADS": "1", **os.environ, "GUIDED_ADMIN_KEY": ADMIN_KEY}
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, env=environment, preexec_fn=self._bound_memory
            )
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"the server did not start:\n{self.log}")
            time.sleep(0.1)

    def kill(self) -> None:
        """`kill -9`."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self, timeout_s: float = 60.0) -> int:
        """SIGTERM; the exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(timeout_s)

    def stats(self) -> dict[str, Any]:
        """/stats with the process's own figures."""
        headers = {"authorization": f"Bearer {ADMIN_KEY}"}
        response = httpx.get(f"{self.url}/stats?debug=true", headers=headers, timeout=60)
        response.raise_for_status()
        found: dict[str, Any] = response.json()
        return found

    def looks(self) -> deque[Look]:
        """What its threads did, of a watched one that was stopped."""
        found: deque[Look] = pickle.loads(self._looks.read_bytes())
        return found

    def memory_mb(self) -> float:
        """What the process has resident."""
        assert self._process is not None
        pages = Path(f"/proc/{self._process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def _bound_memory(self) -> None:
        if self._max_memory_bytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (self._max_memory_bytes, self._max_memory_bytes))

    def _is_ready(self) -> bool:
        found = re.findall(r"Serving on http://127\.0\.0\.1:(\d+)", self.log)
        if not found:
            return False
        self.port = int(found[-1])
        try:
            return bool(httpx.get(f"{self.url}/health", timeout=5).json()["model_loaded"])
        except httpx.TransportError:
            return False
