"""`Job`: one request while another server works on it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...engine.base import GenerationRequest, Sink, TokenEvent
from ...engine.observer import RequestRecord
from ...errors import DeadlineExceededError
from .answer import AnswerReader


@dataclass(eq=False)
class Job:
    """path, body: what is sent. is_bounded: see `Engine.submit`. end_error: why it is cancelled; None: its reader left.

    Times are `time.monotonic()` seconds; begun_s: when it was first sent, None while it waits for its place.
    """

    request: GenerationRequest
    path: str
    body: Mapping[str, Any]
    sink: Sink
    reader: AnswerReader
    is_bounded: bool
    submitted_s: float = field(default_factory=time.monotonic)
    begun_s: float | None = None
    first_s: float | None = None
    last_s: float = 0.0
    task: asyncio.Task[None] | None = None
    is_cancelled: bool = False
    end_error: Exception | None = None

    def give(self, event: TokenEvent | None) -> None:
        """Hand an event on."""
        if event is None or self.request.ended.is_set():
            return
        self.last_s = time.monotonic()
        self.first_s = self.last_s if self.first_s is None else self.first_s
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
