"""Choose the reader for a tokenizer object or file.

An object's attributes show its family, so that no tokenizer library has to be imported.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import TokenizerError
from .base import ReadTokenizer
from .hf_fast import read_backend, read_fast
from .hf_json import read_json
from .hf_slow import read_slow_byte_level, read_slow_sentencepiece
from .mistral import read_mistral, read_tekken_file
from .sentencepiece_model import read_sentencepiece_model, read_sentencepiece_processor
from .tiktoken_encoding import read_tiktoken

_Reader = Callable[[Any], ReadTokenizer]

# Family, an attribute (dotted) that only its tokenizers have, reader. The first family with its attribute reads.
_FAMILIES: tuple[tuple[str, str, _Reader], ...] = (
    ("transformers fast", "backend_tokenizer", read_fast),
    ("tokenizers.Tokenizer", "get_added_tokens_decoder", read_backend),
    ("transformers over mistral_common", "tokenizer.instruct_tokenizer", read_mistral),
    ("mistral_common MistralTokenizer", "instruct_tokenizer", read_mistral),
    ("mistral_common tekken", "id_to_byte_piece", read_mistral),
    ("mistral_common SentencePiece", "_model.serialized_model_proto", read_mistral),
    ("sentencepiece.SentencePieceProcessor", "serialized_model_proto", read_sentencepiece_processor),
    ("transformers slow over SentencePiece", "sp_model.serialized_model_proto", read_slow_sentencepiece),
    ("transformers slow byte-level", "byte_decoder", read_slow_byte_level),
    ("tiktoken.Encoding", "decode_single_token_bytes", read_tiktoken),
)


def read_tokenizer(tokenizer: Any) -> ReadTokenizer:
    """Return the exact bytes of a tokenizer object's tokens.

    Raises TokenizerError when no reader knows the object, or when its bytes can't be determined exactly.
    """
    if isinstance(tokenizer, type):
        raise TokenizerError(f"{tokenizer.__name__} is a class; pass a tokenizer of that class")
    if isinstance(tokenizer, str | os.PathLike):
        raise TokenizerError(f"{os.fspath(tokenizer)!r} is a path; load the tokenizer, or use Vocabulary.from_file")
    for _, attribute, reader in _FAMILIES:
        if _has(tokenizer, attribute):
            return reader(tokenizer)
    known = ", ".join(family for family, _, _ in _FAMILIES)
    raise TokenizerError(f"can't read a tokenizer of type {type(tokenizer).__name__} (known: {known})")


def read_tokenizer_file(path: str | os.PathLike[str]) -> ReadTokenizer:
    """Read a tokenizer.json, a tekken JSON file or a SentencePiece model file; the content tells them apart.

    Raises TokenizerError when the file is missing, is none of them, or can't be read exactly.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise TokenizerError(f"can't read the tokenizer file {os.fspath(path)!r}: {error.strerror}") from error
    try:
        return _read_json(data) if data.startswith(b"{") else read_sentencepiece_model(data)
    except TokenizerError as error:
        raise TokenizerError(f"{os.fspath(path)}: {error}") from error


def _read_json(data: bytes) -> ReadTokenizer:
    try:
        content = json.loads(data)
        if "added_tokens" in content:
            return read_json(content)
        return read_tekken_file(content)
    except TokenizerError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise TokenizerError(f"not a tekken JSON file: {type(error).__name__}: {error}") from error


def _has(tokenizer: Any, attribute: str) -> bool:
    for name in attribute.split("."):
        tokenizer = getattr(tokenizer, name, None)
        if tokenizer is None:
            return False
    return True
