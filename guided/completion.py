"""What a request gives back: `Completion` for a whole output, `CompletionChunk` for a piece of a streamed one."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass

from guided.grammars.vocabulary import Vocabulary

from .engine.base import FinishReason, GenerationRequest, TokenEvent
from .engine.detokenizer import Detokenizer


@dataclass(frozen=True)
class Usage:
    """Token counts of one request. num_completion_tokens counts the end-of-sequence token where there is one."""

    num_prompt_tokens: int
    num_completion_tokens: int
    num_forced_tokens: int


@dataclass(frozen=True)
class Completion:
    """One finished output.

    text: without the end-of-sequence token; with the names of other special tokens where a grammar asked for them (see
        `SamplingParams.skip_special_tokens`).
    token_ids: all new tokens; with finish_reason "stop" the last one is the end-of-sequence token.
    finish_reason: "stop", "length" (max_new_tokens or the context was used up) or "error".
    error: what ended the request, with finish_reason "error".
    num_forced_tokens: new tokens of which the grammar had determined every byte before they were drawn.
    elapsed_s: from the start of the call's generation to this output's last token. Seconds.
    """

    text: str
    token_ids: tuple[int, ...]
    finish_reason: FinishReason
    error: Exception | None
    num_prompt_tokens: int
    num_forced_tokens: int
    elapsed_s: float

    @property
    def tokens_per_s(self) -> float:
        """New tokens of this output for each second of `elapsed_s`; 0.0 when there are none."""
        return len(self.token_ids) / self.elapsed_s if self.token_ids else 0.0

    @property
    def usage(self) -> Usage:
        """The token counts in one object."""
        return Usage(self.num_prompt_tokens, len(self.token_ids), self.num_forced_tokens)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class CompletionChunk:
    """A piece of a streamed output. Joined, the texts of all chunks are the completion's text.

    text: the new characters; can be "" on the last chunk.
    finish_reason, usage, completion: set on the last chunk only, and always there.
    """

    text: str
    finish_reason: FinishReason | None = None
    usage: Usage | None = None
    completion: Completion | None = None

    @property
    def error(self) -> Exception | None:
        """What ended the request, on a last chunk with finish_reason "error"."""
        return None if self.completion is None else self.completion.error


class CompletionBuilder:
    """Collects the events of one request until its completion is there."""

    def __init__(self, vocabulary: Vocabulary, request: GenerationRequest) -> None:
        skips = request.params.skip_special_tokens
        self._detokenizer = Detokenizer(vocabulary, skips_special=request.grammar is None if skips is None else skips)
        self._num_prompt_tokens = len(request.prompt_token_ids)
        self._start_s = time.perf_counter()
        self._texts: list[str] = []
        self._token_ids: list[int] = []
        self._num_forced_tokens = 0
        self.completion: Completion | None = None

    def add(self, event: TokenEvent) -> str:
        """Take the request's next event; returns the new text. Sets `completion` on the last one."""
        text = ""
        if event.token_id is not None:
            self._token_ids.append(event.token_id)
            self._num_forced_tokens += event.is_forced
            text = self._detokenizer.push(event.token_id, is_end=event.finish_reason == "stop")
            self._texts.append(text)
        if event.finish_reason is not None:
            self.completion = self._finish(event.finish_reason, event.error)
        return text

    def result(self) -> Completion:
        """The completion; the request's last event must have been added."""
        if self.completion is None:
            raise RuntimeError("the engine ended without the request's last event")
        return self.completion

    def chunks(self, events: Generator[TokenEvent, None, None]) -> Generator[CompletionChunk, None, None]:
        """The events of this one request as chunks to stream. Closing it closes the engine's run."""
        with closing(events):
            for event in events:
                text = self.add(event)
                done = self.completion
                if done is not None:
                    yield CompletionChunk(text, done.finish_reason, done.usage, done)
                elif text:
                    yield CompletionChunk(text)

    def _finish(self, finish_reason: FinishReason, error: Exception | None) -> Completion:
        return Completion(
            text="".join(self._texts),
            token_ids=tuple(self._token_ids),
            finish_reason=finish_reason,
            error=error,
            num_prompt_tokens=self._num_prompt_tokens,
            num_forced_tokens=self._num_forced_tokens,
            elapsed_s=time.perf_counter() - self._start_s,
        )
