"""`check_values`: refuses values of a GGUF file that have another type or range than they must have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from ..errors import UnsupportedModelError


def _is_size(value: Any) -> bool:
    return _is_integer(value) and value >= 1


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_factor(value: Any) -> bool:
    return isinstance(value, float) and isfinite(value) and value > 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


_KINDS: Mapping[str, tuple[Callable[[Any], bool], tuple[str, ...]]] = {
    "an integer of at least 1": (
        _is_size,
        (
            *("general.alignment", "split.count", "context_length", "embedding_length", "block_count"),
            *("feed_forward_length", "attention.head_count", "attention.head_count_kv", "attention.key_length"),
            *("attention.value_length", "attention.sliding_window", "rope.dimension_count"),
        ),
    ),
    "a number above 0": (
        _is_factor,
        (
            *("attention.layer_norm_rms_epsilon", "rope.freq_base", "rope.scaling.factor"),
            *("attn_logit_softcapping", "final_logit_softcapping"),
        ),
    ),
    "an integer": (
        _is_integer,
        tuple(f"tokenizer.ggml.{name}_token_id" for name in ("bos", "eos", "eot", "eom", "unknown", "padding")),
    ),
    "a text": (
        _is_text,
        ("rope.scaling.type", "tokenizer.ggml.model", "tokenizer.ggml.pre", "tokenizer.chat_template"),
    ),
    "true or false": (
        _is_flag,
        tuple(f"tokenizer.ggml.{name}" for name in ("add_bos_token", "add_eos_token", "add_space_prefix")),
    ),
}
"""Description of allowed values -> (test, keys). Keys of an architecture lack the architecture's name."""


def check_values(path: Path, architecture: str, metadata: Mapping[str, Any]) -> None:
    """Raise UnsupportedModelError for the first value of another type or range. Values not listed are not checked."""
    for kind, (is_right, keys) in _KINDS.items():
        for key in (one for short in keys for one in (short, f"{architecture}.{short}") if one in metadata):
            if not is_right(metadata[key]):
                text = repr(metadata[key])
                shown = text if len(text) <= 60 else f"{text[:60]}..."
                raise UnsupportedModelError(f"{str(path)!r}: {key} = {shown} is not supported: it must be {kind}")
