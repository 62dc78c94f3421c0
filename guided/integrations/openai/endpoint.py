"""`EndpointSettings`: how another server is asked; `Endpoint`: what is known of it once it has said its models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx

from guided.grammars.errors import InvalidInputError

MAX_TOKENS_FIELDS = ("max_tokens", "max_completion_tokens")
IDLE_CONNECTION_S = 2.0  # shorter than servers keep one open, so that a request does not meet one that is being closed


@dataclass(frozen=True)
class EndpointSettings:
    """The fields of `engine_args` for `engine="openai"`.

    base_url: up to the paths of the protocol, mostly ending in "/v1". api_key: sent as a bearer token; None: none is.
    headers: sent with every request.
    timeout_s: how long the other side may be silent, and how long a guided server may still load. connect_timeout_s:
        how long connecting may take. Seconds.
    max_retries: how often a request is sent again that surely was not begun: no connection, or status 429 or 503.
    strict: the `strict` of JSON schemas and tools. OpenAI takes a subset of JSON Schema where it is true.
    max_tokens_field: what the protocol's limit of new tokens is called; OpenAI's reasoning models take
        "max_completion_tokens" alone.
    is_guided: whether the other side is a guided server, which takes more fields; None: what its list of models says.
    max_context_tokens: None: what its list of models says; if it says nothing, no limit is known here.
    Raises InvalidInputError for a field that is wrong. Proxies and certificates are those of httpx: HTTPS_PROXY,
    SSL_CERT_FILE and the like.
    """

    base_url: str
    api_key: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout_s: float = 300.0
    connect_timeout_s: float = 10.0
    max_retries: int = 2
    strict: bool = True
    max_tokens_field: str = "max_tokens"
    is_guided: bool | None = None
    max_context_tokens: int | None = None

    def __post_init__(self) -> None:
        self._check_address()
        for name in ("timeout_s", "connect_timeout_s"):
            value = getattr(self, name)
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if not is_number or not math.isfinite(value) or value <= 0:
                raise InvalidInputError(f"engine_args: {name} must be a number of seconds > 0, not {value!r}")
        for name, minimum in (("max_retries", 0), ("max_context_tokens", 1)):
            value = getattr(self, name)
            is_count = isinstance(value, int) and not isinstance(value, bool) and value >= minimum
            if not is_count and (name == "max_retries" or value is not None):
                raise InvalidInputError(f"engine_args: {name} must be an integer >= {minimum}, not {value!r}")
        if not isinstance(self.strict, bool) or not isinstance(self.is_guided, bool | None):
            raise InvalidInputError("engine_args: strict and is_guided must be true or false")
        if self.max_tokens_field not in MAX_TOKENS_FIELDS:
            known = " or ".join(MAX_TOKENS_FIELDS)
            raise InvalidInputError(f"engine_args: max_tokens_field must be {known}, not {self.max_tokens_field!r}")

    def _check_address(self) -> None:
        parts = urlsplit(self.base_url) if isinstance(self.base_url, str) else None
        if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidInputError(f"base_url must be like 'https://host/v1', not {self.base_url!r}")
        if parts.username is not None or parts.query or parts.fragment:
            raise InvalidInputError("base_url must have no user, query or fragment; give api_key or headers")
        if not isinstance(self.api_key, str | None) or self.api_key == "" or not _is_header(self.api_key or ""):
            raise InvalidInputError("api_key must be a text of visible ASCII characters, or None for no key")
        is_texts = isinstance(self.headers, Mapping) and all(
            isinstance(text, str) and _is_header(text) for pair in self.headers.items() for text in pair
        )
        if not is_texts:
            raise InvalidInputError("engine_args: headers must be an object of texts")

    @property
    def client_arguments(self) -> dict[str, Any]:
        """The arguments of httpx's clients."""
        headers = {"user-agent": "guided", **self.headers}
        if self.api_key is not None:
            headers["authorization"] = f"Bearer {self.api_key}"
        timeout = httpx.Timeout(self.timeout_s, connect=self.connect_timeout_s, pool=None)
        return {"base_url": self.base_url, "headers": headers, "timeout": timeout}


def _is_header(text: str) -> bool:
    return text.isascii() and text.isprintable()


@dataclass(frozen=True)
class Endpoint:
    """model: the name that it knows. is_guided: it is a guided server. max_context_tokens: of prompt and answer.

    shows_schema: its chat template shows the answer's JSON Schema by itself.
    """

    settings: EndpointSettings
    model: str
    is_guided: bool
    max_context_tokens: int
    shows_schema: bool = False
