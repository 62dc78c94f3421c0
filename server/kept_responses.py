"""Given responses, kept for `previous_response_id` and for items of type `item_reference`.

Each API key has its own responses and sees no other key's. The oldest are dropped first. Responses are kept in memory
only: a restart forgets them, and replicas do not share them.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_CONVERSATION_BYTES = 1_000_000
"""Maximum size in bytes of one kept conversation, and of all items that one request refers to. Reading a megabyte takes
10 ms of processor time.
"""


@dataclass(frozen=True)
class KeptResponse:
    """A response, as JSON. before: the conversation's items before it. output: its own items, by id. rest: its other
    fields.
    """

    before: bytes
    output: Mapping[str, bytes]
    rest: bytes

    @classmethod
    def of(cls, before: bytes, response: Mapping[str, Any]) -> KeptResponse:
        """Build from a finished response and the conversation's items before it."""
        rest = {name: value for name, value in response.items() if name != "output"}
        return cls(before, {item["id"]: as_json(item) for item in response["output"]}, as_json(rest))

    @property
    def num_bytes(self) -> int:
        """Size of the JSON texts in bytes."""
        return len(self.before) + len(self.rest) + sum(map(len, self.output.values()))

    @property
    def response(self) -> dict[str, Any]:
        """The response, as its client received it."""
        return {**json.loads(self.rest), "output": self._items}

    @property
    def conversation(self) -> list[dict[str, Any]]:
        """All items of the conversation, up to the end of this response's output."""
        return [*json.loads(self.before), *self._items]

    @property
    def _items(self) -> list[dict[str, Any]]:
        return [json.loads(item) for item in self.output.values()]


class KeptResponses:
    """The latest responses of one API key. Thread-safe.

    max_responses: number of responses; 0 keeps none.
    max_bytes: size of all responses together.
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
        """True if responses are kept at all."""
        return self._max_responses > 0

    def takes(self, before: bytes) -> bool:
        """True if a response to a conversation of this size may be kept."""
        return self.is_on and len(before) < self._max_each

    def keep(self, before: bytes, response: Mapping[str, Any]) -> bool:
        """Keep a response and the items before it; drop the oldest ones for it. Returns False if the response is too
        large to keep.
        """
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
        """The response with this id; None if it is not kept, or no longer."""
        with self._lock:
            return self._responses.get(response_id)

    def find_item(self, item_id: str) -> bytes | None:
        """An item in the output of a kept response, as JSON; None if there is none with this id."""
        with self._lock:
            return self._items.get(item_id)

    def remove(self, response_id: str) -> bool:
        """Delete a response. Returns False if it is not kept."""
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
    """The kept responses of a server, by the API key's label; None is the label of requests without a key."""

    def __init__(self, max_responses: int, max_bytes: int) -> None:
        self._bounds = (max_responses, max_bytes)
        self._of_keys: dict[str | None, KeptResponses] = {}

    def of(self, label: str | None) -> KeptResponses:
        """The responses of one key."""
        return self._of_keys.setdefault(label, KeptResponses(*self._bounds))


def as_json(value: Any) -> bytes:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


NOTHING_KEPT = KeptResponses(0, 0)
