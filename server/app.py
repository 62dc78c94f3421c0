"""The FastAPI application: endpoints, what they share, and its life."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from guided.grammars.errors import InvalidInputError

from .admission import Admission
from .answers import answer_error
from .context import RequestContext
from .document import page, start
from .endpoints import count_tokens, grammars, models, processors, score, status, tokens
from .endpoints.generate import generation_router
from .jobs import JobStarter
from .logs import log_request
from .metrics import ServerMetrics
from .middleware import RequestMiddleware
from .model import ModelHolder
from .playground import routes as playground
from .settings import ServerSettings
from .state import ServerState

if TYPE_CHECKING:
    from guided.llm import LLM

DESCRIPTION = """Language models whose answers fit the schema or grammar of their request. POST bodies are JSON."""
EXPOSED_HEADERS = ("x-request-id", "request-id", "retry-after")


def create_app(
    llm: LLM | Callable[[], LLM],
    *,
    served_model_name: str | None = None,
    settings: ServerSettings | None = None,
    on_load_failure: Callable[[Exception], None] | None = None,
) -> FastAPI:
    """The application for one model.

    llm: the model, or a function that loads it; the function runs in a thread when the application starts, and the
        application shuts that model down when it ends. Until it returns, requests get a 503 and /health says that the
        model is not loaded.
    served_model_name: the name that requests ask for; None: `llm.model_name`.
    settings: limits and keys; None: the defaults.
    on_load_failure: called in the loading thread with what the load function raised; None: it is logged.
    Raises InvalidInputError for an empty name.
    """
    if served_model_name is not None and not served_model_name.strip():
        raise InvalidInputError("served_model_name must not be empty; leave it out for the model's own name")
    chosen = ServerSettings() if settings is None else settings
    load, is_owned = _loader(llm)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        state = _new_state(load, is_owned, chosen, served_model_name, on_load_failure)
        app.state.server = state
        state.model.start()
        try:
            yield
        finally:
            state.close()

    def on_request_end(context: RequestContext) -> None:
        app.state.server.metrics.on_request(context)
        log_request(context)

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
            allow_methods=["GET", "HEAD", "POST"],
            allow_headers=["*"],
            expose_headers=EXPOSED_HEADERS,
        )
    app.add_middleware(RequestMiddleware, on_end=on_request_end)
    for kind in (HTTPException, Exception):  # those outside of a route: an unknown path, a wrong method
        app.add_exception_handler(kind, answer_error)
    return app


def _add_routes(app: FastAPI) -> None:
    app.include_router(generation_router())
    for module in (models, tokens, count_tokens, score, grammars, processors, status, playground):
        app.include_router(module.router)
    app.include_router(status.health_router)
    app.include_router(playground.page_router)
    app.include_router(page.router)
    app.include_router(start.router)


def _new_state(
    load: Callable[[], LLM],
    is_owned: bool,
    settings: ServerSettings,
    served_model_name: str | None,
    on_load_failure: Callable[[Exception], None] | None,
) -> ServerState:
    metrics = ServerMetrics()
    admission = Admission(settings.max_concurrent_requests, settings.max_concurrent_requests_per_key)

    def on_loaded(llm: LLM) -> None:
        llm.add_observer(metrics)
        metrics.watch(llm.get_stats, lambda: admission.num_in_flight)

    model = ModelHolder(load, is_owned=is_owned, on_loaded=on_loaded, on_failure=on_load_failure)
    return ServerState(model, settings, served_model_name, metrics, admission, JobStarter(model, settings))


def _loader(llm: LLM | Callable[[], LLM]) -> tuple[Callable[[], LLM], bool]:
    """What gives the model, and whether that is made here."""
    if hasattr(llm, "start"):
        model: Any = llm
        return (lambda: cast("LLM", model)), False
    return llm, True
