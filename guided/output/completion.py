"""The results of a request: `Completion` is a whole output, `CompletionChunk` is a piece of a streamed output."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from guided.grammars.errors import GuidedError

from ..engines.token_logprobs import TokenLogprobs
from ..requests.finish_reason import FinishReason
from ..tools.calls import ToolCall, ToolCallDelta

if TYPE_CHECKING:
    import torch

    from ..schemas.enforcement import Enforcement


@dataclass(frozen=True)
class Usage:
    """Token counts of one output. num_completion_tokens includes the end-of-sequence token if there is one."""

    num_prompt_tokens: int
    num_completion_tokens: int
    num_forced_tokens: int


@dataclass(frozen=True)
class Completion:
    """A finished output.

    Attributes:
        text: the output's text, without the stop that ended it (see `SamplingParams.include_stop_str_in_output`). Under
            a grammar it includes the names of special tokens (see `SamplingParams.skip_special_tokens`).
        token_ids: all new tokens, including the tokens that ended the text; () with engine="openai", where another
            server has the tokens.
        finish_reason: "stop": the model or a stop ended the text, only the end could follow under its grammar, or its
            tool calls are complete. "length": max_new_tokens or the context was used up, and more could have followed;
            or the budget cut the text, see closed_in_budget. "error": the request failed.
        error: the error that ended the request, with finish_reason "error"; else None.
        num_prompt_tokens: number of the prompt's tokens.
        num_forced_tokens: number of new tokens whose bytes the grammar had all determined before they were drawn.
        elapsed_s: seconds from the start of the call's generation to this output's last token.
        fits_grammar: True: the text fits its grammar. False: the budget or a stop cut it off before. None: the request
            has no grammar, or only that of tool calls.
        closed_in_budget: True: the budget cut the text. At some step it excluded a token that the model would have
            drawn, because the text could not have ended in time. The text may be complete, but is shorter than the
            model's own. finish_reason is then "length".
        ended_repetition: True: the text repeated itself, so the engine made its budget small (see
            `PromptRequest.ends_repetition`; extraction requests this).
        logprobs: one entry for each of token_ids, if `SamplingParams.logprobs` asks for them; else None.
        prompt_logprobs: one entry for each prompt token, if `SamplingParams.prompt_logprobs` asks for them; else None.
            The first entry is None, because nothing comes before that token.
        min_new_tokens_overruled: True: the grammar allowed only the end before min_new_tokens, so the text ended early.
        thinking: the model's thinking before its text, without the tokens that begin and end it. "" if thinking was not
            separated (see `SamplingParams.thinking`). The tokens of the thinking are in token_ids.
        stopped_by: the stop string, the match of a stop regex, or the id from `SamplingParams.stop_token_ids` that
            ended the text; None: something else ended it.
        num_thinking_tokens: number of token_ids in thinking, including the tokens that begin and end it.
        num_cached_tokens: number of prompt tokens whose keys and values were cached, from prompts with the same
            beginning.
        time_to_first_token_s: seconds from the same start to the first token; None: there is no token.
        tool_calls: the tool calls that the model made. The calls' written form is not part of `text`.
        unheld_tools: tool -> reason, for tools whose schema can't be enforced: their calls may violate it.
        foreign_calls: a family of models with another syntax of calls, if the text calls an offered tool in that
            syntax. Such a call is not in tool_calls. "": there is none.
        enforcement: what the grammar enforces, if there is one and `SamplingParams.return_enforcement` asks for it.
        alternatives: the prompt's other outputs if `SamplingParams.n` asks for several, or its other particles.
        num_new_tokens: number of new tokens; None: as many as token_ids.
        weight: weight of a particle, in [0, 1]; all weights add up to 1. None: no particles were requested.
        grammar_logprob: with particles, the logarithm of an unbiased estimate of the probability that the model itself
            writes a text that fits the grammar.
        num_unshown_logprobs: number of last entries of logprobs whose tokens (an end token, a stop string) are not in
            `text`.
        logits, hidden_states: (N, V) and (N, H) tensors on the CPU in the model's dtype, if `SamplingParams` asks for
            them; else None. Row i of `logits` has token i's logits, before penalties, mask and temperature. Row i of
            `hidden_states` is the output layer's input for these logits.
        prompt_logits, prompt_hidden_states: (P, V) and (P, H), the same after each token of the prompt. The first new
            token was drawn from the last row.
    """

    text: str
    token_ids: tuple[int, ...]
    finish_reason: FinishReason
    error: Exception | None
    num_prompt_tokens: int
    num_forced_tokens: int
    elapsed_s: float
    fits_grammar: bool | None = None
    closed_in_budget: bool = False
    ended_repetition: bool = False
    logprobs: tuple[TokenLogprobs, ...] | None = None
    prompt_logprobs: tuple[TokenLogprobs | None, ...] | None = None
    min_new_tokens_overruled: bool = False
    thinking: str = ""
    stopped_by: str | int | None = None
    num_thinking_tokens: int = 0
    num_cached_tokens: int = 0
    time_to_first_token_s: float | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    unheld_tools: Mapping[str, str] = field(default_factory=dict)
    foreign_calls: str = ""
    enforcement: Enforcement | None = None
    alternatives: tuple[Completion, ...] = ()
    num_new_tokens: int | None = None
    weight: float | None = None
    grammar_logprob: float | None = None
    num_unshown_logprobs: int = 0
    logits: torch.Tensor | None = field(default=None, compare=False, repr=False)
    hidden_states: torch.Tensor | None = field(default=None, compare=False, repr=False)
    prompt_logits: torch.Tensor | None = field(default=None, compare=False, repr=False)
    prompt_hidden_states: torch.Tensor | None = field(default=None, compare=False, repr=False)

    @property
    def shown_logprobs(self) -> tuple[TokenLogprobs, ...] | None:
        """The entries of `logprobs` whose tokens the text shows."""
        return None if self.logprobs is None else self.logprobs[: len(self.logprobs) - self.num_unshown_logprobs]

    @property
    def num_tokens(self) -> int:
        """Number of new tokens."""
        return len(self.token_ids) if self.num_new_tokens is None else self.num_new_tokens

    @property
    def is_complete(self) -> bool:
        """True if nothing of the text is missing: it fits its grammar, or, without one, finish_reason is "stop".

        A text that fits may have finish_reason "length": a text of `[a-z]+` may end anywhere.
        """
        if self.fits_grammar is None or self.finish_reason == "error":
            return self.finish_reason == "stop"
        return self.fits_grammar

    @property
    def tokens_per_s(self) -> float:
        """New tokens of this output per second of `elapsed_s`; 0.0 if there are none."""
        return self.num_tokens / self.elapsed_s if self.num_tokens else 0.0

    @property
    def usage(self) -> Usage:
        """The token counts in one object."""
        return Usage(self.num_prompt_tokens, self.num_tokens, self.num_forced_tokens)

    @property
    def message(self) -> dict[str, Any]:
        """The assistant's message in OpenAI's form, for the next request of a conversation.

        The message has "content", and "tool_calls" and "reasoning_content" if there are any.
        """
        message: dict[str, Any] = {"role": "assistant", "content": self.text}
        if self.thinking:
            message["reasoning_content"] = self.thinking
        if self.tool_calls:
            message["content"] = self.text or None
            message["tool_calls"] = [call.message_part for call in self.tool_calls]
        return message

    def __str__(self) -> str:
        return self.text


def without_errors(completions: list[Completion]) -> list[Completion]:
    """Return the completions if none has an error. Raises the first error of an output, including `alternatives`.

    A `GuidedError` is raised as a copy that has the completions, since calls in other threads may get the same error.
    """
    for one in completions:
        for output in (one, *one.alternatives):
            if isinstance(output.error, GuidedError):
                raised = copy(output.error)
                raised.completions = tuple(completions)
                raise raised from output.error.__cause__
            if output.error is not None:
                raise output.error
    return completions


@dataclass(frozen=True)
class CompletionChunk:
    """A piece of a streamed output. The texts of all chunks, joined, are the completion's text.

    Attributes:
        text: the new characters; may be "".
        finish_reason, usage, completion: set on an output's last chunk, and only there.
        logprobs: log-probabilities of the tokens whose text begins in this piece, if the request asks for them. Tokens
            that the text does not show, such as a stop string, are only in `Completion.logprobs`.
        index: index of the output among the `SamplingParams.n` outputs.
        thinking: new characters of `Completion.thinking`.
        token_ids: the tokens since the output's previous chunk; all chunks together have `Completion.token_ids`.
        tool_calls: new pieces of `Completion.tool_calls`.
    """

    text: str
    finish_reason: FinishReason | None = None
    usage: Usage | None = None
    completion: Completion | None = None
    logprobs: tuple[TokenLogprobs, ...] | None = None
    index: int = 0
    thinking: str = ""
    token_ids: tuple[int, ...] = ()
    tool_calls: tuple[ToolCallDelta, ...] = ()

    @property
    def error(self) -> Exception | None:
        """The error that ended the request, on a last chunk with finish_reason "error"; else None."""
        return None if self.completion is None else self.completion.error

    def __str__(self) -> str:
        return self.text
