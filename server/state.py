"""What the endpoints share: the worker, the served name, the limits."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from fastapi import Request

from .settings import ServerSettings
from .worker import Worker


@dataclass(frozen=True)
class ServerState:
    """One running application. created: when it started, Unix time in seconds."""

    worker: Worker
    settings: ServerSettings
    served_model_name: str | None
    created: int = field(default_factory=lambda: int(time.time()))

    @property
    def model_name(self) -> str:
        """The name that requests must ask for. Raises ModelNotLoadedError while there is no model."""
        return self.served_model_name or self.worker.require_llm().model_name


def state_of(request: Request) -> ServerState:
    """The state of the application that got this request."""
    state: ServerState = request.app.state.server
    return state
