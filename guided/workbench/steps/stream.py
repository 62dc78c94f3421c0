"""`stream_steps`: an answer token by token, each with what its grammar did: what was allowed, what the mask took, why.

A stream can be left at any token, and taken up again with what was written as a prefix, the same or another token at
its end: with the same seed the same prefix goes on as it did.
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
    """The steps of one answer, as they are made; iterate over it. As a context manager it ends what runs at the block's
    end. One reader at a time. `stream_steps` makes it, which says what is taken and raised.
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
        """Start it. is_bounded: see `LLM.submit`."""
        self._engine.submit(self._request, self._events.put, is_bounded=is_bounded)

    @property
    def prompt_token_ids(self) -> tuple[int, ...]:
        """What the model reads."""
        return tuple(self._request.prompt_token_ids)

    @property
    def completion(self) -> Completion | None:
        """All of the answer, its prefix included; None until the last step."""
        return self._reader.completion

    def cancel(self) -> None:
        """End it before the engine's next step, from any thread; who reads it gets no further step."""
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
        """The next step, waited for, with those that are there already, at most MAX_AT_ONCE; [] at the end."""
        steps = list(islice(self, 1))
        while steps and len(steps) < MAX_AT_ONCE and self._reader.completion is None and not self._events.empty():
            steps += islice(self, 1)
        return steps

    def _read(self, event: TokenEvent | None) -> GenerationStep | None:
        """The step of an event; None where it was cancelled."""
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
    """Answer a prompt, and tell of each token how it came about: see `GenerationStep`.

    prompt, params: as for `LLM.start`, with one output; the log-probabilities of params are its own matter.
    prefix_token_ids: tokens of the answer that are written already: it goes on behind them. They count for
        params.max_new_tokens, which is of the whole answer.
    max_steps: it pauses after so many tokens, at least 1; None: it goes on to the answer's end.
    num_top: how many of the most probable tokens are told, at most MAX_TOP.
    deadline_s: as for `LLM.start`.
    Compiles and encodes in the caller's thread, and begins at once. Raises the errors of `LLM.start`, and
    RequestFieldError for a prefix that the grammar refuses or that leaves no room.
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
