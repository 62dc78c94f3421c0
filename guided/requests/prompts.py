"""Prompts as callers give them: texts, conversations or token ids, one or several, with params."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NoReturn

from guided.grammars.errors import InvalidInputError

from ..params.sampling_params import SamplingParams
from .prompting import Conversation, Messages

Params = SamplingParams | Sequence[SamplingParams] | None
Prompt = str | Messages | Conversation | Sequence[int]


class TextPrompt(list[int]):
    """A prompt for another server, which has the tokenizer. The list of token ids is empty.

    Iteration and indexing are refused, because a copy of the empty list would lose the content.

    content: a text to continue, or a conversation to answer.
    """

    def __init__(self, content: str | Conversation) -> None:
        super().__init__()
        self.content = content

    def __iter__(self) -> Iterator[int]:
        """Raises InvalidInputError."""
        _refuse()

    def __getitem__(self, index: Any) -> Any:
        """Raises InvalidInputError."""
        _refuse()


def _refuse() -> NoReturn:
    raise InvalidInputError("this prompt has no token ids: only the server behind the engine has the tokenizer")


def texts_in(texts: str | Sequence[str], name: str) -> list[str]:
    """A list of one text or several. Raises InvalidInputError for other values. name: their name in errors."""
    if not isinstance(texts, Sequence) or isinstance(texts, bytes | bytearray | memoryview):
        raise InvalidInputError(f"{name} must be a string or a list of strings, not {type(texts).__name__}")
    return [texts] if isinstance(texts, str) else list(texts)


def prompts_in(prompts: str | Sequence[str]) -> list[str]:
    """A list of one text to continue, or several. Raises InvalidInputError for other values."""
    texts = texts_in(prompts, "prompts")
    for text in texts:
        if not isinstance(text, str):
            raise InvalidInputError(f"a prompt must be a string, not {type(text).__name__}")
    return texts


def conversations_in(messages: Any) -> list[Conversation]:
    """A list of one conversation or several."""
    listed = [messages] if is_one_conversation(messages) else messages
    return [one if isinstance(one, Conversation) else Conversation(one) for one in listed]


def is_one_conversation(messages: Any) -> bool:
    """True for one conversation, False for a list of conversations."""
    return not isinstance(messages, Sequence) or not messages or isinstance(messages[0], Mapping | str)


def is_texts(prompt: Any) -> bool:
    """True for a list of strings, which are separate prompts."""
    return isinstance(prompt, Sequence) and not isinstance(prompt, str) and bool(prompt) and isinstance(prompt[0], str)


PromptKind = Literal["text", "chat", "continued"]
"""The kind of a prompt: a text or token ids; a conversation; a conversation whose last message the answer continues."""


def prompt_kind(prompt: Any) -> PromptKind:
    """The kind of a prompt."""
    if not is_conversation(prompt):
        return "text"
    return "continued" if isinstance(prompt, Conversation) and prompt.continue_final_message else "chat"


def is_conversation(prompt: Any) -> bool:
    """True for a prompt that is neither a text, a list of texts, nor token ids."""
    is_list = isinstance(prompt, Sequence) and bool(prompt)
    return not (is_list and isinstance(prompt[0], str | int)) and not isinstance(prompt, str | TextPrompt)


def params_for(params: Params, num_prompts: int) -> list[SamplingParams]:
    """The SamplingParams of each prompt. Raises InvalidInputError for other values and for a wrong number."""
    if params is None or isinstance(params, SamplingParams):
        return [SamplingParams() if params is None else params] * num_prompts
    if not isinstance(params, Sequence) or not all(isinstance(one, SamplingParams) for one in params):
        raise InvalidInputError(f"params must be SamplingParams or a list of them, not {params!r:.80}")
    if len(params) != num_prompts:
        raise InvalidInputError(f"{len(params)} params for {num_prompts} prompts; give one for all or one for each")
    return list(params)
