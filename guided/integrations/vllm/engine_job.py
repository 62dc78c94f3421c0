"""`Job`: one request while vLLM's engine works on it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from ..common.jobs import EngineJob
from .engine_outputs import OutputReader


@dataclass(eq=False, kw_only=True)
class Job(EngineJob[OutputReader]):
    """params: vLLM's. queue_s: seconds until vLLM began it, as vLLM says; None while it has not.

    Times of tokens are `time.monotonic()` seconds.
    """

    params: Any
    first_token_s: float | None = None
    last_token_s: float = 0.0
    queue_s: float | None = None

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
