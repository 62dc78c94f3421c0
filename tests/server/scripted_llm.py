"""A model surface that does what a test says, for what a real model can't be made to do: wait, fail midway, be slow."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from guided.engines.stats import EngineStats
from guided.grammars.errors import CompileCancelledError
from guided.grammars.vocabulary import Vocabulary
from guided.output.completion import Completion, CompletionChunk
from guided.params.sampling_params import SamplingParams
from guided.requests.request import PromptRequest

POLL_S = 0.002  # how often a generation looks for its next step


class ScriptedLLM:
    """Streams `texts`, one a step, then ends with `finish_reason`; any number of requests at once.

    steps: None runs freely; a semaphore gives one step, of any request, for each release.
    fail_before, fail_midway: raised by `read`, or delivered with finish_reason "error" after the last text.
    before_start: called by `read`, in its thread, as a compilation that takes long would be. compiles_forever:
    `read` is in one that ends only when it is cancelled.
    calls: (prompt or messages, params) of each request. num_steps: texts made. generations: all that were started.
    """

    model_name = "scripted"
    max_context_tokens = 100
    failure: Exception | None = None
    reads_effort = True
    tool_support = None

    has_tokenizer = True

    def __init__(self) -> None:
        self.vocabulary = Vocabulary([b"a", b"b", None], [2], {"<eos>": 2})
        self.is_shut_down = False
        self.observers: list[Any] = []
        self.reset()

    def reset(self) -> None:
        """Back to three texts, no errors, free running."""
        self.texts: Sequence[str] = ["Hello", " ", "world"]
        self.finish_reason: Any = "stop"
        self.steps: threading.Semaphore | None = None
        self.fail_before: BaseException | None = None
        self.fail_midway: Exception | None = None
        self.before_start: Callable[[SamplingParams], object] = lambda _: None
        self.compiles_forever = False
        self.calls: list[tuple[Any, SamplingParams]] = []
        self.tools: list[Any] = []
        self.deadlines: list[float] = []
        self.generations: list[ScriptedGeneration] = []
        self.num_steps = 0

    @property
    def num_running(self) -> int:
        """Generations that are neither done nor cancelled."""
        return sum(not generation.is_done and not generation.is_cancelled for generation in self.generations)

    def read(
        self,
        prompts: Sequence[Any],
        params: SamplingParams,
        *,
        tools: Any = None,
        deadline_s: float | None = None,
        cancel: threading.Event,
    ) -> list[PromptRequest]:
        """The requests of one call, which fail and take time here."""
        assert deadline_s is not None
        for prompt in prompts:
            self.calls.append((getattr(prompt, "messages", prompt), params))
            self.tools.append(tools)
            self.deadlines.append(deadline_s)
            self.before_start(params)
            if self.compiles_forever:
                assert cancel.wait(60)
                raise CompileCancelledError("cancelled")
            if self.fail_before is not None:
                raise self.fail_before
        return [PromptRequest((0,) * 7, params) for _ in prompts]

    def submit(self, requests: Sequence[PromptRequest], *, read_at_end: bool) -> ScriptedGeneration:
        """One call. read_at_end: its chunks come one by one all the same."""
        generation = ScriptedGeneration(self, requests)
        self.generations.append(generation)
        return generation

    def get_stats(self) -> EngineStats:
        """What there is to say."""
        return EngineStats(active_requests=self.num_running, total_requests=len(self.calls))

    def add_observer(self, observer: Any) -> None:
        """Kept; nothing is told to it."""
        self.observers.append(observer)

    def shutdown(self) -> None:
        """Noted."""
        self.is_shut_down = True


class ScriptedGeneration:
    """One call of a ScriptedLLM: n outputs of the same texts for each prompt."""

    def __init__(self, llm: ScriptedLLM, requests: Sequence[PromptRequest]) -> None:
        self.requests = requests
        self.is_done = False
        self.is_cancelled = False
        self.num_steps = 0
        self._llm = llm
        self._chunks = self._make_chunks()

    def cancel(self) -> None:
        """Whoever waits for a chunk gets none."""
        self.is_cancelled = True

    async def next_chunk_async(self) -> tuple[int, CompletionChunk] | None:
        """See `guided.output.generation.Generation`."""
        return await anext(self._chunks, None)

    async def _make_chunks(self) -> AsyncIterator[tuple[int, CompletionChunk]]:
        llm = self._llm
        outputs = [(place, i) for place, request in enumerate(self.requests) for i in range(request.params.n)]
        for text in llm.texts:
            for place, index in outputs:
                if not await self._may_step():
                    return
                llm.num_steps += 1
                self.num_steps += 1
                yield place, CompletionChunk(text, index=index)
        for place, index in outputs:
            self.is_done = (place, index) == outputs[-1]
            yield place, self._last_chunk(index)

    async def _may_step(self) -> bool:
        """Waits for its turn; False when it was cancelled."""
        steps = self._llm.steps
        while not self.is_cancelled and steps is not None and not steps.acquire(blocking=False):
            await asyncio.sleep(POLL_S)
        return not self.is_cancelled

    def _last_chunk(self, index: int) -> CompletionChunk:
        llm = self._llm
        finish_reason = "error" if llm.fail_midway is not None else llm.finish_reason
        completion = Completion(
            text="".join(llm.texts),
            token_ids=tuple(range(len(llm.texts) + 1)),
            finish_reason=finish_reason,
            error=llm.fail_midway,
            num_prompt_tokens=7,
            num_forced_tokens=0,
            elapsed_s=0.1,
        )
        return CompletionChunk("", finish_reason, completion.usage, completion, index=index)
