"""`CompletionBuilder`: from an engine's events to the completion of one request, and to its chunks on the way."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import closing

from guided.grammars.vocabulary import Vocabulary

from .completion import Completion, CompletionChunk
from .engine.base import FinishReason, GenerationRequest, TokenEvent
from .output_text import OutputText, ThinkingText
from .token_logprobs import TokenLogprobs


class CompletionBuilder:
    """Collects the events of one request until its completion is there. index: which of its prompt's outputs it is."""

    def __init__(self, vocabulary: Vocabulary, request: GenerationRequest, index: int = 0) -> None:
        self.index = index
        self.completion: Completion | None = None
        self._request = request
        self._output = OutputText(vocabulary, request)
        self._start_s = time.perf_counter()
        self._texts: list[str] = []
        self._thinking = ThinkingText(vocabulary)
        self._token_ids: list[int] = []
        self._num_forced_tokens = 0
        self._min_new_tokens_overruled = False
        self._logprobs: list[TokenLogprobs] = []
        self._prompt_logprobs: tuple[TokenLogprobs | None, ...] | None = None
        self._unshown: deque[tuple[int, TokenLogprobs]] = deque()  # with the place where the token's text begins

    def add(self, event: TokenEvent) -> CompletionChunk | None:
        """Take the request's next event; returns what can be shown, None when that is nothing.

        Sets `completion` on the last one. Where a stop string ends the text it sets the request's `ended` too: the
        engine then makes no more of its tokens, and gives no further event.
        """
        if self.completion is not None:
            return None
        text, thinking, finish_reason = "", "", event.finish_reason
        if event.token_id is not None and event.is_thinking:
            thinking = self._thinking.push(event.token_id)
            self._note(event, event.token_id, is_shown=True)
        elif event.token_id is not None:
            text = self._take(event, event.token_id)
            if self._output.is_stopped:
                finish_reason = "stop"
                self._request.ended.set()
        if finish_reason is not None:
            text += self._output.flush()
        self._texts.append(text)
        logprobs = self._shown_logprobs(is_last=finish_reason is not None)
        if finish_reason is not None:
            done = self.completion = self._finish(finish_reason, event.error)
            return CompletionChunk(text, finish_reason, done.usage, done, logprobs, self.index, thinking)
        if not text and not thinking:
            return None
        return CompletionChunk(text, logprobs=logprobs, index=self.index, thinking=thinking)

    def result(self) -> Completion:
        """The completion; the request's last event must have been added."""
        if self.completion is None:
            raise RuntimeError("the engine ended without the request's last event")
        return self.completion

    def _take(self, event: TokenEvent, token_id: int) -> str:
        is_end = event.finish_reason == "stop"
        start = self._output.num_read
        text = self._output.push(token_id, is_end=is_end)
        self._note(event, token_id, start, is_shown=not is_end or self._output.num_read > start)
        return text

    def _note(self, event: TokenEvent, token_id: int, start: int | None = None, *, is_shown: bool) -> None:
        """Keep what a token's event says. start: where its text begins; None: at the end of what is there."""
        self._token_ids.append(token_id)
        self._num_forced_tokens += event.is_forced
        self._min_new_tokens_overruled |= event.min_new_tokens_overruled
        if event.prompt_logprobs is not None:
            self._prompt_logprobs = event.prompt_logprobs
        if event.logprobs is not None:
            self._logprobs.append(event.logprobs)
            if is_shown:
                self._unshown.append((self._output.num_read if start is None else start, event.logprobs))

    def _shown_logprobs(self, *, is_last: bool) -> tuple[TokenLogprobs, ...] | None:
        """Of the tokens whose text has begun to be shown, or of all that are left where nothing cut the text off."""
        if self._request.params.logprobs is None:
            return None
        shown = []
        shows_rest = is_last and not self._output.is_stopped
        while self._unshown and (shows_rest or self._unshown[0][0] < self._output.num_chars):
            shown.append(self._unshown.popleft()[1])
        return tuple(shown)

    def _finish(self, finish_reason: FinishReason, error: Exception | None) -> Completion:
        return Completion(
            text="".join(self._texts),
            token_ids=tuple(self._token_ids),
            finish_reason=finish_reason,
            error=error,
            num_prompt_tokens=len(self._request.prompt_token_ids),
            num_forced_tokens=self._num_forced_tokens,
            elapsed_s=time.perf_counter() - self._start_s,
            logprobs=None if self._request.params.logprobs is None else tuple(self._logprobs),
            prompt_logprobs=self._prompt_logprobs,
            min_new_tokens_overruled=self._min_new_tokens_overruled,
            thinking=self._thinking.text,
        )


def chunks_of(
    builders: Sequence[CompletionBuilder], events: Generator[TokenEvent, None, None]
) -> Generator[CompletionChunk, None, None]:
    """The events of one prompt's requests as chunks to stream. Closing it closes the engine's run."""
    with closing(events):
        for event in events:
            chunk = builders[event.index].add(event)
            if chunk is not None:
                yield chunk
