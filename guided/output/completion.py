"""What a request gives back: `Completion` for a whole output, `CompletionChunk` for a piece of a streamed one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..tools.calls import ToolCall, ToolCallDelta
from .finish_reason import FinishReason
from .token_logprobs import TokenLogprobs

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Usage:
    """Token counts of one request. num_completion_tokens counts the end-of-sequence token where there is one."""

    num_prompt_tokens: int
    num_completion_tokens: int
    num_forced_tokens: int


@dataclass(frozen=True)
class Completion:
    """One finished output.

    text: without what ended it (see `SamplingParams.include_stop_str_in_output`); with the names of special tokens
        where a grammar asked for them (see `SamplingParams.skip_special_tokens`).
    token_ids: all new tokens, those included that ended the text; () with engine="openai", where another server has
        the tokens.
    num_new_tokens: how many new tokens there were; None: as many as token_ids.
    finish_reason: "stop": the text is at its end: the model ended it, a stop did, only the end could follow under its
        grammar, or its tool calls are all of it. "length": max_new_tokens or the context was used up, and more could
        have followed; or the budget has cut the text, see closed_in_budget. "error": the request failed midway.
    fits_grammar: the text is one of its grammar's; False where it was cut off before, by the budget or a stop. None: no
        grammar was asked for, beside that of tool calls.
    closed_in_budget: the budget has cut the text: at some step the token drawn without it, from the same noise, would
        have been another one, after which the text could not have been completed in time. The text may be whole, and
        lacks what the model would have written. finish_reason is "length" then.
    ended_repetition: that budget was none that was asked for: the text repeated itself, and was ended (see
        `Request.ends_repetition`; extraction asks for it).
    stopped_by: the stop string, or match of a stop regex, or the id of `SamplingParams.stop_token_ids` that ended the
        text; None where something else did.
    error: what ended the request, with finish_reason "error".
    num_forced_tokens: new tokens of which the grammar had determined every byte before they were drawn.
    elapsed_s: from the start of the call's generation to this output's last token. Seconds.
    time_to_first_token_s: the same to its first token; None where there is none.
    logprobs: one entry for each of token_ids, where `SamplingParams.logprobs` asked for them; else None.
    num_unshown_logprobs: how many of the last of them are of tokens that the text doesn't show: its end, a stop string.
    prompt_logprobs: one for each prompt token, where `SamplingParams.prompt_logprobs` asked for them; else None. The
        first is None: nothing stands before it.
    logits, hidden_states: (N, V) and (N, H) tensors on the CPU in the model's dtype, where `SamplingParams` asked for
        them; else None. Row i is what token i was drawn from, before penalties, mask and temperature: the model's
        logits, and what its output layer read to make them.
    prompt_logits, prompt_hidden_states: (P, V) and (P, H), the same behind each token of the prompt. The last row is
        what the first new token was drawn from.
    min_new_tokens_overruled: the grammar allowed only the end before min_new_tokens were made, and the text ended.
    thinking: what the model thought before its text, without the tokens that begin and end it; "" where nothing was
        told apart (see `SamplingParams.thinking`). Its tokens are in token_ids.
    num_thinking_tokens: tokens of token_ids that belong to thinking, those included that begin and end it.
    num_cached_tokens: prompt tokens whose keys and values were there already, from other prompts that begin alike.
    tool_calls: calls that the model made, where it was offered tools; what they were written as is no part of text.
    unheld_tools: the tools whose calls do not fit their schema for sure, as it can't be held, each with the reason.
    foreign_calls: the text has a call of an offered tool as this other family of models writes it, which is no call
        here; "": none.
    alternatives: the prompt's other outputs, where `SamplingParams.n` asked for several, or its other particles.
    weight: of a particle, in [0, 1]; those of all particles together are 1. None where none were asked for.
    grammar_logprob: an estimate of how probable it is that the model itself writes a text that fits the grammar (the
        logarithm of one that is unbiased), where particles were asked for.
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
        """`logprobs`, of the tokens that the text shows."""
        return None if self.logprobs is None else self.logprobs[: len(self.logprobs) - self.num_unshown_logprobs]

    @property
    def num_tokens(self) -> int:
        """How many new tokens there were."""
        return len(self.token_ids) if self.num_new_tokens is None else self.num_new_tokens

    @property
    def is_complete(self) -> bool:
        """Nothing of the text is missing: it fits its grammar, or without one, finish_reason is "stop".

        A text that fits may have finish_reason "length": `[a-z]+` may end anywhere.
        """
        if self.fits_grammar is None or self.finish_reason == "error":
            return self.finish_reason == "stop"
        return self.fits_grammar

    @property
    def tokens_per_s(self) -> float:
        """New tokens of this output for each second of `elapsed_s`; 0.0 when there are none."""
        return self.num_tokens / self.elapsed_s if self.num_tokens else 0.0

    @property
    def usage(self) -> Usage:
        """The token counts in one object."""
        return Usage(self.num_prompt_tokens, self.num_tokens, self.num_forced_tokens)

    @property
    def message(self) -> dict[str, Any]:
        """The assistant's message in OpenAI's form, to go on with: "content", and "tool_calls", "reasoning_content"."""
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
    """The same. Raises the first error of an output, `alternatives` included."""
    for one in completions:
        for output in (one, *one.alternatives):
            if output.error is not None:
                raise output.error
    return completions


@dataclass(frozen=True)
class CompletionChunk:
    """A piece of a streamed output. Joined, the texts of all chunks are the completion's text.

    text: the new characters; can be "" on the last chunk.
    finish_reason, usage, completion: set on an output's last chunk only, and always there.
    logprobs: of the tokens whose text begins in this piece, where they were asked for. Tokens that the text doesn't
        show (its end, a stop string) are only in `Completion.logprobs`.
    index: which of the `SamplingParams.n` outputs it belongs to.
    thinking: new characters of `Completion.thinking`.
    token_ids: the tokens made since the output's last chunk; joined, `Completion.token_ids`.
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
        """What ended the request, on a last chunk with finish_reason "error"."""
        return None if self.completion is None else self.completion.error

    def __str__(self) -> str:
        return self.text
