"""`stream_steps`: generates an answer token by token, and tells for each token what its grammar allowed and excluded.

A stream can be left at any token and continued later: give its tokens as a prefix, if you like with another last token.
With the same seed, the same prefix continues in the same way.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from queue import SimpleQueue
from typing import TYPE_CHECKING, Self

from guided.grammars.errors import InvalidInputError
from guided.grammars.right_of_way import Background
from guided.grammars.watch import checkpoint

from ...engines.base import TokenEvent
from ...errors import RequestFieldError
from ...output.completion import Completion
from ...params.sampling_params import SamplingParams
from ...requests.options import Cancel
from .reader import StepReader
from .step import GenerationStep

if TYPE_CHECKING:
    from ...llm import LLM
    from ...requests.prompts import Prompt

NUM_TOP = 10
MAX_TOP = 50
MAX_AT_ONCE = 16


class StepStream:
    """The steps of one answer while they are made. Iterate over it; only one thread may read at a time. It is also a
    context manager, which cancels the answer at the end of the block.

    Use `stream_steps` to create and start it; see there for parameters and errors. cancel: see `LLM.compile`.
    """

    def __init__(
        self,
        llm: LLM,
        prompt: Prompt,
        params: SamplingParams | None = None,
        *,
        prefix_token_ids: Sequence[int] = (),
        max_steps: int | None = None,
        num_top: int = NUM_TOP,
        deadline_s: float | None = None,
        cancel: Cancel = None,
    ) -> None:
        params = SamplingParams() if params is None else params
        _check(llm, params, prefix_token_ids, max_steps, num_top)
        watched = replace(params, logprobs=num_top, logprobs_mode="both")
        start_s = time.perf_counter()
        grammar = llm.compile(watched, cancel=cancel)
        compile_s = None if grammar is None else time.perf_counter() - start_s
        (request,) = llm.read([prompt], watched, deadline_s=deadline_s, cancel=cancel)
        written = tuple(prefix_token_ids)
        pauses_at = None if max_steps is None else len(written) + max_steps
        request = replace(request, written=written, pauses_at=pauses_at, is_watched=True)
        llm.engine.check(request)
        room = llm.max_context_tokens - len(request.prompt_token_ids)
        most = room if params.max_new_tokens is None else min(room, params.max_new_tokens)
        if len(written) >= most:
            message = f"prefix_token_ids has {len(written)} tokens, of an answer of at most {most}"
            raise RequestFieldError(message, "prefix_token_ids")
        checkpoint()
        self._reader = StepReader(llm.vocabulary, request, most, compile_s)
        self._request = replace(request, written_forced=self._reader.written_forced)
        self._engine = llm.engine
        self._events: SimpleQueue[TokenEvent | None] = SimpleQueue()
        self._is_cancelled = False

    def submit(self, *, is_bounded: bool) -> None:
        """Start the answer. is_bounded: True: the limit of waiting requests applies."""
        self._engine.submit(self._request, self._events.put, is_bounded=is_bounded)

    @property
    def prompt_token_ids(self) -> tuple[int, ...]:
        """The tokens of the prompt."""
        return tuple(self._request.prompt_token_ids)

    @property
    def completion(self) -> Completion | None:
        """The whole answer, including its prefix; None before the last step."""
        return self._reader.completion

    def cancel(self) -> None:
        """End the answer before the engine's next step. May be called from any thread. There are no further steps."""
        self._is_cancelled = True
        self._request.ended.set()
        self._events.put(None)

    def __iter__(self) -> Iterator[GenerationStep]:
        return self

    def __next__(self) -> GenerationStep:
        step = None if self._reader.completion is not None else self._read(self._events.get())
        if step is None:
            raise StopIteration
        return step

    def next_steps(self) -> list[GenerationStep]:
        """Wait for the next step, and return it with further steps that are ready, at most MAX_AT_ONCE; [] at the
        end.
        """
        steps = list(islice(self, 1))
        while steps and len(steps) < MAX_AT_ONCE and self._reader.completion is None and not self._events.empty():
            steps += islice(self, 1)
        return steps

    def _read(self, event: TokenEvent | None) -> GenerationStep | None:
        """The step of an event; None if the stream was cancelled."""
        if event is None or self._is_cancelled:
            return None
        with Background():
            return self._reader.read(event)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()


def stream_steps(
    llm: LLM,
    prompt: Prompt,
    params: SamplingParams | None = None,
    *,
    prefix_token_ids: Sequence[int] = (),
    max_steps: int | None = None,
    num_top: int = NUM_TOP,
    deadline_s: float | None = None,
) -> StepStream:
    """Answer a prompt, and tell for each token why it was written: see `GenerationStep`.

    The function compiles and encodes in the caller's thread, and starts the answer at once.
    Raises the errors of `LLM.start`; InvalidInputError for another engine; RequestFieldError for a prefix that the
    grammar refuses or that leaves no room, and for other arguments that are wrong.

    Args:
        llm: the model; its engine must support steps ("transformers").
        prompt: as for `LLM.start`.
        params: as for `LLM.start`, with one output. The fields about log-probabilities are ignored.
        prefix_token_ids: tokens that the answer begins with, counted by params.max_new_tokens. Default: none.
        max_steps: number of new tokens until the answer pauses, at least 1; None (default): no pause.
        num_top: number of most probable tokens to tell, at most MAX_TOP; default NUM_TOP.
        deadline_s: as for `LLM.start`.
    """
    stream = StepStream(
        llm,
        prompt,
        params,
        prefix_token_ids=prefix_token_ids,
        max_steps=max_steps,
        num_top=num_top,
        deadline_s=deadline_s,
    )
    stream.submit(is_bounded=False)
    return stream


def _check(
    llm: LLM, params: SamplingParams, prefix_token_ids: Sequence[int], max_steps: int | None, num_top: int
) -> None:
    if not llm.engine.can_resume:
        raise InvalidInputError("steps are told by the engine 'transformers' alone")
    if params.n != 1 or params.particles is not None:
        field = "particles" if params.n == 1 else "n"
        raise RequestFieldError(f"{field}: steps are told of one output", field)
    if params.returns_tensors:
        field = "return_logits" if params.return_logits else "return_hidden_states"
        raise RequestFieldError(f"{field}: steps are told without tensors", field)
    if max_steps is not None and max_steps < 1:
        raise RequestFieldError(f"max_steps must be at least 1, not {max_steps}", "max_steps")
    if not 0 <= num_top <= MAX_TOP:
        raise RequestFieldError(f"num_top must be in [0, {MAX_TOP}], not {num_top}", "num_top")
    size = llm.vocabulary.size
    wrong = next((one for one in prefix_token_ids if not 0 <= one < size), None)
    if wrong is not None:
        raise RequestFieldError(f"prefix_token_ids has {wrong}; the model's ids are 0..{size - 1}", "prefix_token_ids")
    ends = [one for one in prefix_token_ids if one in llm.vocabulary.eos_token_ids]
    if ends:
        raise RequestFieldError(f"prefix_token_ids has {ends[0]}, which ends the answer", "prefix_token_ids")
