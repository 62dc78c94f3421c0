"""What the server may spend on its clients."""

from __future__ import annotations

from dataclasses import dataclass

from guided.grammars.errors import InvalidInputError


@dataclass(frozen=True)
class ServerSettings:
    """Limits of one server. Each must be at least 1.

    max_waiting_requests: requests that wait for the model beside the running one; the next one gets a 503. Requests.
    max_body_bytes: size of a request's body; a larger one gets a 413 before it is read to its end. Bytes.
    """

    max_waiting_requests: int = 64
    max_body_bytes: int = 4_000_000

    def __post_init__(self) -> None:
        for name in ("max_waiting_requests", "max_body_bytes"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise InvalidInputError(f"{name} must be an integer >= 1, not {value!r}")
