"""Responses that were given, kept for a while: `previous_response_id` and items of type `item_reference` mean them.

Each API key has its own, and sees no other key's. The oldest go first. They are in memory only: a restart forgets them,
and of several replicas each knows its own.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_CONVERSATION_BYTES = 1_000_000
"""Of one kept conversation, and of all items that one request refers to: reading them takes 10 ms of processor time."""


@dataclass(frozen=True)
class KeptResponse:
    """One response, as JSON. before: the items of the conversation before it. output: its own, by id. rest: its other
    fields."""

    before: bytes
    output: Mapping[str, bytes]
    rest: bytes

    @classmethod
    def of(cls, before: bytes, response: Mapping[str, Any]) -> KeptResponse:
        """A response that is done, and the items before it."""
        rest = {name: value for name, value in response.items() if name != "output"}
        return cls(before, {item["id"]: as_json(item) for item in response["output"]}, as_json(rest))

    @property
    def num_bytes(self) -> int:
        """What it takes."""
        return len(self.before) + len(self.rest) + sum(map(len, self.output.values()))

    @property
    def response(self) -> dict[str, Any]:
        """The response, as its client got it."""
        return {**json.loads(self.rest), "output": self._items}

    @property
    def conversation(self) -> list[dict[str, Any]]:
        """All items up to the end of its output."""
        return [*json.loads(self.before), *self._items]

    @property
    def _items(self) -> list[dict[str, Any]]:
        return [json.loads(item) for item in self.output.values()]


class KeptResponses:
    """The last responses of one API key, for any number of threads.

    max_responses: 0 keeps none. max_bytes: of all together.
    """

    def __init__(self, max_responses: int, max_bytes: int) -> None:
        self._max_responses = max_responses
        self._max_bytes = max_bytes
        self._max_each = min(MAX_CONVERSATION_BYTES, max_bytes)
        self._num_bytes = 0
        self._responses: dict[str, KeptResponse] = {}
        self._items: dict[str, bytes] = {}
        self._lock = threading.Lock()

    @property
    def is_on(self) -> bool:
        """Responses are kept at all."""
        return self._max_responses > 0

    def takes(self, before: bytes) -> bool:
        """A response to a conversation of this size can be kept."""
        return self.is_on and len(before) < self._max_each

    def keep(self, before: bytes, response: Mapping[str, Any]) -> bool:
        """Keep a response, and the items before it; the oldest ones make room. False where it is too large for that."""
        kept = KeptResponse.of(before, response)
        if not self.is_on or kept.num_bytes > self._max_each:
            return False
        with self._lock:
            self._responses[response["id"]] = kept
            self._items |= kept.output
            self._num_bytes += kept.num_bytes
            while self._num_bytes > self._max_bytes or len(self._responses) > self._max_responses:
                self._remove(next(iter(self._responses)))
        return True

    def find(self, response_id: str) -> KeptResponse | None:
        """The response of that id; None where it is not kept, or no more."""
        with self._lock:
            return self._responses.get(response_id)

    def find_item(self, item_id: str) -> bytes | None:
        """An item that a kept response has in its output, as JSON."""
        with self._lock:
            return self._items.get(item_id)

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
        for item_id in removed.output:
            del self._items[item_id]


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
