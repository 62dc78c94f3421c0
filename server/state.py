"""`ServerState`: what the endpoints share, such as models, limits, jobs in flight and metrics."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastapi import Request

from .admission import Admission
from .context import RequestContext, context_of
from .jobs import JobStarter
from .kept_responses import ResponsesByKey
from .metrics import ServerMetrics
from .model import Models
from .settings import ServerSettings

if TYPE_CHECKING:
    from guided.llm import LLM

    from .telemetry import Telemetry


@dataclass
class ServerState:
    """A running application.

    watching: the answers that are watched token by token.
    kept: responses that later requests may refer to.
    telemetry: None if it is off.
    created: start of the application, Unix time in seconds.
    in_flight: the requests in flight.
    documents: names of the loaded models -> the OpenAPI document with these models, and its page.
    """

    models: Models
    settings: ServerSettings
    metrics: ServerMetrics
    admission: Admission
    starter: JobStarter
    watching: Admission
    kept: ResponsesByKey
    telemetry: Telemetry | None = None
    created: int = field(default_factory=lambda: int(time.time()))
    in_flight: set[RequestContext] = field(default_factory=set)
    documents: dict[tuple[str, ...], tuple[dict[str, Any], str]] = field(default_factory=dict)

    def require(self, model_name: str | None) -> LLM:
        """The model with this name; None: the first model. Raises what `Models.find` raises."""
        return self.models.find(model_name).require()

    def admit(self, context: RequestContext, timeout_s: float | None, *, is_large: bool = False) -> RequestContext:
        """Let a request be in flight. Raises what `Admission.enter` raises."""
        longest = self.settings.max_request_s
        seconds = longest if timeout_s is None else min(timeout_s, longest)
        leave = self.admission.enter(context.key_label)
        self.in_flight.add(context)
        deadline = context.started_s + seconds
        return context.enter(leave, deadline, is_large=is_large, on_close=self.in_flight.discard)

    def stop_admitting(self) -> None:
        """From now on, new requests for a model get a 503. Requests in flight go on."""
        self.admission.is_stopping = True

    def cancel_all(self) -> None:
        """End all requests in flight: with a 503, or with an error as the last event of a stream."""
        for context in list(self.in_flight):
            context.cancel()

    def close(self) -> None:
        """End the remaining requests and stop all threads, when the server has stopped."""
        self.stop_admitting()
        self.cancel_all()
        self.starter.close()
        self.models.close()
        if self.telemetry is not None:
            self.telemetry.close()


def state_of(request: Request) -> ServerState:
    """The state of the application that received this request."""
    state: ServerState = request.app.state.server
    return state


async def require_key(request: Request) -> None:
    """A dependency of routes that need an API key if the server has any. Raises AuthenticationError."""
    context_of(request).key_label = state_of(request).settings.keys.identify(request)


async def require_admin(request: Request) -> None:
    """A dependency of the administrator's routes. Raises PermissionDeniedError or AuthenticationError."""
    state_of(request).settings.keys.require_admin(request)
