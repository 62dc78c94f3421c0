"""`EndpointSettings`: how another server is asked; `Endpoint`: what is known of it once it has said its models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import httpx
from pydantic import AfterValidator, Field

from ...settings import Count, CountFromZero, Expected, Seconds, Settings, Switch

IDLE_CONNECTION_S = 2.0  # shorter than servers keep one open, so that a request does not meet one that is being closed


def _check_address(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"must be like 'https://host/v1', not {address!r}")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("must have no user, query or fragment; give api_key or headers")
    return address


def _check_header(text: str) -> str:
    if not text or not text.isascii() or not text.isprintable():
        raise ValueError("must be a text of visible ASCII characters")
    return text


Header = Annotated[str, AfterValidator(_check_header)]


class EndpointSettings(Settings):
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

    base_url: Annotated[str, AfterValidator(_check_address)]
    api_key: Header | None = Field(default=None, repr=False)
    headers: dict[str, Header] = Field(default_factory=dict, repr=False)
    timeout_s: Seconds = 300.0
    connect_timeout_s: Seconds = 10.0
    max_retries: CountFromZero = 2
    strict: Switch = True
    max_tokens_field: Annotated[
        Literal["max_tokens", "max_completion_tokens"], Expected("max_tokens or max_completion_tokens")
    ] = "max_tokens"
    is_guided: Switch | None = None
    max_context_tokens: Count | None = None

    @property
    def client_arguments(self) -> dict[str, Any]:
        """The arguments of httpx's clients."""
        headers = {"user-agent": "guided", **self.headers}
        if self.api_key is not None:
            headers["authorization"] = f"Bearer {self.api_key}"
        timeout = httpx.Timeout(self.timeout_s, connect=self.connect_timeout_s, pool=None)
        return {"base_url": self.base_url, "headers": headers, "timeout": timeout}


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
