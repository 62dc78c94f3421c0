"""`/health`, `/stats` and `/metrics`: whether the server is ready, its figures, and the same figures for Prometheus."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import Query, Request, Response
from fastapi.responses import JSONResponse

from guided.engines.stats import sum_of
from guided.grammars.cache import PROCESS_CACHE

from ..metrics import CONTENT_TYPE
from ..settings import limits_of
from ..state import ServerState, require_admin, state_of
from .base import Answer, keyed_router, open_router

router = keyed_router()
health_router = open_router()


HealthStatus = Literal["ok", "loading", "failed", "stopping"]


class Health(Answer):
    """status: "ok"; "loading" until all models are loaded; "failed" if a model can't be loaded or can't go on;
    "stopping" when the server takes no more requests. All but "ok" come with status code 503. model_loaded: all models
    are loaded.
    """

    status: HealthStatus
    model_loaded: bool


class GrammarCacheStats(Answer):
    """Figures of the cache of compiled grammars."""

    num_grammars: int
    num_bytes: int
    hits: int
    misses: int


class DebugStats(Answer):
    """Figures of the process, to look for leaks. memory_bytes: resident memory; null if the system does not report
    it.
    """

    tasks: int
    threads: int
    thread_names: list[str]
    memory_bytes: int | None
    objects: int
    open_jobs: int


class Stats(Answer):
    """Figures of the server since it started.

    active_requests, waiting_requests: outputs in the models' batches, and outputs that wait for a place.
    total_requests: outputs ever begun.
    cache_usage: share of the key-value pages in use, 0.0 to 1.0.
    tokens_generated: tokens of all outputs.
    requests_in_flight: HTTP requests that are being answered.
    engine: all figures, summed over the engines.
    models: the same figures by model name.
    limits: this server's limits.
    debug: figures of the process; only with ?debug=true and the admin key.
    """

    active_requests: int
    waiting_requests: int
    total_requests: int
    cache_usage: float
    tokens_generated: int
    requests_in_flight: int
    uptime_s: float
    engine: dict[str, int | float]
    models: dict[str, dict[str, int | float]]
    grammar_cache: GrammarCacheStats
    limits: dict[str, Any]
    debug: DebugStats | None = None


@health_router.get("/health", response_model=Health, responses={503: {"model": Health}})
async def health(request: Request) -> Response:
    """Tells whether the server and its models are ready. Needs no key."""
    state = state_of(request)
    body = Health(status=_health_status(state), model_loaded=state.models.are_loaded)
    return JSONResponse(body.model_dump(), 200 if body.status == "ok" else 503)


def _health_status(state: ServerState) -> HealthStatus:
    if state.admission.is_stopping:
        return "stopping"
    if state.models.failure is not None:
        return "failed"
    return "ok" if state.models.are_loaded else "loading"


@router.get("/stats", response_model_exclude_none=True)
async def stats(request: Request, debug: Annotated[bool, Query()] = False) -> Stats:
    """Figures of the engines and the server; 503 while a model is not loaded. debug: also of the process (needs the
    admin key).
    """
    state = state_of(request)
    if debug:
        await require_admin(request)
    engines = {holder.require_name(): holder.require().get_stats() for holder in state.models}
    # counts a model with two names once
    by_model = {id(holder.llm): engines[holder.require_name()] for holder in state.models}
    engine = sum_of([*by_model.values()])
    return Stats(
        active_requests=engine.active_requests,
        waiting_requests=engine.waiting_requests,
        total_requests=engine.total_requests,
        cache_usage=engine.cache_usage,
        tokens_generated=engine.tokens_generated,
        requests_in_flight=state.admission.num_in_flight,
        uptime_s=round(time.time() - state.created, 3),
        engine=asdict(engine),
        models={name: asdict(one) for name, one in engines.items()},
        grammar_cache=GrammarCacheStats(
            num_grammars=len(PROCESS_CACHE),
            num_bytes=PROCESS_CACHE.num_bytes,
            hits=PROCESS_CACHE.hits,
            misses=PROCESS_CACHE.misses,
        ),
        limits=limits_of(state.settings),
        debug=_debug(state) if debug else None,
    )


@router.get("/metrics", response_class=Response)
async def metrics(request: Request) -> Response:
    """Counters and histograms in Prometheus' text format."""
    return Response(state_of(request).metrics.render(), media_type=CONTENT_TYPE)


def _debug(state: ServerState) -> DebugStats:
    gc.collect()
    return DebugStats(
        tasks=len(asyncio.all_tasks()),
        threads=threading.active_count(),
        thread_names=sorted(thread.name for thread in threading.enumerate()),
        memory_bytes=_resident_bytes(),
        objects=len(gc.get_objects()),
        open_jobs=len(state.in_flight),
    )


def _resident_bytes() -> int | None:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None
