"""The server on Ray Serve: `guided.server.ray:build_app` is the `import_path` of an application in a `serve.yaml`.

Each replica of the deployment `GuidedServer` is a process with the whole server of `create_app` and its models. Ray
sends a replica no request before its models are loaded, and checks its health regularly. A stopping replica first
finishes its requests.
"""

# No `from __future__ import annotations` here: Ray reads the type of build_app's argument at run time.
import asyncio
import contextlib
import functools
import logging
import logging.config
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from concurrent.futures import Future
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, Self

from fastapi import FastAPI
from prometheus_client import Metric
from prometheus_client.samples import Sample
from pydantic import Field, model_validator

from guided.grammars.errors import GuidedError
from guided.settings import CountFromZero

from .app import create_app
from .logs import log_config
from .memory import Heap, ServerCollector, allocator_of_process
from .model import check_names
from .options import Options
from .serve import SWITCH_INTERVAL_S
from .settings import HostName, Origin

if TYPE_CHECKING:
    from guided.llm import LLM

logger = logging.getLogger("guided.server")
DEPLOYMENT = "GuidedServer"
TICK_S = 0.1  # seconds, like uvicorn's tick
PREFIX = "guided_"  # prefix of the metrics to export; Ray exports the process's own figures itself
TELL_EVERY_S = 5.0


class RayNotInstalledError(GuidedError, ImportError):
    """Ray Serve is not installed; the message says how to install it."""


class ReplicaFailedError(GuidedError, RuntimeError):
    """A replica's model can't go on. Ray starts another replica in its place."""


class RayConfig(Options):
    """The configuration of each replica: one model or several, and the server's options.

    Keys are the options of `guided serve`, with _ for -. Ray's options of the deployment `GuidedServer` set the number
    of replicas and their resources.

    more_models: name -> folder or hub name.
    cors_origins, allowed_hosts: see `ServerSettings`.
    The fields of `SocketLimits` are missing, since Ray's proxy holds the connections. Each replica reads key files on
    its own machine; the variables GUIDED_API_KEYS and GUIDED_ADMIN_KEY work too.
    Raises pydantic's ValidationError for an unknown key or an invalid value.
    """

    panel: ClassVar[str | None] = None

    more_models: dict[str, str] = Field(default_factory=dict)
    max_kept_responses: CountFromZero = 0  # later requests may go to another replica, which has no copy
    cors_origins: tuple[Origin, ...] = ()
    allowed_hosts: tuple[HostName, ...] = ()

    @model_validator(mode="after")
    def _check_models(self) -> Self:
        check_names(self.served_model_name, self.more_models)
        if self.engine_args is not None and self.engine != "vllm":
            raise ValueError(f"engine_args are for the engine 'vllm', not for {self.engine!r}")
        return self


def build_app(config: RayConfig) -> Any:
    """The application that Ray Serve runs. config: the `args` in Ray's configuration.

    Options of the deployment in Ray's configuration, under `deployments`, win over those set here. Examples are
    `num_replicas`, `autoscaling_config` and `ray_actor_options`.
    Raises RayNotInstalledError.
    """
    if find_spec("ray") is None or find_spec("ray.serve") is None:
        raise RayNotInstalledError("Ray Serve is not installed; run: pip install 'ray[serve]'")
    from ray import serve

    def make_app() -> FastAPI:
        return replica_app(config)

    class GuidedServer:
        app: FastAPI  # set by Ray to the result of make_app

        async def check_health(self) -> None:
            check_health(self.app)

    deployment = serve.deployment(
        name=DEPLOYMENT,
        max_ongoing_requests=config.max_concurrent_requests,  # Ray's default is 5
        graceful_shutdown_timeout_s=config.shutdown_timeout_s,
    )
    return deployment(serve.ingress(make_app)(GuidedServer)).bind()


def replica_app(config: RayConfig) -> FastAPI:
    """The application of one replica, with loaded models. Startup ends when the replica can answer requests.

    Raises what `guided.LLM` raises, and InvalidInputError for keys that can't be read.
    """
    logging.config.dictConfig(log_config(config.log_level, config.log_format))
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    from guided.llm import LLM

    load = functools.cache(functools.partial(LLM, **config.llm_arguments()))  # a folder with two names is loaded once
    first = load(config.model)
    more = {name: load(model) for name, model in config.more_models.items()}
    collector = ServerCollector()
    ready: Future[None] = Future()

    def on_loaded(error: Exception | None) -> None:
        if error is None:
            collector.start()
        else:
            logger.error("the model could not be loaded", exc_info=error)
        ready.set_result(None)  # Ray hides errors of a startup but shows those of check_health

    app = create_app(
        _given(first),
        served_model_name=config.served_model_name,
        more_models={name: _given(llm) for name, llm in more.items()},
        settings=config.server_settings(),
        on_loaded=on_loaded,
    )
    _wait_until_ready(app, ready, collector)
    return app


def check_health(app: FastAPI) -> None:
    """Raise ReplicaFailedError if a model could not be loaded or can't go on, such as after the end of an engine's
    process.
    """
    models = app.state.server.models
    for holder in models:
        if holder.load_error is not None:
            error = holder.load_error
            raise ReplicaFailedError(f"the model could not be loaded: {type(error).__name__}: {error}") from error
    failure = models.failure
    if failure is not None:
        raise ReplicaFailedError(f"the model can't go on: {failure}")


def _given(llm: "LLM") -> Callable[[], "LLM"]:
    """Wrap a model in a function, so that the application owns it and shuts it down."""
    return lambda: llm


def _wait_until_ready(app: FastAPI, ready: "Future[None]", collector: ServerCollector) -> None:
    """Make the application's startup wait for `ready`, and run the replica's background tasks while it runs."""
    lifespan = app.router.lifespan_context

    @contextlib.asynccontextmanager
    async def waiting(running: FastAPI) -> AsyncIterator[None]:
        async with lifespan(running):
            await asyncio.wrap_future(ready)
            tasks = [
                start_task("garbage collection", _tick(running, collector)),
                start_task("Prometheus through Ray", _tell_ray(running)),
            ]
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                collector.stop()

    app.router.lifespan_context = waiting


def start_task(name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Start a background task. If it fails, requests go on, and the failure is logged."""

    def on_end(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            logger.error("%s has stopped in this replica", name, exc_info=task.exception())

    task = asyncio.create_task(work, name=name)
    task.add_done_callback(on_end)
    return task


async def _tick(app: FastAPI, collector: ServerCollector) -> None:
    """Run the regular work of `guided serve`: garbage collections and trimming the heap."""
    heap = Heap(allocator_of_process())
    while True:
        collector.tick(is_idle=not app.state.server.admission.num_in_flight)
        heap.tick()
        await asyncio.sleep(TICK_S)


async def _tell_ray(app: FastAPI) -> None:
    """Hand this replica's figures to Ray regularly, for Prometheus."""
    from ray.serve.metrics import Counter, Gauge

    metrics = RayMetrics(Counter, Gauge)
    while True:
        metrics.tell(app.state.server.metrics.families())
        await asyncio.sleep(TELL_EVERY_S)


class RayMetrics:
    """Hands the figures of a replica's /metrics to Ray, which exports those of all nodes to Prometheus.

    A scrape of /metrics behind one address would reach any replica. Names begin with `ray_` in Ray's export, and Ray
    adds its own labels. Buckets, sums and counts of histograms become counters with the label `le`, since Ray's
    histograms accept only single values. Ray adds `_total` to counters' names.

    new_counter, new_gauge: `ray.serve.metrics.Counter` and `Gauge`.
    """

    def __init__(self, new_counter: Callable[..., Any], new_gauge: Callable[..., Any]) -> None:
        self._new_counter, self._new_gauge = new_counter, new_gauge
        self._metrics: dict[str, Any] = {}
        self._told: dict[tuple[str, tuple[tuple[str, str], ...]], float] = {}

    def tell(self, families: Iterable[Metric]) -> None:
        """Hand over the changes since the last call."""
        for family in families:
            if not family.name.startswith(PREFIX):
                continue
            for sample in family.samples:
                if not sample.name.endswith("_created"):
                    self._tell(family, sample)

    def _tell(self, family: Metric, sample: Sample) -> None:
        name = sample.name.removesuffix("_total")
        is_gauge = family.type == "gauge"
        metric = self._metrics.get(name)
        if metric is None:
            make = self._new_gauge if is_gauge else self._new_counter
            metric = make(name, description=family.documentation, tag_keys=tuple(sample.labels))
            self._metrics[name] = metric
        if is_gauge:
            metric.set(sample.value, tags=sample.labels)
            return
        key = (name, tuple(sample.labels.items()))
        grown = sample.value - self._told.get(key, 0.0)
        if grown > 0:
            metric.inc(grown, tags=sample.labels)
            self._told[key] = sample.value
