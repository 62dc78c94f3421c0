"""`Vocabulary`: the exact bytes of every token of a model, and the tokens that end a text.

`Vocabulary.from_tokenizer` takes any tokenizer object that `guided.grammars.tokenizers` can read. `from_file` reads
tekken and SentencePiece files. The constructor takes tokens known otherwise. A vocabulary holds no tokenizer: the
tokenizer's own library encodes texts.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .cached import cached_property
from .errors import InvalidInputError, TokenizerError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .bitset import Bitmask
    from .sorted_tokens import SortedTokens
    from .spelling import Spelling
    from .tokenizers import ReadTokenizer

# All bytes that can occur in UTF-8 text (RFC 3629).
_UTF8_BYTES = frozenset(range(0x100)) - {0xC0, 0xC1, *range(0xF5, 0x100)}


class Vocabulary:
    """The token ids 0 .. size - 1 of one model.

    Two vocabularies are equal if their tokens, end ids and sizes are; `fingerprint` is a hash of these. Names of
    special tokens change no mask of a compiled grammar. Only the compilation of a grammar that names tokens uses the
    names.

    Args:
        tokens: the exact bytes of each id. None for an id that stands for no text: special tokens, and padding ids that
            no tokenizer entry uses.
        eos_token_ids: every id that ends a text; each must stand for no text (None in `tokens`).
        special_tokens: name -> id of the tokens without text, named as the tokenizer writes them ("<|im_end|>").
            Structural tags and EBNF grammars use these names.
        size: the model's width (`logits.shape[-1]`), at least len(tokens). Ids past the tokenizer are padding and never
            allowed. None: len(tokens).

    Raises:
        InvalidInputError: for a size or an end id that does not fit the tokens.
    """

    def __init__(
        self,
        tokens: Sequence[bytes | None],
        eos_token_ids: Iterable[int],
        special_tokens: dict[str, int] | None = None,
        size: int | None = None,
    ) -> None:
        self.size = len(tokens) if size is None else size
        if self.size < len(tokens):
            raise InvalidInputError(
                f"vocab_size {self.size} is smaller than the tokenizer's {len(tokens)} tokens; "
                "pass the model's logits width"
            )
        self.tokens: tuple[bytes | None, ...] = tuple(tokens) + (None,) * (self.size - len(tokens))
        self.eos_token_ids = frozenset(eos_token_ids)
        self.special_tokens = dict(special_tokens or {})
        if b"" in self.tokens:
            raise InvalidInputError(f"token {self.tokens.index(b'')} is b''; a token without text is None")
        for token_id in sorted(self.eos_token_ids):
            if not 0 <= token_id < self.size:
                raise InvalidInputError(
                    f"end-of-sequence id {token_id} is outside the vocabulary of {self.size} tokens"
                )
            if self.tokens[token_id] is not None:
                raise InvalidInputError(
                    f"end-of-sequence id {token_id} stands for the text {self.tokens[token_id]!r}; "
                    "only special tokens can end a text"
                )

    @classmethod
    def from_tokenizer(
        cls, tokenizer: Any, vocab_size: int | None = None, eos_token_ids: Iterable[int] | None = None
    ) -> Vocabulary:
        """The vocabulary of a tokenizer object.

        Args:
            tokenizer: a `transformers` fast or slow tokenizer, a `tokenizers.Tokenizer`, a `tiktoken.Encoding`, a
                `mistral_common` tekken or SentencePiece tokenizer, or a `sentencepiece.SentencePieceProcessor`.
            vocab_size: the model's logits width where it is padded beyond the tokenizer.
            eos_token_ids: replaces the ids that the tokenizer names (models can have several). An added token named
                here ends the text, so it stands for no text in this vocabulary.

        Raises:
            TokenizerError: when the bytes of any token can't be determined exactly, or when nothing names an
                end-of-sequence token.
            InvalidInputError: when vocab_size or eos_token_ids do not fit the tokenizer.
        """
        from .tokenizers import read_tokenizer

        return cls._from_read(read_tokenizer(tokenizer), vocab_size, eos_token_ids)

    @classmethod
    def from_file(
        cls, path: str | os.PathLike[str], vocab_size: int | None = None, eos_token_ids: Iterable[int] | None = None
    ) -> Vocabulary:
        """The vocabulary of a tokenizer.json (byte-pair encodings), a tekken or a SentencePiece file; needs no library.

        Args:
            path: the file.
            vocab_size: see `from_tokenizer`.
            eos_token_ids: see `from_tokenizer`.

        Raises:
            TokenizerError: if there is no such file, and see `from_tokenizer`.
        """
        from .tokenizers import read_tokenizer_file

        return cls._from_read(read_tokenizer_file(path), vocab_size, eos_token_ids)

    @classmethod
    def _from_read(cls, read: ReadTokenizer, vocab_size: int | None, eos_token_ids: Iterable[int] | None) -> Vocabulary:
        ends = read.eos_token_ids if eos_token_ids is None else frozenset(eos_token_ids)
        if not ends:
            raise TokenizerError(
                "the tokenizer names no end-of-sequence token; pass eos_token_ids=[...] with the model's"
            )
        tokens, special_tokens = list(read.tokens), dict(read.special_tokens)
        for text, token_id in read.added_tokens.items():
            if token_id in ends:
                tokens[token_id] = None
                special_tokens[text] = token_id
        return cls(tokens, ends, special_tokens, vocab_size)

    def join(self, token_ids: Iterable[int]) -> bytes:
        """Return the bytes of a text given as tokens; tokens that stand for no text add nothing.

        Args:
            token_ids: the text's tokens.

        Raises:
            InvalidInputError: for an id outside the vocabulary.
        """
        token_ids = list(token_ids)
        if token_ids and not 0 <= min(token_ids) <= max(token_ids) < self.size:
            outside = next(token_id for token_id in token_ids if not 0 <= token_id < self.size)
            raise InvalidInputError(f"token id {outside} is outside the vocabulary of {self.size} tokens")
        return b"".join(self.tokens[token_id] or b"" for token_id in token_ids)

    def written(self, token_id: int) -> bytes:
        """Return the bytes of `token_id`, or a special token's name as bytes; b"" if it has neither."""
        return self.tokens[token_id] or self.names.get(token_id, b"")

    @cached_property
    def names(self) -> dict[int, bytes]:
        """Token id -> name as bytes, for the special tokens."""
        return {token_id: name.encode() for name, token_id in self.special_tokens.items()}

    @cached_property
    def first_bytes(self) -> NDArray[np.int16]:
        """The first byte of each token, int16 (size,); -1 for tokens without text."""
        import numpy as np

        return np.array([-1 if token is None else token[0] for token in self.tokens], dtype=np.int16)

    @cached_property
    def text_token_ids(self) -> frozenset[int]:
        """Ids that may occur in a text: tokens with text and special tokens, without the ids that end a text."""
        with_text = [token_id for token_id, token in enumerate(self.tokens) if token is not None]
        return frozenset([*with_text, *self.special_tokens.values()]) - self.eos_token_ids

    @cached_property
    def end_row(self) -> Bitmask:
        """Mask row of the ids that end a text, int32 (W,), read-only."""
        from .bitset import pack_token_ids

        row = pack_token_ids(sorted(self.eos_token_ids), self.size)
        row.flags.writeable = False
        return row

    @cached_property
    def longest_token(self) -> int:
        """Length of the longest token in bytes; 0 if no token stands for text."""
        return max(map(len, filter(None, self.tokens)), default=0)

    @cached_property
    def sorted_tokens(self) -> SortedTokens:
        """The tokens sorted by their bytes. Sorted once, then shared by all callers."""
        from .sorted_tokens import SortedTokens

        return SortedTokens(self.tokens)

    @cached_property
    def byte_ids(self) -> dict[bytes, int]:
        """Byte -> the first token that is exactly this byte, for every byte that has such a token."""
        found = {bytes([byte]): self.sorted_tokens.ids_of(bytes([byte])) for byte in range(0x100)}
        return {byte: token_ids[0] for byte, token_ids in found.items() if token_ids}

    @cached_property
    def missing_bytes(self) -> frozenset[int]:
        """Bytes of UTF-8 text that no single-byte token spells; empty in most vocabularies.

        If the set is empty, every text can be spelled from every place in it. Otherwise a text may need tokens that
        do not exist: some byte-level tokenizers (SmolLM2's) lack rare bytes.
        """
        return _UTF8_BYTES - {byte[0] for byte in self.byte_ids}

    @cached_property
    def spelling(self) -> Spelling | None:
        """The characters that the tokens can spell; None if they can spell every text."""
        from .spelling import Spelling

        return Spelling(self.tokens) if self.missing_bytes else None

    @cached_property
    def of_whole_texts(self) -> Vocabulary:
        """The vocabulary without the tokens in `spelling.dead`; the same object if there are none."""
        if self.spelling is None or not self.spelling.dead:
            return self
        tokens = [None if token_id in self.spelling.dead else token for token_id, token in enumerate(self.tokens)]
        return Vocabulary(tokens, self.eos_token_ids, self.special_tokens)

    @cached_property
    def fingerprint(self) -> str:
        """Hex SHA-256 over the tokens' bytes, the end ids and the size."""
        digest = hashlib.sha256()
        for token in self.tokens:
            digest.update(b"\xff\xff\xff\xff" if token is None else len(token).to_bytes(4, "little") + token)
        digest.update(repr((self.size, sorted(self.eos_token_ids))).encode())
        return digest.hexdigest()

    @cached_property
    def special_fingerprint(self) -> str:
        """Hex SHA-256 over the names and ids of the special tokens, which `fingerprint` leaves out."""
        return hashlib.sha256(repr(sorted(self.special_tokens.items())).encode()).hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the constructor's arguments, none of the cached properties."""
        return Vocabulary, (self.tokens, self.eos_token_ids, self.special_tokens)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return f"Vocabulary(size={self.size}, eos_token_ids={sorted(self.eos_token_ids)})"
