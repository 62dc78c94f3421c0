"""What reading a tokenizer gives: the bytes of its tokens, and what it does to a text before cutting it into tokens."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from ..errors import TokenizerError

SPACE_MARK = "\u2581"
"""The character that SentencePiece-style tokenizers write for a space ("▁")."""


@dataclass(frozen=True)
class TextPreparation:
    """How a tokenizer changes a text before it cuts it into tokens. The default changes nothing.

    This concerns encoding only. A generated token always stands for the bytes listed in `ReadTokenizer.tokens`; no
    prefix is ever taken off them, although the `decode` of many tokenizers drops one leading space of a text.

    prefix: " " where the tokenizer puts a space before a text ("Hello" becomes " Hello"), else "". Some tokenizers do
        it again after each added token inside the text, some only at the start; `apply` takes a text without such.
    is_prefix_optional: the prefix is left out where the text already starts with a space, so "a" and " a" are one to
        the tokenizer.
    normalization: "NFC" where the text is first brought into this canonically equivalent Unicode form, else "".
    space_mark: the character that the tokenizer writes for a space, so that it reads this character as a space; or "".
    """

    prefix: str = ""
    is_prefix_optional: bool = False
    normalization: str = ""
    space_mark: str = ""

    def apply(self, text: str) -> str:
        """The text whose UTF-8 bytes are exactly the joined bytes of the tokens that `text` is encoded to.

        `text` is taken to be plain: special tokens in it stand for no text, added ones may drop the spaces beside them
        (`lstrip`, `rstrip`), and the Unigram model of `tokenizers` reads a literal "<0x41>" as that byte token.
        """
        if self.normalization == "NFC":
            text = unicodedata.normalize("NFC", text)
        text = self.read_marks(text)
        if not text or (self.is_prefix_optional and text.startswith(" ")):
            return text
        return self.prefix + text

    def read_marks(self, text: str) -> str:
        """The text with each space mark read as the space that it stands for."""
        return text.replace(self.space_mark, " ") if self.space_mark else text


@dataclass(frozen=True)
class ReadTokenizer:
    """The tokens of one tokenizer.

    tokens: for each id the bytes that the token stands for wherever it is generated, or None where it stands for no
        text: special tokens, the unknown token, ids that no token uses.
    eos_token_ids: the ids that the tokenizer itself names as the end of a text; empty when it names none.
    special_tokens: name -> id of the special tokens.
    added_tokens: text -> id of the tokens that were added beside the trained ones and do stand for a text.
    preparation: what encoding does to a text first.
    """

    tokens: list[bytes | None]
    eos_token_ids: frozenset[int]
    special_tokens: dict[str, int]
    added_tokens: dict[str, int] = field(default_factory=dict)
    preparation: TextPreparation = TextPreparation()


def unreadable(reason: str) -> TokenizerError:
    """The error for a tokenizer whose tokens' bytes are not known for certain."""
    return TokenizerError(f"tokenizer can't be read exactly: {reason}")
