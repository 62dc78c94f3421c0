"""`Speller`: bytes that a grammar forces, spelled in the tokens that the model's tokenizer itself would use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from guided.grammars.vocabulary import Vocabulary

MAX_KEPT_SPELLINGS = 4096
_ANCHORS = ("\n", ".", '"')  # put in front for tokenizers that write a space before a text


@dataclass(frozen=True)
class Spelling:
    """Tokens of forced bytes. num_sure: so many of them are the same whatever follows the bytes."""

    token_ids: tuple[int, ...]
    num_sure: int


class Speller:
    """Spells forced bytes for one tokenizer (a `transformers` one) and its vocabulary. Used by one thread.

    A model has seen its tokenizer's spellings only: other tokens for the same bytes are out of its training.
    """

    def __init__(self, tokenizer: Any, vocabulary: Vocabulary) -> None:
        self._tokenizer = tokenizer
        self._tokens = vocabulary.tokens
        self._vocabulary = vocabulary
        self.spell = lru_cache(maxsize=MAX_KEPT_SPELLINGS)(self.spell_anew)

    def spell_once(self, text: bytes) -> tuple[int, ...]:
        """The tokens of the whole characters that `text` begins with. Nothing is kept of it."""
        return self._spell_alone(text)

    def spell_anew(self, forced: bytes) -> Spelling:
        """The tokens of the whole characters that `forced` begins with; none where the tokenizer spells other bytes.

        Nothing is kept of it, other than by `spell`, which is the same.

        Some token of the whole text ends where the bytes end, or goes over their end. What stands before that token is
        spelled as it would be alone (for BPE and for unigram models), so all places are tried where it can begin: a
        token is sure if it is a part of each of these spellings.
        """
        token_ids = self._spell_alone(forced)
        num_sure = len(token_ids)
        for place in self._places_of_longer_tokens(forced):
            before = self._spell_alone(forced[:place])
            pairs = zip(token_ids[:num_sure], before, strict=False)
            num_sure = next((i for i, (one, other) in enumerate(pairs) if one != other), min(num_sure, len(before)))
        return Spelling(token_ids, num_sure)

    def _places_of_longer_tokens(self, forced: bytes) -> list[int]:
        """Where a token can begin that goes over the end of the bytes."""
        tokens, first = self._vocabulary.sorted_tokens, max(0, len(forced) - self._vocabulary.longest_token)
        return [place for place in range(first, len(forced)) if tokens.go_beyond(forced[place:])]

    def _spell_alone(self, forced: bytes) -> tuple[int, ...]:
        text = _whole_characters(forced)
        if not text:
            return ()
        for anchor in ("", *_ANCHORS):
            token_ids = self._encode(anchor + text)
            before = self._encode(anchor) if anchor else []
            spelled = token_ids[len(before) :]
            if token_ids[: len(before)] == before and self._bytes_of(spelled) == text.encode():
                return tuple(spelled)
        return ()

    def _encode(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False))

    def _bytes_of(self, token_ids: list[int]) -> bytes | None:
        """None where one of them has no bytes."""
        tokens = [self._tokens[token_id] for token_id in token_ids]
        return None if None in tokens else b"".join(token or b"" for token in tokens)


def _whole_characters(forced: bytes) -> str:
    """The characters that the bytes begin with; "" where they begin inside of one. A last one that is cut is left."""
    try:
        return forced.decode()
    except UnicodeDecodeError as error:
        return forced[: error.start].decode()
