"""The FastAPI application: its endpoints, its middleware, and its start and shutdown."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from guided.grammars.extras import require

from .admission import Admission
from .answers import answer_error
from .context import RequestContext, RequestMiddleware
from .endpoints import (
    count_tokens,
    grammars,
    models,
    processors,
    responses,
    score,
    status,
    steps,
    tokens,
)
from .generation import ENFORCEMENT_HEADER, IGNORED_HEADER, generation_router
from .hosts import HostMiddleware
from .jobs import JobStarter
from .kept_responses import ResponsesByKey
from .logs import log_request
from .metrics import ServerMetrics
from .model import ModelHolder, Models, check_names
from .pages import routes
from .pages.workbench import routes as workbench
from .settings import ServerSettings
from .state import ServerState

if TYPE_CHECKING:
    from guided.llm import LLM

    from .telemetry import Telemetry

logger = logging.getLogger("guided.server")
DESCRIPTION = """Language models whose answers fit the schema or grammar of their request. POST bodies are JSON."""
EXPOSED_HEADERS = ("x-request-id", "request-id", "retry-after", IGNORED_HEADER, ENFORCEMENT_HEADER)


def create_app(
    llm: LLM | Callable[[], LLM],
    *,
    served_model_name: str | None = None,
    more_models: Mapping[str, LLM | Callable[[], LLM]] | None = None,
    settings: ServerSettings | None = None,
    on_loaded: Callable[[Exception | None], None] | None = None,
) -> FastAPI:
    """The application for one model, or for several models by name.

    llm: the model, or a function that loads it. The function runs in a thread when the application starts, and the
        application shuts that model down when it ends. Until the function returns, requests get a 503 and /health
        reports that the model is not loaded.
    served_model_name: the name for `llm` in requests; None: `llm.model_name`.
    more_models: further models by the name that requests ask for, given like `llm` and loaded one after another. A
        request that names no model gets `llm`.
    settings: limits and keys; None: the defaults.
    on_loaded: called in the loading thread once, when loading has ended, with the exception of a load function or None.
        Without it the exception is logged and the other models are loaded.
    Raises InvalidInputError for an empty name, for a name that two models have, and for settings whose extra is not
    installed.
    """
    chosen = ServerSettings() if settings is None else settings
    if chosen.otlp_endpoint is not None:
        require("opentelemetry.exporter.otlp.proto.http", "otlp_endpoint")
    more_models = more_models or {}
    check_names(served_model_name, more_models)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        holders = [_holder(llm, served_model_name), *(_holder(one, name) for name, one in more_models.items())]
        state = _new_state(holders, chosen, on_loaded)
        app.state.server = state
        if chosen.keys.is_open and chosen.keys.admin_key is not None:
            logger.warning("only an admin key is set: everybody may use the models; --api-key-file closes them, too")
        state.models.start()
        try:
            yield
        finally:
            state.close()

    def on_request_end(context: RequestContext) -> None:
        state: ServerState = app.state.server
        state.metrics.on_request(context)
        log_request(context)
        if state.telemetry is not None:
            state.telemetry.on_request(context)

    app = FastAPI(
        title="guided",
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    _add_routes(app)
    if chosen.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=chosen.cors_origins,
            allow_methods=["GET", "HEAD", "POST", "DELETE"],
            allow_headers=["*"],
            expose_headers=EXPOSED_HEADERS,
        )
    if chosen.allowed_hosts and "*" not in chosen.allowed_hosts:
        app.add_middleware(HostMiddleware, allowed=chosen.allowed_hosts)
    app.add_middleware(RequestMiddleware, on_end=on_request_end)
    for kind in (HTTPException, Exception):  # errors outside any route: an unknown path, a wrong method
        app.add_exception_handler(kind, answer_error)
    return app


def _add_routes(app: FastAPI) -> None:
    app.include_router(generation_router())
    for module in (
        models,
        responses,
        tokens,
        count_tokens,
        score,
        grammars,
        steps,
        processors,
        status,
        workbench,
        routes,
    ):
        app.include_router(module.router)
    app.include_router(status.health_router)


def _new_state(
    holders: list[ModelHolder],
    settings: ServerSettings,
    on_loaded: Callable[[Exception | None], None] | None,
) -> ServerState:
    metrics = ServerMetrics()
    admission = Admission(settings.max_concurrent_requests, settings.max_concurrent_requests_per_key)

    metrics.watch_requests(lambda: admission.num_in_flight)
    models = Models(holders, on_model=metrics.watch, on_loaded=on_loaded)
    kept = ResponsesByKey(settings.max_kept_responses, settings.max_kept_response_bytes)
    watching = Admission(settings.max_watched_requests, what="answers are being watched")
    starter = JobStarter(models, settings)
    return ServerState(models, settings, metrics, admission, starter, watching, kept, _telemetry(settings))


def _telemetry(settings: ServerSettings) -> Telemetry | None:
    if settings.otlp_endpoint is None:
        return None
    from .telemetry import Telemetry

    return Telemetry.to(settings.otlp_endpoint)


def _holder(llm: LLM | Callable[[], LLM], name: str | None) -> ModelHolder:
    """A holder for a loaded model, or for a function that loads one. The server shuts down only a model that it
    loaded.
    """
    if hasattr(llm, "submit"):
        model: Any = llm
        return ModelHolder(lambda: cast("LLM", model), is_owned=False, given_name=name)
    return ModelHolder(llm, is_owned=True, given_name=name)
