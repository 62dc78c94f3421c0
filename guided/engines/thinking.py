"""The thinking of a request's output, which engines tell apart from its text."""

from __future__ import annotations

from guided.grammars.vocabulary import Vocabulary

from ..processors.thinking import ThinkingState, find_thinking_tokens
from ..requests.request import PromptRequest


def thinking_of(request: PromptRequest, vocabulary: Vocabulary) -> ThinkingState | None:
    """The thinking of a request's output, with its budget; None: all tokens are text, and no budget applies.

    Under a grammar a block stands before the text: the prompt opened it, or the params allow thinking. Without one,
    blocks may come anywhere, if `thinking`, `thinking_budget` or `separate_thinking` asks to tell them apart. With
    `thinking=False` the budget is 0.
    """
    params, has_grammar = request.params, request.grammar is not None
    budget = 0 if params.thinking is False else params.thinking_budget
    may_begin = params.thinking is True or bool(budget)
    if not has_grammar:
        may_begin = may_begin or budget is not None or params.separate_thinking
        if not may_begin:
            return None
    tokens = find_thinking_tokens(vocabulary)
    if tokens is None:
        return None
    prompt = request.prompt_token_ids
    state = ThinkingState(tokens, prompt, budget=budget, may_begin=may_begin, is_before_text=has_grammar)
    return state if state.tells_apart or budget is not None else None
