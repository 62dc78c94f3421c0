"""`EngineThread`: vLLM's asynchronous engine, in an event loop with its own thread."""

from __future__ import annotations

import asyncio
import importlib.util
import itertools
import logging
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from guided.grammars.errors import GuidedError, InvalidInputError

from ...errors import EngineFailureError
from ..jobs import JobLoop
from .job import VllmJob

if TYPE_CHECKING:
    from .figures import EngineFigures  # which imports vLLM

log = logging.getLogger(__name__)

SHUTDOWN_S = 10.0  # seconds for vLLM's processes to end by themselves
WATCH_S = 0.05  # seconds between checks for readers that have left and deadlines that have passed


class EngineThread(JobLoop[VllmJob]):
    """The event loop of vLLM's engine.

    client: vLLM's `AsyncLLM`, whose engine core runs.
    figures: one of the client's stat loggers.
    max_running: requests that vLLM runs together.
    max_waiting: see `EngineSettings.max_waiting_requests`.
    """

    def __init__(self, client: Any, figures: EngineFigures, max_running: int, max_waiting: int | None) -> None:
        self.figures = figures
        self._client = client
        self._names = itertools.count()
        super().__init__("guided-vllm", max_running, max_waiting, WATCH_S, figures.counters)

    @property
    def num_unfinished(self) -> int:
        """Number of requests that were submitted and have not ended."""
        return len(self._jobs)

    @property
    def failure(self) -> Exception | None:
        """Why nothing runs any more; None while the engine works."""
        if self._is_stopped or not self._client.errored:
            return None
        return EngineFailureError("vLLM's engine", self._client.dead_error)

    def _new_loop(self) -> asyncio.AbstractEventLoop:
        """A uvloop event loop if installed, as in vLLM's own server, since it handles the engine's messages faster."""
        if importlib.util.find_spec("uvloop") is None:
            return super()._new_loop()
        import uvloop

        loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
        return loop

    def _on_end(self, job: VllmJob) -> None:
        self.figures.on_end(job)

    def _shut_down(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end_reading(), self._loop).result()
        self._client.shutdown(timeout=SHUTDOWN_S)
        asyncio.run_coroutine_threadsafe(_end_tasks(), self._loop).result()

    async def _end_reading(self) -> None:
        """Stop vLLM's reader of results first; vLLM would stop it last, and it would log that the engine has died."""
        reader = self._client.output_handler
        if reader is not None:  # None before the first request
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)

    async def _run(self, job: VllmJob) -> None:
        from vllm.exceptions import VLLMValidationError
        from vllm.v1.engine.exceptions import EngineDeadError

        try:
            await self._read(job)
        except GuidedError as error:
            job.fail(error)
        except EngineDeadError as error:
            job.fail(EngineFailureError("vLLM's engine", error))
        except VLLMValidationError as error:
            job.fail(InvalidInputError(f"vLLM refuses the request: {error}"))
        except Exception as error:
            log.exception("a request failed in vLLM's front end")
            job.fail(EngineFailureError("vLLM's front end", error))

    async def _read(self, job: VllmJob) -> None:
        """Pass on the request's tokens while they come. Leaving early cancels the request in vLLM too."""
        from vllm.inputs.engine import tokens_input

        prompt = tokens_input(list(job.request.prompt_token_ids))
        name = f"guided-{next(self._names)}"
        async with aclosing(self._client.generate(prompt, job.params, name)) as outputs:
            async for output in outputs:
                if job.request.ended.is_set():
                    return
                job.take(output)
                if job.finish_reason is not None:
                    return


async def _end_tasks() -> None:
    """Wait for the tasks of vLLM's front end, which it cancels without waiting."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
