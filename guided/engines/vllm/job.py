"""`VllmJob`: one request while vLLM's engine works on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..jobs import EngineJob
from .outputs import OutputReader


@dataclass(eq=False, kw_only=True)
class VllmJob(EngineJob[OutputReader]):
    """A request. params: vLLM's parameters."""

    params: Any

    def take(self, output: Any) -> None:
        """Pass new output to the reader. output: a `RequestOutput`. Raises what `OutputReader.read` raises."""
        metrics = output.metrics
        if self.begun_s is None and metrics is not None and metrics.scheduled_ts:
            self.begun_s = self.submitted_s + max(0.0, metrics.scheduled_ts - metrics.queued_ts)
        for event in self.reader.read(output):
            self.give(event)
