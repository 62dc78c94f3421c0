"""The result of reading a tokenizer: its tokens' bytes, and the changes that it makes to a text before cutting it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from ..errors import TokenizerError

SPACE_MARK = "\u2581"
"""The character that SentencePiece-style tokenizers write for a space ("▁")."""


@dataclass(frozen=True)
class TextPreparation:
    """The changes that a tokenizer makes to a text before it cuts the text into tokens. The default changes nothing.

    Only encoding changes texts. A generated token always stands for the bytes in `ReadTokenizer.tokens`. The `decode`
    of many tokenizers drops a leading space of a text, but the engine never strips a prefix.

    prefix: " " when the tokenizer puts a space before a text ("Hello" becomes " Hello"), else "". Some tokenizers
        repeat the prefix after each added token inside the text; `apply` expects a text without added tokens.
    is_prefix_optional: True if a text that starts with a space gets no prefix, so that "a" and " a" give the same
        tokens.
    normalization: "NFC" when the tokenizer first brings a text into this canonically equivalent Unicode form, else "".
    space_mark: the character that the tokenizer writes for a space, and so reads as a space; "" for none.
    """

    prefix: str = ""
    is_prefix_optional: bool = False
    normalization: str = ""
    space_mark: str = ""

    def apply(self, text: str) -> str:
        """Return the text whose UTF-8 bytes are exactly the joined bytes of the tokens of `text`.

        text: plain text. Special tokens in it would stand for no text, and added tokens may drop the spaces beside them
            (`lstrip`, `rstrip`). The Unigram model of `tokenizers` reads a literal "<0x41>" as that byte token.
        """
        if self.normalization == "NFC":
            text = unicodedata.normalize("NFC", text)
        text = self.read_marks(text)
        if not text or (self.is_prefix_optional and text.startswith(" ")):
            return text
        return self.prefix + text

    def read_marks(self, text: str) -> str:
        """Replace each space mark by a space."""
        return text.replace(self.space_mark, " ") if self.space_mark else text


@dataclass(frozen=True)
class ReadTokenizer:
    """The tokens of one tokenizer.

    tokens: for each id the bytes that the token stands for wherever it is generated. None for tokens without text:
        special tokens, the unknown token, unused ids.
    eos_token_ids: the ids that the tokenizer itself names as the end of a text; empty when it names none.
    special_tokens: name -> id of the special tokens.
    added_tokens: text -> id of the tokens that stand for a text and were added after training.
    preparation: the changes that encoding makes to a text first.
    """

    tokens: list[bytes | None]
    eos_token_ids: frozenset[int]
    special_tokens: dict[str, int]
    added_tokens: dict[str, int] = field(default_factory=dict)
    preparation: TextPreparation = TextPreparation()


def unreadable(reason: str) -> TokenizerError:
    """Make the error for a tokenizer whose tokens' bytes are not known for certain."""
    return TokenizerError(f"tokenizer can't be read exactly: {reason}")
