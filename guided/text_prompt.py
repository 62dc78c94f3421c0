"""`TextPrompt`: a prompt for an engine that takes texts and conversations, not token ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .prompting import Conversation
    from .tools.definitions import ToolUse


class TextPrompt(list[int]):
    """Stands where a prompt's token ids stand for other engines. It holds none: only the model's own server has them.

    content: a text to go on with, or a conversation to answer. tools: that are offered in the conversation.
    """

    def __init__(self, content: str | Conversation, tools: ToolUse | None = None) -> None:
        super().__init__()
        self.content = content
        self.tools = tools
