"""What an extraction comes to as a record of JSON: the data, and how they came about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .confidence import FieldConfidence
from .extraction import Extraction


def to_record(source: str, extraction: Extraction[Any]) -> dict[str, Any]:
    """One JSON line. source: the text's name."""
    completion = extraction.completion
    confidence = {} if extraction.confidence is None else {"confidence": _rounded(extraction.confidence)}
    return {
        "source": source,
        "data": extraction.data,
        "valid": extraction.is_valid,
        "error": None if extraction.error is None else str(extraction.error),
        "tokens": completion.num_tokens,
        "forced_tokens": completion.num_forced_tokens,
        "tokens_per_s": round(completion.tokens_per_s, 1),
        **confidence,
    }


def _rounded(confidence: Mapping[str, FieldConfidence]) -> dict[str, dict[str, float | None]]:
    fields = ("raw", "processed", "masked_mass")
    return {pointer: {name: _round(getattr(one, name)) for name in fields} for pointer, one in confidence.items()}


def _round(share: float | None) -> float | None:
    return None if share is None else round(share, 4)
