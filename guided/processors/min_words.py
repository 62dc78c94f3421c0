"""`min_words`: the text does not end before it has a minimum number of words.

Words are counted as by `str.split()`: runs of characters between whitespace (Unicode's). While too few have begun,
every token that ends the text gets -inf. If the grammar allows only the end, the grammar wins. Thinking before the
answer does not count, if the model's vocabulary names the thinking tokens.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import torch
from pydantic import Field

from .base import CustomLogitProcessor
from .errors import ProcessorParamsError
from .rows import ProcessorRow, RowGroup
from .thinking import ThinkingState, find_thinking_tokens

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary


@dataclass(frozen=True)
class MinWordsParams:
    """min_words: minimum number of words."""

    min_words: Annotated[int, Field(ge=1)]


class WordCounter:
    """Counts the words of a text that arrives as bytes. A character split between tokens counts when it is complete."""

    def __init__(self) -> None:
        self.num_words = 0
        self._is_inside = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, token: bytes) -> None:
        """Add the next bytes of the text."""
        text = self._decoder.decode(token)
        if text:
            self.num_words += len(text.split()) - (self._is_inside and not text[0].isspace())
            self._is_inside = not text[-1].isspace()

    def __deepcopy__(self, memo: dict[int, Any]) -> WordCounter:
        copy = WordCounter()
        copy.num_words, copy._is_inside = self.num_words, self._is_inside
        copy._decoder.setstate(self._decoder.getstate())
        return copy


class MinWords(CustomLogitProcessor):
    """Bans the end of a text with too few words, see the module."""

    params_type = MinWordsParams
    order = 40
    is_trusted = True

    def check_params(self, params: Any, vocabulary: Vocabulary | None) -> None:
        """Check that there is a vocabulary, which counting words requires. Raises ProcessorParamsError."""
        if vocabulary is None:
            raise ProcessorParamsError("min_words: words can only be counted with the model's vocabulary")

    def start(self, row: ProcessorRow) -> None:
        """Start with no words."""
        row.state["words"] = WordCounter()
        tokens = None if row.vocabulary is None else find_thinking_tokens(row.vocabulary)
        row.state["thinking"] = None if tokens is None else ThinkingState(tokens, row.prompt_token_ids.tolist())

    def accept_token(self, row: ProcessorRow, token_id: int) -> None:
        """Count the token's words, unless the token belongs to a block of thinking."""
        thinking: ThinkingState | None = row.state["thinking"]
        if thinking is not None and thinking.accept_token(token_id):
            return
        token = None if row.vocabulary is None else row.vocabulary.tokens[token_id]
        row.state["words"].push(token or b"")

    def __call__(self, logits: torch.Tensor, group: RowGroup) -> torch.Tensor:
        is_short = [row.state["words"].num_words < row.params.min_words for row in group]
        if not any(is_short):
            return logits
        ends = group.token_mask("ends", logits, lambda row: row.end_token_ids)
        ends = ends & torch.tensor(is_short, device=logits.device).unsqueeze(1)
        if group.bitmask is not None:
            others = group.allowed_logits(logits).masked_fill(ends, -torch.inf)
            ends &= ~others.amax(dim=1, keepdim=True).isneginf()
        return logits.masked_fill_(ends, -torch.inf)
