"""Read tiktoken encodings: ranks are bytes already, special tokens have no text, gaps in the ids stay empty."""

from __future__ import annotations

from typing import Any

from .base import ReadTokenizer

_END_OF_TEXT = "<|endoftext|>"


def read_tiktoken(encoding: Any) -> ReadTokenizer:
    """Read a `tiktoken.Encoding`. The end token is `Encoding.eot_token`, when the encoding has <|endoftext|>."""
    special = {name: encoding.encode_single_token(name) for name in encoding.special_tokens_set}
    special_ids = set(special.values())
    tokens = [None if i in special_ids else _token_bytes(encoding, i) for i in range(encoding.n_vocab)]
    ends = {encoding.eot_token} if _END_OF_TEXT in special else set()
    return ReadTokenizer(tokens, frozenset(ends), special)


def _token_bytes(encoding: Any, token_id: int) -> bytes | None:
    try:
        return bytes(encoding.decode_single_token_bytes(token_id)) or None
    except KeyError:
        return None
