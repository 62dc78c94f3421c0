"""`EndpointEncoder`: prompts for another server, which has the tokenizer and the chat template."""

from __future__ import annotations

from typing import Any

from guided.grammars.vocabulary import Vocabulary

from ...requests.prompting import Conversation, Messages, PromptEncoder, check_conversation, num_utf8_bytes
from ...requests.prompts import TextPrompt
from ...tools.definitions import ToolUse
from ...tools.support import ToolSupport
from ...tools.syntax import ToolSyntax
from .endpoint import Endpoint
from .text_check import ANY_WHITESPACE

MARKS = "\ufdd0\ufdd1\ufdd2"
SYNTAX = ToolSyntax("endpoint", "\ufdd0NAME\ufdd1ARGUMENTS\ufdd2", trigger="\ufdd0")
"""The syntax of calls in the text that our readers read. The other server sends calls as JSON; the engine writes them
in this syntax. Its marks are noncharacters of Unicode. If tools are offered, the engine refuses them in texts.
"""


class EndpointEncoder(PromptEncoder):
    """Makes prompts without token ids, see `TextPrompt`. Grammars accept JSON in any valid form."""

    property_order = "any"
    json_values = "any"
    text_retries = 2

    def __init__(self, endpoint: Endpoint, vocabulary: Vocabulary) -> None:
        super().__init__(None, vocabulary)
        self._endpoint = endpoint
        self.has_logprobs = self.takes_quotes = endpoint.is_guided
        self.confidence_logprobs = "both" if endpoint.is_guided else "raw"

    @property
    def json_whitespace(self) -> str:
        """All whitespace that JSON allows."""
        return ANY_WHITESPACE

    @property
    def field_calibration(self) -> None:
        """None: the other server's model is unknown."""
        return None

    @property
    def shows_schema(self) -> bool:
        """True if the other side is ours, and its chat template shows the schema of the answer."""
        return self._endpoint.shows_schema

    @property
    def reads_effort(self) -> bool:
        """True: the field is sent, and the other server decides."""
        return True

    @property
    def tool_support(self) -> ToolSupport:
        """Tools and calls are sent unchanged."""
        return ToolSupport(SYNTAX, shows_tools=True, writes_calls=True)

    def _encode(self, text: str, *, add_special_tokens: bool = False) -> list[int]:
        num_utf8_bytes(text)  # raises
        return TextPrompt(text)

    def encode_chat(
        self,
        messages: Messages | Conversation,
        response_schema: Any = None,
        *,
        thinking: bool | None = None,
        tools: ToolUse | None = None,
    ) -> list[int]:
        """Return the unrendered conversation as a `TextPrompt`.

        Schema and thinking reach the other server in the request's params, tools in its plan of tools.
        """
        conversation = messages if isinstance(messages, Conversation) else Conversation(messages)
        check_conversation(conversation)
        for message in conversation.messages:
            num_utf8_bytes(message.get("content") or "")  # raises for a text that UTF-8 can't encode
        return TextPrompt(conversation)
