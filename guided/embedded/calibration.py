"""How probable it is that a field read by the embedded model is right, where its strings are held to be quotes."""

from __future__ import annotations

from pathlib import Path

from ..extraction.calibration import Calibration

CALIBRATION_FILE = Path(__file__).parent / "calibration.json"


def load_calibration() -> Calibration:
    """Fitted on generated texts read with `quotes=True`; MODEL_CARD.md says how well it tells right fields from wrong
    ones on others. For extractions of the model in the package, made with `quotes=True, confidence=True`."""
    return Calibration.load(CALIBRATION_FILE)
