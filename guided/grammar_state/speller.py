"""`TokenSpeller`: spells bytes that a grammar forces in the tokens that the model's tokenizer would use."""

from __future__ import annotations

import threading
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from guided.grammars.vocabulary import Vocabulary

MAX_KEPT_SPELLINGS = 4096
_ANCHORS = ("\n", ".", '"')  # texts to put in front, for tokenizers that add a space before a text


@dataclass(frozen=True)
class SpelledBytes:
    """The tokens of forced bytes. num_sure: number of leading tokens that do not depend on the text after the bytes."""

    token_ids: tuple[int, ...]
    num_sure: int


class TokenSpeller:
    """Spells forced bytes with one tokenizer of `transformers`. Threads may share it.

    Training shows a model only its tokenizer's spellings, not other tokens for the same bytes.

    Attributes:
    spell: a function of forced bytes, with a cache. Returns the spelling of the whole characters at their beginning,
        without tokens if the tokenizer can't spell them.
    """

    def __init__(self, tokenizer: Any, vocabulary: Vocabulary) -> None:
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._tokens = vocabulary.tokens
        self._vocabulary = vocabulary
        self.spell = lru_cache(maxsize=MAX_KEPT_SPELLINGS)(self._spell_anew)

    def for_one_text(self) -> TokenSpeller:
        """A speller with a cache of its own. The forced bytes of the text are forgotten with it.

        The new cache calls this speller, not the new one. So there is no cycle of references, and the cache is freed as
        soon as its text is.
        """
        own = copy(self)
        own.spell = lru_cache(maxsize=MAX_KEPT_SPELLINGS)(self._spell_anew)
        return own

    def _spell_anew(self, forced: bytes) -> SpelledBytes:
        """The spelling of the whole characters at the beginning of `forced`. Empty if the tokenizer can't spell them.

        Some token of the final text ends where the bytes end, or goes beyond their end. The part before that token is
        spelled as it would be alone, with BPE and unigram models. The method tries each position where such a token can
        begin. A token is sure if all these spellings have it.
        """
        token_ids = self.spell_once(forced)
        num_sure = len(token_ids)
        for place in self._places_of_longer_tokens(forced):
            before = self.spell_once(forced[:place])
            pairs = zip(token_ids[:num_sure], before, strict=False)
            num_sure = next((i for i, (one, other) in enumerate(pairs) if one != other), min(num_sure, len(before)))
        return SpelledBytes(token_ids, num_sure)

    def _places_of_longer_tokens(self, forced: bytes) -> list[int]:
        """The positions where a token can begin that goes beyond the end of the bytes."""
        tokens, first = self._vocabulary.sorted_tokens, max(0, len(forced) - self._vocabulary.longest_token)
        return [place for place in range(first, len(forced)) if tokens.go_beyond(forced[place:])]

    def spell_once(self, bytes_: bytes) -> tuple[int, ...]:
        """The tokens of the whole characters at the beginning of some bytes. Empty if the tokenizer can't spell them.

        The result is not cached, and does not depend on a text after the bytes.
        """
        text = _whole_characters(bytes_)
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
        with self._lock:
            return list(self._tokenizer.encode(text, add_special_tokens=False))

    def _bytes_of(self, token_ids: list[int]) -> bytes | None:
        """The bytes of tokens; None if a token has no bytes."""
        tokens = [self._tokens[token_id] for token_id in token_ids]
        return None if None in tokens else b"".join(token or b"" for token in tokens)


def _whole_characters(forced: bytes) -> str:
    """The whole characters at the beginning of the bytes, without a cut character at the end. "" if the bytes begin
    inside a character.
    """
    try:
        return forced.decode()
    except UnicodeDecodeError as error:
        return forced[: error.start].decode()
