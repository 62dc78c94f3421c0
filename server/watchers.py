"""`Watchers`: the threads that read answers which are watched token by token, a bounded number at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from .errors import ServerBusyError
from .settings import ServerSettings

Result = TypeVar("Result")


class Watchers:
    """One for each answer that is watched, at most `max_watched_requests`. For one event loop."""

    def __init__(self, settings: ServerSettings) -> None:
        self._most = settings.max_watched_requests
        self._num = 0
        self._pool = ThreadPoolExecutor(self._most, thread_name_prefix="guided-watch")

    def enter(self) -> None:
        """Take a place, until `leave`. Raises ServerBusyError where there is none."""
        if self._num >= self._most:
            raise ServerBusyError(self._most, "answers are being watched")
        self._num += 1

    def leave(self) -> None:
        """Give the place back."""
        self._num -= 1

    async def run(self, work: Callable[[], Result]) -> Result:
        """What `work` gives, in the thread of one who has a place."""
        return await asyncio.wrap_future(self._pool.submit(work))

    def close(self) -> None:
        """Take no more work; what a thread is in the middle of ends as its answer is cancelled."""
        self._pool.shutdown(wait=False, cancel_futures=True)
