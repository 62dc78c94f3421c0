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
from typing import Any

from jinja2 import TemplateError

from guided.grammars.errors import InvalidInputError
from guided.grammars.vocabulary import Vocabulary

from .errors import ChatTemplateError

Message = Mapping[str, Any]
Messages = Sequence[Message]

SCHEMA_VARIABLE = "response_schema"
THINKING_VARIABLES = ("enable_thinking", "thinking")  # how chat templates call the switch
MARKS = [chr(code) for code in range(0xFDD0, 0xFDF0)]  # noncharacters: legal in text, with no meaning anywhere
DEFAULT_WHITESPACE = "flexible"


class PromptEncoder:
    """Encodes prompts for one tokenizer (a `transformers` one) and its vocabulary."""

    def __init__(self, tokenizer: Any, vocabulary: Vocabulary) -> None:
        self.tokenizer = tokenizer
        self.vocabulary = vocabulary
        self._names = {token_id: name for name, token_id in vocabulary.special_tokens.items()}
        longest_first = sorted(vocabulary.special_tokens, key=len, reverse=True)
        self._special = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    @property
    def json_whitespace(self) -> str:
        """What tokenizer_config.json states as `json_whitespace` ("compact": the model's training); else "flexible"."""
        return str(self.tokenizer.init_kwargs.get("json_whitespace") or DEFAULT_WHITESPACE)

    @property
    def shows_schema(self) -> bool:
        """True when the chat template itself shows the schema of the answer, given to it as `response_schema`."""
        return SCHEMA_VARIABLE in self._chat_template()

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

    def encode_chat(
        self, messages: Messages, response_schema: Any = None, *, thinking: bool | None = None
    ) -> list[int]:
        """The ids of a conversation up to where the assistant answers.

        messages: {"role": ..., "content": text} each; other keys go to the template as they are.
        response_schema: JSON Schema (dict or bool) of the answer, for the template; None: the answer is free text.
        thinking: for the template, as `enable_thinking` and `thinking`; None: the template's own default.
        Raises ChatTemplateError where the template is missing or refuses the messages, InvalidInputError for messages
        that are no messages.
        """
        self._chat_template()
        _check_messages(messages)
        variables = {} if response_schema is None else {SCHEMA_VARIABLE: response_schema}
        variables |= {} if thinking is None else dict.fromkeys(THINKING_VARIABLES, thinking)
        mark = _unused_mark([messages, response_schema])
        marked = self._mark([messages, variables], mark)
        rendered = self._render(*marked)
        _check_system_text(messages, rendered.replace(mark, ""))
        broken = next((text.replace(mark, "") for text in _strings(marked) if mark in text), None)
        if broken is None:
            return self._encode(rendered)
        token_ids = self._encode_parts(rendered, mark)
        if token_ids is None:
            raise _special_token_refused(self._special.findall(broken)[0])
        return token_ids

    def _chat_template(self) -> str:
        try:
            return str(self.tokenizer.get_chat_template())
        except ValueError as error:
            raise ChatTemplateError(
                "the model's tokenizer has no chat template; use generate with a whole prompt, or a chat model"
            ) from error

    def _render(self, messages: list[Any], variables: dict[str, Any]) -> str:
        try:
            return str(
                self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True, **variables)
            )
        except (TemplateError, TypeError, ValueError) as error:
            raise ChatTemplateError(f"the model's chat template refuses these messages: {error}") from error
        except RecursionError as error:
            raise ChatTemplateError("the model's chat template can't show these messages: nested too deeply") from error

    def _mark(self, value: Any, mark: str) -> Any:
        """The same strings, lists and dicts, with `mark` inside every name of a special token."""
        if isinstance(value, str):
            while self._special.search(value):
                value = self._special.sub(lambda match: _break_name(match[0], mark), value)
            return value
        if isinstance(value, Mapping):
            return {self._mark(key, mark): self._mark(item, mark) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._mark(item, mark) for item in value]
        return value

    def _encode_parts(self, rendered: str, mark: str) -> list[int] | None:
        """The ids of a rendered chat, cut at the marks; None unless they add up to its exact text."""
        parts = rendered.split(mark)
        token_ids = [token_id for part in parts if part for token_id in self._encode(part)]
        text = "".join(parts)
        # A template that writes ASCII-only JSON has turned the mark into an escape, and the name is damaged.
        is_kept = f"\\u{ord(mark):04x}" not in rendered
        # Some tokenizers put a space before the text as a whole.
        return token_ids if is_kept and self._written(token_ids) in (text.encode(), b" " + text.encode()) else None

    def _written(self, token_ids: list[int]) -> bytes:
        """The bytes of a prompt's tokens, special tokens as their names."""
        tokens, names = self.vocabulary.tokens, self._names
        return b"".join(tokens[token_id] or names.get(token_id, "").encode() for token_id in token_ids)

    def _encode(self, text: str, *, add_special_tokens: bool = False) -> list[int]:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            surrogate = f"U+{ord(text[error.start]):04X}"
            raise InvalidInputError(
                f"the text is not valid Unicode: it holds the lone surrogate {surrogate}"
            ) from error
        return list(self.tokenizer.encode(text, add_special_tokens=add_special_tokens))


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


def _check_messages(messages: Messages) -> None:
    if isinstance(messages, str | Mapping) or not isinstance(messages, Sequence) or not messages:
        raise InvalidInputError('messages must be a list like [{"role": "user", "content": "..."}], with at least one')
    for i, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise InvalidInputError(f"message {i} must be a dict with role and content, not {type(message).__name__}")
        for key in ("role", "content"):
            if not isinstance(message.get(key), str):
                raise InvalidInputError(f"message {i}: {key} must be a string, not {type(message.get(key)).__name__}")
    if not any(message["content"].strip() for message in messages):
        raise InvalidInputError("the messages are empty; give at least one some text")


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
        for key, item in value.items():
            yield from _strings(key)
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)
