"""`Detokenizer`: turns tokens into text, one token at a time. A character appears with the token that has its last
byte.
"""

from __future__ import annotations

import codecs

from guided.grammars.vocabulary import Vocabulary


class Detokenizer:
    """The text of one output, made from the exact bytes of its tokens.

    An unfinished character is held back. If the output ends inside a character, the text does not have it; its tokens
    are still in the token ids. Bytes that can't start or continue a character become U+FFFD, one for each invalid
    sequence, as with Python's "replace".

    vocabulary: the tokens.
    skips_special: True (default): special tokens add no text; False: they add their names.
    spaces_special: True: spaces separate the names of special tokens from their neighbours. Default: False.
    """

    def __init__(self, vocabulary: Vocabulary, *, skips_special: bool = True, spaces_special: bool = False) -> None:
        self._tokens = vocabulary.tokens
        self._names = {} if skips_special else vocabulary.names
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._spaces_special = spaces_special
        self._is_first = True
        self._follows_name = False

    def push(self, token_id: int, *, is_end: bool = False) -> str:
        """Take one more token. Returns the characters that it completes; "" if none.

        is_end: True: the token ends the text, so its name is not added.
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
