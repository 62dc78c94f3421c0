"""`Job`: one request while vLLM's engine works on it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from ...engine.base import GenerationRequest, Sink
from ...errors import DeadlineExceededError
from .engine_outputs import OutputReader


@dataclass(eq=False)
class Job:
    """params: vLLM's. is_bounded: see `Engine.submit`. end_error: why it is cancelled; None: its reader has left.

    Times are `time.monotonic()` seconds. queue_s: until vLLM began it, as vLLM says; None while it has not.
    """

    request: GenerationRequest
    params: Any
    sink: Sink
    reader: OutputReader
    is_bounded: bool
    submitted_s: float = field(default_factory=time.monotonic)
    first_token_s: float | None = None
    last_token_s: float = 0.0
    queue_s: float | None = None
    task: asyncio.Task[None] | None = None
    is_cancelled: bool = False
    end_error: Exception | None = None

    def take(self, output: Any) -> None:
        """Tell its reader what is new. output: a `RequestOutput`. Raises what `OutputReader.read` raises."""
        metrics = output.metrics
        if self.queue_s is None and metrics is not None and metrics.scheduled_ts:
            self.queue_s = max(0.0, metrics.scheduled_ts - metrics.queued_ts)
        events = self.reader.read(output)
        self.last_token_s = time.monotonic()
        if self.first_token_s is None and self.reader.num_new_tokens:
            self.first_token_s = self.last_token_s
        for event in events:
            self.sink(event)

    def fail(self, error: Exception) -> None:
        """Its last event, unless it has had one, or nobody reads it any more."""
        if self.reader.finish_reason is None and not self.request.ended.is_set():
            self.sink(self.reader.fail(error))

    def cancel(self, error: Exception | None) -> None:
        """Give it up, once. error: what its reader is told; None: nothing."""
        if not self.is_cancelled and self.task is not None:
            self.is_cancelled, self.end_error = True, error
            self.task.cancel()

    def must_end(self, now: float) -> tuple[bool, Exception | None]:
        """Whether its reader has left, or its deadline is over; and what its reader is told then."""
        if self.request.ended.is_set():
            return True, None
        is_late = self.request.deadline is not None and now >= self.request.deadline
        return is_late, DeadlineExceededError() if is_late else None
