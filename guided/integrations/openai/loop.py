"""`EndpointLoop`: requests to another server, in an event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import httpx

from guided.grammars.errors import GuidedError

from ...engine.observer import EngineObserver, tell
from ...engine.settings import EngineSettings
from ...engine.stats import EngineCounters, EngineStats
from ...errors import EndpointError, EngineFailureError
from ..common.jobs import JobLoop
from .endpoint import IDLE_CONNECTION_S, EndpointSettings
from .events import read_events, read_object
from .failures import is_safe_to_repeat, of_status, of_transport
from .job import Job

log = logging.getLogger(__name__)

WATCH_S = 0.02  # between looks for requests whose readers have left, or whose deadlines are over
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0  # before a request is sent again
MAX_ERROR_BYTES = 65_536


class EndpointLoop(JobLoop[Job]):
    """settings: how the other side is asked. limits: `max_batch_size` requests are sent at once, others wait."""

    def __init__(self, settings: EndpointSettings, limits: EngineSettings) -> None:
        self.observers: list[EngineObserver] = []
        self._settings = settings
        self._places = asyncio.Semaphore(limits.max_batch_size)
        connections = httpx.Limits(max_connections=limits.max_batch_size, keepalive_expiry=IDLE_CONNECTION_S)
        self._client = httpx.AsyncClient(**settings.client_arguments, limits=connections)
        running, waiting = limits.max_batch_size, limits.max_waiting_requests
        super().__init__("guided-openai", running, waiting, WATCH_S, EngineCounters())

    @property
    def stats(self) -> EngineStats:
        """See `Engine.get_stats`."""
        jobs = tuple(self._jobs)
        num_active = sum(job.begun_s is not None for job in jobs)
        return EngineStats(
            active_requests=num_active,
            waiting_requests=len(jobs) - num_active,
            total_requests=self._counters.total_requests,
            tokens_generated=self._counters.num_new_tokens,
            num_prompt_tokens=self._counters.num_prompt_tokens,
            num_cached_prompt_tokens=self._counters.num_cached_prompt_tokens,
        )

    def _on_end(self, job: Job) -> None:
        counters, usage = self._counters, job.usage
        counters.num_new_tokens += usage.num_new_tokens
        counters.num_prompt_tokens += usage.num_prompt_tokens
        counters.num_cached_prompt_tokens += usage.num_cached_tokens
        if self.observers:
            record = job.record(
                num_prompt_tokens=usage.num_prompt_tokens,
                num_cached_tokens=usage.num_cached_tokens,
                num_new_tokens=usage.num_new_tokens,
            )
            tell(self.observers, "on_request_end", record)

    def _shut_down(self) -> None:
        with suppress(httpx.HTTPError):
            asyncio.run_coroutine_threadsafe(self._client.aclose(), self._loop).result()

    async def _run(self, job: Job) -> None:
        try:
            async with self._places:
                job.begun_s = time.monotonic()
                await self._ask(job)
        except GuidedError as error:
            job.fail(error)
        except Exception as error:
            log.exception("a request to %s failed here", self._settings.base_url)
            job.fail(EngineFailureError("the openai engine", error))

    async def _ask(self, job: Job) -> None:
        """Send it until it is answered. It is sent again only where the other side surely has not begun with it."""
        for attempt in range(self._settings.max_retries + 1):
            try:
                await self._send(job)
                return
            except EndpointError as error:
                wait_s = _wait_s(error, attempt)
                is_last = attempt == self._settings.max_retries or wait_s > LONGEST_WAIT_S
                if is_last or job.reader.is_begun or not is_safe_to_repeat(error):
                    raise
                log.info("asking again in %.1f s: %s", wait_s, error)
            await asyncio.sleep(wait_s)

    async def _send(self, job: Job) -> None:
        """One attempt. Leaving early closes the connection, by which the other side learns of it."""
        where = f"{self._settings.base_url.rstrip('/')}/{job.path}"
        try:
            async with self._client.stream("POST", job.path, json=job.body) as response:
                if response.status_code != 200:
                    raise of_status(response.status_code, response.headers, await _start_of(response), where)
                await self._read(job, response, where)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise of_transport(error, where, has_begun=job.reader.is_begun) from error

    async def _read(self, job: Job, response: httpx.Response, where: str) -> None:
        """Hand the answer on, as it comes."""
        if response.headers.get("content-type", "").startswith("application/json"):  # it does not stream
            self._take(job, read_object(await response.aread(), where))
        else:
            async for chunk in read_events(response.aiter_bytes(), where):
                self._take(job, chunk)
                if job.request.ended.is_set():
                    return
        job.give(job.reader.finish())

    def _take(self, job: Job, chunk: Mapping[str, Any]) -> None:
        event = job.reader.read(chunk)
        if event is not None:
            job.give(event)


async def _start_of(response: httpx.Response) -> bytes:
    """What an error's body says, as far as it is read."""
    body = b""
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MAX_ERROR_BYTES:
            break
    return body


def _wait_s(error: EndpointError, attempt: int) -> float:
    """How long the other side wants to be left alone; where it does not say, longer each time, and not all at once."""
    if error.retry_after_s is not None:
        return error.retry_after_s
    return min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0**attempt) * random.uniform(0.75, 1.25)
