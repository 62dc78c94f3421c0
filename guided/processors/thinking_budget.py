"""`thinking_budget`: limits how much a reasoning model thinks before its answer.

Until `budget` tokens were thought, the model is free. Then a line break is forced, unless the last token is one, and
after it the token that ends the block. Forcing sets the token's logit to 0 and all others to -inf. Muennighoff et al.,
"s1: Simple test-time scaling" (arXiv 2501.19393, 2025), describe this method.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from ..masks import force_token_inplace
from .base import CustomLogitProcessor
from .errors import ProcessorParamsError
from .rows import ProcessorRow, RowGroup
from .thinking import (
    THINKING_FAMILIES,
    ThinkingState,
    ThinkingTokens,
    closing_token,
    find_thinking_tokens,
    no_thinking_tokens,
)
from .thinking_marks import MarkedThinking, spelled
from .token_lists import TokenId, check_token_id

if TYPE_CHECKING:
    import torch

    from guided.grammars.vocabulary import Vocabulary


@dataclass(frozen=True)
class ThinkingBudgetParams:
    """The parameters of `thinking_budget`.

    budget: maximum number of thought tokens in all blocks of the output; 0: none. SGLang's name `thinking_budget` is
        accepted too.
    family: name of a model family whose token ids are known.
    begin_token_id, end_token_id, newline_token_id: the ids themselves; without a newline_token_id no line break is
        forced. If neither family, ids nor marks are given, the ids are found by name in the vocabulary.
    begin_mark, end_mark: texts before and after a block, such as "<|channel|>analysis<|message|>" and "<|end|>" for
        gpt-oss. A mark may have several tokens. No line break is forced.
    """

    other_names: ClassVar[Mapping[str, str]] = {"thinking_budget": "budget"}

    budget: Annotated[int, Field(ge=0)]
    family: Literal["deepseek-r1", "glm-4.5", "qwen3"] | None = None
    begin_token_id: TokenId | None = None
    end_token_id: TokenId | None = None
    newline_token_id: TokenId | None = None
    begin_mark: Annotated[str | None, Field(min_length=1)] = None
    end_mark: Annotated[str | None, Field(min_length=1)] = None


class ThinkingBudget(CustomLogitProcessor):
    """Limits thinking, see the module. The processor runs after all others, so none of them can forbid a forced
    token.
    """

    params_type = ThinkingBudgetParams
    order = sys.maxsize
    is_trusted = True

    def check_params(self, params: Any, vocabulary: Vocabulary | None) -> None:
        """Check that the tokens are known, given only once, and in the vocabulary. Raises ProcessorParamsError."""
        if marks_of(params) is not None:
            end_of(params, vocabulary)
            return
        tokens = thinking_tokens_of(params, vocabulary)
        for token_id in (tokens.begin_token_id, tokens.end_token_id, tokens.newline_token_id or 0):
            check_token_id("thinking_budget", token_id, vocabulary)

    def start(self, row: ProcessorRow) -> None:
        """Look for an open block in the prompt."""
        prompt, budget, marks = row.prompt_token_ids.tolist(), row.params.budget, marks_of(row.params)
        if marks is None:
            tokens = thinking_tokens_of(row.params, row.vocabulary)
            row.state["thinking"] = ThinkingState(tokens, prompt, budget=budget)
        else:
            assert row.vocabulary is not None
            end = end_of(row.params, row.vocabulary)
            row.state["thinking"] = MarkedThinking(row.vocabulary, marks, end, prompt, budget)

    def accept_token(self, row: ProcessorRow, token_id: int) -> None:
        """Count the token."""
        row.state["thinking"].accept_token(token_id)

    def __call__(self, logits: torch.Tensor, group: RowGroup) -> torch.Tensor:
        """Force the end of blocks whose budget is used up, see `closing_token`."""
        for i, row in enumerate(group):
            token_id = closing_token(row.state["thinking"], None if group.bitmask is None else group.bitmask[i])
            if token_id is not None:
                force_token_inplace(logits[i], token_id)
        return logits


def marks_of(params: ThinkingBudgetParams) -> tuple[str, str] | None:
    """The marks of the parameters; None without any. Raises ProcessorParamsError."""
    if params.begin_mark is None and params.end_mark is None:
        return None
    if params.begin_mark is None or params.end_mark is None:
        raise ProcessorParamsError("thinking_budget: give both begin_mark and end_mark")
    ids = (params.family, params.begin_token_id, params.end_token_id, params.newline_token_id)
    if any(one is not None for one in ids):
        raise ProcessorParamsError("thinking_budget: marks exclude a family and token ids; give one of them")
    return params.begin_mark, params.end_mark


def end_of(params: ThinkingBudgetParams, vocabulary: Vocabulary | None) -> tuple[int, ...]:
    """The tokens of the end mark. Raises ProcessorParamsError."""
    token_ids = None if vocabulary is None else spelled(vocabulary, params.end_mark or "")
    if token_ids is None:
        raise ProcessorParamsError(f"thinking_budget: no tokens of the model write end_mark {params.end_mark!r}")
    return token_ids


def thinking_tokens_of(params: ThinkingBudgetParams, vocabulary: Vocabulary | None) -> ThinkingTokens:
    """The tokens that the parameters or the vocabulary give. Raises ProcessorParamsError."""
    given = [params.begin_token_id, params.end_token_id]
    if params.family is not None:
        if given != [None, None] or params.newline_token_id is not None:
            raise ProcessorParamsError("thinking_budget: family and token ids exclude each other; give one of them")
        return THINKING_FAMILIES[params.family]
    if params.begin_token_id is None and params.end_token_id is None:
        if params.newline_token_id is not None:
            raise ProcessorParamsError("thinking_budget: newline_token_id needs begin_token_id and end_token_id")
        tokens = None if vocabulary is None else find_thinking_tokens(vocabulary)
        if tokens is None:
            raise ProcessorParamsError(f"thinking_budget: {no_thinking_tokens(vocabulary)}")
        return tokens
    if params.begin_token_id is None or params.end_token_id is None:
        raise ProcessorParamsError("thinking_budget: give both begin_token_id and end_token_id")
    return ThinkingTokens(params.begin_token_id, params.end_token_id, params.newline_token_id)
