"""Read SentencePiece models: BPE or Unigram pieces with byte fallback, from the serialised `ModelProto`.

The input is the bytes of a `.model` file or of `SentencePieceProcessor.serialized_model_proto()`. Models that lose text
are refused: those without byte fallback (unknown characters), with a normalisation table (NFKC and the like) or with
collapsed whitespace.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..errors import TokenizerError
from .base import SPACE_MARK, ReadTokenizer, TextPreparation
from .protobuf import read_fields

# Field numbers of sentencepiece_model.proto.
_PIECES, _TRAINER_SPEC, _NORMALIZER_SPEC, _DENORMALIZER_SPEC = 1, 2, 3, 5
_PIECE_TEXT, _PIECE_TYPE = 1, 3
_NORMAL, _UNKNOWN, _CONTROL, _BYTE = 1, 2, 3, 6
_MODEL_TYPES = {1: "unigram", 2: "bpe", 3: "word", 4: "char"}
_READABLE_TYPES = ("unigram", "bpe")


@dataclass
class SentencePieceModel:
    """The parts of a `ModelProto` that decide about bytes. The defaults are the format's.

    pieces: (text, type) by id.
    """

    pieces: list[tuple[str, int]] = field(default_factory=list)
    model_type: str = "unigram"
    eos_piece: str = "</s>"
    has_byte_fallback: bool = False
    has_whitespace_suffix: bool = False
    has_charsmap: bool = False
    has_charsmap_back: bool = False
    has_dummy_prefix: bool = True
    removes_whitespaces: bool = True
    escapes_whitespaces: bool = True


def parse_model(data: bytes) -> SentencePieceModel:
    """Parse a model. Raises TokenizerError when `data` is no SentencePiece model."""
    model = SentencePieceModel()
    try:
        for number, value in read_fields(data):
            if number == _PIECES:
                model.pieces.append(_parse_piece(_message(value)))
            elif number in _SPECS:
                _parse_spec(model, number, _message(value))
    except ValueError as error:
        raise TokenizerError(f"not a SentencePiece model: {error}") from error
    if not model.pieces:
        raise TokenizerError("not a SentencePiece model: it holds no pieces")
    return model


def read_sentencepiece_model(data: bytes) -> ReadTokenizer:
    """Read a serialised model. Raises TokenizerError when encoding would lose text."""
    model = parse_model(data)
    _refuse_lossy(model)
    tokens = [_piece_bytes(text, kind) for text, kind in model.pieces]
    missing = set(range(256)) - {
        token[0] for token, (_, kind) in zip(tokens, model.pieces, strict=True) if kind == _BYTE and token
    }
    if missing:
        raise TokenizerError(
            f"SentencePiece model has no byte piece for {len(missing)} of the 256 bytes, such as <0x{min(missing):02X}>"
        )
    special = {text: token_id for token_id, (text, _) in enumerate(model.pieces) if tokens[token_id] is None}
    ends = {i for i, piece in enumerate(model.pieces) if piece == (model.eos_piece, _CONTROL)}
    preparation = TextPreparation(prefix=" " if model.has_dummy_prefix else "", space_mark=SPACE_MARK)
    return ReadTokenizer(tokens, frozenset(ends), special, preparation=preparation)


def read_sentencepiece_processor(tokenizer: Any) -> ReadTokenizer:
    """Read a `sentencepiece.SentencePieceProcessor`."""
    return read_sentencepiece_model(bytes(tokenizer.serialized_model_proto()))


def _parse_piece(data: bytes) -> tuple[str, int]:
    text, kind = b"", _NORMAL
    for number, value in read_fields(data):
        if number == _PIECE_TEXT:
            text = _message(value)
        elif number == _PIECE_TYPE:
            kind = _integer(value)
    return text.decode(), kind


def _parse_spec(model: SentencePieceModel, number: int, data: bytes) -> None:
    """Copy the fields of one spec into the model."""
    fields = _SPECS[number]
    for field_number, value in read_fields(data):
        if field_number in fields:
            name, read = fields[field_number]
            setattr(model, name, read(value))


def _model_type(value: int | bytes) -> str:
    return _MODEL_TYPES.get(_integer(value), f"number {value!r}")


def _text(value: int | bytes) -> str:
    return _message(value).decode()


def _message(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise ValueError("a number stands where a message is expected")
    return value


def _integer(value: int | bytes) -> int:
    if isinstance(value, bytes):
        raise ValueError("a message stands where a number is expected")
    return value


_SPECS: dict[int, dict[int, tuple[str, Callable[[int | bytes], object]]]] = {
    _TRAINER_SPEC: {
        3: ("model_type", _model_type),
        24: ("has_whitespace_suffix", bool),
        35: ("has_byte_fallback", bool),
        47: ("eos_piece", _text),
    },
    _NORMALIZER_SPEC: {
        2: ("has_charsmap", bool),
        3: ("has_dummy_prefix", bool),
        4: ("removes_whitespaces", bool),
        5: ("escapes_whitespaces", bool),
    },
    _DENORMALIZER_SPEC: {2: ("has_charsmap_back", bool)},
}
"""Number of a spec -> number of a field in it -> (attribute of the model, function that reads the value)."""


def _refuse_lossy(model: SentencePieceModel) -> None:
    reasons = {
        f"its type is {model.model_type}, not {' or '.join(_READABLE_TYPES)}": model.model_type not in _READABLE_TYPES,
        "it has no byte fallback, so unknown characters are lost": not model.has_byte_fallback,
        "its normalisation table changes characters": model.has_charsmap or model.has_charsmap_back,
        "it removes extra whitespace": model.removes_whitespaces,
        "it marks a space after a word, not before": model.has_whitespace_suffix,
        "it does not mark spaces": not model.escapes_whitespaces,
    }
    for reason, holds in reasons.items():
        if holds:
            raise TokenizerError(f"SentencePiece model can't be read exactly: {reason}")


def _piece_bytes(text: str, kind: int) -> bytes | None:
    if kind in (_UNKNOWN, _CONTROL):
        return None
    if kind == _BYTE:
        return bytes([int(text[3:5], 16)])
    return text.replace(SPACE_MARK, " ").encode() or None
