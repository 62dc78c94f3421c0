"""`EndpointSettings`: how another server is asked; `Endpoint`: what is known of it once it has said its models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from openai import Timeout, omit
from pydantic import AfterValidator, Field

from ...settings import Count, CountFromZero, Expected, Seconds, Settings, Switch


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
    headers: sent with every request; an Authorization is sent in place of the key.
    timeout_s: how long the other side may be silent, and how long a guided server may still load. connect_timeout_s:
        how long connecting may take. Seconds.
    max_retries: how often the SDK sends a request again that failed before its answer began: no connection, silence, or
        status 408, 409, 429, 500 and above.
    strict: the `strict` of JSON schemas and tools. OpenAI takes a subset of JSON Schema where it is true.
    max_tokens_field: what the protocol's limit of new tokens is called; OpenAI's reasoning models take
        "max_completion_tokens" alone.
    is_guided: whether the other side is a guided server, which takes more fields; None: what its list of models says.
    max_context_tokens: None: what its list of models says; if it says nothing, no limit is known here.
    Raises InvalidInputError for a field that is wrong. Proxies and certificates are those of the SDK: HTTPS_PROXY,
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
        """The arguments of the SDK's clients, which want a key. Without one they would take that of OPENAI_API_KEY."""
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
        """The `options` of each call: an Authorization of the headers goes before the key, and without both none is
        sent."""
        given = self._header("Authorization")
        if given is None and self.api_key is not None:
            return {}
        return {"headers": {"Authorization": given or omit}}

    def _header(self, name: str) -> str | None:
        """What `headers` has for it, in whatever case its name is."""
        return next((text for key, text in self.headers.items() if key.lower() == name.lower()), None)


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
