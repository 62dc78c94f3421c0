"""Log-probabilities in the older format of text completions: parallel lists of tokens, values, alternatives and
offsets.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from typing import Any

from guided.engines.token_logprobs import TokenLogprob, TokenLogprobs
from guided.grammars.vocabulary import Vocabulary

from .base import Prompt
from .openai_logprobs import finite, token_text


def prompt_text(prompt: Prompt, token_ids: Sequence[int], vocabulary: Vocabulary) -> str:
    """A prompt as it is echoed: the text as sent, or the text of the ids with special tokens as their names."""
    if isinstance(prompt, str):
        return prompt
    return b"".join(map(vocabulary.written, token_ids)).decode(errors="replace")


class TextLogprobs:
    """Collects log-probabilities while a choice's text grows. Offsets count characters of the choice's whole text."""

    def __init__(self, vocabulary: Vocabulary, num_top: int) -> None:
        self._vocabulary = vocabulary
        self._num_top = num_top
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._offset = 0
        self._columns = _new_columns()

    def add_prompt(self, prompt: Prompt, token_ids: Sequence[int], logprobs: Sequence[TokenLogprobs | None]) -> None:
        """Add the echoed prompt. The first token has no log-probability, since nothing precedes it."""
        text = prompt_text(prompt, token_ids, self._vocabulary)
        for token_id, one in zip(token_ids, logprobs, strict=True):
            token = self._vocabulary.written(token_id)
            is_written = self._vocabulary.tokens[token_id] is not None or text.startswith(token.decode(), self._offset)
            self._append(token, one, is_written=is_written)
        self._offset = len(text)

    def add(self, logprobs: Sequence[TokenLogprobs]) -> None:
        """Add tokens of the generated text."""
        for one in logprobs:
            self._append(one.token, one, is_written=not one.is_special)

    def add_unshown(self, logprobs: Sequence[TokenLogprobs]) -> None:
        """Add tokens that ended the text and are not part of it. The offset of such tokens is the text's end."""
        for one in logprobs:
            self._append(one.token, one, is_written=False)

    def take(self) -> dict[str, Any]:
        """The value of `logprobs` for everything added since the last call."""
        columns, self._columns = self._columns, _new_columns()
        return {**columns, "top_logprobs": columns["top_logprobs"] if self._num_top else None}

    def _append(self, token: bytes, one: TokenLogprobs | None, *, is_written: bool) -> None:
        self._columns["tokens"].append(token_text(token))
        self._columns["token_logprobs"].append(None if one is None else finite(one.logprob))
        self._columns["top_logprobs"].append(None if one is None else _by_text([*one.top, one]))
        self._columns["text_offset"].append(self._offset)
        if is_written:
            self._offset += len(self._decoder.decode(token))


def _new_columns() -> dict[str, list[Any]]:
    return {"tokens": [], "token_logprobs": [], "top_logprobs": [], "text_offset": []}


def _by_text(alternatives: Sequence[TokenLogprob]) -> dict[str, float]:
    """Text -> log-probability. If several tokens have the same text, the most probable one counts."""
    found: dict[str, float] = {}
    for one in alternatives:
        found.setdefault(token_text(one.token), finite(one.logprob))
    return found
