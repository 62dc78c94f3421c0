"""The area under the curve of confidences, and the fields that it is of."""

from __future__ import annotations

import math
import random

from examples.extraction_adapter.confidence import (
    ScoredField,
    area_under_curve,
    areas,
    fit,
    held_out_tasks,
    scalars,
    scored_fields,
)
from examples.extraction_adapter.documents import kinds
from guided.extraction.confidence import FieldConfidence
from guided.llm import LLM


def test_the_area_is_the_share_of_pairs_in_order() -> None:
    rng = random.Random(5)
    scores = [rng.randint(0, 9) / 10 for _ in range(80)]
    are_right = [rng.random() < 0.4 for _ in scores]
    right = [score for score, one in zip(scores, are_right, strict=True) if one]
    wrong = [score for score, one in zip(scores, are_right, strict=True) if not one]
    pairs = [1.0 if a > b else 0.5 if a == b else 0.0 for a in right for b in wrong]
    assert abs(area_under_curve(scores, are_right) - sum(pairs) / len(pairs)) < 1e-12
    assert area_under_curve([0.9, 0.8, 0.1], [True, True, False]) == 1.0


def test_scalars() -> None:
    assert dict(scalars({"a": [{"b": None}, 2], "c": {}})) == {"/a/0/b": None, "/a/1": 2}


def field_of(sign: float, is_right: bool) -> ScoredField:
    return ScoredField(is_right, FieldConfidence(0.5, 0.5, 0.0, 1), (1.0, sign, 0.0, 0.0))


def test_the_fit_finds_the_weights_that_made_the_fields() -> None:
    rng = random.Random(2)
    fields = []
    for _ in range(4000):
        sign = -5 * rng.random()
        fields.append(field_of(sign, rng.random() < 1 / (1 + math.exp(-1.5 - 0.8 * sign))))
    found = fit(fields)
    assert abs(found.constant - 1.5) < 0.2
    assert abs(found.log_processed - 0.8) < 0.1
    assert found.log_twins == found.is_null == 0.0  # no field says anything of them
    assert areas(fields, found)["raw"] == 0.5
    assert areas(fields, found)["calibrated"] > 0.7


def test_fields_of_held_out_kinds_are_scored() -> None:
    tasks = held_out_tasks(2, 1)
    assert {task.document.kind for task in tasks} <= set(kinds(held_out=True))
    with LLM("embedded") as llm:
        fields = scored_fields(llm, tasks)
    assert len(fields) > 4
    assert all(0 <= one.confidence.raw <= 1 for one in fields)
