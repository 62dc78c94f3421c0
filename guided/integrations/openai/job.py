"""`Job`: one request while another server works on it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...engine.base import TokenEvent
from ...engine.observer import RequestRecord
from ..common.jobs import EngineJob
from .answer import AnswerReader


@dataclass(eq=False, kw_only=True)
class Job(EngineJob[AnswerReader]):
    """path, body: what is sent.

    Times are `time.monotonic()` seconds; begun_s: when it was first sent, None while it waits for its place.
    """

    path: str
    body: Mapping[str, Any]
    begun_s: float | None = None
    first_s: float | None = None
    last_s: float = 0.0

    def give(self, event: TokenEvent | None) -> None:
        """Hand an event on."""
        if event is None or self.request.ended.is_set():
            return
        self.last_s = time.monotonic()
        self.first_s = self.last_s if self.first_s is None else self.first_s
        self.sink(event)

    @property
    def num_new_tokens(self) -> int:
        """As the other side says, or else as many as there were pieces."""
        return self.reader.num_pieces if self.reader.usage is None else self.reader.usage.num_new_tokens

    @property
    def record(self) -> RequestRecord:
        """What observers are told at its end."""
        usage, count = self.reader.usage, self.num_new_tokens
        end_s = time.monotonic() if self.begun_s is None else self.begun_s
        return RequestRecord(
            queue_s=end_s - self.submitted_s,
            time_to_first_token_s=None if self.first_s is None else self.first_s - self.submitted_s,
            inter_token_s=None if self.first_s is None or count < 2 else (self.last_s - self.first_s) / (count - 1),
            num_prompt_tokens=0 if usage is None else usage.num_prompt_tokens,
            num_cached_tokens=0 if usage is None else usage.num_cached_tokens,
            num_new_tokens=count,
            finish_reason=self.reader.finish_reason,
        )
