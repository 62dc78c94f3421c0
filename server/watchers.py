"""`Watchers`: a bounded pool of threads that read answers watched token by token."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from .errors import ServerBusyError
from .settings import ServerSettings

Result = TypeVar("Result")


class Watchers:
    """A thread for each watched answer, at most `max_watched_requests`. Used from one event loop only."""

    def __init__(self, settings: ServerSettings) -> None:
        self._most = settings.max_watched_requests
        self._num = 0
        self._pool = ThreadPoolExecutor(self._most, thread_name_prefix="guided-watch")

    def enter(self) -> None:
        """Take a place, until `leave`. Raises ServerBusyError without a free place."""
        if self._num >= self._most:
            raise ServerBusyError(self._most, "answers are being watched")
        self._num += 1

    def leave(self) -> None:
        """Give the place back."""
        self._num -= 1

    async def run(self, work: Callable[[], Result]) -> Result:
        """The result of `work`, run in one of the threads. The caller must have a place."""
        return await asyncio.wrap_future(self._pool.submit(work))

    def close(self) -> None:
        """Accept no more work. Work in progress ends when its answer is cancelled."""
        self._pool.shutdown(wait=False, cancel_futures=True)
