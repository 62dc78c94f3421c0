"""`TextPrompt`: a prompt for an engine that takes texts and conversations, not token ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .prompting import Conversation


class TextPrompt(list[int]):
    """Stands where a prompt's token ids stand for other engines. It holds none: only the model's own server has them.

    content: a text to go on with, or a conversation to answer.
    """

    def __init__(self, content: str | Conversation) -> None:
        super().__init__()
        self.content = content
