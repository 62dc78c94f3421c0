"""`Admission`: counts the generation requests in flight and decides whether one more may enter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from .errors import Refusal, RefusedError

NO_KEY = ""


class Admission:
    """Bounds the number of requests that run or wait. Used from one event loop only; not thread-safe.

    max_requests: the most requests in flight.
    max_requests_per_key: the most requests in flight with one API key; None: no such bound.
    what: description of these requests, for the message of the error at the bound.
    """

    def __init__(
        self, max_requests: int, max_requests_per_key: int | None = None, what: str = "requests are being worked on"
    ) -> None:
        self._max_requests = max_requests
        self._what = what
        self._max_requests_per_key = max_requests_per_key
        self._per_key: Counter[str] = Counter()
        self.is_stopping = False

    @property
    def num_in_flight(self) -> int:
        """Number of requests that have entered and not left."""
        return self._per_key.total()

    def enter(self, key_label: str | None) -> Callable[[], None]:
        """Admit one more request and return the function that gives its place back; call that function once.

        Raises RefusedError at a bound, and when the server is stopping.
        """
        label = key_label or NO_KEY
        if self.is_stopping:
            raise RefusedError(Refusal.NO_MODEL, "the server is stopping")
        if self.num_in_flight >= self._max_requests:
            raise RefusedError(Refusal.BUSY, self._max_requests, self._what)
        if label and self._max_requests_per_key is not None and self._per_key[label] >= self._max_requests_per_key:
            raise RefusedError(Refusal.KEY_BUSY, self._max_requests_per_key)
        self._per_key[label] += 1
        return partial(self._leave, label)

    def _leave(self, label: str) -> None:
        self._per_key[label] -= 1
        if not self._per_key[label]:
            del self._per_key[label]
