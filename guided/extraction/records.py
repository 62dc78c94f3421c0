"""An extraction as a JSON record: the data, and facts about how it was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .confidence import FieldConfidence
from .extraction import Candidate, Extraction


def to_record(source: str, extraction: Extraction[Any]) -> dict[str, Any]:
    """The record of an extraction. source: the text's name."""
    completion = extraction.completion
    confidence = {} if extraction.confidence is None else {"confidence": _rounded(extraction.confidence)}
    return {
        "source": source,
        "data": extraction.data,
        "valid": extraction.is_valid,
        "error": None if extraction.error is None else str(extraction.error),
        "shortened": extraction.is_shortened,
        **({"repetition": True} if completion.ended_repetition else {}),
        "prompt_tokens": completion.num_prompt_tokens,
        "tokens": completion.num_tokens,
        "forced_tokens": completion.num_forced_tokens,
        "tokens_per_s": round(completion.tokens_per_s, 1),
        **confidence,
        **_places(extraction),
    }


def _places(extraction: Extraction[Any]) -> dict[str, Any]:
    """The entries about quotes, conflicts and pieces; empty ones are left out."""
    found: dict[str, Any] = {}
    if extraction.places:
        found["places"] = {
            pointer: {"source": one.source, "likely": one.likely, "spans": one.spans}
            for pointer, one in extraction.places.items()
        }
    if extraction.conflicts:
        found["conflicts"] = {
            pointer: [_candidate(one) for one in others] for pointer, others in extraction.conflicts.items()
        }
    if extraction.num_pieces > 1:
        found["pieces"] = extraction.num_pieces
    return found


def _candidate(candidate: Candidate) -> dict[str, Any]:
    confidence = None if candidate.confidence is None else _shares(candidate.confidence)
    return {"value": candidate.value, "confidence": confidence, "place": candidate.place}


def _rounded(confidence: Mapping[str, FieldConfidence]) -> dict[str, dict[str, Any]]:
    return {pointer: _shares(one) for pointer, one in confidence.items()}


def _shares(confidence: FieldConfidence) -> dict[str, Any]:
    found: dict[str, Any] = {name: _round(getattr(confidence, name)) for name in ("raw", "processed", "masked_mass")}
    if confidence.calibrated is not None:
        found["calibrated"] = _round(confidence.calibrated)
    if confidence.alternatives:
        found["alternatives"] = [[text, _round(share)] for text, share in confidence.alternatives]
    return found


def _round(share: float | None) -> float | None:
    return None if share is None else round(share, 4)
