"""Token bytes to text, one token at a time: a character that several tokens share appears when its last byte does."""

from __future__ import annotations

import codecs
from collections.abc import Iterable

from guided.grammars.vocabulary import Vocabulary


class Detokenizer:
    """The text of one output, grown token by token from the exact bytes of each token.

    An unfinished character is held back; if the output ends inside it, it is left out of the text (its tokens are not
    lost: they are in the token ids). Bytes that can't start or continue any character become U+FFFD, one for each
    invalid sequence as Python's "replace" does.

    skips_special: tokens without text add nothing; False: those that have a name add it.
    spaces_special: put a space between such a name and whatever stands next to it.
    """

    def __init__(self, vocabulary: Vocabulary, *, skips_special: bool = True, spaces_special: bool = False) -> None:
        self._tokens = vocabulary.tokens
        self._names = {} if skips_special else vocabulary.names
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._spaces_special = spaces_special
        self._is_first = True
        self._follows_name = False

    def push(self, token_id: int, *, is_end: bool = False) -> str:
        """Take one more token; returns the characters that it completes, often one word, sometimes "".

        is_end: it ends the text, so that its name is no part of it.
        """
        token = self._tokens[token_id]
        is_name = token is None
        if token is None:
            token = b"" if is_end else self._names.get(token_id, b"")
        if self._spaces_special and token:
            is_apart = not self._is_first and (is_name or self._follows_name)
            self._is_first, self._follows_name = False, is_name
            token = b" " + token if is_apart else token
        return self._decoder.decode(token)


def decode_tokens(vocabulary: Vocabulary, token_ids: Iterable[int]) -> str:
    """The text of a whole output; the same as joining what a `Detokenizer` gives for each token."""
    detokenizer = Detokenizer(vocabulary)
    return "".join(detokenizer.push(token_id) for token_id in token_ids)
