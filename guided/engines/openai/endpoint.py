"""`EndpointSettings`: settings for asking another server. `Endpoint`: facts about the server and its model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from openai import Timeout, omit
from pydantic import AfterValidator, Field

from ...settings import Count, CountFromZero, Seconds, Settings, Switch, TypeWords


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

    base_url: address up to the paths of the protocol, usually ending in "/v1".
    api_key: key, sent as a bearer token; None: no key.
    headers: HTTP headers of every request. An Authorization replaces the key.
    timeout_s: longest silence of the other server, and longest wait for a guided server that is loading, in seconds.
    connect_timeout_s: longest time to connect, in seconds.
    max_retries: number of retries of a request that failed before its answer began: no connection, silence, or status
        408, 409, 429, 500 and above.
    strict: the `strict` of JSON schemas and tools. With True, OpenAI accepts a subset of JSON Schema.
    max_tokens_field: name of the protocol's limit of new tokens. OpenAI's reasoning models need
        "max_completion_tokens".
    is_guided: True: the other server is ours and accepts more fields; None: its list of models tells.
    max_context_tokens: size of the model's context; None: as the list of models says, else no limit is known.
    Raises InvalidInputError for a wrong field. The SDK reads proxies and certificates: HTTPS_PROXY, SSL_CERT_FILE and
    similar variables.
    """

    base_url: Annotated[str, AfterValidator(_check_address)]
    api_key: Header | None = Field(default=None, repr=False)
    headers: dict[str, Header] = Field(default_factory=dict, repr=False)
    timeout_s: Seconds = 300.0
    connect_timeout_s: Seconds = 10.0
    max_retries: CountFromZero = 2
    strict: Switch = True
    max_tokens_field: Annotated[
        Literal["max_tokens", "max_completion_tokens"], TypeWords("max_tokens or max_completion_tokens")
    ] = "max_tokens"
    is_guided: Switch | None = None
    max_context_tokens: Count | None = None

    @property
    def client_arguments(self) -> dict[str, Any]:
        """The arguments of the SDK's clients. A key is always among them, or the SDK would use OPENAI_API_KEY."""
        own = {name: text for name, text in self.headers.items() if name.lower() not in ("authorization", "user-agent")}
        return {
            "base_url": self.base_url,
            "api_key": self.api_key or "none",
            "default_headers": {"User-Agent": self._header("User-Agent") or "guided", **own},
            "timeout": Timeout(self.timeout_s, connect=self.connect_timeout_s, pool=None),
            "max_retries": self.max_retries,
        }

    @property
    def call_options(self) -> Any:
        """The `options` of each call. An Authorization in the headers replaces the key. Both may be absent."""
        given = self._header("Authorization")
        if given is None and self.api_key is not None:
            return {}
        return {"headers": {"Authorization": given or omit}}

    def _header(self, name: str) -> str | None:
        """The value of a header, whatever the case of its name."""
        return next((text for key, text in self.headers.items() if key.lower() == name.lower()), None)


@dataclass(frozen=True)
class Endpoint:
    """Facts about another server.

    model: name of the model on the server.
    is_guided: True: the server is ours.
    max_context_tokens: number of tokens for prompt and answer.
    shows_schema: True: the chat template shows the answer's JSON Schema.
    """

    settings: EndpointSettings
    model: str
    is_guided: bool
    max_context_tokens: int
    shows_schema: bool = False
