"""The conversation that asks a model for one text's data: instructions, examples, the text, and why an answer was
refused.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from guided.grammars.errors import InvalidInputError

from ..errors import (
    EndpointAccessError,
    EndpointAnswerError,
    EndpointBusyError,
    EndpointError,
    EndpointRefusedError,
    EndpointTimeoutError,
    NoLogprobsError,
    OutputValidationError,
)
from ..requests.plain_text import plain_text
from ..requests.prompting import Message, num_utf8_bytes

DEFAULT_INSTRUCTIONS = "Read the user's text and write down the data that it gives. Use only what the text says."
QUOTE_INSTRUCTIONS = "Copy what you write into strings from the text, word for word."
DRAFT_QUESTION = "Now write the document, by the instructions above. Correct what is wrong in your answer."
_LEFT_ALONE = (
    EndpointRefusedError,
    EndpointAccessError,
    EndpointBusyError,
    EndpointTimeoutError,
    NoLogprobsError,
)


def extraction_messages(
    text: str,
    instructions: str | None,
    schema: Any,
    *,
    shows_schema: bool,
    examples: Sequence[Message] = (),
    has_quotes: bool = False,
) -> list[Message]:
    """Return the conversation that asks for one text's data, for a chat template.

    The text alone is the user's message, as `plain_text` writes it.

    Args:
        text: the text to read.
        instructions: what to look for. None: a default; with `shows_schema` there is no system message then.
        schema: JSON Schema of the answer.
        shows_schema: True: the chat template writes the schema, so a system message contains only given instructions.
            False: it contains instructions and schema.
        examples: turns before the text.
        has_quotes: some strings must be quotes. The system message says so, except with `shows_schema`.

    Raises:
        InvalidInputError: for empty instructions, and for a text that is empty or no string.
    """
    check_text(text)
    if instructions is not None and not instructions.strip():
        raise InvalidInputError("the instructions are empty; leave them out or write some")
    turns = [*examples, {"role": "user", "content": plain_text(text)}]
    if not shows_schema:
        told = [instructions or DEFAULT_INSTRUCTIONS, *([QUOTE_INSTRUCTIONS] if has_quotes else [])]
        system = f"{' '.join(told)}\nAnswer with one JSON document that follows this JSON Schema:\n"
        return [{"role": "system", "content": system + json.dumps(schema, ensure_ascii=False)}, *turns]
    return turns if instructions is None else [{"role": "system", "content": instructions}, *turns]


def check_text(text: str) -> None:
    """Raise InvalidInputError for a text that is empty, not valid Unicode, or not a string."""
    if not isinstance(text, str):
        raise InvalidInputError(f"a text to extract from must be a string, not {type(text).__name__}")
    if is_blank(text):
        raise InvalidInputError("the text to extract from is empty")
    num_utf8_bytes(text)


def is_blank(text: str) -> bool:
    """True if a text contains nothing to read."""
    return not plain_text(text).strip()


def example_messages(examples: Sequence[tuple[str, Any]]) -> list[Message]:
    """Turns that show the documents of example texts. examples: pairs of a text and its document as plain data."""
    return [
        message
        for text, document in examples
        for message in (
            {"role": "user", "content": plain_text(text)},
            {"role": "assistant", "content": json.dumps(document, ensure_ascii=False, separators=(",", ":"))},
        )
    ]


def correction(error: Exception | None, text: str) -> list[Message] | None:
    """The turns after the text that ask a model again; None if asking again is no use.

    error: the error of its answer; None: no error.
    text: the answer as far as known.
    If the type or its quotes refuse a document, the turns say why. The same holds if another server's answer does not
    fit the schema. After an answer that broke off the same question is asked again. A server that was silent, or
    that failed before its answer began, is not: the engine has sent the request again itself.
    """
    if isinstance(error, _LEFT_ALONE):
        return None
    if isinstance(error, OutputValidationError):
        return refusal(error.completion.text, error.reason)
    if isinstance(error, EndpointAnswerError):
        return refusal(text, error.public_message)
    return [] if isinstance(error, EndpointError) and error.status is None and error.is_reached else None


def draft_turns(draft: str) -> list[Message]:
    """The turns after a text that show a model its own free answer, and ask for the document; none for a blank one."""
    if not draft.strip():
        return []
    return [{"role": "assistant", "content": draft}, {"role": "user", "content": DRAFT_QUESTION}]


def refusal(text: str, reason: str) -> list[Message]:
    """The turns after a text that tell a model why its answer is refused."""
    said = f"This document is refused: {reason}. Read the text again and write the whole document anew."
    answer: list[Message] = [{"role": "assistant", "content": text}] if text else []
    return [*answer, {"role": "user", "content": said}]
