"""What the server may spend on its clients, and who may use it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any

from guided.grammars.errors import InvalidInputError
from guided.request_limits import RequestLimits

from .access import AccessKeys

_COUNTS = (
    "max_concurrent_requests",
    "max_body_bytes",
    "max_body_values",
    "max_body_depth",
    "max_schema_bytes",
    "max_check_documents",
    "max_check_bytes",
    "max_messages",
    "max_outputs",
    "max_new_tokens",
    "max_prompt_tokens",
    "compile_threads",
)
_SECONDS = ("max_check_seconds", "max_request_s", "body_timeout_s", "send_timeout_s")
_OPTIONAL = ("max_concurrent_requests_per_key", "max_new_tokens", "max_prompt_tokens")


@dataclass(frozen=True)
class ServerSettings:
    """Limits of one server, its keys and what it says. Counts are at least 1, seconds more than 0.

    What runs at once:
    max_concurrent_requests: generation requests in flight: running, or waiting for their grammar or for a place in the
        model's batch; one more gets a 503.
    max_concurrent_requests_per_key: of these, with one API key; one more gets a 429. None: no such limit.
    compile_threads: threads that compile the grammars of requests, one of which computes at a time. A request waits for
        its own grammar only, unless so many take long at once.

    What one request may ask for; a 400 says what is over the limit, but for the body, which is a 413:
    max_body_bytes: size of a request's body, as it is sent and, if it is sent as gzip, unpacked; nothing beyond it is
        read. Bytes.
    max_body_values: elements of lists and members of objects in a body, at all depths together. Reading takes about
        2 us each, in a thread.
    max_body_depth: levels of lists and objects in a body.
    max_schema_bytes: size of what constrains an answer (a schema, a grammar, a choice), as JSON. Bytes.
    max_check_documents, max_check_bytes: the texts that one /v1/grammar/check tries, and their size together. Bytes.
    max_check_seconds: processor time for trying them, after the grammar was compiled. Seconds.
    request_limits: how much stops, bad words and lists of token ids may hold. A model that `guided serve` loads has the
        same.
    max_messages: messages of a conversation, or items of a response's input.
    max_outputs: choices of a request (`n`), and prompts times choices.
    max_new_tokens: tokens of one output; a request that gives no number gets this one. None: what the context leaves.
    max_prompt_tokens: tokens of a prompt. None: what the model's context takes.

    How long things may take:
    max_request_s: a generation request, from its arrival to its last token; then it gets a 504, or its stream ends with
        an error. Requests may ask for less with the header `x-request-timeout`. Seconds.
    body_timeout_s: a client's sending of its body; then it gets a 408. Seconds.
    send_timeout_s: a client's not reading while there is something to read; then it is cut off and its request
        cancelled. Seconds.

    Who may use it and what it says:
    keys: of the clients and of the administrator; none: everybody may use it, nobody may administer it.
    cors_origins: web pages' origins ("https://example.org", or "*") that may use it from a browser; none by default.
    log_prompts: write the texts of requests into the log too.
    """

    max_concurrent_requests: int = 256
    max_concurrent_requests_per_key: int | None = None
    compile_threads: int = 16
    max_body_bytes: int = 4_000_000
    max_body_values: int = 200_000
    max_body_depth: int = 600
    max_schema_bytes: int = 1_000_000
    max_check_documents: int = 1_000
    max_check_bytes: int = 200_000
    max_check_seconds: float = 2.0
    max_messages: int = 2048
    max_outputs: int = 128
    max_new_tokens: int | None = None
    max_prompt_tokens: int | None = None
    max_request_s: float = 600.0
    body_timeout_s: float = 60.0
    send_timeout_s: float = 60.0
    request_limits: RequestLimits = field(default_factory=RequestLimits)
    keys: AccessKeys = field(default_factory=AccessKeys)
    cors_origins: tuple[str, ...] = ()
    log_prompts: bool = False

    def __post_init__(self) -> None:
        for name in (*_COUNTS, "max_concurrent_requests_per_key"):
            _check_count(name, getattr(self, name), is_optional=name in _OPTIONAL)
        for name in _SECONDS:
            value = getattr(self, name)
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if not is_number or not math.isfinite(value) or value <= 0:
                raise InvalidInputError(f"{name} must be a number of seconds > 0, not {value!r}")
        for origin in self.cors_origins:
            if origin != "*" and not origin.startswith(("http://", "https://")):
                raise InvalidInputError(f"cors_origins must be like 'https://example.org', or '*', not {origin!r}")


def limits_of(settings: ServerSettings) -> dict[str, Any]:
    """The numbers among the settings, by name, for /stats."""
    names = [one.name for one in fields(settings) if one.name.startswith("max_") or one.name.endswith("_s")]
    return {name: getattr(settings, name) for name in names} | vars(settings.request_limits)


def _check_count(name: str, value: object, *, is_optional: bool) -> None:
    if value is None and is_optional:
        return
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidInputError(f"{name} must be an integer >= 1, not {value!r}")
