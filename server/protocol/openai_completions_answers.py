"""OpenAI's text completions, answered: a `text_completion`, or its chunks as server-sent events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from guided.output.completion import Completion, CompletionChunk

from .base import Prompt, Started
from .openai_choices import AnswerShape, ChoicesBuilder
from .openai_logprobs import prompt_logprobs_list
from .openai_text_logprobs import TextLogprobs, prompt_text
from .pieces import notes_of


@dataclass(frozen=True, kw_only=True)
class TextShape(AnswerShape):
    """What a request says about its answer.

    num_choices: the best of a prompt's outputs, which are shown. num_logprobs: alternatives of each token; None: no
    log-probabilities. scores_only: nothing that was made is shown. scores_end: tokens that ended the text have
    log-probabilities too, so that there are as many as tokens in `usage`: clients that score texts count on it.
    """

    prompts: tuple[Prompt, ...]
    num_choices: int
    num_logprobs: int | None = None
    echo: bool = False
    scores_only: bool = False
    scores_end: bool = False
    with_prompt_logprobs: bool = False


class TextCompletionBuilder(ChoicesBuilder):
    """See the module."""

    id_prefix = "cmpl"
    object_name = chunk_name = "text_completion"

    def __init__(self, shape: TextShape, started: Started) -> None:
        super().__init__(shape, started)
        self._shape = shape
        self._logprobs = {index: self._new_logprobs() for index in self._unfinished}

    def whole(self, completions: Sequence[Completion]) -> dict[str, Any]:
        """A `text_completion` object."""
        choices: list[dict[str, Any]] = []
        for prompt in range(self._shape.num_prompts):
            start = prompt * self._shape.num_outputs
            for completion in self._best(completions[start : start + self._shape.num_outputs]):
                choices.append(self._choice(len(choices), prompt, completion))
        usage = self._usage(completions)
        if self._shape.scores_only:
            usage |= {"completion_tokens": 0, "total_tokens": usage["prompt_tokens"]}
        return self._object(self.object_name) | {"choices": choices, "usage": usage}

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

    def _error_chunk(self, index: int) -> bytes:
        return self._chunk(index, "", "error")

    def _best(self, completions: Sequence[Completion]) -> Sequence[Completion]:
        """The choices that are shown: those with the highest log-probability of a token on average."""
        if self._shape.num_choices == self._shape.num_outputs:
            return completions
        return sorted(completions, key=_mean_logprob, reverse=True)[: self._shape.num_choices]

    def _choice(self, index: int, prompt: int, completion: Completion) -> dict[str, Any]:
        shape = self._shape
        choice = {
            "index": index,
            "text": self._echo(prompt) + ("" if shape.scores_only else completion.text),
            "logprobs": self._whole_logprobs(prompt, completion),
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

    def _whole_logprobs(self, prompt: int, completion: Completion) -> dict[str, Any] | None:
        shape, logprobs = self._shape, self._new_logprobs()
        if logprobs is None:
            return None
        if shape.echo:
            ids = self._started.prompt_token_ids[prompt]
            logprobs.add_prompt(shape.prompts[prompt], ids, completion.prompt_logprobs or ())
        shown = () if shape.scores_only else completion.shown_logprobs or ()
        logprobs.add(shown)
        if shape.scores_end:
            logprobs.add_unshown((completion.logprobs or ())[len(shown) :])
        return logprobs.take()

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
        return self._chunk_of(choice)


def _mean_logprob(completion: Completion) -> float:
    values = [one.logprob for one in completion.logprobs or ()]
    return sum(values) / len(values) if values else 0.0
