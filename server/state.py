"""What the endpoints share: the models, the limits, what is in flight, what is counted."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastapi import Request

from .admission import Admission
from .context import RequestContext, context_of
from .jobs import Job, JobStarter
from .kept_responses import ResponsesByKey
from .metrics import ServerMetrics
from .model import Models
from .settings import ServerSettings
from .watchers import Watchers

if TYPE_CHECKING:
    from guided.llm import LLM

    from .telemetry import Telemetry


@dataclass
class ServerState:
    """One running application.

    kept: responses that later requests may mean. telemetry: None where it is off.
    created: when it started, Unix time in seconds. jobs: the open ones.
    documents: names of the loaded models -> the OpenAPI document that knows them, and its page.
    """

    models: Models
    settings: ServerSettings
    metrics: ServerMetrics
    admission: Admission
    starter: JobStarter
    watchers: Watchers
    kept: ResponsesByKey
    telemetry: Telemetry | None = None
    created: int = field(default_factory=lambda: int(time.time()))
    jobs: set[Job] = field(default_factory=set)
    documents: dict[tuple[str, ...], tuple[dict[str, Any], str]] = field(default_factory=dict)

    def require(self, model_name: str | None) -> LLM:
        """The model of that name; None: the first one. Raises what `Models.find` raises."""
        return self.models.find(model_name).require()

    def open_job(self, context: RequestContext, timeout_s: float | None, *, is_large: bool = False) -> Job:
        """A new job, with its place among those in flight. Raises what `Admission.enter` raises."""
        longest = self.settings.max_request_s
        seconds = longest if timeout_s is None else min(timeout_s, longest)
        leave = self.admission.enter(context.key_label)
        job = Job(leave, context.started_s + seconds, is_large=is_large, on_close=self.jobs.discard)
        self.jobs.add(job)
        return job

    def stop_admitting(self) -> None:
        """From now on, requests for the model get a 503; those in flight go on."""
        self.admission.is_stopping = True

    def cancel_jobs(self) -> None:
        """End what is in flight: with a 503, or with an error as the last event of a stream."""
        for job in list(self.jobs):
            job.cancel()

    def close(self) -> None:
        """The server is stopped: what is left of its requests ends, and its threads."""
        self.stop_admitting()
        self.cancel_jobs()
        self.starter.close()
        self.watchers.close()
        self.models.close()
        if self.telemetry is not None:
            self.telemetry.close()


def state_of(request: Request) -> ServerState:
    """The state of the application that got this request."""
    state: ServerState = request.app.state.server
    return state


async def require_key(request: Request) -> None:
    """A dependency of routes that need an API key where there are any."""
    context_of(request).key_label = state_of(request).settings.keys.identify(request)


async def require_admin(request: Request) -> None:
    """A dependency of routes that only the administrator may use."""
    state_of(request).settings.keys.require_admin(request)
