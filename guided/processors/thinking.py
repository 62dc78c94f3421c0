"""Thinking: the block that reasoning models write before their answer, tracked token by token.

A block begins with one token and ends with another (`<think>`, `</think>`). The prompt may already have opened it, as
many chat templates do, or closed it, which tells the model not to think. While a block is open, the grammar is inactive
and a budget counts tokens. The grammar starts after the token that ends the block.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import RequestFieldError

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary

    from ..params.sampling_params import SamplingParams


@dataclass(frozen=True)
class ThinkingTokens:
    """The tokens of a block. begin_token_id, end_token_id: its first and last token. newline_token_id: written before a
    forced end; None: nothing is.
    """

    begin_token_id: int
    end_token_id: int
    newline_token_id: int | None = None


THINKING_FAMILIES: Mapping[str, ThinkingTokens] = {
    "deepseek-r1": ThinkingTokens(128798, 128799, 201),
    "glm-4.5": ThinkingTokens(151350, 151351, 198),
    "qwen3": ThinkingTokens(151667, 151668, 198),
}
"""Token ids of well-known models, for use without their tokenizer."""

THINKING_NAMES = (
    ("<think>", "</think>"),
    ("[THINK]", "[/THINK]"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<seed:think>", "</seed:think>"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
)
"""Names of the two tokens in vocabularies; the first pair that exists is used."""


def find_thinking_tokens(vocabulary: Vocabulary) -> ThinkingTokens | None:
    """The thinking tokens that a vocabulary contains, as special tokens or as texts; None if it has none."""
    for names in THINKING_NAMES:
        begin, end = (_named(vocabulary, name) for name in names)
        if begin is not None and end is not None:
            return ThinkingTokens(begin, end, _with_text(vocabulary, b"\n"))
    return None


def _named(vocabulary: Vocabulary, name: str) -> int | None:
    special = vocabulary.special_tokens.get(name)
    return _with_text(vocabulary, name.encode()) if special is None else special


def _with_text(vocabulary: Vocabulary, text: bytes) -> int | None:
    return next(iter(vocabulary.sorted_tokens.ids_of(text)), None)


def check_thinking(params: SamplingParams, vocabulary: Vocabulary | None) -> None:
    """Raise RequestFieldError if a request asks for thinking or a budget but no thinking tokens are known."""
    for field, is_asked in (("thinking", params.thinking), ("thinking_budget", params.thinking_budget is not None)):
        if is_asked and (vocabulary is None or find_thinking_tokens(vocabulary) is None):
            raise RequestFieldError(f"{field}: {no_thinking_tokens(vocabulary)}", field)


def no_thinking_tokens(vocabulary: Vocabulary | None) -> str:
    """The message of an error: why no thinking tokens are known, and what to do."""
    if vocabulary is None:
        return "give begin_token_id and end_token_id, or the model's vocabulary"
    known = ", ".join(begin for begin, _ in THINKING_NAMES)
    return (
        f"the model's vocabulary names no thinking tokens ({known}); where it has others, use the processor "
        "thinking_budget with begin_token_id and end_token_id"
    )


class ThinkingState:
    """The thinking state of one text.

    tokens: the tokens around a block.
    prompt_token_ids: the prompt, whose last block may still be open.
    may_begin: True (default): the output may begin a block.
    is_before_text: True: a block may stand only before the text: the prompt opens it, or the first token does. False
        (default): blocks may come anywhere.

    Attributes:
        is_open: the text is inside a block.
        may_begin: the next token may begin a block, unless one is open.
        num_tokens: tokens thought in all blocks of the output, without the first and last token of a block. Tokens of
            the prompt don't count.
    """

    def __init__(
        self,
        tokens: ThinkingTokens,
        prompt_token_ids: Sequence[int],
        *,
        may_begin: bool = True,
        is_before_text: bool = False,
    ) -> None:
        self.tokens = tokens
        self.num_tokens = 0
        self.is_open = is_left_open(tokens, prompt_token_ids)
        self.may_begin = may_begin and not (is_before_text and self.is_open)
        self._is_before_text = is_before_text
        self._last_token_id = prompt_token_ids[-1] if len(prompt_token_ids) else None

    @property
    def is_over(self) -> bool:
        """True if all further tokens are text."""
        return not self.is_open and not self.may_begin

    def accept_token(self, token_id: int) -> bool:
        """Take an output token. Returns True if it belongs to a block: it begins or ends one, or lies inside."""
        self._last_token_id = token_id
        was_open = self.is_open
        if not was_open:
            self.is_open = self.may_begin and token_id == self.tokens.begin_token_id
        elif token_id == self.tokens.end_token_id:
            self.is_open = False
        else:
            self.num_tokens += 1
        if self._is_before_text:
            self.may_begin = False
        return was_open or self.is_open

    def closing_token_ids(self, budget: int) -> tuple[int, ...]:
        """The tokens that may come next when the budget is used up, in order of preference; () while the model is free.

        First a line break, unless the last token is one, then the token that ends the block.
        """
        if not self.is_open or self.num_tokens < budget:
            return ()
        newline = self.tokens.newline_token_id
        if newline is None or self._last_token_id == newline:
            return (self.tokens.end_token_id,)
        return newline, self.tokens.end_token_id


def thinking_of(
    params: SamplingParams, prompt_token_ids: Sequence[int], vocabulary: Vocabulary, *, has_grammar: bool
) -> ThinkingState | None:
    """The state that tells the thinking of a request's output apart from its text; None: all tokens are text.

    Under a grammar a block stands before the text: the prompt opened it, or the params allow thinking. Without one,
    blocks may come anywhere, if `thinking`, `thinking_budget` or `separate_thinking` asks to tell them apart.
    """
    if has_grammar:
        may_begin = params.thinking is True or bool(params.thinking_budget)
    else:
        may_begin = params.thinking is not None or params.thinking_budget is not None or bool(params.separate_thinking)
        if not may_begin:
            return None
    tokens = find_thinking_tokens(vocabulary)
    if tokens is None:
        return None
    state = ThinkingState(tokens, prompt_token_ids, may_begin=may_begin, is_before_text=has_grammar)
    return None if state.is_over else state


def is_left_open(tokens: ThinkingTokens | None, prompt_token_ids: Sequence[int]) -> bool:
    """True if the last thinking token in the prompt begins a block."""
    if tokens is None or tokens.begin_token_id not in prompt_token_ids:
        return False
    for token_id in reversed(prompt_token_ids):
        if token_id in (tokens.begin_token_id, tokens.end_token_id):
            return token_id == tokens.begin_token_id
    return False
