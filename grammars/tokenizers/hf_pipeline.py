"""Find how a Hugging Face `tokenizers` pipeline spells bytes, from its normalizer, pre-tokenizer, model and decoder.

Two spellings are known. Byte-level: a character for each byte, and a `ByteLevel` decoder. Metaspace: "▁" for a space,
`<0xNN>` tokens for the bytes of unknown characters, and a decoder that starts with `Replace` and `ByteFallback`. A step
that would lose or change text makes the tokenizer unreadable, and the error names the step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import TokenizerError
from .base import TextPreparation, unreadable
from .byte_level import decode_byte_level

_Step = dict[str, Any]

# Pre-tokenizers that only cut a text. A step with behavior="Removed" also drops text and is refused.
_CUTS = frozenset({"Split", "Digits", "Punctuation", "UnicodeScripts", "FixedLength"})
_BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_READABLE_MODELS = ("BPE", "Unigram")


@dataclass(frozen=True)
class TokenSpelling:
    """The meaning of a pipeline's token strings.

    decode: returns the bytes of a token, given its string.
    unnormalize: returns the text that a normalized string came from, except for space marks.
    preparation: the changes that encoding makes to a text first.
    unknown_id: the token for text outside the vocabulary; None when the model has none.
    """

    decode: Callable[[str], bytes]
    unnormalize: Callable[[str], str]
    preparation: TextPreparation
    unknown_id: int | None


def read_spelling(backend: Any) -> TokenSpelling:
    """Return the spelling of a `tokenizers.Tokenizer`. Raises TokenizerError when a step can't be read exactly."""
    has_byte_fallback, unknown_id = _read_model(backend)
    decoders = _steps(backend.decoder, "decoders")
    normalizers = _steps(backend.normalizer, "normalizers")
    pre_tokenizers = _steps(backend.pre_tokenizer, "pretokenizers")
    byte_classes = [step["type"] for step in decoders]
    if byte_classes == ["ByteLevel"]:
        return _byte_level(normalizers, pre_tokenizers, unknown_id)
    if byte_classes[:2] == ["Replace", "ByteFallback"]:
        _check_byte_tokens(backend, has_byte_fallback)
        return _metaspace(decoders, normalizers, pre_tokenizers, unknown_id)
    raise unreadable(
        f"its decoder is {' + '.join(byte_classes) or 'missing'}, not ByteLevel (byte-level) or Replace + ByteFallback "
        "(metaspace with byte fallback)"
    )


def _read_model(backend: Any) -> tuple[bool, int | None]:
    """Return (whether unknown characters fall back to byte tokens, id of the unknown token or None)."""
    model = backend.model
    kind = type(model).__name__
    if kind not in _READABLE_MODELS:
        raise unreadable(f"its model is {kind}, not {' or '.join(_READABLE_MODELS)}")
    for name in ("continuing_subword_prefix", "end_of_word_suffix"):
        if getattr(model, name, None):
            raise unreadable(f"its model marks words with {name}={getattr(model, name)!r}")
    if kind == "Unigram":  # Unigram models have no such attributes
        settings = json.loads(model.__getstate__())
        return bool(settings.get("byte_fallback")), settings["unk_id"]
    return bool(model.byte_fallback), backend.token_to_id(model.unk_token) if model.unk_token else None


def _check_byte_tokens(backend: Any, has_byte_fallback: bool) -> None:
    if not has_byte_fallback:
        raise unreadable("its model has no byte_fallback, so unknown characters are lost")
    missing = [byte for byte in range(256) if backend.token_to_id(f"<0x{byte:02X}>") is None]
    if missing:
        raise unreadable(f"{len(missing)} of the 256 byte tokens are missing, such as <0x{missing[0]:02X}>")


def _byte_level(normalizers: list[_Step], pre_tokenizers: list[_Step], unknown_id: int | None) -> TokenSpelling:
    normalization, is_normalizer_byte_level = "", False
    for step in normalizers:
        if step["type"] == "NFC":
            normalization = "NFC"
        elif step["type"] == "ByteLevel":
            is_normalizer_byte_level = True
        else:
            raise _changes_text("normalizer", step)
    prefix = ""
    num_byte_levels = int(is_normalizer_byte_level)
    for position, step in enumerate(pre_tokenizers):
        if step["type"] == "ByteLevel":
            num_byte_levels += 1
            prefix = _prefix_at(position, step, " " if step["add_prefix_space"] else "")
        else:
            _check_cut(step)
    if num_byte_levels != 1:
        raise unreadable(f"its decoder is ByteLevel, but text passes {num_byte_levels} ByteLevel steps on its way in")
    return TokenSpelling(
        decode=decode_byte_level,
        unnormalize=(lambda token: decode_byte_level(token).decode()) if is_normalizer_byte_level else str,
        preparation=TextPreparation(prefix, is_prefix_optional=bool(prefix), normalization=normalization),
        unknown_id=unknown_id,
    )


def _metaspace(
    decoders: list[_Step], normalizers: list[_Step], pre_tokenizers: list[_Step], unknown_id: int | None
) -> TokenSpelling:
    mark = _metaspace_mark(decoders)
    normalization, has_prepend, is_marked = _read_metaspace_normalizers(normalizers, mark)
    prefix = " " if has_prepend else ""
    is_prefix_optional = False
    for position, step in enumerate(pre_tokenizers):
        if step["type"] != "Metaspace":
            _check_cut(step)
            continue
        if step["replacement"] != mark or (has_prepend and step["prepend_scheme"] != "never"):
            raise _changes_text("pre-tokenizer", step)
        is_marked = True
        if step["prepend_scheme"] != "never":
            prefix, is_prefix_optional = _prefix_at(position, step, " "), True
    if not is_marked:
        raise unreadable(f"its decoder reads {mark!r} as a space, but nothing writes spaces so")
    return TokenSpelling(
        decode=lambda token: _decode_metaspace(token, mark),
        unnormalize=str,
        preparation=TextPreparation(prefix, is_prefix_optional, normalization, space_mark=mark),
        unknown_id=unknown_id,
    )


def _metaspace_mark(decoders: list[_Step]) -> str:
    """Return the space mark. The decoder must be Replace + ByteFallback [+ Fuse [+ Strip of one leading space]]."""
    mark = decoders[0]["pattern"].get("String")
    if not mark or decoders[0]["content"] != " ":
        raise _changes_text("decoder", decoders[0])
    if not _is_readable_ending(decoders[2:]):
        raise unreadable(f"its decoder goes on with {' + '.join(step['type'] for step in decoders[2:])}")
    return str(mark)


def _is_readable_ending(steps: list[_Step]) -> bool:
    """True for no steps, for Fuse, and for Fuse and Strip of at most one space at the start of the whole text."""
    if len(steps) == 2 and steps[1]["type"] == "Strip":
        strip = steps[1]
        return steps[0]["type"] == "Fuse" and (strip["content"], strip["stop"]) == (" ", 0) and strip["start"] <= 1
    return steps in ([], [{"type": "Fuse"}])


def _read_metaspace_normalizers(normalizers: list[_Step], mark: str) -> tuple[str, bool, bool]:
    """Return (Unicode form, whether the steps put a space first, whether the steps mark spaces)."""
    normalization, has_prepend, is_marked = "", False, False
    for step in normalizers:
        if step["type"] == "NFC":
            normalization = "NFC"
        elif step["type"] == "Prepend" and step["prepend"] == mark and not has_prepend:
            has_prepend = True
        elif step == {"type": "Replace", "pattern": {"String": " "}, "content": mark}:
            is_marked = True
        else:
            raise _changes_text("normalizer", step)
    return normalization, has_prepend, is_marked


def _decode_metaspace(token: str, mark: str) -> bytes:
    byte_token = _BYTE_TOKEN.fullmatch(token)
    return bytes([int(byte_token[1], 16)]) if byte_token else token.replace(mark, " ").encode()


def _prefix_at(position: int, step: _Step, prefix: str) -> str:
    if prefix and position > 0:
        raise unreadable(f"its pre-tokenizer {step['type']} puts a space before every piece of a text")
    return prefix


def _check_cut(step: _Step) -> None:
    if step["type"] not in _CUTS or step.get("behavior") == "Removed":
        raise _changes_text("pre-tokenizer", step)


def _steps(component: Any, key: str) -> list[_Step]:
    """Return the flat list of a component's steps, each in the form that it has in tokenizer.json."""
    if component is None:
        return []
    try:
        state = json.loads(component.__getstate__())
    except Exception as error:  # the library raises plain Exception for components written in Python
        raise unreadable(f"its {type(component).__name__} can't be serialised ({error})") from error
    return _flatten(state, key)


def _flatten(step: _Step, key: str) -> list[_Step]:
    return [leaf for inner in step[key] for leaf in _flatten(inner, key)] if step["type"] == "Sequence" else [step]


def _changes_text(component: str, step: _Step) -> TokenizerError:
    settings = ", ".join(f"{key}={value!r}" for key, value in step.items() if key != "type")
    return unreadable(f"its {component} {step['type']}({settings[:80]}) changes or drops text")
