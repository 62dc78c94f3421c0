"""Token counts as OpenAI's chat and text completions write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from guided.output.completion import Completion


def usage_object(completions: Sequence[Completion], num_outputs: int) -> dict[str, Any]:
    """The value of `usage`: each prompt is counted once, and what all outputs have.

    num_outputs: of each prompt; so every num_outputs-th completion begins another prompt.
    """
    prompts = completions[::num_outputs]
    num_prompt_tokens = sum(completion.num_prompt_tokens for completion in prompts)
    num_new_tokens = sum(completion.num_tokens for completion in completions)
    return {
        "prompt_tokens": num_prompt_tokens,
        "completion_tokens": num_new_tokens,
        "total_tokens": num_prompt_tokens + num_new_tokens,
        "prompt_tokens_details": {"cached_tokens": sum(completion.num_cached_tokens for completion in prompts)},
        "completion_tokens_details": {
            "reasoning_tokens": sum(completion.num_thinking_tokens for completion in completions)
        },
    }
