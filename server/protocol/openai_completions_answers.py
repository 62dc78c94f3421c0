"""OpenAI's text completions, answered: a `text_completion`, or its chunks as server-sent events."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from guided.output.completion import Completion, CompletionChunk

from ..errors import WireError
from .base import Output, Prompt, ResponseBuilder, Started
from .openai_logprobs import prompt_logprobs_list
from .openai_text_logprobs import TextLogprobs, prompt_text
from .openai_usage import usage_object
from .pieces import notes_of
from .sse import DONE_EVENT, event


@dataclass(frozen=True)
class TextShape:
    """What a request says about its answer.

    num_outputs: made for each prompt; num_choices: the best of them, which are shown. num_logprobs: alternatives of
    each token; None: no log-probabilities. scores_only: nothing that was made is shown. scores_end: tokens that ended
    the text have log-probabilities too, so that there are as many as tokens in `usage`: clients that score texts count
    on it.
    """

    prompts: tuple[Prompt, ...]
    num_choices: int
    num_outputs: int
    num_logprobs: int | None = None
    echo: bool = False
    scores_only: bool = False
    scores_end: bool = False
    include_usage: bool = False
    with_token_ids: bool = False
    with_prompt_logprobs: bool = False


class TextCompletionBuilder(ResponseBuilder):
    """A `text_completion`, or its chunks under one id and one `created`."""

    def __init__(self, model: str, shape: TextShape, started: Started) -> None:
        self._model = model
        self._shape = shape
        self._started = started
        self._id = f"cmpl-{uuid.uuid4().hex}"
        self._created = int(time.time())
        self._unfinished = set(range(len(shape.prompts) * shape.num_outputs))
        self._logprobs = {index: self._new_logprobs() for index in self._unfinished}

    def whole(self, outputs: Sequence[Output]) -> dict[str, Any]:
        """A `text_completion` object."""
        choices: list[dict[str, Any]] = []
        for prompt in range(len(self._shape.prompts)):
            start = prompt * self._shape.num_outputs
            for output in self._best(outputs[start : start + self._shape.num_outputs]):
                choices.append(self._choice(len(choices), prompt, output))
        usage = usage_object([output.completion for output in outputs], self._shape.num_outputs)
        if self._shape.scores_only:
            usage |= {"completion_tokens": 0, "total_tokens": usage["prompt_tokens"]}
        return self._object | {"choices": choices, "usage": usage}

    def start(self) -> list[bytes]:
        """The prompt of each choice where it is echoed."""
        if not self._shape.echo and not self._shape.with_token_ids:
            return []
        return [self._chunk(index, self._echo(index // self._shape.num_outputs)) for index in sorted(self._unfinished)]

    def piece(self, chunk: CompletionChunk) -> list[bytes]:
        """A text chunk; the choice's last one has its finish_reason."""
        if not chunk.text and not chunk.logprobs and not chunk.thinking and chunk.finish_reason is None:
            return []
        if chunk.finish_reason is not None:
            self._unfinished.discard(chunk.index)
        others: dict[str, Any] = {"reasoning_content": chunk.thinking} if chunk.thinking else {}
        if self._shape.with_token_ids:
            others["token_ids"] = list(chunk.token_ids)
        if chunk.completion is not None:
            others |= notes_of(chunk.completion)
        logprobs = self._logprobs[chunk.index]
        if logprobs is not None and chunk.logprobs is not None:
            logprobs.add(chunk.logprobs)
            others["logprobs"] = logprobs.take()
        return [self._chunk(chunk.index, chunk.text, chunk.finish_reason, **others)]

    def end(self, completions: Sequence[Completion]) -> list[bytes]:
        """The usage chunk where it was asked for, and the end mark."""
        if not self._shape.include_usage:
            return [DONE_EVENT]
        usage = usage_object(completions, self._shape.num_outputs)
        return [event(self._object | {"choices": [], "usage": usage}), DONE_EVENT]

    def error(self, error: WireError) -> list[bytes]:
        """Finish chunks with reason "error" and an `error` event; no end mark."""
        finishes = [self._chunk(index, "", "error") for index in sorted(self._unfinished)]
        return [*finishes, event(error.body, "error")]

    def _best(self, outputs: Sequence[Output]) -> Sequence[Output]:
        """The choices that are shown: those with the highest log-probability of a token on average."""
        if self._shape.num_choices == self._shape.num_outputs:
            return outputs
        return sorted(outputs, key=lambda output: _mean_logprob(output.completion), reverse=True)[
            : self._shape.num_choices
        ]

    def _choice(self, index: int, prompt: int, output: Output) -> dict[str, Any]:
        shape, completion = self._shape, output.completion
        logprobs = self._new_logprobs()
        if logprobs is not None:
            if shape.echo:
                ids = self._started.prompt_token_ids[prompt]
                logprobs.add_prompt(shape.prompts[prompt], ids, completion.prompt_logprobs or ())
            shown = () if shape.scores_only else output.logprobs or ()
            logprobs.add(shown)
            if shape.scores_end:
                logprobs.add_unshown((completion.logprobs or ())[len(shown) :])
        choice = {
            "index": index,
            "text": self._echo(prompt) + ("" if shape.scores_only else output.text),
            "logprobs": None if logprobs is None else logprobs.take(),
            "finish_reason": "length" if shape.scores_only else completion.finish_reason,
        }
        if not shape.scores_only:
            choice |= notes_of(completion)
        if completion.thinking and not shape.scores_only:
            choice["reasoning_content"] = completion.thinking
        if shape.with_token_ids:
            choice["prompt_token_ids"] = list(self._started.prompt_token_ids[prompt])
            choice["token_ids"] = [] if shape.scores_only else list(completion.token_ids)
        if shape.with_prompt_logprobs and completion.prompt_logprobs is not None:
            choice["prompt_logprobs"] = prompt_logprobs_list(completion.prompt_logprobs)
        return choice

    def _echo(self, prompt: int) -> str:
        if not self._shape.echo:
            return ""
        ids = self._started.prompt_token_ids[prompt]
        return prompt_text(self._shape.prompts[prompt], ids, self._started.vocabulary)

    def _new_logprobs(self) -> TextLogprobs | None:
        if self._shape.num_logprobs is None:
            return None
        return TextLogprobs(self._started.vocabulary, self._shape.num_logprobs)

    def _chunk(self, index: int, text: str, finish_reason: str | None = None, **others: Any) -> bytes:
        choice = {"index": index, "text": text, "logprobs": None, "finish_reason": finish_reason} | others
        if self._shape.with_token_ids and "token_ids" not in others:
            choice["prompt_token_ids"] = list(self._started.prompt_token_ids[index // self._shape.num_outputs])
            choice["token_ids"] = []
        chunk = self._object | {"choices": [choice]}
        return event(chunk | {"usage": None} if self._shape.include_usage else chunk)

    @property
    def _object(self) -> dict[str, Any]:
        return {"id": self._id, "object": "text_completion", "created": self._created, "model": self._model}


def _mean_logprob(completion: Completion) -> float:
    values = [one.logprob for one in completion.logprobs or ()]
    return sum(values) / len(values) if values else 0.0
