"""`Calibration`: how probable it is that a field is right, from signs that were weighed for one model.

A model's own probability tells little of that. The model is sure of a value that it writes into two fields, and of null
for a value that it has overlooked. A logistic model therefore adds up several signs (after Platt 1999). The weights are
fitted on fields that are known to be right or wrong. They hold for the model and the kinds of texts of these fields.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

LEAST = 1e-6  # lower bound of probabilities before taking the logarithm


@dataclass(frozen=True)
class Calibration:
    """The weights of a logistic model, as a model's tokenizer_config.json has them under `field_calibration`.

    constant: added for every field.
    log_processed: of the logarithm of `FieldConfidence.content`.
    log_twins: of the logarithm of 1 + the number of other fields with the same value; null and booleans have none.
    is_null: added for null.
    """

    constant: float
    log_processed: float
    log_twins: float
    is_null: float

    def probabilities(self, scalars: Mapping[str, Any], content: Mapping[str, float]) -> dict[str, float]:
        """For each scalar the probability that it is right. See `signs`."""
        weights = astuple(self)
        return {
            name: 1 / (1 + math.exp(-sum(weight * sign for weight, sign in zip(weights, one, strict=True))))
            for name, one in signs(scalars, content).items()
        }


def signs(scalars: Mapping[str, Any], content: Mapping[str, float]) -> dict[str, tuple[float, float, float, float]]:
    """The signs of each scalar: the numbers that the weights of a Calibration are multiplied with.

    scalars: strings, numbers, booleans and nulls of a document, by JSON pointer.
    content: `FieldConfidence.content` of each.
    """
    texts = {pointer: json.dumps(value) for pointer, value in scalars.items()}
    counts = Counter(text for text in texts.values() if text not in ("null", "true", "false"))
    return {
        pointer: (
            1.0,
            math.log(max(content[pointer], LEAST)),
            math.log(max(counts[text], 1)),
            float(text == "null"),
        )
        for pointer, text in texts.items()
    }
