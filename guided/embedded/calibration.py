"""The probability that a field read by the embedded model is right, if its strings must be quotes."""

from __future__ import annotations

from pathlib import Path

from ..extraction.calibration import Calibration

CALIBRATION_FILE = Path(__file__).parent / "calibration.json"


def load_calibration() -> Calibration:
    """The calibration that was fitted on generated texts, read with `quotes=True`.

    Use it for extractions by the embedded model with `quotes=True, confidence=True`. MODEL_CARD.md reports how well it
    separates right from wrong fields on other texts.
    """
    return Calibration.load(CALIBRATION_FILE)
