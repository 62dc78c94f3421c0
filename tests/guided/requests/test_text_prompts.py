"""Prompts for a server that has the tokenizer itself: an empty list of token ids that can't be copied by mistake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from guided.grammars.errors import InvalidInputError
from guided.requests.prompts import TextPrompt, is_conversation


def test_a_text_prompt_has_no_tokens() -> None:
    prompt = TextPrompt("Hello")
    assert (len(prompt), prompt.content, is_conversation(prompt)) == (0, "Hello", False)


@pytest.mark.parametrize("copy", [list, tuple, sorted, lambda prompt: prompt[:], lambda prompt: [*prompt, 1]])
def test_a_copy_that_would_lack_the_content_is_refused(copy: Callable[[Any], Any]) -> None:
    with pytest.raises(InvalidInputError, match="this prompt has no token ids"):
        copy(TextPrompt("Hello"))
