"""Token bytes to text, one token at a time: a character that several tokens share appears when its last byte does."""

from __future__ import annotations

import codecs
from collections.abc import Iterable

from guided.grammars.vocabulary import Vocabulary


class Detokenizer:
    """The text of one output, grown token by token from the exact bytes of each token.

    An unfinished character is held back; if the output ends inside it, it is left out of the text (its tokens are not
    lost: they are in the token ids). Bytes that can't start or continue any character become U+FFFD, one for each
    invalid sequence as Python's "replace" does. Tokens without text (special tokens) add nothing.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._tokens = vocabulary.tokens
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, token_id: int) -> str:
        """Take one more token; returns the characters that it completes, often one word, sometimes ""."""
        return self._decoder.decode(self._tokens[token_id] or b"")


def decode_tokens(vocabulary: Vocabulary, token_ids: Iterable[int]) -> str:
    """The text of a whole output; the same as joining what a `Detokenizer` gives for each token."""
    detokenizer = Detokenizer(vocabulary)
    return "".join(detokenizer.push(token_id) for token_id in token_ids)
