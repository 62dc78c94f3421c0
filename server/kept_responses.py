"""Responses that were given, kept for a while: `previous_response_id` and items of type `item_reference` mean them.

Each API key has its own, and sees no other key's. The oldest go first. They are in memory only: a restart forgets them,
and of several replicas each knows its own.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MAX_CONVERSATION_BYTES = 1_000_000  # of one kept conversation: reading it again takes 10 ms of processor time


@dataclass(frozen=True)
class KeptResponse:
    """One response. items: of the conversation before it, a JSON array. body: the response itself, a JSON object."""

    items: bytes
    body: bytes

    @property
    def num_bytes(self) -> int:
        """What it takes."""
        return len(self.items) + len(self.body)

    @property
    def response(self) -> dict[str, Any]:
        """The response, as its client got it."""
        found: dict[str, Any] = json.loads(self.body)
        return found

    @property
    def conversation(self) -> list[dict[str, Any]]:
        """All items up to the end of its output."""
        return [*json.loads(self.items), *self.response["output"]]


class KeptResponses:
    """The last responses of one API key, for any number of threads.

    max_responses: 0 keeps none. max_bytes: of all together.
    """

    def __init__(self, max_responses: int, max_bytes: int) -> None:
        self._max_responses = max_responses
        self._max_bytes = max_bytes
        self._num_bytes = 0
        self._responses: dict[str, KeptResponse] = {}
        self._of_items: dict[str, str] = {}  # id of an item -> id of the response that it is in
        self._lock = threading.Lock()

    @property
    def is_on(self) -> bool:
        """Responses are kept at all."""
        return self._max_responses > 0

    def takes(self, items: bytes) -> bool:
        """A conversation of this size is kept."""
        return self.is_on and len(items) <= min(MAX_CONVERSATION_BYTES, self._max_bytes)

    def keep(self, items: bytes, response: dict[str, Any]) -> None:
        """Keep a response, and the items before it, unless they are too large; the oldest ones make room."""
        kept = KeptResponse(items, as_json(response))
        if not self.is_on or kept.num_bytes > min(MAX_CONVERSATION_BYTES, self._max_bytes):
            return
        with self._lock:
            self._responses[response["id"]] = kept
            self._of_items |= {item["id"]: response["id"] for item in response["output"]}
            self._num_bytes += kept.num_bytes
            while self._num_bytes > self._max_bytes or len(self._responses) > self._max_responses:
                self._remove(next(iter(self._responses)))

    def find(self, response_id: str) -> KeptResponse | None:
        """The response of that id; None where it is not kept, or no more."""
        with self._lock:
            return self._responses.get(response_id)

    def find_item(self, item_id: str) -> dict[str, Any] | None:
        """An item that a kept response has in its output."""
        with self._lock:
            kept = self._responses.get(self._of_items.get(item_id, ""))
        items: Sequence[dict[str, Any]] = () if kept is None else kept.response["output"]
        return next((item for item in items if item["id"] == item_id), None)

    def remove(self, response_id: str) -> bool:
        """Forget a response; False where it is not kept."""
        with self._lock:
            if response_id not in self._responses:
                return False
            self._remove(response_id)
            return True

    def _remove(self, response_id: str) -> None:
        removed = self._responses.pop(response_id)
        self._num_bytes -= removed.num_bytes
        for item in removed.response["output"]:
            del self._of_items[item["id"]]


class ResponsesByKey:
    """The kept responses of a server, by the label of the API key; None is the label of requests without one."""

    def __init__(self, max_responses: int, max_bytes: int) -> None:
        self._bounds = (max_responses, max_bytes)
        self._of_keys: dict[str | None, KeptResponses] = {}

    def of(self, label: str | None) -> KeptResponses:
        """Those of one key."""
        return self._of_keys.setdefault(label, KeptResponses(*self._bounds))


def as_json(value: Any) -> bytes:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


NOTHING_KEPT = KeptResponses(0, 0)
