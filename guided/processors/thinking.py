"""Thinking: the block that reasoning models write before their answer, followed token by token.

A block begins with one token and ends with another (`<think>`, `</think>`). The prompt may have opened it already (many
chat templates do) or closed it (their way to say: don't think). While a block is open, a grammar sleeps and a budget
counts; the grammar starts after the token that ends the block.
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
    """begin_token_id, end_token_id: of a block. newline_token_id: written before a forced end; None: nothing is."""

    begin_token_id: int
    end_token_id: int
    newline_token_id: int | None = None


THINKING_FAMILIES: Mapping[str, ThinkingTokens] = {
    "deepseek-r1": ThinkingTokens(128798, 128799, 201),
    "glm-4.5": ThinkingTokens(151350, 151351, 198),
    "qwen3": ThinkingTokens(151667, 151668, 198),
}
"""Ids of well-known models, for those whose tokenizer is not at hand."""

THINKING_NAMES = (
    ("<think>", "</think>"),
    ("[THINK]", "[/THINK]"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<seed:think>", "</seed:think>"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
)
"""How vocabularies call the two tokens; the first pair that is there counts."""


def find_thinking_tokens(vocabulary: Vocabulary) -> ThinkingTokens | None:
    """The thinking tokens that a vocabulary names, as special tokens or as texts; None where it names none."""
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
    """Raises RequestFieldError for a request to think, or for a budget, where no thinking tokens are known."""
    for field, is_asked in (("thinking", params.thinking), ("thinking_budget", params.thinking_budget is not None)):
        if is_asked and (vocabulary is None or find_thinking_tokens(vocabulary) is None):
            raise RequestFieldError(f"{field}: {no_thinking_tokens(vocabulary)}", field)


def no_thinking_tokens(vocabulary: Vocabulary | None) -> str:
    """Why no thinking tokens are known, and what to do."""
    if vocabulary is None:
        return "give begin_token_id and end_token_id, or the model's vocabulary"
    known = ", ".join(begin for begin, _ in THINKING_NAMES)
    return (
        f"the model's vocabulary names no thinking tokens ({known}); where it has others, use the processor "
        "thinking_budget with begin_token_id and end_token_id"
    )


class ThinkingState:
    """Where one text stands.

    is_open: inside a block. num_tokens: how many tokens were thought, over all blocks of the output, without the two
    that begin and end a block; what a prompt holds is not counted.
    """

    def __init__(self, tokens: ThinkingTokens, prompt_token_ids: Sequence[int]) -> None:
        self.tokens = tokens
        self.num_tokens = 0
        self.is_open = _is_left_open(tokens, prompt_token_ids)
        self._last_token_id = prompt_token_ids[-1] if len(prompt_token_ids) else None

    def accept_token(self, token_id: int) -> bool:
        """Take an output token; True when it belongs to a block: it begins or ends one, or lies inside."""
        self._last_token_id = token_id
        if not self.is_open:
            self.is_open = token_id == self.tokens.begin_token_id
            return self.is_open
        if token_id == self.tokens.end_token_id:
            self.is_open = False
        else:
            self.num_tokens += 1
        return True

    def closing_token_ids(self, budget: int) -> tuple[int, ...]:
        """What may come next where the budget is used up, the wanted token first; () where the model is free.

        A line break, unless there is one already, and then the token that ends the block.
        """
        if not self.is_open or self.num_tokens < budget:
            return ()
        newline = self.tokens.newline_token_id
        if newline is None or self._last_token_id == newline:
            return (self.tokens.end_token_id,)
        return newline, self.tokens.end_token_id


class RowThinking:
    """How one request of an engine thinks: what its grammar must not see, and what may begin a block.

    Without a grammar, blocks are told apart wherever they come. With one, there is at most one block, before the
    grammar's text: opened by the prompt, or by the first token where the request lets the model think.
    """

    def __init__(self, state: ThinkingState, *, is_constrained: bool, may_begin: bool) -> None:
        self._state = state
        self._is_constrained = is_constrained
        self._may_begin = may_begin and not state.is_open

    @property
    def is_open(self) -> bool:
        """The grammar sleeps."""
        return self._state.is_open

    @property
    def begin_token_id(self) -> int | None:
        """The token that may come although the grammar does not allow it, None where there is none."""
        return self._state.tokens.begin_token_id if self._is_constrained and self._may_begin else None

    @property
    def end_token_id(self) -> int:
        """The token that ends a block."""
        return self._state.tokens.end_token_id

    def accept_token(self, token_id: int) -> bool:
        """Take a token; True when it is thought, and no part of the text."""
        if self._is_constrained and not (self.is_open or self._may_begin):
            return False
        self._may_begin = False
        return self._state.accept_token(token_id)


def row_thinking(
    params: SamplingParams, prompt_token_ids: Sequence[int], vocabulary: Vocabulary, *, is_constrained: bool
) -> RowThinking | None:
    """How a request thinks; None where nothing has to be told apart.

    That is without a grammar and without `thinking`, `thinking_budget` and `separate_thinking`, under a grammar that
    nothing is thought before, and for a model without thinking tokens.
    Raises RequestFieldError as `check_thinking` does.
    """
    check_thinking(params, vocabulary)
    asks = params.thinking is not None or params.thinking_budget is not None or params.separate_thinking
    tokens = find_thinking_tokens(vocabulary) if asks or is_constrained else None
    if tokens is None:
        return None
    state = ThinkingState(tokens, prompt_token_ids)
    may_begin = params.thinking is True or bool(params.thinking_budget)
    if is_constrained and not state.is_open and not may_begin:
        return None
    return RowThinking(state, is_constrained=is_constrained, may_begin=may_begin)


def _is_left_open(tokens: ThinkingTokens, prompt_token_ids: Sequence[int]) -> bool:
    """True when the last of the prompt's thinking tokens begins a block."""
    for token_id in reversed(prompt_token_ids):
        if token_id in (tokens.begin_token_id, tokens.end_token_id):
            return token_id == tokens.begin_token_id
    return False
