"""Read `transformers` tokenizers in Python: over a SentencePiece model, or byte-level with a `byte_decoder` table.

Such a class can do anything to a text, so the reader tests its result. Probe texts must encode to tokens that join to
the probe's bytes. A byte-level class must also convert each token to the text that its bytes spell. The reader does not
use the string conversion of `transformers` over SentencePiece, because that leaves byte pieces as "<0x0A>".
"""

from __future__ import annotations

from typing import Any

from .base import ReadTokenizer, TextPreparation, unreadable
from .hf_fast import named_eos_ids, refuse_clean_up
from .sentencepiece_model import parse_model, read_sentencepiece_processor

# Capitals, runs of spaces, control characters, and characters that NFKC, lowercasing or stripping would change.
_PROBES = ('Ab  c\td\n{"x": [1.5, -2, true]}\r\n \u00e9\u03a9\u4e2d\U0001f600\u00a0\ufb01\x07 ', " Lead", "tail ", "\n")


def read_slow_sentencepiece(tokenizer: Any) -> ReadTokenizer:
    """Read a tokenizer with an `sp_model`. Raises TokenizerError if the tokenizer's ids differ from the model's."""
    base = read_sentencepiece_processor(tokenizer.sp_model)
    pieces = [text for text, _ in parse_model(bytes(tokenizer.sp_model.serialized_model_proto())).pieces]
    vocabulary = _strings_by_id(tokenizer)
    added = tokenizer.added_tokens_decoder
    moved = [i for i, piece in enumerate(pieces) if i not in added and vocabulary.get(i) != piece]
    if moved:
        raise unreadable(
            f"id {moved[0]} is {vocabulary.get(moved[0])!r}, but {pieces[moved[0]]!r} in its SentencePiece model"
        )
    unknown_piece = vocabulary.keys() - added.keys() - set(range(len(pieces)))
    if unknown_piece:
        raise unreadable(f"id {min(unknown_piece)} is neither in its SentencePiece model nor an added token")
    return _finish(tokenizer, dict(enumerate(base.tokens)), base.special_tokens, base.preparation)


def read_slow_byte_level(tokenizer: Any) -> ReadTokenizer:
    """Read a tokenizer with a `byte_decoder`, the table from characters to bytes."""
    table: dict[str, int] = tokenizer.byte_decoder
    if sorted(table.values()) != list(range(256)):
        raise unreadable("its byte_decoder does not map characters to the 256 bytes, one to one")
    added = tokenizer.added_tokens_decoder
    for token in added.values():
        if not token.special and set(token.content) <= table.keys() and not token.content.isascii():
            raise unreadable(f"added token {token.content!r} is spelled like bytes in its byte_decoder")
    tokens: dict[int, bytes | None] = {
        token_id: _decode_checked(tokenizer, string, table)
        for token_id, string in _strings_by_id(tokenizer).items()
        if token_id not in added
    }
    prefix = " " if getattr(tokenizer, "add_prefix_space", False) else ""
    return _finish(tokenizer, tokens, {}, TextPreparation(prefix, is_prefix_optional=bool(prefix)))


def _finish(
    tokenizer: Any, by_id: dict[int, bytes | None], special_tokens: dict[str, int], preparation: TextPreparation
) -> ReadTokenizer:
    """Add the special and added tokens to the model's own, then test the result on the probes."""
    refuse_clean_up(tokenizer)
    added = tokenizer.added_tokens_decoder
    named = set(tokenizer.all_special_ids)
    special = special_tokens | {token.content: i for i, token in added.items() if token.special or i in named}
    plain = {token.content: i for i, token in added.items() if i not in special.values()}
    for text, token_id in plain.items():
        token = preparation.read_marks(text).encode()
        if by_id.get(token_id, token) != token:
            raise unreadable(f"added token {text!r} (id {token_id}) also stands for {by_id[token_id]!r}")
        by_id[token_id] = token
    by_id |= dict.fromkeys(special.values())
    tokens = [by_id.get(token_id) or None for token_id in range(max(by_id, default=-1) + 1)]
    read = ReadTokenizer(tokens, named_eos_ids(tokenizer), special, plain, preparation)
    _check_probes(tokenizer, read)
    return read


def _check_probes(tokenizer: Any, read: ReadTokenizer) -> None:
    for probe in _PROBES:
        token_ids = tokenizer.encode(probe, add_special_tokens=False)
        joined = b"".join(read.tokens[token_id] or b"" for token_id in token_ids)
        if joined != read.preparation.apply(probe).encode():
            raise unreadable(f"encoding the text {probe!r} gives tokens that join to {joined!r}")


def _strings_by_id(tokenizer: Any) -> dict[int, str]:
    return {token_id: string for string, token_id in tokenizer.get_vocab().items()}


def _decode_checked(tokenizer: Any, string: str, table: dict[str, int]) -> bytes:
    try:
        token = bytes(map(table.__getitem__, string))
    except KeyError as error:
        raise unreadable(f"token {string!r} has a character that its byte_decoder lacks") from error
    try:
        text = token.decode()
    except UnicodeDecodeError:  # part of a character: converts to a replacement character or an error
        return token
    converted = tokenizer.convert_tokens_to_string([string])
    if converted != text:
        raise unreadable(f"token {string!r} is {token!r} by its byte_decoder, but converts to the text {converted!r}")
    return token
