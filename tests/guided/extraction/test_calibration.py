"""How probable it is that fields are right: against a plain count of pairs, and against weights that are known."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest

from guided import LLM
from guided.embedded.calibration import load_calibration
from guided.extraction.calibration import FEATURES, Calibration, area_under_curve, features, field_features
from guided.extraction.confidence import FieldConfidence
from guided.extraction.extraction import Extraction
from guided.extraction.quote_places import QuotePlaces
from guided.grammars.errors import InvalidInputError
from tests.guided.extraction.test_extract import completion_of

SURE, UNSURE = FieldConfidence(0.9, 0.95, 0.05, 2), FieldConfidence(0.0, None, None, 9)


@pytest.mark.parametrize("seed", range(10))
def test_the_area_is_the_share_of_pairs_in_order(seed: int) -> None:
    rng = random.Random(seed)
    scores = [rng.choice([0.1, 0.2, 0.5, rng.random()]) for _ in range(40)]
    are_right = [rng.random() < 0.6 for _ in scores]
    pairs = [
        1.0 if right > wrong else 0.5 if right == wrong else 0.0
        for right, one in zip(scores, are_right, strict=True)
        if one
        for wrong, other in zip(scores, are_right, strict=True)
        if not other
    ]
    assert area_under_curve(scores, are_right) == pytest.approx(sum(pairs) / len(pairs))


def test_known_weights_are_found() -> None:
    rng = random.Random(1)
    weights = [rng.uniform(-2, 2) if i < 4 else 0.0 for i in range(len(FEATURES))]
    rows = [[rng.gauss(3, 2) if i < 5 else 1.0 for i in range(len(FEATURES))] for _ in range(6000)]
    chances = [
        1 / (1 + math.exp(-sum(w * (x - 3) / 2 for w, x in zip(weights, row, strict=True) if w) - 0.5)) for row in rows
    ]
    are_right = [rng.random() < chance for chance in chances]
    found = Calibration.fit(rows, are_right)
    errors = [abs(found.probability(row) - chance) for row, chance in zip(rows, chances, strict=True)]
    assert sum(errors) / len(errors) < 0.03
    assert area_under_curve([found.probability(row) for row in rows], are_right) > 0.8


def test_features_of_a_document(tmp_path: Path) -> None:
    document = {"name": "Ada", "age": 36, "tags": ["x", None], "ok": True}
    pointers = ("", "/name", "/age", "/tags", "/tags/0", "/tags/1", "/ok")
    places = {"/name": QuotePlaces("Ada", "text", ((0, 3), (9, 12)), (0, 3))}
    extraction = Extraction(
        document, document, True, completion_of(json.dumps(document)), None, dict.fromkeys(pointers, SURE), places
    )
    found = field_features(extraction)
    assert sorted(found) == ["/age", "/name", "/ok", "/tags/0", "/tags/1"]
    named = {pointer: dict(zip(FEATURES, row, strict=True)) for pointer, row in found.items()}
    assert named["/name"]["log places"] == pytest.approx(math.log(2))
    assert (named["/name"]["is a quote"], named["/age"]["is a number"], named["/ok"]["is a boolean"]) == (1, 1, 1)
    assert named["/tags/1"]["is null"] == 1
    assert named["/ok"]["is a number"] == 0
    assert {row["log twins"] for row in named.values()} == {0}
    assert all(math.isfinite(one) for one in features("", UNSURE, None))
    calibration = Calibration.fit([*found.values()], [True, True, False, False, True])
    assert set(calibration.probabilities(extraction)) == set(found)
    assert all(0 < one < 1 for one in calibration.probabilities(extraction).values())
    calibration.save(tmp_path / "one.json")
    assert Calibration.load(tmp_path / "one.json") == calibration
    calibration.save(str(tmp_path / "two.json"))
    assert Calibration.load(str(tmp_path / "two.json")) == calibration


def test_fields_with_the_same_value_are_twins() -> None:
    document = {"a": 1, "b": 1, "c": [1, "1", True, True], "d": None, "e": None}
    pointers = ("", "/a", "/b", "/c", "/c/0", "/c/1", "/c/2", "/c/3", "/d", "/e")
    confidence = dict.fromkeys(pointers, FieldConfidence(0.5, 0.5, 0.0, 2, (), 0.25))
    extraction = Extraction(document, document, True, completion_of(json.dumps(document)), None, confidence)
    twins = {pointer: row[FEATURES.index("log twins")] for pointer, row in field_features(extraction).items()}
    assert {pointer for pointer, count in twins.items() if count} == {"/a", "/b", "/c/0"}
    assert twins["/a"] == pytest.approx(math.log(3))
    assert field_features(extraction)["/d"][FEATURES.index("log lowest")] == pytest.approx(math.log(0.25))


def test_quotes_that_overlap_are_counted() -> None:
    document = {"a": "Herr Lind", "b": "Lind", "c": "Ulm", "d": "Lind", "e": "Herr"}
    spans = {"a": (0, 9), "b": (5, 9), "c": (9, 12), "d": (20, 24), "e": (0, 4)}
    places = {f"/{key}": QuotePlaces(document[key], "text", (span,), span) for key, span in spans.items()}
    places["/e"] = QuotePlaces("Herr", "other", ((0, 4),), (0, 4))  # of another source
    confidence = dict.fromkeys(["", *places], SURE)
    extraction = Extraction(document, document, True, completion_of(json.dumps(document)), None, confidence, places)
    overlaps = {pointer: row[FEATURES.index("log overlaps")] for pointer, row in field_features(extraction).items()}
    assert {pointer for pointer, count in overlaps.items() if count} == {"/a", "/b"}


def test_the_model_of_the_package_has_a_calibration() -> None:
    with LLM() as llm:
        found = llm.extract_detailed("Ada Holm is 36.", {"properties": {"name": {"type": "string"}}}, confidence=True)
    assert not isinstance(found, list)
    assert all(0 < one < 1 for one in load_calibration().probabilities(found).values())


def test_what_can_not_be_calibrated(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="extract with confidence=True"):
        field_features(Extraction(1, 1, True, completion_of("1")))
    for are_right in ([True], [False, False], []):
        with pytest.raises(InvalidInputError, match="some right and some wrong"):
            Calibration.fit([[0.0] * len(FEATURES)] * len(are_right), are_right)
    with pytest.raises(InvalidInputError, match="right fields and wrong ones"):
        area_under_curve([0.5], [True])
    path = tmp_path / "bad.json"
    with pytest.raises(InvalidInputError, match="is no calibration"):
        Calibration.load(path)
    path.write_text('{"features": ["a"], "means": [1], "scales": [1], "weights": [1, 2]}')
    with pytest.raises(InvalidInputError, match=r"by other features than log raw.*; fit it anew"):
        Calibration.load(path)
