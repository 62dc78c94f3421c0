"""Thinking: the block that reasoning models write before their answer, tracked token by token.

A block begins with one token and ends with another (`<think>`, `</think>`). The prompt may already have opened it, as
many chat templates do, or closed it, which tells the model not to think. While a block is open, the grammar is inactive
and a budget counts tokens. The grammar starts after the token that ends the block.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from guided.grammars.bitset import BITS_PER_WORD

from ..errors import RequestFieldError

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary

    from ..params.sampling_params import SamplingParams
    from .thinking_marks import MarkedThinking


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
    """The thinking of one text: which tokens are thought, and when a budget ends a block.

    tokens: the tokens around a block.
    prompt_token_ids: the prompt, whose last block may still be open.
    budget: maximum number of thought tokens in all blocks of the output; None: no limit. Tokens of the prompt, and the
        first and last token of a block, don't count.
    may_begin: False: a block that the output begins is text, but uses the budget; only one that the prompt has opened
        is told apart. True (default): blocks of the output are told apart, too.
    is_before_text: True: a block may stand only before the text: the prompt opens it, or the first token does. Blocks
        after it are text, but use the budget. False (default): blocks may come anywhere.

    Attributes:
        is_open: the text is inside a block.
        tells_apart: blocks are told apart from the text. False: all further tokens are text.
        num_tokens: tokens thought so far.
    """

    def __init__(
        self,
        tokens: ThinkingTokens,
        prompt_token_ids: Sequence[int],
        *,
        budget: int | None = None,
        may_begin: bool = True,
        is_before_text: bool = False,
    ) -> None:
        self.tokens = tokens
        self.budget = budget
        self.num_tokens = 0
        self.is_open = is_left_open(tokens, prompt_token_ids)
        self.tells_apart = may_begin or self.is_open
        self._is_before_text = is_before_text or not may_begin
        self._last_token_id = prompt_token_ids[-1] if len(prompt_token_ids) else None

    def is_thought(self, token_id: int) -> bool:
        """True if the next token, if it is this one, belongs to a block: it begins or ends one, or lies inside."""
        return self.tells_apart and (self.is_open or token_id == self.tokens.begin_token_id)

    def accept_token(self, token_id: int) -> bool:
        """Take an output token. Returns the result of `is_thought`."""
        is_thought, self._last_token_id = self.is_thought(token_id), token_id
        if not self.is_open:
            self.is_open = token_id == self.tokens.begin_token_id
        elif token_id == self.tokens.end_token_id:
            self.is_open = False
        else:
            self.num_tokens += 1
        if self._is_before_text and not self.is_open:
            self.tells_apart = False
        return is_thought

    def closing_token_ids(self) -> tuple[int, ...]:
        """The tokens that may come next when the budget is used up, in order of preference; () while the model is free.

        First a line break, unless the last token is one, then the token that ends the block.
        """
        if not self.is_open or self.budget is None or self.num_tokens < self.budget:
            return ()
        newline = self.tokens.newline_token_id
        if newline is None or self._last_token_id == newline:
            return (self.tokens.end_token_id,)
        return newline, self.tokens.end_token_id


def closing_token(thinking: ThinkingState | MarkedThinking, mask: Any) -> int | None:
    """The token that must come next because the budget is used up; None while the model is free.

    mask: the tokens that the grammar allows, int32 (W,), numpy or torch; None: no grammar. A grammar that allows no
        closing token has written the block itself, and goes on with it.
    """
    allowed = (i for i in thinking.closing_token_ids() if mask is None or _allows(mask, i))
    return next(allowed, None)


def _allows(mask: Any, token_id: int) -> bool:
    word, place = divmod(token_id, BITS_PER_WORD)
    return word < len(mask) and bool(int(mask[word]) >> place & 1)


def is_left_open(tokens: ThinkingTokens | None, prompt_token_ids: Sequence[int]) -> bool:
    """True if the last thinking token in the prompt begins a block."""
    if tokens is None or tokens.begin_token_id not in prompt_token_ids:
        return False
    for token_id in reversed(prompt_token_ids):
        if token_id in (tokens.begin_token_id, tokens.end_token_id):
            return token_id == tokens.begin_token_id
    return False
