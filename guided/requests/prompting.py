"""Converts texts and chat messages to prompt token ids, with the model's own tokenizer and chat template.

Text in messages and schemas is data. The name of a special token in such text ("<|im_end|>" in a document) is encoded
as plain characters, so it can't end or open a turn. For this each such name gets a mark (a Unicode noncharacter) after
its first character before the template is rendered. The rendered text is then cut at the marks, and its parts are
encoded separately, so no part contains the whole name. All other text is encoded as usual. With some tokenizers the
parts don't add up to the rendered text, for instance if a space is put before each part. Such text is refused with a
clear error.

Names of special tokens in a prompt given as one string (`LLM.generate`) are read as special tokens.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from jinja2 import TemplateError

from guided.grammars.errors import InvalidInputError
from guided.grammars.vocabulary import Vocabulary
from guided.grammars.watch import checkpoint, paced

from ..errors import ChatTemplateError, ContextLengthError, RequestFieldError
from ..params.sampling_params import LogprobsMode
from ..tools.completed import completed
from ..tools.conversation import folded, prepare
from ..tools.definitions import ToolUse
from ..tools.support import ToolSupport, find_support
from .plain_text import plain_text
from .written_schema import written_schema

log = logging.getLogger(__name__)

Message = Mapping[str, Any]
Messages = Sequence[Message]

SCHEMA_VARIABLE = "response_schema"
ANY_OBJECT = {"type": "object"}
NAMED_TOOL_VARIABLE = "named_tool"  # the only tool that may be called, for templates that then show no others
THINKING_VARIABLES = ("enable_thinking", "thinking")  # names of the switch in chat templates
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
MARKS = [chr(code) for code in range(0xFDD0, 0xFDF0)]  # noncharacters: legal in text, without any meaning
DEFAULT_WHITESPACE = "flexible"
PARTS_AT_ONCE = 1024  # parts of a text with many names of special tokens
LONG_TEXT = 4096  # least number of characters for letting other threads run while a text is encoded; 4,096 take 1 ms


@dataclass(frozen=True)
class Conversation:
    """Messages, and how the chat template writes them.

    messages: each {"role": ..., "content": text}; other keys are passed to the template.
    template_variables: further variables for the template. A variable that the template does not read is an error.
    reasoning_effort: value of the template's variable of this name; an error if the template does not read it.
    add_generation_prompt: open the assistant's turn after the last message.
    continue_final_message: leave the last message, which must be the assistant's, open, so that the answer continues
        it.
    """

    messages: Messages
    template_variables: Mapping[str, Any] = field(default_factory=dict)
    reasoning_effort: str | None = None
    add_generation_prompt: bool = True
    continue_final_message: bool = False


def num_utf8_bytes(text: str) -> int:
    """Length of a text in UTF-8. Raises InvalidInputError for a text that is not valid Unicode."""
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        surrogate = f"U+{ord(text[error.start]):04X}"
        raise InvalidInputError(f"the text is not valid Unicode: it holds the lone surrogate {surrogate}") from error


class PromptEncoder:
    """Encodes prompts for one `transformers` tokenizer and its vocabulary.

    max_tokens: a text that must be longer is refused before it is tokenized, since that takes seconds for megabytes.
    Further class attributes describe the engine and may differ in subclasses:
    property_order, json_values: how the engine's grammars write JSON, see `RequestGrammars`.
    has_logprobs: log-probabilities are always available.
    confidence_logprobs: the `logprobs_mode` for confidences.
    takes_quotes: grammars can require quotes (`x-quote`); otherwise quotes are checked afterwards.
    text_retries: default number of retries of an extraction, see `ExtractionOptions`.
    """

    property_order = "schema"
    json_values: str | None = None
    has_logprobs: bool = True
    confidence_logprobs: LogprobsMode = "both"
    takes_quotes: bool = True
    text_retries: int = 0

    def __init__(self, tokenizer: Any, vocabulary: Vocabulary, max_tokens: int | None = None) -> None:
        self.tokenizer = tokenizer
        self.vocabulary = vocabulary
        self._max_tokens = max_tokens
        self._folding_templates: set[str] = set()  # templates that the log has mentioned
        longest_name = max(map(len, vocabulary.names.values()), default=0)
        self._longest_token = max(vocabulary.longest_token, longest_name, 1)
        longest_first = sorted(vocabulary.special_tokens, key=len, reverse=True)
        self._special = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    def tokenizer_for_callers(self) -> Any:
        """The tokenizer as an object that callers may use and change. From now on it also encodes the prompts."""
        self.tokenizer = getattr(self.tokenizer, "for_callers", self.tokenizer)
        return self.tokenizer

    @property
    def json_whitespace(self) -> str:
        """`json_whitespace` in tokenizer_config.json ("compact" if the model was trained on that); otherwise
        "flexible".
        """
        return str(self.tokenizer.init_kwargs.get("json_whitespace") or DEFAULT_WHITESPACE)

    @property
    def field_calibration(self) -> Mapping[str, float] | None:
        """`field_calibration` in tokenizer_config.json, the weights of a `Calibration`; None without."""
        found: Mapping[str, float] | None = self.tokenizer.init_kwargs.get("field_calibration")
        return found

    @property
    def reads_plain_text(self) -> bool:
        """True if tokenizer_config.json sets `plain_text`: the model knows no other line ends and spaces."""
        return self.tokenizer.init_kwargs.get("plain_text") is True

    @property
    def shows_schema(self) -> bool:
        """True if the chat template shows the answer's schema, passed as `response_schema`."""
        return SCHEMA_VARIABLE in self._chat_template()

    @property
    def reads_effort(self) -> bool:
        """True if the chat template reads `reasoning_effort`."""
        return _reads(self._chat_template(), "reasoning_effort")

    def encode_text(self, text: str) -> list[int]:
        """The token ids of a whole prompt. Names of special tokens count, and the tokenizer adds its own tokens (BOS).

        Raises InvalidInputError for an empty text, and for invalid Unicode.
        """
        if not isinstance(text, str):
            raise InvalidInputError(f"a prompt must be a string, not {type(text).__name__}")
        if not text:
            raise InvalidInputError("the prompt is empty; give it some text")
        return self._encode(text, add_special_tokens=True)

    def encode_part(self, text: str) -> list[int]:
        """The token ids of a part of a text; nothing is added. Raises InvalidInputError if it is not valid Unicode."""
        return self._encode(text)

    @property
    def tool_support(self) -> ToolSupport:
        """The chat template's support for tools. Raises ChatTemplateError without a template."""
        return find_support(self._chat_template(has_tools=True))

    def encode_chat(
        self,
        messages: Messages | Conversation,
        response_schema: Any = None,
        *,
        thinking: bool | None = None,
        tools: ToolUse | None = None,
    ) -> list[int]:
        """The token ids of a conversation, up to where the assistant answers.

        messages: each {"role": ..., "content": text}; other keys are passed to the template. An assistant's message may
            have "tool_calls" in OpenAI's format, and then no content.
        response_schema: JSON Schema (dict or bool) of the answer, for the template; None: free text. For None or any
            object, a template that shows schemas gets a schema found in a system message.
        thinking: value of `enable_thinking` and `thinking` for the template; None: the template's default.
        tools: what the model may call, shown by the template or else explained in a system message.
        Some templates refuse or omit system messages, or refuse two messages of the user in a row. Such templates get
        the same texts in other messages (`folded`). Some need more fields in definitions of tools, and get these
        (`completed`).
        Raises ChatTemplateError if the template is missing or refuses all of these. Raises InvalidInputError for
        malformed messages, and RequestFieldError for a variable that the template does not read.
        """
        conversation = messages if isinstance(messages, Conversation) else Conversation(messages)
        try:
            return self._encode_conversation(conversation, response_schema, thinking, tools)
        except RecursionError as error:
            raise _too_deep() from error

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
        variables |= self._tool_variables(template, tools)
        error: ChatTemplateError | None = None
        for messages, given in _forms_for_template(readable, variables, conversation):
            try:
                token_ids = self._encode_rendered(replace(conversation, messages=messages), given, readable)
            except ChatTemplateError as reason:
                error = error or reason
                continue
            if messages != readable:
                self._tell_of_folding(template, error)
            return token_ids
        assert error is not None
        raise error

    def _tell_of_folding(self, template: str, error: ChatTemplateError | None) -> None:
        if template not in self._folding_templates:
            self._folding_templates.add(template)
            log.info("the texts of some messages move into others, since otherwise: %s", error)

    def _tool_variables(self, template: str, tools: ToolUse | None) -> dict[str, Any]:
        """The template's variables for tools. template: the one for conversations without tools."""
        offered = tools.tools if tools is not None and tools.is_offered else ()
        if not offered and template != self._chat_template(has_tools=True):
            return {}
        variables = self.tool_support.variables([tool.definition for tool in offered])
        is_named = tools is not None and bool(variables.get("tools")) and _reads(template, NAMED_TOOL_VARIABLE)
        if tools is not None and is_named and len(tools.callable_tools) == 1:
            variables[NAMED_TOOL_VARIABLE] = tools.callable_tools[0].name
        return variables

    def _encode_rendered(self, conversation: Conversation, variables: dict[str, Any], readable: Messages) -> list[int]:
        """The token ids of the rendered conversation. readable: its messages in their original form."""
        mark = _unused_mark([conversation.messages, variables])
        marked, marked_variables = self._mark([list(conversation.messages), variables], mark)
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
        except RecursionError as error:
            raise _too_deep() from error

    def _render_nulls(self, messages: list[Any], options: dict[str, Any]) -> str:
        """Render messages with null content, which `apply_chat_template` omits but some templates test for."""
        from transformers.utils.chat_template_utils import render_jinja_template

        template = str(self.tokenizer.get_chat_template(tools=options.get("tools")))
        tokens = self.tokenizer.special_tokens_map
        return str(render_jinja_template([messages], chat_template=template, **{**tokens, **options})[0][0])

    def _mark(self, value: Any, mark: str) -> Any:
        """The value with `mark` inside every name of a special token in its strings."""
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
        """The token ids of a rendered chat, cut at the marks; None unless they decode to exactly its text."""
        parts = [part for part in rendered.split(mark) if part]
        text = "".join(parts)
        self._check_length(max(len(parts), len(text.encode("utf-8", "replace")) // self._longest_token))
        token_ids = [token_id for part_ids in self._encode_each(parts) for token_id in part_ids]
        # A template that writes ASCII-only JSON has turned the mark into an escape and so damaged the name.
        is_kept = f"\\u{ord(mark):04x}" not in rendered
        # Some tokenizers put a space before the whole text.
        return token_ids if is_kept and self._written(token_ids) in (text.encode(), b" " + text.encode()) else None

    def _written(self, token_ids: list[int]) -> bytes:
        """The bytes of a prompt's tokens, with special tokens as their names."""
        return b"".join(map(self.vocabulary.written, token_ids))

    def _encode(self, text: str, *, add_special_tokens: bool = False) -> list[int]:
        self._check_length(num_utf8_bytes(text) // self._longest_token)
        if len(text) < LONG_TEXT:
            return list(self.tokenizer.encode(text, add_special_tokens=add_special_tokens))
        return list(self._encode_batch([text], add_special_tokens=add_special_tokens)[0])

    def _encode_each(self, parts: list[str]) -> Iterator[list[int]]:
        """The token ids of each part, encoded separately but in batches, which takes a tenth of the time."""
        for first in range(0, len(parts), PARTS_AT_ONCE):
            yield from self._encode_batch(parts[first : first + PARTS_AT_ONCE])

    def _encode_batch(self, texts: list[str], *, add_special_tokens: bool = False) -> list[list[int]]:
        """The token ids of each text. Unlike `encode`, this lets other threads run meanwhile."""
        options = {"add_special_tokens": add_special_tokens, "return_attention_mask": False}
        found: list[list[int]] = self.tokenizer(texts, **options)["input_ids"]
        return found

    def _check_length(self, num_tokens: int) -> None:
        """Raise ContextLengthError if a text is certainly too long. num_tokens: lower bound of its tokens."""
        if self._max_tokens is not None and num_tokens > self._max_tokens:
            raise ContextLengthError(num_tokens, self._max_tokens, is_least=True)


def _too_deep() -> ChatTemplateError:
    return ChatTemplateError("the model's chat template can't show these messages: nested too deeply")


def _with_plain_text(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    return {**message, "content": plain_text(content)} if isinstance(content, str) else message


def _forms_for_template(
    messages: list[dict[str, Any]], variables: dict[str, Any], conversation: Conversation
) -> Iterator[tuple[Messages, dict[str, Any]]]:
    """The messages and variables themselves, then the same in forms for templates that refuse them.

    Texts go into results only in the last forms. A final message to continue stays the last one.
    """
    yield messages, variables
    end = len(messages) - 1 if conversation.continue_final_message else len(messages)
    folds = [messages] + [
        folded(messages[:end], keeps_first=keeps_first, into_results=into_results) + messages[end:]
        for into_results in (False, True)
        for keeps_first in (True, False)
    ]
    tools = [variables]
    if variables.get("tools"):
        tools.append({**variables, "tools": [completed(one) for one in variables["tools"]]})
    known: list[Any] = [(messages, variables)]
    for form in product(folds, tools):
        if form not in known:
            known.append(form)
            yield form


def _check_system_text(messages: Messages, rendered: str) -> None:
    """Raise ChatTemplateError if the template dropped a system message, since the answer would ignore it."""
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
    """The conversation's own variables. Raises RequestFieldError if the template does not read a variable."""
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
    """Raise InvalidInputError for malformed messages, and for a last message that can't be continued."""
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
    """A noncharacter that appears in no string of `value`."""
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
