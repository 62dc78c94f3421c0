"""A model surface that does what a test says, for what a real model can't be made to do: wait, fail midway, be slow."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

from guided.completion import Completion, CompletionChunk
from guided.sampling_params import SamplingParams


class ScriptedLLM:
    """Streams `texts`, one a step, then ends with `finish_reason`.

    steps: None runs freely; a semaphore gives one step for each release.
    fail_before, fail_midway: raised before the first text, or delivered with finish_reason "error" after the last one.
    calls: what each request asked for. num_steps: texts made. closed: set when a generator was closed or ended.
    """

    model_name = "scripted"

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Back to three texts, no errors, free running."""
        self.texts: Sequence[str] = ["Hello", " ", "world"]
        self.finish_reason: Any = "stop"
        self.steps: threading.Semaphore | None = None
        self.fail_before: BaseException | None = None
        self.fail_midway: Exception | None = None
        self.calls: list[tuple[Any, SamplingParams]] = []
        self.num_steps = 0
        self.closed = threading.Event()
        self.num_running = 0
        self.max_running = 0

    def stream(self, messages: Any, params: SamplingParams) -> Iterator[CompletionChunk]:
        """One request."""
        self.calls.append((messages, params))
        self.closed.clear()
        self.num_running += 1
        self.max_running = max(self.max_running, self.num_running)
        try:
            yield from self._chunks()
        finally:
            self.num_running -= 1
            self.closed.set()

    def _chunks(self) -> Iterator[CompletionChunk]:
        if self.fail_before is not None:
            raise self.fail_before
        for text in self.texts:
            if self.steps is not None:
                assert self.steps.acquire(timeout=60), "the test forgot to let the model go on"
            self.num_steps += 1
            yield CompletionChunk(text)
        yield self._last_chunk()

    def _last_chunk(self) -> CompletionChunk:
        finish_reason = "error" if self.fail_midway is not None else self.finish_reason
        completion = Completion(
            text="".join(self.texts),
            token_ids=tuple(range(len(self.texts) + 1)),
            finish_reason=finish_reason,
            error=self.fail_midway,
            num_prompt_tokens=7,
            num_forced_tokens=0,
            elapsed_s=0.1,
        )
        return CompletionChunk("", finish_reason, completion.usage, completion)
