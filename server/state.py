"""`ServerState`: what the endpoints share, such as models, limits, jobs in flight and metrics."""

from __future__ import annotations

import math
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastapi import Request

from guided.params.checks import shown

from .admission import Admission
from .context import RequestContext, context_of
from .errors import InvalidRequestError
from .jobs import JobStarter
from .kept_responses import ResponsesByKey
from .metrics import ServerMetrics
from .model import Models
from .settings import ServerSettings

if TYPE_CHECKING:
    from guided.llm import LLM

    from .telemetry import Telemetry


TIMEOUT_HEADER = "x-request-timeout"


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

    def admit(self, request: Request, *, is_large: bool = False, is_watched: bool = False) -> RequestContext:
        """Let a request be in flight. is_watched: its answer is watched token by token.

        Raises what `Admission.enter` and `read_timeout` raise.
        """
        context = context_of(request)
        deadline = context.started_s + min(read_timeout(request), self.settings.max_request_s)
        with ExitStack() as places:
            if is_watched:
                places.callback(self.watching.enter(None))
            places.callback(self.admission.enter(context.key_label))
            leave = places.pop_all().close
        self.in_flight.add(context)
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
    """A dependency of routes that need an API key if the server has any. Raises RefusedError."""
    context_of(request).key_label = state_of(request).settings.keys.identify(request)


async def require_admin(request: Request) -> None:
    """A dependency of the administrator's routes. Raises RefusedError."""
    state_of(request).settings.keys.require_admin(request)


def read_timeout(request: Request) -> float:
    """The seconds in the header `x-request-timeout`; infinity without it. Raises InvalidRequestError if it is not a
    positive number.
    """
    text = request.headers.get(TIMEOUT_HEADER)
    if text is None:
        return math.inf
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not (math.isfinite(seconds) and seconds > 0):
        raise InvalidRequestError(f"the header {TIMEOUT_HEADER} must be a number of seconds > 0, not {shown(text)}")
    return seconds
