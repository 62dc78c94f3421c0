"""`Calibration`: the probability that a field is right, from a logistic model of a few features.

A model's probability for a value says little about whether the value is right. A small model is sure even of words that
it never saw. Better features are the least certain token, the probability that the grammar excluded, and the tokens per
character (rare words take many). Others are equal values in other fields and, for quotes, the number of places in the
text and overlaps with other quotes. `Calibration.fit` weighs the features on fields known to be right or wrong (Platt
1999, with more than one score). The result holds for the model, and the kind of texts, of these fields.
"""

from __future__ import annotations

import json
import math
import os
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guided.grammars.errors import InvalidInputError
from guided.grammars.json_paths import escape

from .confidence import FieldConfidence
from .extraction import Extraction
from .quote_places import QuotePlaces, Span

FEATURES = (
    *("log raw", "log raw per token", "log processed", "masked mass", "tokens", "tokens per character"),
    *("is a quote", "log places", "log characters", "is null", "is a number", "is a boolean", "is in capitals"),
    *("log lowest", "log twins", "log overlaps"),
)
LEAST = 1e-6  # lower bound of probabilities before taking the logarithm
RIDGE = 1.0  # penalty for squared weights, in standard deviations of a feature; without it a few fields fit anything
STEPS = 50  # maximum number of steps of Newton's method, which needs about 8


def features(
    value: Any,
    confidence: FieldConfidence,
    places: QuotePlaces | None,
    *,
    num_twins: int = 0,
    num_overlaps: int = 0,
) -> list[float]:
    """The features of a field, in the order of FEATURES.

    value: the field's value in the document, not an object or list.
    confidence: the field's confidence.
    places: the field's places in the source if it is a quote, else None.
    num_twins: number of other fields with the same value; null, true and false have no twins.
    num_overlaps: number of other quotes that share a character with this quote's likely place.
    """
    raw = math.log(max(confidence.raw, LEAST))
    processed = confidence.raw if confidence.processed is None else confidence.processed
    text = value if isinstance(value, str) else json.dumps(value)
    letters = [char for char in text if char.isalpha()]
    return [
        raw,
        raw / max(confidence.num_tokens, 1),
        math.log(max(processed, LEAST)),
        confidence.masked_mass or 0.0,
        math.log1p(confidence.num_tokens),
        confidence.num_tokens / max(len(text), 1),
        float(places is not None),
        math.log(len(places.spans)) if places is not None else 0.0,
        math.log1p(len(text)),
        float(value is None),
        float(isinstance(value, int | float) and not isinstance(value, bool)),
        float(isinstance(value, bool)),
        float(bool(letters) and letters[0].isupper()),
        math.log(max(confidence.lowest, LEAST)),
        math.log1p(num_twins),
        math.log1p(num_overlaps),
    ]


def field_features(extraction: Extraction[Any]) -> dict[str, list[float]]:
    """The features of every scalar of a document, by its JSON pointer.

    Raises InvalidInputError for an extraction without confidences (confidence=True) or without a document.
    """
    if extraction.confidence is None:
        raise InvalidInputError("a calibration needs a document's confidences: extract with confidence=True")
    scalars = dict(_scalars(extraction.data, ""))
    texts = {pointer: json.dumps(value) for pointer, value in scalars.items()}
    counts = Counter(text for text in texts.values() if text not in ("null", "true", "false"))
    overlaps = _overlaps(extraction.places)
    return {
        pointer: features(
            value,
            extraction.confidence[pointer],
            extraction.places.get(pointer),
            num_twins=max(counts[texts[pointer]] - 1, 0),
            num_overlaps=overlaps.get(pointer, 0),
        )
        for pointer, value in scalars.items()
        if pointer in extraction.confidence
    }


def _overlaps(places: Mapping[str, QuotePlaces]) -> dict[str, int]:
    """For each quote, the number of other quotes of its source that overlap it, each at its likely place."""
    likely: dict[str, list[Span]] = {}
    for one in places.values():
        likely.setdefault(one.source, []).append(one.likely)
    starts = {source: sorted(start for start, _ in spans) for source, spans in likely.items()}
    ends = {source: sorted(end for _, end in spans) for source, spans in likely.items()}
    return {
        pointer: bisect_left(starts[one.source], one.likely[1]) - bisect_right(ends[one.source], one.likely[0]) - 1
        for pointer, one in places.items()
    }


@dataclass(frozen=True)
class Calibration:
    """A fitted model.

    means, scales: of each feature in the data that it was fitted on.
    weights: of each feature, and a constant term at the end.
    """

    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]

    @classmethod
    def fit(cls, rows: Sequence[Sequence[float]], are_right: Sequence[bool]) -> Calibration:
        """Fit the weights on fields that are known to be right or wrong.

        rows: features of each field.
        are_right: for each row, whether its field is right.
        Raises InvalidInputError if all fields are right or all are wrong.
        """
        targets = np.asarray(are_right, np.float64)
        if len(rows) != len(targets) or not 0 < targets.sum() < len(targets):
            raise InvalidInputError("a calibration is fitted on rows with a label each, some right and some wrong")
        table = np.asarray(rows, np.float64)
        means, scales = table.mean(axis=0), table.std(axis=0)
        scales[scales == 0] = 1.0
        inputs = np.column_stack([(table - means) / scales, np.ones(len(table))])
        ridge = np.diag([*[RIDGE] * table.shape[1], 0.0])
        weights = np.zeros(inputs.shape[1])
        for _ in range(STEPS):  # Newton's method on the penalised log-likelihood
            shares = _logistic(inputs @ weights)
            gradient = inputs.T @ (targets - shares) - ridge @ weights
            curvature = (inputs * (shares * (1 - shares))[:, None]).T @ inputs + ridge + 1e-9 * np.eye(len(weights))
            change = np.linalg.solve(curvature, gradient)
            weights = weights + change
            if np.abs(change).max() < 1e-9:
                break
        return cls(tuple(means.tolist()), tuple(scales.tolist()), tuple(weights.tolist()))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Calibration:
        """Read a file that `save` wrote. Raises InvalidInputError for any other file."""
        try:
            read = json.loads(Path(path).read_text(encoding="utf-8"))
            found = cls(*[tuple(map(float, read[name])) for name in ("means", "scales", "weights")])
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise InvalidInputError(f"{path} is no calibration: {error}") from None
        if read.get("features") != list(FEATURES) or len(found.weights) != len(FEATURES) + 1:
            raise InvalidInputError(
                f"{path} is a calibration by other features than {', '.join(FEATURES)}; fit it anew"
            )
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the calibration as JSON."""
        found = {"features": FEATURES, "means": self.means, "scales": self.scales, "weights": self.weights}
        Path(path).write_text(json.dumps(found) + "\n", encoding="utf-8")

    def probability(self, row: Sequence[float]) -> float:
        """The probability that a field with these features is right."""
        inputs = (np.asarray(row) - np.asarray(self.means)) / np.asarray(self.scales)
        return float(_logistic(np.dot(inputs, self.weights[:-1]) + self.weights[-1]))

    def probabilities(self, extraction: Extraction[Any]) -> Mapping[str, float]:
        """The probability that each scalar of a document is right, by its JSON pointer. Raises like
        `field_features`.
        """
        return {pointer: self.probability(row) for pointer, row in field_features(extraction).items()}


def area_under_curve(scores: Sequence[float], are_right: Sequence[bool]) -> float:
    """The probability that a right field has a higher score than a wrong one; ties count half (Hanley, McNeil 1982).

    Raises InvalidInputError if all fields are right or all are wrong.
    """
    right = np.sort([score for score, one in zip(scores, are_right, strict=True) if one])
    wrong = np.asarray([score for score, one in zip(scores, are_right, strict=True) if not one])
    if not len(right) or not len(wrong):
        raise InvalidInputError("the area needs right fields and wrong ones")
    above = len(right) - np.searchsorted(right, wrong, "right")
    not_below = len(right) - np.searchsorted(right, wrong, "left")
    return float((above + not_below).sum() / (2 * len(right) * len(wrong)))


def _logistic(value: Any) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-np.clip(value, -60, 60))))


def _scalars(value: Any, pointer: str) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [one for key, item in value.items() for one in _scalars(item, f"{pointer}/{escape(key)}")]
    if isinstance(value, list):
        return [one for i, item in enumerate(value) for one in _scalars(item, f"{pointer}/{i}")]
    return [(pointer, value)]
