"""OpenAI's text completions: reads, checks and answers `POST /v1/completions`.

A prompt is a text, its token ids, or a list of these; each prompt has its own choices. Names of special tokens in a
prompt's text are read as special tokens. `logprobs` is the number of alternatives. With `echo`, log-probabilities also
cover the prompt and, without a constraint, the token that ended the text. `max_tokens: 0` with `echo` only scores the
prompt. Sampling and constraints are as in chat completions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from guided.grammars.vocabulary import Vocabulary
from guided.output.completion import Completion, CompletionChunk
from guided.params.conversions import MAX_OUTPUTS, MAX_TOP_LOGPROBS, sent_names
from guided.params.sampling_params import SamplingParams

from ..errors import InvalidRequestError
from ..kept_responses import NOTHING_KEPT, KeptResponses
from ..validation import validate
from .base import Call, Prompt, Prompts, WireFormat
from .constraints import Constraint, read_constraint
from .openai_choices import ChoicesBuilder, ChoicesRequest
from .openai_logprobs import prompt_logprobs_list
from .openai_text_logprobs import TextLogprobs, prompt_text
from .pieces import notes_of
from .sampling import read_params
from .sources import read_sources
from .unsupported import COMPLETION_FIELDS, refuse_unsupported

DEFAULT_MAX_TOKENS = 16  # OpenAI's default
LENGTH_FIELDS = ("max_tokens", "max_completion_tokens", "max_new_tokens")
TokenIds = Annotated[list[int], Field(min_length=1)]


class CompletionRequest(ChoicesRequest):
    """A request, with its supported fields."""

    prompt: str | TokenIds | Annotated[list[str] | list[TokenIds], Field(min_length=1)]
    echo: bool | None = None
    logprobs: Annotated[int | None, Field(ge=0, le=MAX_TOP_LOGPROBS)] = None
    best_of: Annotated[int | None, Field(ge=1, le=MAX_OUTPUTS)] = None
    max_tokens: Annotated[int | None, Field(ge=0)] = None

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """All prompts, texts or token ids."""
        if isinstance(self.prompt, str) or isinstance(self.prompt[0], int):
            return (self.prompt,)
        return tuple(self.prompt)

    @property
    def scores_prompt(self) -> bool:
        """True if the answer contains log-probabilities of the echoed prompt."""
        return bool(self.echo) and self.logprobs is not None


def read_call(body: dict[str, Any], _: KeptResponses = NOTHING_KEPT) -> Call:
    """Read and check a request's body. Raises InvalidRequestError with the path of the first wrong field."""
    ignored = refuse_unsupported(body, COMPLETION_FIELDS)
    request = validate(CompletionRequest, body)
    constraint = read_constraint(request)
    params, num_choices = _read_params(body, request, constraint)
    _check_together(request, params, num_choices)
    return Call(
        model=request.model,
        prompts=request.prompts,
        params=params,
        is_stream=bool(request.stream),
        make_builder=partial(TextCompletionBuilder, request, params, num_choices),
        constraint_param=None if constraint is None else constraint.param,
        prompt_param="prompt",
        sent_names=sent_names(body) | ({} if request.best_of is None else {"n": "best_of"}),
        shows_token_ids=bool(request.return_token_ids),
        ignored=ignored,
    )


def _read_params(
    body: dict[str, Any], request: CompletionRequest, constraint: Constraint | None
) -> tuple[SamplingParams, int]:
    """The params of each prompt, and how many of its outputs are returned."""
    fields = dict(body)
    if request.logprobs is not None:
        fields |= {"logprobs": True, "top_logprobs": request.logprobs}
    if all(fields.get(name) is None for name in LENGTH_FIELDS):
        fields["max_tokens"] = DEFAULT_MAX_TOKENS
    if request.max_tokens == 0:
        fields["max_tokens"] = 1  # the engine makes at least one token, which is not shown
    params = read_params(fields, constraint, read_sources(request.sources, None))
    if request.scores_prompt:
        if params.prompt_logprobs is not None:
            message = "prompt_logprobs and echo with logprobs say the same; give one of them"
            raise InvalidRequestError(message, "prompt_logprobs")
        params = replace(params, prompt_logprobs=request.logprobs)
    best_of = params.n if request.best_of is None else request.best_of
    if best_of < params.n:
        raise InvalidRequestError(f"best_of must be at least n, {params.n}, not {best_of}", "best_of")
    num_choices = params.n
    if best_of > num_choices:  # log-probabilities decide which outputs are the best
        params = replace(params, n=best_of, logprobs=params.logprobs or 0)
    return params, num_choices


def _check_together(request: CompletionRequest, params: SamplingParams, num_choices: int) -> None:
    """Check fields that contradict each other or need each other."""
    if request.max_tokens == 0 and not request.echo:
        raise InvalidRequestError(
            "max_tokens must be at least 1, or 0 with echo=true to score the prompt", "max_tokens"
        )
    request.check_stream_options()
    if not request.stream:
        return
    if request.max_tokens == 0:
        raise InvalidRequestError("max_tokens=0 makes nothing to stream; leave out stream", "max_tokens")
    if params.n > num_choices:
        raise InvalidRequestError("best_of is decided at the end; leave out stream", "best_of")
    if params.prompt_logprobs is not None:
        param = "logprobs" if request.scores_prompt else "prompt_logprobs"
        raise InvalidRequestError(f"{param} of the prompt can't be streamed; leave out stream", param)


class TextCompletionBuilder(ChoicesBuilder):
    """Builds a `text_completion`, or its chunks.

    num_choices: how many of a prompt's outputs, the best ones, are returned. For an echoed text, log-probabilities also
        cover the tokens that ended it. As clients that score texts expect, there are then as many log-probabilities as
        tokens in `usage`.
    """

    id_prefix = "cmpl"
    object_name = chunk_name = "text_completion"

    def __init__(
        self,
        request: CompletionRequest,
        params: SamplingParams,
        num_choices: int,
        prompts: Prompts,
        vocabulary: Vocabulary,
        model: str,
    ) -> None:
        super().__init__(request, params.n, prompts, vocabulary, model)
        self._request = request
        self._prompts = request.prompts
        self._num_choices = num_choices
        self._scores_only = request.max_tokens == 0  # no generated text is returned
        self._scores_end = bool(request.echo) and not params.is_constrained and not self._scores_only
        self._with_prompt_logprobs = params.prompt_logprobs is not None and not request.scores_prompt
        self._with_token_ids = bool(request.return_token_ids)
        self._logprobs = {index: self._new_logprobs() for index in self._unfinished}

    def whole(self, completions: Sequence[Completion]) -> dict[str, Any]:
        """The whole answer as a `text_completion` object."""
        choices: list[dict[str, Any]] = []
        for prompt in range(len(self._prompts)):
            start = prompt * self._num_outputs
            for completion in self._best(completions[start : start + self._num_outputs]):
                choices.append(self._choice(len(choices), prompt, completion))
        usage = self._usage(completions)
        if self._scores_only:
            usage |= {"completion_tokens": 0, "total_tokens": usage["prompt_tokens"]}
        return self._object(self.object_name) | {"choices": choices, "usage": usage}

    def start(self) -> list[bytes]:
        """A chunk with the prompt for each choice, if prompts are echoed or token ids are returned."""
        if not self._request.echo and not self._with_token_ids:
            return []
        return [self._chunk(index, self._echo(index // self._num_outputs)) for index in sorted(self._unfinished)]

    def piece(self, chunk: CompletionChunk) -> list[bytes]:
        """A chunk with new text; the last chunk of a choice has its finish_reason."""
        if not chunk.text and not chunk.logprobs and not chunk.thinking and chunk.finish_reason is None:
            return []
        if chunk.finish_reason is not None:
            self._unfinished.discard(chunk.index)
        others: dict[str, Any] = {"reasoning_content": chunk.thinking} if chunk.thinking else {}
        if self._with_token_ids:
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
        """The outputs to return: those with the highest mean log-probability of a token."""
        if self._num_choices == self._num_outputs:
            return completions
        return sorted(completions, key=_mean_logprob, reverse=True)[: self._num_choices]

    def _choice(self, index: int, prompt: int, completion: Completion) -> dict[str, Any]:
        choice = {
            "index": index,
            "text": self._echo(prompt) + ("" if self._scores_only else completion.text),
            "logprobs": self._whole_logprobs(prompt, completion),
            "finish_reason": "length" if self._scores_only else completion.finish_reason,
        }
        if not self._scores_only:
            choice |= notes_of(completion)
        if completion.thinking and not self._scores_only:
            choice["reasoning_content"] = completion.thinking
        if self._with_token_ids:
            choice["prompt_token_ids"] = list(self._prompt_ids[prompt])
            choice["token_ids"] = [] if self._scores_only else list(completion.token_ids)
        if self._with_prompt_logprobs and completion.prompt_logprobs is not None:
            choice["prompt_logprobs"] = prompt_logprobs_list(completion.prompt_logprobs)
        return choice

    def _whole_logprobs(self, prompt: int, completion: Completion) -> dict[str, Any] | None:
        logprobs = self._new_logprobs()
        if logprobs is None:
            return None
        if self._request.echo:
            ids = self._prompt_ids[prompt]
            logprobs.add_prompt(self._prompts[prompt], ids, completion.prompt_logprobs or ())
        shown = () if self._scores_only else completion.shown_logprobs or ()
        logprobs.add(shown)
        if self._scores_end:
            logprobs.add_unshown((completion.logprobs or ())[len(shown) :])
        return logprobs.take()

    def _echo(self, prompt: int) -> str:
        if not self._request.echo:
            return ""
        ids = self._prompt_ids[prompt]
        return prompt_text(self._prompts[prompt], ids, self._vocabulary)

    def _new_logprobs(self) -> TextLogprobs | None:
        if self._request.logprobs is None:
            return None
        return TextLogprobs(self._vocabulary, self._request.logprobs)

    def _chunk(self, index: int, text: str, finish_reason: str | None = None, **others: Any) -> bytes:
        choice = {"index": index, "text": text, "logprobs": None, "finish_reason": finish_reason} | others
        if self._with_token_ids and "token_ids" not in others:
            choice["prompt_token_ids"] = list(self._prompt_ids[index // self._num_outputs])
            choice["token_ids"] = []
        return self._chunk_of(choice)


def _mean_logprob(completion: Completion) -> float:
    values = [one.logprob for one in completion.logprobs or ()]
    return sum(values) / len(values) if values else 0.0


OPENAI_COMPLETIONS = WireFormat(
    name="completions",
    summary="OpenAI's text completions, whole or streamed",
    read_call=read_call,
    request_model=CompletionRequest,
)
