"""Limits on the server's clients, and access to the server."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from guided.params.limits import RequestLimits
from guided.settings import Count, CountFromZero, Seconds, Settings, Switch

from .access import AccessKeys


def _check_origin(origin: str) -> str:
    if origin != "*" and not origin.startswith(("http://", "https://")):
        raise ValueError(f"cors_origins must be like 'https://example.org', or '*', not {origin!r}")
    return origin


def _check_host(host: str) -> str:
    if not host or any(char in "/@[] \t\r\n" for char in host) or host.count(":") == 1:
        raise ValueError(f"allowed_hosts must be names without a port, like 'llm.example.org', or '*', not {host!r}")
    return host


def _check_address(address: str) -> str:
    if not address.startswith(("http://", "https://")):
        raise ValueError(f"otlp_endpoint must be like 'http://127.0.0.1:4318', not {address!r}")
    return address


Address = Annotated[str, AfterValidator(_check_address)]
Origin = Annotated[str, AfterValidator(_check_origin)]
HostName = Annotated[str, AfterValidator(_check_host)]


class BodyLimits(Settings):
    """Limits of one request. Over a limit the answer is a 400 that names it; over that of the body, a 413."""

    panel: ClassVar[str | None] = RequestLimits.panel

    max_body_bytes: Count = Field(
        default=4_000_000, description="Of a request's body, as it is sent and, if that is gzip, unpacked; else 413."
    )
    max_body_values: Count = Field(
        default=200_000,
        description="Elements of lists and members of objects in a body, at all depths; about 2 us each.",
    )
    max_body_depth: Count = Field(default=600, description="Levels of lists and objects in a body.")
    max_schema_bytes: Count = Field(
        default=1_000_000, description="Of a schema, regex, grammar or choice, as JSON; of all tools together."
    )
    max_check_documents: Count = Field(default=1_000, description="Texts that one /v1/grammar/check tries.")
    max_check_bytes: Count = Field(default=200_000, description="Bytes of all these texts together.")
    max_check_seconds: Seconds = Field(
        default=2.0, description="Processor time for trying them, or for drawing what one /v1/grammar/sample asks for."
    )
    max_samples: Count = Field(default=100, description="Texts that one /v1/grammar/sample draws.")
    max_messages: Count = Field(default=2048, description="Messages of a conversation, or items of a response's input.")
    max_outputs: Count = Field(default=128, description="n, or prompts times n.")
    max_new_tokens: Count | None = Field(
        default=None,
        description="New tokens of one output, also where a request names more. Default: what the context leaves.",
    )
    max_prompt_tokens: Count | None = Field(
        default=None, description="Tokens of a prompt. Default: what the context takes."
    )


class LoadLimits(Settings):
    """How many requests run at once, and how long they may take."""

    panel: ClassVar[str | None] = "Load and time"

    max_concurrent_requests: Count = Field(default=256, description="Requests that run or wait; one more gets a 503.")
    max_concurrent_requests_per_key: Count | None = Field(
        default=None, description="The same for one API key; one more gets a 429."
    )
    compile_threads: Count = Field(
        default=16,
        description="Threads that compile the grammars of requests, one of which computes at a time. A request waits "
        "for its own grammar only, unless too many take long at once.",
    )
    max_request_s: Seconds = Field(
        default=600.0, description="Seconds for a request, then 504; a request's x-request-timeout may be less."
    )
    body_timeout_s: Seconds = Field(default=60.0, description="Seconds to send a body, then 408.")
    max_kept_responses: CountFromZero = Field(
        default=1_000,
        description="Last responses of an API key that previous_response_id and item_reference may mean; 0: none are "
        "kept, and both are refused.",
    )
    max_kept_response_bytes: Count = Field(
        default=32_000_000, description="Of these together, with their conversations, for each key."
    )


class WorkbenchSettings(Settings):
    """Limits of the workbench."""

    panel: ClassVar[str | None] = "Workbench"

    watch_steps: Switch = Field(
        default=True, description="/v1/workbench/steps, with which an answer is watched token by token; else 404."
    )
    max_watched_requests: Count = Field(
        default=8, description="Answers that are watched at once; one more gets a 503. Each has a thread."
    )


class TelemetrySettings(Settings):
    """Settings of OpenTelemetry."""

    panel: ClassVar[str | None] = "Log"

    otlp_endpoint: Address | None = Field(
        default=None,
        description="Collector for OpenTelemetry's traces and metrics of requests, http://HOST:4318 (OTLP over HTTP); "
        "needs the extra otel. Default: off.",
    )


class SocketLimits(Settings):
    """Limits on the connections of clients, for a server that owns them."""

    panel: ClassVar[str | None] = LoadLimits.panel

    send_timeout_s: Seconds = Field(
        default=60.0,
        description="Seconds that a client may stop reading while there is something to read; then it is cut off and "
        "its request cancelled.",
    )
    head_timeout_s: Seconds = Field(
        default=10.0, description="Seconds to send the head of a request; then 408, and the connection is closed."
    )
    max_connections: Count | None = Field(
        default=None,
        description="Connections that are open at once; for one more, the one that waits longest for its client is "
        "closed. Default: what the process may open files for, up to 4096.",
    )


class ServerSettings(SocketLimits, TelemetrySettings, WorkbenchSettings, LoadLimits, BodyLimits):
    """Limits of one server, its keys, and its output for others.

    request_limits: limits of a request's lists, as for the model that `guided serve` loads.
    keys: API keys and admin key; without them everybody may use the server, and nobody may administer it.
    cors_origins: origins of web pages that may use the server from a browser.
    allowed_hosts: allowed names in a request's Host header, beside localhost and loopback addresses; () or "*": any.
    log_prompts: log the texts of requests too.
    """

    request_limits: RequestLimits = RequestLimits()
    keys: AccessKeys = AccessKeys()
    cors_origins: tuple[Origin, ...] = ()
    allowed_hosts: tuple[HostName, ...] = ()
    log_prompts: Switch = False


def limits_of(settings: ServerSettings) -> dict[str, Any]:
    """The numbers among the settings, by name, for /stats."""
    names = [name for name in ServerSettings.model_fields if name.startswith("max_") or name.endswith("_s")]
    return {name: getattr(settings, name) for name in names} | settings.request_limits.model_dump()
