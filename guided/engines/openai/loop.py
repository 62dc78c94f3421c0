"""`EndpointLoop`: runs requests to another server in an event loop with its own thread."""

from __future__ import annotations

import asyncio
import json
import logging
import time

from openai import AsyncStream

from guided.grammars.errors import GuidedError

from ...errors import EngineFailureError
from ..jobs import JobLoop
from ..settings import EngineSettings
from ..stats import EngineCounters
from .connections import new_async_client
from .endpoint import EndpointSettings
from .failures import typed_errors
from .job import RemoteJob

log = logging.getLogger(__name__)

WATCH_S = 0.02  # seconds between two searches for requests without readers or past their deadlines


class EndpointLoop(JobLoop[RemoteJob]):
    """Runs requests. settings: settings of the server. limits: `max_batch_size` requests run at once, others wait."""

    def __init__(self, settings: EndpointSettings, limits: EngineSettings) -> None:
        self._settings = settings
        self._places = asyncio.Semaphore(limits.max_batch_size)
        self._client = new_async_client(settings)
        running, waiting = limits.max_batch_size, limits.max_waiting_requests
        super().__init__("guided-openai", running, waiting, WATCH_S, EngineCounters())

    def _shut_down(self) -> None:
        asyncio.run_coroutine_threadsafe(self._client.close(), self._loop).result()

    async def _run(self, job: RemoteJob) -> None:
        try:
            async with self._places:
                job.begun_s = time.perf_counter()
                await self._ask(job)
        except GuidedError as error:
            job.fail(error)
        except Exception as error:
            log.exception("a request to %s failed here", self._settings.base_url)
            job.fail(EngineFailureError("the openai engine", error))

    async def _ask(self, job: RemoteJob) -> None:
        """Send one request and read its answer. Leaving early closes the connection, which tells the other server."""
        where = f"{self._settings.base_url.rstrip('/')}/{job.path}"
        with typed_errors(where, lambda: bool(job.num_pieces)):
            answer = await self._client.post(
                f"/{job.path}",
                body=job.body,
                options=self._settings.call_options,
                cast_to=object,
                stream=True,
                stream_cls=AsyncStream[object],
            )
            async with answer:
                if answer.response.headers.get("content-type", "").startswith("application/json"):  # no stream
                    self._take(job, json.loads(await answer.response.aread()))
                else:
                    async for chunk in answer:
                        self._take(job, chunk)
                        if job.request.ended.is_set():
                            return
            job.give(job.finish())

    def _take(self, job: RemoteJob, chunk: object) -> None:
        event = job.read(chunk)
        if event is not None:
            job.give(event)
