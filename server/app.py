"""The FastAPI application: endpoints and the worker's life."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

from fastapi import FastAPI
from starlette.exceptions import HTTPException

from guided.grammars.errors import InvalidInputError

from .answers import answer_error
from .playground import routes as playground_routes
from .routes import router
from .settings import ServerSettings
from .state import ServerState
from .worker import Worker

if TYPE_CHECKING:
    from guided.llm import LLM


def create_app(
    llm: LLM | Callable[[], LLM],
    *,
    served_model_name: str | None = None,
    settings: ServerSettings | None = None,
    on_load_failure: Callable[[Exception], None] | None = None,
) -> FastAPI:
    """The application for one model.

    llm: the model, or a function that loads it; the function runs in the worker's thread when the application starts.
        Until it returns, requests get a 503 and /health says that the model is not loaded.
    served_model_name: the name that requests ask for; None: `llm.model_name`.
    settings: limits; None: the defaults.
    on_load_failure: called in the worker's thread with what the load function raised; None: it is logged.
    Raises InvalidInputError for an empty name.
    """
    if served_model_name is not None and not served_model_name.strip():
        raise InvalidInputError("served_model_name must not be empty; leave it out for the model's own name")
    load = _loader(llm)
    chosen = settings or ServerSettings()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        worker = Worker(load, chosen.max_waiting_requests, on_load_failure)
        app.state.server = ServerState(worker, chosen, served_model_name)
        worker.start()
        try:
            yield
        finally:
            await asyncio.to_thread(worker.close)

    app = FastAPI(
        title="guided", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False
    )
    app.include_router(router)
    app.include_router(playground_routes.router)
    for kind in (HTTPException, Exception):  # those outside of a route: an unknown path, a wrong method
        app.add_exception_handler(kind, answer_error)
    return app


def _loader(llm: LLM | Callable[[], LLM]) -> Callable[[], LLM]:
    if hasattr(llm, "stream"):
        model = cast("LLM", llm)
        return lambda: model
    return llm
