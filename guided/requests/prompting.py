"""Text and chat messages to prompt token ids, with the model's own tokenizer and chat template.

Text inside messages and schemas is data: where it holds the name of a special token ("<|im_end|>" in a document to
read), that name is encoded as plain characters and can't end or open a turn. How: each such name gets a mark (a Unicode
noncharacter) after its first character before the template is rendered; the rendered text is then cut at the marks and
the parts are encoded one by one, so no part holds the whole name. All other text is encoded as always. A tokenizer for
which the parts don't add up to exactly the rendered text (one that puts a space before each) refuses such a text with a
clear error. A prompt given as one string (`LLM.generate`) is its author's: special tokens written there are meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jinja2 import TemplateError

from guided.grammars.errors import InvalidInputError
from guided.grammars.vocabulary import Vocabulary
from guided.grammars.watch import checkpoint, paced

from ..errors import ChatTemplateError, ContextLengthError, RequestFieldError
from ..params.sampling_params import LogprobsMode
from ..tools.conversation import prepare
from ..tools.definitions import ToolUse
from ..tools.support import ToolSupport, find_support
from .plain_text import plain_text
from .written_schema import written_schema

Message = Mapping[str, Any]
Messages = Sequence[Message]

SCHEMA_VARIABLE = "response_schema"
ANY_OBJECT = {"type": "object"}
NAMED_TOOL_VARIABLE = "named_tool"  # the one tool that may be called, for templates that show no others then
THINKING_VARIABLES = ("enable_thinking", "thinking")  # how chat templates call the switch
RESERVED_VARIABLES = frozenset(
    {
        "messages",
        "tools",
        "add_generation_prompt",
        "continue_final_message",
        SCHEMA_VARIABLE,
        NAMED_TOOL_VARIABLE,
        *THINKING_VARIABLES,
    }
)
MARKS = [chr(code) for code in range(0xFDD0, 0xFDF0)]  # noncharacters: legal in text, with no meaning anywhere
DEFAULT_WHITESPACE = "flexible"
PARTS_AT_ONCE = 1024  # of a text with many names of special tokens
LONG_TEXT = 4096  # characters; about 1 ms of work


@dataclass(frozen=True)
class Conversation:
    """Messages, and how the chat template writes them.

    messages: {"role": ..., "content": text} each; other keys go to the template as they are.
    template_variables: further variables for the template. One that it does not read is an error.
    reasoning_effort: for templates that read a variable of this name; with any other it is an error.
    add_generation_prompt: open the assistant's turn after the last message.
    continue_final_message: leave the last message, the assistant's, open instead: the answer goes on in it.
    """

    messages: Messages
    template_variables: Mapping[str, Any] = field(default_factory=dict)
    reasoning_effort: str | None = None
    add_generation_prompt: bool = True
    continue_final_message: bool = False


def num_utf8_bytes(text: str) -> int:
    """How long a text is. Raises InvalidInputError for one that is not valid Unicode."""
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        surrogate = f"U+{ord(text[error.start]):04X}"
        raise InvalidInputError(f"the text is not valid Unicode: it holds the lone surrogate {surrogate}") from error


class PromptEncoder:
    """Encodes prompts for one tokenizer (a `transformers` one) and its vocabulary.

    max_tokens: a text that must be longer is refused before it is cut into tokens, which takes seconds for megabytes.

    What the engine behind it does, and another kind of engine may do otherwise:
    property_order, json_values: how its grammars write JSON, see `RequestGrammars`.
    has_logprobs: log-probabilities can be had there in any case.
    confidence_logprobs: the `logprobs_mode` that confidences are made from.
    takes_quotes: strings can be held to quotes there (`x-quote`); otherwise that is checked afterwards.
    """

    property_order = "schema"
    json_values: str | None = None
    has_logprobs: bool = True
    confidence_logprobs: LogprobsMode = "both"
    takes_quotes: bool = True

    def __init__(self, tokenizer: Any, vocabulary: Vocabulary, max_tokens: int | None = None) -> None:
        self.tokenizer = tokenizer
        self.vocabulary = vocabulary
        self._max_tokens = max_tokens
        longest_name = max(map(len, vocabulary.names.values()), default=0)
        self._longest_token = max(vocabulary.longest_token, longest_name, 1)
        longest_first = sorted(vocabulary.special_tokens, key=len, reverse=True)
        self._special = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    @property
    def json_whitespace(self) -> str:
        """What tokenizer_config.json states as `json_whitespace` ("compact": the model's training); else "flexible"."""
        return str(self.tokenizer.init_kwargs.get("json_whitespace") or DEFAULT_WHITESPACE)

    @property
    def reads_plain_text(self) -> bool:
        """True when tokenizer_config.json has `plain_text`: the model knows no other line ends and spaces."""
        return self.tokenizer.init_kwargs.get("plain_text") is True

    @property
    def shows_schema(self) -> bool:
        """True when the chat template itself shows the schema of the answer, given to it as `response_schema`."""
        return SCHEMA_VARIABLE in self._chat_template()

    @property
    def reads_effort(self) -> bool:
        """True when the chat template reads `reasoning_effort`."""
        return _reads(self._chat_template(), "reasoning_effort")

    def encode_text(self, text: str) -> list[int]:
        """The ids of a prompt as it stands: special tokens written in it count, the tokenizer adds its own (BOS).

        Raises InvalidInputError for an empty text or one that is not valid Unicode.
        """
        if not isinstance(text, str):
            raise InvalidInputError(f"a prompt must be a string, not {type(text).__name__}")
        if not text:
            raise InvalidInputError("the prompt is empty; give it some text")
        return self._encode(text, add_special_tokens=True)

    def encode_part(self, text: str) -> list[int]:
        """The ids of a part of a text: nothing is added. Raises InvalidInputError where it is not valid Unicode."""
        return self._encode(text)

    @property
    def tool_support(self) -> ToolSupport:
        """What the chat template does for tools. Raises ChatTemplateError where there is no template."""
        return find_support(self._chat_template(has_tools=True))

    def encode_chat(
        self,
        messages: Messages | Conversation,
        response_schema: Any = None,
        *,
        thinking: bool | None = None,
        tools: ToolUse | None = None,
    ) -> list[int]:
        """The ids of a conversation up to where the assistant answers.

        messages: {"role": ..., "content": text} each; other keys go to the template as they are. An assistant's may
            have "tool_calls", in OpenAI's form, and then no content.
        response_schema: JSON Schema (dict or bool) of the answer, for the template; None: the answer is free text. A
            template that shows schemas then shows one that a system message holds, and so for any object.
        thinking: for the template, as `enable_thinking` and `thinking`; None: the template's own default.
        tools: what the model may call, shown by the template or, where it can't, explained in a system message.
        Raises ChatTemplateError where the template is missing or refuses the messages, InvalidInputError for messages
        that are no messages, RequestFieldError for a template variable that the template does not read.
        """
        conversation = messages if isinstance(messages, Conversation) else Conversation(messages)
        try:
            return self._encode_conversation(conversation, response_schema, thinking, tools)
        except RecursionError as error:
            raise ChatTemplateError("the model's chat template can't show these messages: nested too deeply") from error

    def _encode_conversation(
        self, conversation: Conversation, response_schema: Any, thinking: bool | None, tools: ToolUse | None
    ) -> list[int]:
        template = self._chat_template()
        check_conversation(conversation)
        readable = prepare(conversation.messages, tools, self.tool_support)
        if self.reads_plain_text:
            readable = [_with_plain_text(message) for message in readable]
        if response_schema in (None, ANY_OBJECT) and SCHEMA_VARIABLE in template and not (tools and tools.is_offered):
            response_schema = written_schema(readable) or response_schema
        variables = {} if response_schema is None else {SCHEMA_VARIABLE: response_schema}
        variables |= {} if thinking is None else dict.fromkeys(THINKING_VARIABLES, thinking)
        variables |= _template_variables(conversation, template)
        offered = tools.tools if tools is not None and tools.is_offered else ()
        variables |= self.tool_support.variables([tool.definition for tool in offered])
        can_be_named = tools is not None and "tools" in variables and _reads(template, NAMED_TOOL_VARIABLE)
        if tools is not None and can_be_named and len(tools.callable_tools) == 1:
            variables[NAMED_TOOL_VARIABLE] = tools.callable_tools[0].name
        mark = _unused_mark([readable, variables])
        marked, marked_variables = self._mark([readable, variables], mark)
        rendered = self._render(marked, marked_variables, conversation)
        if not rendered:
            raise InvalidInputError("the model's chat template writes nothing for these messages; give one some text")
        _check_system_text(readable, rendered.replace(mark, ""))
        broken = next((text.replace(mark, "") for text in _strings([marked, marked_variables]) if mark in text), None)
        if broken is None:
            return self._encode(rendered)
        token_ids = self._encode_parts(rendered, mark)
        if token_ids is None:
            raise _special_token_refused(self._special.findall(broken)[0])
        return token_ids

    def _chat_template(self, *, has_tools: bool = False) -> str:
        try:
            return str(self.tokenizer.get_chat_template(tools=[] if has_tools else None))
        except ValueError as error:
            raise ChatTemplateError(
                "the model's tokenizer has no chat template; use generate with a whole prompt, or a chat model"
            ) from error

    def _render(self, messages: list[Any], variables: dict[str, Any], conversation: Conversation) -> str:
        options = {
            **variables,
            "add_generation_prompt": conversation.add_generation_prompt and not conversation.continue_final_message,
            "continue_final_message": conversation.continue_final_message,
        }
        try:
            if any(message.get("content", "") is None for message in messages):
                return self._render_nulls(messages, options)
            return str(self.tokenizer.apply_chat_template(messages, tokenize=False, **options))
        except (TemplateError, TypeError, ValueError) as error:
            raise ChatTemplateError(f"the model's chat template refuses these messages: {error}") from error

    def _render_nulls(self, messages: list[Any], options: dict[str, Any]) -> str:
        """The same with content that is null, which `apply_chat_template` leaves out and some templates look for."""
        from transformers.utils.chat_template_utils import render_jinja_template

        template = str(self.tokenizer.get_chat_template(tools=options.get("tools")))
        tokens = self.tokenizer.special_tokens_map
        return str(render_jinja_template([messages], chat_template=template, **{**tokens, **options})[0][0])

    def _mark(self, value: Any, mark: str) -> Any:
        """The same strings, lists and dicts, with `mark` inside every name of a special token."""
        if isinstance(value, str):
            while self._special.search(value):
                value = self._special.sub(lambda match: _break_name(match[0], mark), value)
            return value
        if isinstance(value, Mapping):
            checkpoint()
            return {self._mark(key, mark): self._mark(item, mark) for key, item in paced(value.items())}
        if isinstance(value, list | tuple):
            return [self._mark(item, mark) for item in paced(value)]
        return value

    def _encode_parts(self, rendered: str, mark: str) -> list[int] | None:
        """The ids of a rendered chat, cut at the marks; None unless they add up to its exact text."""
        parts = [part for part in rendered.split(mark) if part]
        text = "".join(parts)
        self._check_length(max(len(parts), len(text.encode("utf-8", "replace")) // self._longest_token))
        token_ids = [token_id for part_ids in self._encode_each(parts) for token_id in part_ids]
        # A template that writes ASCII-only JSON has turned the mark into an escape, and the name is damaged.
        is_kept = f"\\u{ord(mark):04x}" not in rendered
        # Some tokenizers put a space before the text as a whole.
        return token_ids if is_kept and self._written(token_ids) in (text.encode(), b" " + text.encode()) else None

    def _written(self, token_ids: list[int]) -> bytes:
        """The bytes of a prompt's tokens, special tokens as their names."""
        return b"".join(map(self.vocabulary.written, token_ids))

    def _encode(self, text: str, *, add_special_tokens: bool = False) -> list[int]:
        self._check_length(num_utf8_bytes(text) // self._longest_token)
        if len(text) < LONG_TEXT:
            return list(self.tokenizer.encode(text, add_special_tokens=add_special_tokens))
        return list(self._encode_batch([text], add_special_tokens=add_special_tokens)[0])

    def _encode_each(self, parts: list[str]) -> Iterator[list[int]]:
        """The ids of each part, encoded by itself. Together they take a tenth of the time."""
        for first in range(0, len(parts), PARTS_AT_ONCE):
            yield from self._encode_batch(parts[first : first + PARTS_AT_ONCE])

    def _encode_batch(self, texts: list[str], *, add_special_tokens: bool = False) -> list[list[int]]:
        """The ids of each text. Unlike its `encode`, the `tokenizers` library lets other threads run meanwhile."""
        options = {"add_special_tokens": add_special_tokens, "return_attention_mask": False}
        found: list[list[int]] = self.tokenizer(texts, **options)["input_ids"]
        return found

    def _check_length(self, num_tokens: int) -> None:
        """num_tokens: that a text has at least."""
        if self._max_tokens is not None and num_tokens > self._max_tokens:
            raise ContextLengthError(num_tokens, self._max_tokens, is_least=True)


def _with_plain_text(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    return {**message, "content": plain_text(content)} if isinstance(content, str) else message


def _check_system_text(messages: Messages, rendered: str) -> None:
    """Some templates leave system messages out: better an error than an answer that ignores them."""
    for message in messages:
        if message["role"] == "system" and message["content"].strip() not in rendered:
            raise ChatTemplateError(
                "the model's chat template leaves out system messages; put them into a user message"
            )


def _break_name(name: str, mark: str) -> str:
    if len(name) == 1:
        raise _special_token_refused(name)
    return name[0] + mark + name[1:]


def _special_token_refused(name: str) -> InvalidInputError:
    return InvalidInputError(
        f"the text holds {name!r}, a special token that this model's tokenizer and chat template can't keep as plain "
        "text; take it out of the text"
    )


def _template_variables(conversation: Conversation, template: str) -> dict[str, Any]:
    """The conversation's own variables, each of which the template reads."""
    for name in conversation.template_variables:
        if name in RESERVED_VARIABLES or not _reads(template, name):
            reason = "is set otherwise" if name in RESERVED_VARIABLES else "is not read by this model's chat template"
            raise RequestFieldError(f"chat_template_kwargs: {name!r} {reason}; leave it out", "chat_template_kwargs")
    if conversation.reasoning_effort is None:
        return dict(conversation.template_variables)
    if not _reads(template, "reasoning_effort"):
        raise RequestFieldError(
            "reasoning_effort is not read by this model's chat template; use thinking and thinking_budget, or leave it "
            "out",
            "reasoning_effort",
        )
    return {**conversation.template_variables, "reasoning_effort": conversation.reasoning_effort}


def _reads(template: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", template) is not None


def check_conversation(conversation: Conversation) -> None:
    """Raise InvalidInputError for messages that are none, and for one to go on with that is none."""
    _check_messages(conversation.messages)
    _check_ending(conversation)


def _check_ending(conversation: Conversation) -> None:
    if not conversation.continue_final_message:
        return
    last = conversation.messages[-1]
    if last["role"] != "assistant" or not (last.get("content") or "").strip():
        raise InvalidInputError("continue_final_message needs an assistant message with some text at the end")


def _check_messages(messages: Messages) -> None:
    if isinstance(messages, str | Mapping) or not isinstance(messages, Sequence) or not messages:
        raise InvalidInputError('messages must be a list like [{"role": "user", "content": "..."}], with at least one')
    for i, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise InvalidInputError(f"message {i} must be a dict with role and content, not {type(message).__name__}")
        for key in ("role", "content"):
            has_calls = key == "content" and message.get("tool_calls") and message.get(key) is None
            if not has_calls and not isinstance(message.get(key), str):
                raise InvalidInputError(f"message {i}: {key} must be a string, not {type(message.get(key)).__name__}")


def _unused_mark(value: Any) -> str:
    """A noncharacter that no string in `value` holds."""
    texts = list(_strings(value))
    for mark in MARKS:
        if not any(mark in text for text in texts):
            return mark
    raise InvalidInputError("the text uses all of the noncharacters U+FDD0 to U+FDEF; take one out")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        checkpoint()
        for key, item in paced(value.items()):
            yield from _strings(key)
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in paced(value):
            yield from _strings(item)
